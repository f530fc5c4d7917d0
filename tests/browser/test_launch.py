"""Starting the browser: what is found, what is told when nothing is."""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

import pytest

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


def test_a_browser_named_in_the_environment_comes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TURKBENCH_CHROMIUM", "/opt/my/chrome")
    assert launch.find_browser() == "/opt/my/chrome"


def test_browsers_are_found_on_the_path(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("TURKBENCH_CHROMIUM", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert launch.find_browser() is None
    chrome = program(tmp_path, "google-chrome")
    assert launch.find_browser() == str(chrome)
    chromium = program(tmp_path, "chromium")
    assert launch.find_browser() == str(chromium)


def test_a_browser_that_does_not_start_is_told_by_name(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TURKBENCH_CHROMIUM", str(program(tmp_path, "broken-browser")))
    with pytest.raises(NoBrowser, match="broken-browser"):
        Browser(BrowserSettings("http://127.0.0.1:1"))


def test_a_missing_program_is_told_by_name(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TURKBENCH_CHROMIUM", str(tmp_path / "nowhere"))
    with pytest.raises(NoBrowser, match="nowhere"):
        Browser(BrowserSettings("http://127.0.0.1:1"))


def test_a_headless_shell_which_would_show_any_file_is_refused_and_ended(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    shell = tmp_path / "shell"
    shell.write_text(
        f"#!{sys.executable}\n"
        "import json, os, signal\n"
        "request = json.loads(os.read(3, 65536).rstrip(b'\\0'))\n"
        "answer = {'id': request['id'], 'result': {'product': 'HeadlessChrome/156.0'}}\n"
        "os.write(4, json.dumps(answer).encode() + b'\\0')\n"
        "signal.pause()\n"
    )
    shell.chmod(0o755)
    monkeypatch.setenv("TURKBENCH_CHROMIUM", str(shell))
    monkeypatch.setattr(launch, "browser_account", lambda: None)  # nobody else may run what is in a folder of ours
    # pytest's own folders have names too long for a browser's.
    with tempfile.TemporaryDirectory() as folder:
        settings = BrowserSettings(
            "http://127.0.0.1:1", scratch=Path(folder), announce=lambda: (tmp_path / "pid").write_text(str(os.getpid()))
        )
        with pytest.raises(NoBrowser, match=r"headless shell.*TURKBENCH_CHROMIUM"):
            Browser(settings)
        assert not list(Path(folder).iterdir())
    with pytest.raises(ProcessLookupError):
        os.kill(int((tmp_path / "pid").read_text()), 0)


def test_the_browser_says_its_version(show: Show) -> None:
    assert "/" in show().browser.version


def test_a_key_at_the_terminal_that_interrupts_the_run_does_not_reach_the_browser(browser: Browser) -> None:
    assert browser.process_group != os.getpgid(0)


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
    with Browser(BrowserSettings(site.origin)) as started:
        started.open(site.put(whole_page("<input name=a>")))
        assert started.run("fields.list")[0]["name"] == "a"


def test_a_script_of_the_page_library_is_read_by_name() -> None:
    assert "harness.fields.list" in launch.in_page_script("fields")


def test_a_window_without_a_display_is_told_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    with pytest.raises(NoBrowser, match=r"\(--headed\) needs a display, and neither DISPLAY nor WAYLAND_DISPLAY"):
        Browser(BrowserSettings("http://127.0.0.1:1", headless=False))
