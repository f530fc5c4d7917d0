"""X displays, PyAutoGUI's hold on them, and their clipboard; no browser."""

from __future__ import annotations

import os
import select
import socket
import struct
import subprocess
import sys

import pytest

from harness.browser.desktop.clipboard import Clipboard
from harness.browser.desktop.xinput import XInput
from harness.browser.desktop.xserver import NoDisplay, XServer
from harness.browser.wire import BrowserGone
from tests.needs import DISPLAY, needs

needs_desktop = needs(*DISPLAY)
PATIENCE = 20.0


def process_of(name: str) -> int:
    """The process that listens for a display's clients."""
    with socket.socket(socket.AF_UNIX) as client:
        client.connect(f"/tmp/.X11-unix/X{name.removeprefix(':')}")  # noqa: S108 - X's own place
        credentials = client.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i"))
    return int(struct.unpack("3i", credentials)[0])


def ends(process: int) -> bool:
    try:
        handle = os.pidfd_open(process)
    except ProcessLookupError:
        return True
    try:
        return bool(select.select([handle], [], [], PATIENCE)[0])
    finally:
        os.close(handle)


@needs_desktop
def test_a_closed_server_has_ended_and_may_be_closed_again():
    server = XServer.start()
    process = process_of(server.name)
    server.close()
    server.close()
    assert ends(process)


@needs_desktop
def test_a_server_ends_with_a_process_that_is_killed():
    code = "from harness.browser.desktop.xserver import XServer; print(XServer.start().name, flush=True); input()"
    with subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as owner:
        process = process_of(owner.stdout.readline().strip())
        os.kill(process, 0)  # it runs
        owner.kill()
        assert ends(process)


@needs_desktop
def test_a_server_outlives_the_thread_that_started_it():
    code = """
import threading
from harness.browser.desktop.xserver import XServer
servers = []
thread = threading.Thread(target=lambda: servers.append(XServer.start()))
thread.start()
thread.join()
from harness.browser.desktop.xinput import XInput
XInput(servers[0]).move(1, 1)
servers[0].close()
"""
    subprocess.run([sys.executable, "-c", code], check=True, timeout=PATIENCE)


@needs_desktop
def test_servers_run_side_by_side():
    with XServer.start() as first, XServer.start() as second:
        assert first.name != second.name


@needs_desktop
def test_the_session_display_is_used_where_there_is_one(monkeypatch):
    monkeypatch.setenv("DISPLAY", ":77")
    with XServer.of_session() as server:
        assert (server.name, server.virtual) == (":77", False)
    monkeypatch.delenv("DISPLAY")
    with XServer.of_session() as server:
        assert server.virtual


def test_without_xvfb_the_error_says_what_to_install(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(NoDisplay, match="apt-get install xvfb xclip"):
        XServer.start()


def test_without_xclip_the_error_says_what_to_install(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(NoDisplay, match="apt-get install xvfb xclip"):
        Clipboard(XServer(":77"), lambda: 0)


def test_a_server_that_cannot_start_is_reported_with_its_reason(monkeypatch, tmp_path):
    program = tmp_path / "Xvfb"
    program.write_text("#!/bin/sh\necho 'no memory for a screen' >&2\nexit 1\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    with pytest.raises(NoDisplay, match="no memory for a screen"):
        XServer.start()


@needs_desktop
def test_pyautogui_moves_from_a_closed_display_to_another():
    for size in ((640, 480), (800, 600)):
        with XServer.start(size) as server:
            pointer = XInput(server)
            try:
                assert pointer.screen == (size[0] + 1, size[1] + 1)
            finally:
                pointer.close()


@needs_desktop
def test_connecting_leaves_the_environment_and_the_output_alone(monkeypatch, capsys):
    monkeypatch.delenv("DISPLAY", raising=False)
    before = dict(os.environ)
    with XServer.start() as server:
        XInput(server).close()
    assert dict(os.environ) == before
    assert capsys.readouterr().out == ""


@needs_desktop
def test_pyautogui_is_used_without_tkinter():
    code = """
import sys
sys.modules["tkinter"] = None
from harness.browser.desktop.xinput import XInput
from harness.browser.desktop.xserver import XServer
with XServer.start() as server:
    XInput(server).move(1, 1)
assert "pyautogui" in sys.modules
"""
    subprocess.run([sys.executable, "-c", code], check=True, timeout=PATIENCE)


def test_a_display_that_does_not_answer_is_reported_with_the_way_out():
    with pytest.raises(NoDisplay, match=r":54321 cannot be used.*unset it"):
        XInput(XServer(":54321"))


def test_without_pyautogui_the_error_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyautogui", None)
    with pytest.raises(NoDisplay, match=r"pip install .*\[desktop\]"):
        XInput(XServer(":54321"))


@needs_desktop
def test_input_to_a_display_that_has_died_says_that_it_is_gone():
    server = XServer.start()
    pointer = XInput(server)
    try:
        server.close()
        with pytest.raises(BrowserGone, match="display is gone"):
            pointer.click(1, 1)
    finally:
        pointer.close()


@pytest.fixture
def clipboard():
    with XServer.start() as server:
        pointer = XInput(server)
        clipboard = Clipboard(server, pointer.clipboard_holder)
        yield server, clipboard
        clipboard.close()
        pointer.close()


@needs_desktop
def test_the_clipboard_hands_its_last_text_to_who_asks(clipboard):
    server, clipboard = clipboard
    for text in ("erst", "ß 漢字 😀"):
        clipboard.offer(text)
        command = ["xclip", "-display", server.name, "-selection", "clipboard", "-out"]
        assert subprocess.run(command, capture_output=True, check=True).stdout.decode() == text


@needs_desktop
def test_text_that_nobody_fetches_is_not_taken(clipboard):
    _, clipboard = clipboard
    clipboard.offer("unread")
    assert not clipboard.taken(0.0)


@needs_desktop
def test_a_clipboard_on_a_display_that_does_not_answer_is_reported():
    clipboard = Clipboard(XServer(":54321"), lambda: 0)
    with pytest.raises(NoDisplay, match=r"xclip cannot use the clipboard: .*open display"):
        clipboard.offer("text")
