"""Start Chromium through Selenium, shut in: one origin to reach, one screen size, nothing fetched in the background."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from urllib.parse import urlsplit

from selenium import webdriver
from selenium.common.exceptions import WebDriverException
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.chromium.service import ChromiumService
from urllib3.exceptions import HTTPError

from harness.browser.channel import BrowserGone, Channel
from harness.errors.user import UserError

SCREEN = (1280, 800)
"""Width and height of the page area in pixels, everywhere: a screenshot's pixels are the click's coordinates."""

UNWANTED = (
    "Translate",
    "OptimizationHints",
    "MediaRouter",
    # Pages of the browser's own for its address bar, which agents from outside would find beside theirs.
    "WebUIOmniboxPopup",
    "WebUIOmniboxAimPopup",
    # After a press a page's own timers would wait for the next frame, behind what the next action does.
    "DeferRendererTasksAfterInput",
)
"""Features of Chromium that are switched off."""

# Without the background flags every start stalls on look-ups that a closed network refuses.
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-smooth-scrolling",
    "--disable-search-engine-choice-screen",
    "--disable-features=" + ",".join(UNWANTED),
    "--force-device-scale-factor=1",
    "--disable-blink-features=StorageBuckets,SharedWorker",
    "--hide-scrollbars",
    "--lang=en-US",
    "--block-new-web-contents",
    "--allow-pre-commit-input",  # a press before the first frame would be dropped
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--password-store=basic",
    "--mute-audio",
    # A window that another one covers goes on drawing: presses wait for its frames.
    "--disable-backgrounding-occluded-windows",
    "--disable-renderer-backgrounding",
    "--disable-background-timer-throttling",
    # A page that eats memory loses its process at this many megabytes of script objects, before the machine does.
    "--js-flags=--max-old-space-size=1024",
)
LOCAL_STATE = {"select_file_dialogs": {"allowed": False}}
"""Preferences of the browser as a whole: no dialog that chooses a file to read or to write."""
HEADED_MARGIN = 160
"""Pixels that the window of a headed browser is taller than its page, for tabs and address bar."""

AGENT_PLACES = ("page", "media", "asset")
"""First parts of the paths that the browser may go to: pages, and in their frames media and mirrored files."""
TEMPORARY = "hb-"
"""Begins the name of a browser's folder. Short, since the path of a socket in it may have no more than 107 bytes."""
END_SECONDS = 10
"""How long a killed process may take to vanish."""
REMOVALS, REMOVAL_SECONDS = 20, 0.05
"""How often the files of a killed browser are removed, and how long after one another."""

CONFINED = "chrome"
"""What drivers call the browsers that keep ``_preferences``; a headless shell ignores them."""

_BINARIES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
INSTALL_HINT = (
    "no Chromium was found: on Debian or Ubuntu run `sudo apt-get install chromium chromium-driver` "
    "(Ubuntu without snap: `chromium-browser chromium-chromedriver`), or set HARNESS_CHROMIUM and "
    "HARNESS_CHROMEDRIVER to the two programs"
)


class NoBrowser(UserError):
    """No browser could be started; the message says what to install or mend."""


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
        timeout: Seconds to wait for the browser before it counts as gone.
        scratch: Folder in which each browser makes one for its temporary files; None for the system's.
        announce: Called in the driver's process, which leads a process group of its own, before the driver runs there.
    """

    origin: str
    headless: bool = True
    live_clock: bool = False
    display: str | None = None
    kiosk: bool = False
    live: bool = False
    timeout: float = 30.0
    scratch: Path | None = None
    announce: Callable[[], None] | None = field(default=None, compare=False)


def find_programs() -> tuple[str | None, str | None]:
    """Paths of browser and driver: from the environment, else from PATH; None where Selenium Manager has to look."""
    browser = os.environ.get("HARNESS_CHROMIUM") or next(filter(None, map(shutil.which, _BINARIES)), None)
    driver = os.environ.get("HARNESS_CHROMEDRIVER") or shutil.which("chromedriver")
    return browser, driver


@dataclass(frozen=True)
class StartedDriver:
    """A driver that runs, with its browser.

    Attributes:
        driver: The WebDriver session.
        group: The process group of driver and browser, which no other process is in.
        folder: Where both keep their temporary files.
    """

    driver: webdriver.Chrome
    group: int
    folder: Path

    def end(self) -> None:
        """End driver and browser at once, whatever state they are in, and remove their files; never raises.

        There is nothing in them worth a farewell, and one that hangs would not answer it.
        """
        end_group(self.group)
        process = self.driver.service.process
        if process:
            with suppress(subprocess.TimeoutExpired):
                process.wait(END_SECONDS)
            if process.stdin:
                process.stdin.close()
        _forget(self.driver.service)
        _remove(self.folder)


def _has_display() -> bool:
    return sys.platform != "linux" or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def _forget(service: ChromiumService) -> None:
    """Keep the destructor from trying to reach the driver, which is gone."""
    service.process = None  # type: ignore[assignment]


def _remove(folder: Path) -> None:
    """Remove a folder in which killed processes may write a last time."""
    for _ in range(REMOVALS):
        shutil.rmtree(folder, ignore_errors=True)
        if not folder.exists():
            return
        time.sleep(REMOVAL_SECONDS)  # the system tells nobody that a process which is no child has written its last


def end_group(group: int) -> None:
    """Kill a process group, if it is there."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(group, signal.SIGKILL)


