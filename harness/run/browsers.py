"""The browsers of a run: those that are elsewhere, and how its workers get one with an input back end."""

from __future__ import annotations

import contextlib
import ipaddress
from collections.abc import Callable, Iterator
from dataclasses import replace
from urllib.parse import urlsplit

from harness.browser.browser_choice import RemoteBrowser, visitor_of
from harness.browser.input_back_end import SessionMaker, devtools_session
from harness.browser.launch import BrowserSettings
from harness.catalog.problems import CatalogError
from harness.episode.registry import find_solver
from harness.models.providers.surroundings import is_loopback
from harness.records.config import InputName, RunConfig
from harness.run.task_kind import task_kind

ATTACHED = (
    "WARNING: the browser at {url} is somebody's own: pages are strangers' code there, in a context of their own whose "
    "network is kept to the task server, but without turkbench's list of addresses, and nobody knows of its sandbox"
)
LENT = (
    "WARNING: the browsers are those of the Grid at {url}, started with turkbench's flags and list of addresses; "
    "nobody here sees whether they have their sandbox"
)


def remote_of(config: RunConfig) -> RemoteBrowser | None:
    """The browser elsewhere that a run asks for; None if its browsers are started here."""
    if config.browser_url:
        return RemoteBrowser("attached", config.browser_url)
    return RemoteBrowser("grid", config.grid) if config.grid else None


def warning(config: RunConfig) -> str:
    """What has to be said of the browsers of a run before it begins; empty of those that are started here."""
    if config.browser_url:
        return ATTACHED.format(url=config.browser_url)
    return LENT.format(url=config.grid) if config.grid else ""


def check_browsers(config: RunConfig) -> None:
    """Make sure that browsers elsewhere can be used as a run asks.

    Args:
        config: Of the run, with the kind of its tasks.

    Raises:
        CatalogError: what was asked for does not go with them.
    """
    if config.browser_url and config.grid:
        raise CatalogError("--browser-url, --grid: give one of them.")
    if config.serve_at is not None:
        _check_address(config)
    remote = remote_of(config)
    if remote is None:
        return
    option = "--browser-url" if remote.place == "attached" else "--grid"
    _check_url(option, remote)
    for is_asked, what in (
        (
            task_kind(config.kind).sets_sites,
            "it plays forms: the addresses of bundled websites are known on this machine alone",
        ),
        (config.engine != "local", f"with --engine {config.engine} each node has browsers of its own"),
        (config.input == "desktop", "--input desktop needs a screen of this machine"),
        (config.headed, "--headed is for browsers that are started here"),
        (config.require_sandbox, "nobody here can see its sandbox, which --require-sandbox asks for"),
        (config.network == "live", "--network live is for browsers whose flags are turkbench's"),
        (find_solver(config.solver).drives_itself, f"--solver {config.solver} would drive a browser beyond its page"),
    ):
        if is_asked:
            raise CatalogError(f"{option}: {what}; leave one of them out.")
    if config.serve_at is None and config.server is None and not is_loopback(remote.url):
        raise CatalogError(
            f"{option}: a browser on another machine does not reach the task server, which listens on 127.0.0.1; "
            "--serve-at ADDRESS lets it listen at the address of this machine that is reached from there."
        )


def _check_url(option: str, remote: RemoteBrowser) -> None:
    schemes = ("http", "https", "ws", "wss") if remote.place == "attached" else ("http", "https")
    try:
        parts = urlsplit(remote.url)
        is_address = parts.scheme in schemes and bool(parts.hostname)
    except ValueError:
        is_address = False
    if not is_address:
        raise CatalogError(f"{option} {remote.url!r}: no address such as http://HOST:PORT.")
    if parts.username or parts.password or parts.query:
        raise CatalogError(
            f"{option}: an address with a password or a query would stand in run.json; use one without, say of a "
            "forwarder of your own that adds it."
        )


def _check_address(config: RunConfig) -> None:
    if remote_of(config) is None:
        raise CatalogError("--serve-at: browsers of this machine need none; it goes with --browser-url and --grid.")
    if config.server:
        raise CatalogError("--serve-at: the server of --server listens where it does; leave one of them out.")
    try:
        address = ipaddress.IPv4Address(config.serve_at)
    except ValueError:
        raise CatalogError(
            f"--serve-at {config.serve_at!r}: give the IPv4 address of this machine, e.g. 192.168.1.20."
        ) from None
    if address.is_unspecified or address.is_multicast:
        raise CatalogError(f"--serve-at {config.serve_at}: no browser reaches a server by that address.")


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
        page_tools=config.actions == "page-tools",
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
