"""How the workers of a run get a browser with an input back end."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from dataclasses import replace

from harness.browser.browser_choice import visitor_of
from harness.browser.input_back_end import SessionMaker, devtools_session
from harness.browser.launch import BrowserSettings
from harness.records.config import InputName, RunConfig
from harness.run.remote_browsers import remote_of

Adapt = Callable[[BrowserSettings], BrowserSettings]


def browser_settings(config: RunConfig, origin: str) -> BrowserSettings:
    """How the browsers of a run are started, whose pages come from ``origin``."""
    return BrowserSettings(
        origin=origin,
        headless=not config.headed,
        live_clock=config.live_clock,
        fresh_context=config.fresh_context,
        live=config.network == "live",
        require_sandbox=config.require_sandbox,
        visitor=visitor_of(config.visitor),
        remote=remote_of(config),
    )


@contextlib.contextmanager
def sessions(input_name: InputName, pages_per_browser: int = 1) -> Iterator[tuple[SessionMaker, Adapt]]:
    """A context with what starts a browser, and what fits the settings of browsers to its screen.

    Args:
        input_name: How actions are to reach its pages.
        pages_per_browser: How many workers share a browser, with input over DevTools.

    Raises:
        harness.browser.launch.NoBrowser: there is no display for input by the desktop.
    """
    if input_name == "devtools" and pages_per_browser > 1:
        from harness.run.shared_browsers import shared_browsers  # noqa: PLC0415 - a browser a worker does without

        with shared_browsers(devtools_session, pages_per_browser) as make_session:
            yield make_session, lambda settings: settings
        return
    if input_name == "devtools":
        yield devtools_session, lambda settings: settings
        return
    if input_name == "webdriver":
        # Imported here alone: a run over DevTools does without what Selenium brings along.
        from harness.browser.webdriver_session import webdriver_session  # noqa: PLC0415

        yield webdriver_session, lambda settings: settings
        return
    # Imported here alone: it needs an X display and packages that a headless run does without.
    from harness.browser.desktop.desktop_input import desktop_sessions  # noqa: PLC0415

    with desktop_sessions() as display:
        yield (
            display.session,
            lambda settings: replace(settings, headless=False, kiosk=True, display=display.name),
        )
