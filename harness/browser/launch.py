"""Start Chromium, shut in: its pages in its sandbox, one origin to reach, and a pipe as the only way to it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from importlib.resources import files
from pathlib import Path
from typing import Protocol

from selenium.common.exceptions import WebDriverException
from selenium.webdriver.common.selenium_manager import SeleniumManager

from harness.browser.browser_choice import CHANNELS, FORM, NavigationPolicy, RemoteBrowser, Visitor
from harness.browser.channel import Channel, CommandFailed
from harness.browser.flags import FLAGS, LOCAL_STATE, ONE_PAGE, PAGE_TOOLS, confinement, preferences, without_features
from harness.browser.piped_process import PipedProcess, last_line
from harness.browser.reaper import BrowserReaper
from harness.browser.sandbox import (
    LET_IT_HAVE_ONE,
    Account,
    Sandbox,
    browser_account,
    is_reachable,
    is_sandbox_refusal,
    sandbox_of,
)
from harness.browser.wire import BrowserGone, Wire
from harness.kit.errors import WrongSetUp
from harness.kit.files.installation import BASIC, OWN_BROWSER, allowed, variable
from harness.kit.files.installation import SCREEN as OF_SCREEN


class RunningBrowser(Protocol):
    """What is to be known of a browser that runs, and the way to it.

    Attributes:
        wire: The way to it.
        program: The path of its program; where it is elsewhere, its address.
        version: Product and version, e.g. ``Chrome/156.0.8078.79``.
        account: The user that it runs as; empty for our own, or where that is not known.
        session: The address of the WebDriver session that it was lent by; empty if it was not.
    """

    @property
    def wire(self) -> Wire:
        """See above."""

    @property
    def program(self) -> str:
        """See above."""

    @property
    def version(self) -> str:
        """See above."""

    @property
    def account(self) -> str:
        """See above."""

    @property
    def session(self) -> str:
        """See above."""

    @property
    def group(self) -> int:
        """The group of processes that ends with it, which no other process is in."""

    def sandbox(self) -> Sandbox:
        """Whether its pages are seen to be in a sandbox."""

    def end(self) -> None:
        """End it, or what we have of it; never raises."""


SCREEN = (1280, 800)
"""Width and height of the page area in pixels, everywhere: a screenshot's pixels are the click's coordinates."""
HEADED_MARGIN = 160
"""Pixels that the window of a headed browser is taller than its page, for tabs and address bar."""

TEMPORARY = "hb-"
"""Begins the name of a browser's folder. Short, since the path of a socket in it may have no more than 107 bytes."""
START_SECONDS = 60.0
"""How long a browser may take to answer for the first time."""
REMOVALS, REMOVAL_SECONDS = 20, 0.05
"""How often the files of a killed browser are removed, and how long after one another."""
_EMPTY = "data:,"
"""What the first page shows. With a page of the browser's own, the address bar has the focus of the keyboard."""

CONFINED = "Chrome/"
"""How browsers call themselves that keep the lists of addresses in their preferences; a headless shell does not."""

_BINARIES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
INSTALL_HINT = (
    "no Chromium was found: on Debian or Ubuntu run `sudo apt-get install chromium` "
    "(Ubuntu without snap: `chromium-browser`), or set TURKBENCH_CHROMIUM to the program"
)


class NoBrowser(WrongSetUp):
    """No browser could be started; the message says what to install or mend."""


class _NoSandbox(Exception):
    """The browser says that it can have no sandbox here."""


@dataclass(frozen=True)
class BrowserSettings:
    """How a browser is started.

    Attributes:
        origin: The only origin it may reach, e.g. ``http://127.0.0.1:8000``.
        headless: Without a window. A headed browser needs a display.
        live_clock: Leave ``Math.random`` and the clock of pages alone, instead of seeding them per instance.
        display: X display to open the window on, e.g. ``:99``; None for the one of the environment.
        kiosk: The page fills the screen, so that screen and page coordinates are the same.
        live: Let pages reach the network; otherwise nothing but the origin answers.
        fresh_context: Show each page in a browser context of its own, which nothing was ever in.
        require_sandbox: Start none without its sandbox.
        page_tools: Let pages offer tools of their own (WebMCP), and ask bundled sites to.
        timeout: Seconds to wait for the browser before it counts as gone.
        policy: Where its tabs may go. Of a site, ``origin`` is not reached unless it is one of the policy's.
        scratch: Folder in which each browser makes one for its temporary files; None for the system's.
        announce: Called in the browser's process, which leads a process group of its own, before the browser runs. None
            for a browser that nobody watches: it gets a reaper of its own.
        visitor: What websites are told of their visitor, and which browser is started.
        remote: The browser elsewhere that is used instead of starting one.
        join: Gives a place in a browser of ours that others use meanwhile, started with these settings, instead of one
            alone.
    """

    origin: str
    headless: bool = True
    live_clock: bool = False
    display: str | None = None
    kiosk: bool = False
    live: bool = False
    fresh_context: bool = False
    require_sandbox: bool = False
    page_tools: bool = False
    timeout: float = 30.0
    policy: NavigationPolicy = FORM
    scratch: Path | None = None
    announce: Callable[[], None] | None = field(default=None, compare=False)
    visitor: Visitor = field(default_factory=Visitor)
    remote: RemoteBrowser | None = None
    join: Callable[[BrowserSettings], RunningBrowser] | None = field(default=None, compare=False)

    @property
    def is_attached(self) -> bool:
        """Whether it is somebody's own, who may use it meanwhile."""
        return self.remote is not None and self.remote.place == "attached"

    @property
    def is_shared(self) -> bool:
        """Whether it has pages that are not ours."""
        return self.is_attached or self.join is not None


