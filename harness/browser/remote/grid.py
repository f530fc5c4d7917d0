"""A browser that a Selenium Grid lends, or another remote WebDriver that hands DevTools on (``se:cdp``).

Its session of WebDriver is begun with the flags and preferences of a browser that is started here, as far as the driver
takes them. https://www.selenium.dev/documentation/grid/ has the Grid, https://www.w3.org/TR/webdriver2/ the protocol.
"""

from __future__ import annotations

import json
import urllib.error
from http.client import HTTPException

from harness.browser.flags import FLAGS, LOCAL_STATE, ONE_PAGE, PIPE, confinement, preferences, without_features
from harness.browser.launch import SCREEN, BrowserSettings, NoBrowser
from harness.browser.remote.attached import AttachedBrowser, at_host, fetched
from harness.browser.remote.bridge import give_back
from harness.kit.files.codec import JsonObject


def lent(url: str, settings: BrowserSettings) -> AttachedBrowser:
    """Begin a session at a Grid; it ends with the browser that is returned.

    Args:
        url: Of the Grid, e.g. ``http://192.168.1.30:4444``.
        settings: How the browser is to be.

    Raises:
        NoBrowser: no Grid is there, it lends none, or it hands no DevTools on.
    """
    grid = url.rstrip("/")
    try:
        value = fetched(f"{grid}/session", capabilities={"alwaysMatch": _capabilities(settings)})["value"]
        session, told = f"{grid}/session/{value['sessionId']}", value["capabilities"].get("se:cdp")
    except urllib.error.HTTPError as error:
        raise NoBrowser(f"the Grid at {url} lends no browser: {_why(error)}") from error
    except (OSError, ValueError, KeyError, TypeError, AttributeError, HTTPException) as error:
        raise NoBrowser(f"no Grid answers at {url}: {error}") from error
    if not isinstance(told, str):
        give_back(session)
        raise NoBrowser(
            f"{url} hands no DevTools on (it says no se:cdp), over which pages are read: use a Selenium Grid 4 with "
            "Chromium or Chrome, or start Chromium with --remote-debugging-port and give --browser-url"
        )
    try:
        return AttachedBrowser(at_host(told, grid), url, session=session)
    except BaseException:
        give_back(session)
        raise


def _capabilities(settings: BrowserSettings) -> JsonObject:
    """What is asked of the Grid: a browser as shut in as one of ours."""
    width, height = SCREEN
    arguments = [flag for flag in FLAGS if flag != PIPE]
    arguments += [
        without_features(is_seen=False),
        *confinement(settings.origin, settings.policy, live=settings.live),
        ONE_PAGE,
    ]
    arguments += ["--headless=new", f"--window-size={width},{height}"]
    return {
        "browserName": "chrome",
        "unhandledPromptBehavior": "accept",
        "goog:chromeOptions": {
            "args": arguments,
            "prefs": preferences(settings.origin, settings.policy),
            "localState": LOCAL_STATE,
        },
    }


def _why(error: urllib.error.HTTPError) -> str:
    """What a WebDriver says of a session that it does not begin, in one line."""
    try:
        return str(json.load(error)["value"]["message"]).strip().partition("\n")[0]
    except (OSError, ValueError, KeyError, TypeError):
        return f"status {error.code}"
