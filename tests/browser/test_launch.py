"""Starting the browser: what is found, what is told when nothing is."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Any

import pytest
from selenium.webdriver.chrome.service import Service

from harness.browser import launch
from harness.browser.browser import Browser
from harness.browser.launch import BrowserSettings, NoBrowser
from tests.conftest import Show
from tests.site import Site, in_page, whole_page


def program(folder: Path, name: str) -> Path:
    """A program that ends with an error."""
    file = folder / name
    file.write_text("#!/bin/sh\nexit 1\n")
    file.chmod(0o755)
    return file


def test_programs_named_in_the_environment_come_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HARNESS_CHROMIUM", "/opt/my/chrome")
    monkeypatch.setenv("HARNESS_CHROMEDRIVER", "/opt/my/driver")
    assert launch.find_programs() == ("/opt/my/chrome", "/opt/my/driver")


def test_programs_are_found_on_the_path(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("HARNESS_CHROMIUM", "HARNESS_CHROMEDRIVER"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert launch.find_programs() == (None, None)
    chrome, driver = program(tmp_path, "google-chrome"), program(tmp_path, "chromedriver")
    assert launch.find_programs() == (str(chrome), str(driver))
    chromium = program(tmp_path, "chromium")
    assert launch.find_programs() == (str(chromium), str(driver))


def test_a_browser_that_does_not_start_is_told_by_name(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HARNESS_CHROMIUM", str(program(tmp_path, "broken-browser")))
    with pytest.raises(NoBrowser, match="broken-browser"):
        Browser(BrowserSettings("http://127.0.0.1:1"))


def test_a_driver_that_does_not_start_is_told_by_name(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HARNESS_CHROMEDRIVER", str(program(tmp_path, "broken-driver")))
    with pytest.raises(NoBrowser, match="broken-driver"):
        Browser(BrowserSettings("http://127.0.0.1:1"))


def test_a_missing_program_is_told_by_name(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HARNESS_CHROMEDRIVER", str(tmp_path / "nowhere"))
    with pytest.raises(NoBrowser, match="nowhere"):
        Browser(BrowserSettings("http://127.0.0.1:1"))


def test_a_headless_shell_which_would_show_any_file_is_refused_and_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    drivers = []

    class Shell(launch.webdriver.Chrome):
        """Chrome, as the driver describes Chromium's headless shell."""

        def __init__(self, service: Service, **others: Any) -> None:
            super().__init__(service=service, **others)
            drivers.append(service.process.pid)
            self.capabilities["browserName"] = "chrome-headless-shell"

    monkeypatch.setattr(launch.webdriver, "Chrome", Shell)
    # pytest's own folders have names too long for a browser's.
    with tempfile.TemporaryDirectory() as folder:
        with pytest.raises(NoBrowser, match=r"headless shell.*HARNESS_CHROMIUM"):
            Browser(BrowserSettings("http://127.0.0.1:1", scratch=Path(folder)))
        assert not list(Path(folder).iterdir())
    with pytest.raises(ProcessLookupError):
        os.kill(drivers[0], 0)


def test_the_browser_says_its_version(show: Show) -> None:
    assert "/" in show().browser.version


def test_a_key_at_the_terminal_that_interrupts_the_run_does_not_reach_the_browser(browser: Browser) -> None:
    assert os.getpgid(browser.driver.service.process.pid) != os.getpgid(0)


def test_language_and_time_zone_of_the_machine_do_not_show(monkeypatch: pytest.MonkeyPatch, site: Site) -> None:
    for name, value in (("TZ", "Asia/Tokyo"), ("LANG", "de_DE.UTF-8"), ("LANGUAGE", "de"), ("LC_ALL", "de_DE.UTF-8")):
        monkeypatch.setenv(name, value)
    with Browser(BrowserSettings(site.origin)) as started:
        started.open(site.put(whole_page("<input type=date name=d value=2024-05-06>")))
        assert in_page(started, "[new Date().getTimezoneOffset(), navigator.language]") == [0, "en-US"]
        assert in_page(started, "new Date(0).toLocaleDateString()") == "1/1/1970"


def test_a_proxy_of_the_environment_is_not_asked_for_pages_of_this_machine(
    monkeypatch: pytest.MonkeyPatch, site: Site
) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "https_proxy", "all_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    monkeypatch.setenv("no_proxy", "localhost,127.0.0.1")  # Selenium's own connection to its driver asks for this
    with Browser(BrowserSettings(site.origin)) as started:
        started.open(site.put(whole_page("<input name=a>")))
        assert started.run("fields.list")[0]["name"] == "a"


def test_a_script_of_the_page_library_is_read_by_name() -> None:
    assert "harness.fields.list" in launch.in_page_script("fields")


def test_a_window_without_a_display_is_told_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    with pytest.raises(NoBrowser, match=r"\(--headed\) needs a display, and neither DISPLAY nor WAYLAND_DISPLAY"):
        Browser(BrowserSettings("http://127.0.0.1:1", headless=False))