def start_driver(settings: BrowserSettings) -> StartedDriver:
    """Start browser and driver.

    Raises:
        NoBrowser: none is installed, or it does not start.
    """
    if not settings.headless and not settings.display and not _has_display():
        raise NoBrowser(
            "a browser with a window (--headed) needs a display, and neither DISPLAY nor WAYLAND_DISPLAY names one"
        )
    browser, driver = find_programs()
    folder = Path(tempfile.mkdtemp(prefix=TEMPORARY, dir=settings.scratch))
    # In a session of its own, so that a Ctrl-C at the terminal does not end the browser under an episode.
    popen = {"start_new_session": True, "preexec_fn": settings.announce}
    service = Service(executable_path=driver, env=_environment(settings, folder), popen_kw=popen)
    try:
        started = webdriver.Chrome(options=_options(settings, browser), service=service)
    except BaseException as error:
        if process := getattr(service, "process", None):
            end_group(process.pid)
            process.wait()
            _forget(service)
        _remove(folder)
        if not isinstance(error, WebDriverException | OSError | subprocess.SubprocessError | HTTPError):
            raise
        reason = (getattr(error, "msg", None) or str(error)).strip().splitlines()[0]
        if browser and driver:
            raise NoBrowser(f"{browser} with {driver} does not start: {reason}") from error
        raise NoBrowser(f"{INSTALL_HINT}. ({reason})") from error
    running = StartedDriver(started, int(service.process.pid), folder)
    name = started.capabilities["browserName"]
    if name != CONFINED:
        running.end()
        raise NoBrowser(
            f"{browser} is {name}, and only Chromium and Chrome themselves keep the list of addresses that pages and "
            "agents may open: a headless shell would show files of this machine. Set HARNESS_CHROMIUM to another one"
        )
    return running


def _environment(settings: BrowserSettings, folder: Path) -> dict[str, str]:
    """The browser's environment: dates and times look alike on every machine, unless the clock is to be live."""
    environment = {**os.environ, "LANGUAGE": "en_US", "TMPDIR": str(folder)}
    if not settings.live_clock:
        environment["TZ"] = "UTC"
    if settings.display:
        environment["DISPLAY"] = settings.display
    return environment


def _options(settings: BrowserSettings, browser: str | None) -> webdriver.ChromeOptions:
    options = webdriver.ChromeOptions()
    if browser:
        options.binary_location = browser
    for flag in (*FLAGS, *(() if settings.live else _confinement(settings.origin))):
        options.add_argument(flag)
    width, height = SCREEN
    if settings.headless:
        options.add_argument("--headless=new")
    if settings.display:
        # A Wayland session's variables may stand in the environment beside DISPLAY.
        options.add_argument("--ozone-platform=x11")
    if settings.kiosk:
        options.add_argument("--kiosk")
        options.add_argument("--window-position=0,0")
    margin = 0 if settings.headless or settings.kiosk else HEADED_MARGIN
    options.add_argument(f"--window-size={width},{height + margin}")
    options.add_experimental_option("excludeSwitches", ["enable-automation"])
    options.add_experimental_option("prefs", _preferences(settings.origin))
    options.add_experimental_option("localState", LOCAL_STATE)
    options.page_load_strategy = "none"
    return options


def _confinement(origin: str) -> list[str]:
    """Flags that send every request to a proxy that is not there, save those to the one origin.

    A refused connection fails at once; a look-up on a closed network takes seconds. The implicit exception
    for loopback addresses is switched off by ``<-loopback>``: other ports of this machine are outside, too.
    """
    return [
        "--proxy-server=http://127.0.0.1:1",
        f"--proxy-bypass-list=<-loopback>;{urlsplit(origin).netloc}",
    ]


def _preferences(origin: str) -> dict[str, object]:
    """Navigation is refused by the browser itself (its URL block list) but for the agent pages of the origin."""
    return {
        "policy.url_blocklist": ["*", "chrome://*", "devtools://*", "about:*"],
        "policy.url_allowlist": ["about:blank", *(f"{origin}/{place}" for place in AGENT_PLACES)],
        "credentials_enable_service": False,
        "profile.password_manager_enabled": False,
        "autofill.profile_enabled": False,
        "autofill.credit_card_enabled": False,
        "translate.enabled": False,
        # What a shortcut or a menu of the browser could still write: nothing is saved, nothing printed.
        "download_restrictions": 3,
        "printing.enabled": False,
        # Else a page may ask that its storage be kept, and the answer stays.
        "profile.default_content_setting_values": {"durable_storage": 2},
    }


def connect(driver: webdriver.Chrome, timeout: float) -> tuple[Channel, str]:
    """A DevTools channel to the driver's page, and the id of the page's main frame.

    The address is in the session's capabilities; a page target's id is its main frame's id.
    """
    address = driver.capabilities["goog:chromeOptions"]["debuggerAddress"]
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with opener.open(f"http://{address}/json/list", timeout=timeout) as answer:
            targets = json.load(answer)
    except (OSError, urllib.error.URLError, ValueError) as error:
        raise BrowserGone(f"the browser does not list its pages: {error}") from error
    page = next(target for target in targets if target["type"] == "page")
    return Channel(page["webSocketDebuggerUrl"], timeout=timeout), str(page["id"])


def in_page_script(name: str) -> str:
    """The text of one of the in-page scripts beside this module."""
    return (files(__package__) / "scripts" / f"{name}.js").read_text(encoding="utf-8")
