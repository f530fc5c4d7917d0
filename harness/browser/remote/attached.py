"""A browser that somebody else has started: the way to it, and what we have of it until we leave."""

from __future__ import annotations

import json
import subprocess
import sys
import urllib.error
import urllib.request
from http.client import HTTPException
from typing import Any
from urllib.parse import urlsplit, urlunsplit

from harness.browser.channel import Channel, CommandFailed
from harness.browser.flags import FLAGS, LOCAL_STATE, ONE_PAGE, PIPE, confinement, preferences, without_features
from harness.browser.launch import SCREEN, START_SECONDS, BrowserSettings, NoBrowser
from harness.browser.piped_process import PipedProcess, last_line
from harness.browser.remote import bridge
from harness.browser.remote.bridge import give_back
from harness.browser.sandbox import Sandbox
from harness.browser.wire import BrowserGone, Wire
from harness.kit.files.codec import JsonObject
from harness.kit.files.installation import BASIC, allowed

_KIND = "Chrome/"
"""What stands in the version of a browser whose DevTools the harness speaks."""


class AttachedBrowser:
    """A browser elsewhere, spoken to through a process that carries DevTools to it and back.

    That process has what Chromium has here: the other ends of a pipe, and a group of its own. When it ends, the browser
    throws away what was made over this connection, so that nothing is left behind there, even if we are killed.
    See ``harness.browser.launch.RunningBrowser``.
    """

    account = ""

    def __init__(self, socket: str, program: str, *, session: str = "") -> None:
        """Reach it.

        Args:
            socket: The address of the browser's WebSocket.
            program: What to call it.
            session: The address of a WebDriver session that ends with it; empty for none.

        Raises:
            NoBrowser: it is not there, or another kind of browser.
        """
        self.program = program
        self.session = session
        command = [sys.executable, "-I", bridge.__file__, socket, *([session] if session else [])]
        try:
            self._process = PipedProcess(command, allowed(BASIC))
        except (OSError, subprocess.SubprocessError) as error:
            raise NoBrowser(f"{program} cannot be reached: {error}") from error
        try:
            self.wire = Wire(self._process.ends)
            self.version = self._greet()
        except BaseException:
            self.end()
            raise
        finally:
            self._process.ignore()

    def _greet(self) -> str:
        try:
            version = str(Channel(self.wire, timeout=START_SECONDS).call("Browser.getVersion")["product"])
        except (BrowserGone, CommandFailed) as error:
            said = last_line(self._process.complaints())
            raise NoBrowser(f"no browser answers at {self.program}: {said or error}") from error
        if _KIND not in version:
            raise NoBrowser(f"{self.program} is {version}, and turkbench speaks to Chromium and Chrome")
        return version

    @property
    def group(self) -> int:
        """The group of the process in between."""
        return self._process.group

    def sandbox(self) -> Sandbox:
        """Nobody can look."""
        return "unknown"

    def end(self) -> None:
        """Leave it; never raises."""
        self.wire.close()
        self._process.ask_to_end()


def attached(url: str) -> AttachedBrowser:
    """A browser that somebody runs.

    Args:
        url: ``http://HOST:PORT`` of its DevTools, or the address of its WebSocket.

    Raises:
        NoBrowser: it is not there.
    """
    return AttachedBrowser(_socket_of(url), url)


def _socket_of(url: str) -> str:
    """The WebSocket of the browser at an address."""
    if urlsplit(url).scheme in ("ws", "wss"):
        return url
    try:
        told = str(fetched(f"{url.rstrip('/')}/json/version")["webSocketDebuggerUrl"])
    except (OSError, ValueError, KeyError, TypeError, HTTPException) as error:
        raise NoBrowser(
            f"no browser tells of itself at {url} ({error}): start it with --remote-debugging-port, and give the "
            "address of that port by number"
        ) from error
    return at_host(told, url)


def at_host(socket: str, url: str) -> str:
    """A WebSocket that a server tells of, at the host at which that server is reached: its own name may lead nowhere.

    Args:
        socket: The address that it tells.
        url: Its own, of the web.
    """
    told, host = urlsplit(socket), urlsplit(url)
    return urlunsplit(("wss" if host.scheme == "https" else "ws", host.netloc, told.path, told.query, ""))


def fetched(address: str, **asked: Any) -> Any:
    """What a server answers as JSON, whatever proxy the environment names.

    Args:
        address: Of the web.
        **asked: A JSON object to send; none to ask only.

    Raises:
        OSError, ValueError, http.client.HTTPException: it does not.
    """
    body = json.dumps(asked).encode() if asked else None
    request = urllib.request.Request(address, body, {"Content-Type": "application/json"})  # noqa: S310 - the user's
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with opener.open(request, timeout=START_SECONDS) as answer:
        return json.load(answer)


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