@dataclass(frozen=True)
class StartedBrowser:
    """A browser that runs.

    Attributes:
        wire: The way to it.
        program: The path of its program.
        version: Product and version, e.g. ``Chrome/156.0.8078.79``.
        sandboxed: Whether it was started with its sandbox.
        account: The user that it runs as; empty for our own.
        folder: Where it keeps its files.
        reaper: Its own; None if somebody else watches it.
        session: Empty: it was not lent by a WebDriver.
    """

    wire: Wire
    program: str
    version: str
    sandboxed: bool
    account: str
    folder: Path
    reaper: BrowserReaper | None
    _process: PipedProcess
    session: str = ""

    def sandbox(self) -> Sandbox:
        """Whether its pages are seen to be in a sandbox."""
        return sandbox_of(self.group) if self.sandboxed else "off"

    @property
    def group(self) -> int:
        """Its process group, which no other process is in."""
        return self._process.group

    def end(self) -> None:
        """End it at once, whatever state it is in, and remove its files; never raises.

        There is nothing in it worth a farewell, and one that hangs would not answer it.
        """
        self.wire.close()
        self._process.end()
        _remove(self.folder)
        if self.reaper:
            self.reaper.dismiss()


def find_browser() -> str | None:
    """Path of the browser: from the environment, else from PATH; None where Selenium Manager has to look."""
    return variable(OWN_BROWSER) or next(filter(None, map(shutil.which, _BINARIES)), None)


def _program(settings: BrowserSettings) -> str:
    """The path of the browser that is to be started.

    Raises:
        NoBrowser: it is not installed.
    """
    channel = settings.visitor.channel
    if not channel:
        return find_browser() or _fetched_browser()
    if program := settings.visitor.program:
        return program
    raise NoBrowser(f"the channel {channel} is not installed: none of {', '.join(CHANNELS[channel])} is in PATH")


def _fetched_browser() -> str:
    """The path of a browser that Selenium Manager finds in other places, or fetches.

    Raises:
        NoBrowser: it does not.
    """
    try:
        return str(SeleniumManager().binary_paths(["--browser", "chrome"])["browser_path"])
    except (WebDriverException, OSError, KeyError) as error:
        reason = (getattr(error, "msg", None) or str(error)).strip().partition("\n")[0]
        raise NoBrowser(f"{INSTALL_HINT}. ({reason})") from error


def _has_display() -> bool:
    return sys.platform != "linux" or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def _remove(folder: Path) -> None:
    """Remove a folder in which killed processes may write a last time."""
    for _ in range(REMOVALS):
        shutil.rmtree(folder, ignore_errors=True)
        if not folder.exists():
            return
        time.sleep(REMOVAL_SECONDS)  # the system tells nobody that a process which is no child has written its last


def start_browser(settings: BrowserSettings) -> StartedBrowser:
    """Start a browser, as a user with few rights if we are root.

    Where the machine lets it have no sandbox, it is started without, unless that is forbidden.

    Raises:
        NoBrowser: none is installed, or it does not start.
        harness.browser.sandbox.NoAccount: there is no user as whom it could be started.
    """
    if not settings.headless and not settings.display and not _has_display():
        raise NoBrowser(
            "a browser with a window (--headed) needs a display, and neither DISPLAY nor WAYLAND_DISPLAY names one"
        )
    program, account = _program(settings), browser_account()
    reaper = BrowserReaper() if settings.announce is None else None
    if reaper:
        settings = replace(settings, scratch=settings.scratch or reaper.folder, announce=reaper.watch_me)
    try:
        try:
            return _start(program, account, settings, reaper, sandboxed=True)
        except _NoSandbox as error:
            if settings.require_sandbox:
                raise NoBrowser(
                    f"{program} cannot have its sandbox here, and --require-sandbox asks for it: {LET_IT_HAVE_ONE} "
                    f"({error})"
                ) from None
        return _start(program, account, settings, reaper, sandboxed=False)
    except BaseException:
        if reaper:
            reaper.dismiss()
        raise


def _start(
    program: str, account: Account | None, settings: BrowserSettings, reaper: BrowserReaper | None, *, sandboxed: bool
) -> StartedBrowser:
    folder = Path(tempfile.mkdtemp(prefix=TEMPORARY, dir=settings.scratch))
    command = [program, *(() if sandboxed else ("--no-sandbox",)), *_flags(settings, folder)]
    process = None
    try:
        _write_profile(folder, settings)
        if account:
            _give(folder, account)
        process = _spawn(command, _environment(settings, folder), account, settings.announce)
        wire = Wire(process.ends)
        version = _greet(wire, process, program, sandboxed=sandboxed)
    except BaseException:
        if process:
            process.end()
        _remove(folder)
        raise
    finally:
        if process:
            process.ignore()  # what it complains of from now on is nobody's business
    return StartedBrowser(wire, program, version, sandboxed, account.name if account else "", folder, reaper, process)


def _give(folder: Path, account: Account) -> None:
    """Let a folder belong to the user that the browser runs as."""
    if not is_reachable(folder, account):
        raise NoBrowser(
            f"browsers run as {account.name} where turkbench runs as root, and {account.name} cannot reach "
            f"{folder.parent}: let TMPDIR name a folder that everybody may pass through, as they may through /tmp"
        )
    for each in (folder, *folder.rglob("*")):
        os.chown(each, account.uid, account.gid)


def _spawn(
    command: list[str], environment: dict[str, str], account: Account | None, announce: Callable[[], None] | None
) -> PipedProcess:
    try:
        return PipedProcess(command, environment, account=account, announce=announce)
    except (OSError, subprocess.SubprocessError) as error:
        raise NoBrowser(f"{command[0]} does not start: {error}") from error


def _greet(wire: Wire, process: PipedProcess, program: str, *, sandboxed: bool) -> str:
    """Wait for the browser's first answer; gives its version.

    Raises:
        NoBrowser: it does not answer, or is none that can be shut in.
        _NoSandbox: it says that it can have no sandbox.
    """
    try:
        version = str(Channel(wire, timeout=START_SECONDS).call("Browser.getVersion")["product"])
    except (BrowserGone, CommandFailed) as error:
        wire.close()
        process.end()
        complaints = process.complaints()
        if sandboxed and is_sandbox_refusal(complaints):
            raise _NoSandbox(last_line(complaints)) from None
        raise NoBrowser(f"{program} does not start: {last_line(complaints) or error}") from error
    if not version.startswith(CONFINED):
        wire.close()
        raise NoBrowser(
            f"{program} is {version}, and only Chromium and Chrome themselves keep the list of addresses that pages "
            "and agents may open: a headless shell would show files of this machine. Set TURKBENCH_CHROMIUM to another"
        )
    return version


def _environment(settings: BrowserSettings, folder: Path) -> dict[str, str]:
    """The browser's environment: dates and times look alike on every machine, unless the clock is to be live."""
    environment = {**allowed((*BASIC, *OF_SCREEN)), "LANGUAGE": "en_US", "HOME": str(folder), "TMPDIR": str(folder)}
    if not settings.live_clock:
        environment["TZ"] = "UTC"
    if settings.display:
        environment["DISPLAY"] = settings.display
    return environment


def _flags(settings: BrowserSettings, folder: Path) -> list[str]:
    confined = confinement(settings.origin, settings.policy, live=settings.live)
    flags = [
        *FLAGS,
        without_features(is_seen=not settings.headless),
        f"--user-data-dir={folder / 'profile'}",
        *confined,
    ]
    if not settings.policy.is_site:
        flags.append(ONE_PAGE)
    if settings.page_tools:
        # Browsers have them on secure origins alone, and a bundled site has no certificate.
        flags += [PAGE_TOOLS, f"--unsafely-treat-insecure-origin-as-secure={','.join(settings.policy.origins)}"]
    width, height = SCREEN
    if settings.headless:
        flags.append("--headless=new")
    if settings.display:
        # A Wayland session's variables may stand in the environment beside DISPLAY.
        flags.append("--ozone-platform=x11")
    if settings.kiosk:
        flags += ["--kiosk", "--window-position=0,0"]
    margin = 0 if settings.headless or settings.kiosk else HEADED_MARGIN
    # Of a form where nobody sees it, the window is the page alone: tabs and address bar would be drawn anew for each.
    first = f"--app={_EMPTY}" if settings.headless and not settings.policy.is_site else _EMPTY
    return [*flags, f"--window-size={width},{height + margin}", first]


def _write_profile(folder: Path, settings: BrowserSettings) -> None:
    profile = folder / "profile" / "Default"
    profile.mkdir(parents=True)
    (profile / "Preferences").write_text(json.dumps(preferences(settings.origin, settings.policy)), encoding="utf-8")
    (profile.parent / "Local State").write_text(json.dumps(LOCAL_STATE), encoding="utf-8")


def in_page_script(name: str, folder: str = "scripts") -> str:
    """The text of one of the in-page scripts beside this module; those of sites are in ``site_scripts``."""
    return (files(__package__) / folder / f"{name}.js").read_text(encoding="utf-8")
