"""An X display for the desktop's visual actions: the session's own, or an Xvfb that ends with this process."""

from __future__ import annotations

import contextlib
import os
import selectors
import shutil
import signal
import subprocess
import tempfile
from pathlib import Path
from types import TracebackType
from typing import IO

from harness.browser.launch import SCREEN, NoBrowser
from harness.kit.files.installation import BASIC, allowed

INSTALL_HINT = "on Debian or Ubuntu run `sudo apt-get install xvfb xclip`"
PATIENCE = 30.0
"""Seconds to wait for a program that answers in milliseconds, before it counts as broken."""

# The shell holds the reading end of a pipe whose other end is held by this process alone. However this process ends,
# `read` then returns and the server goes too. A parent-death signal would not do: it fires when the thread that
# started the server ends, and setting it needs code between fork and exec, which is unsafe beside other threads.
_KEEPER = '"$@" & server=$!; exec >&-; read -r _; kill "$server"; wait "$server"'


class NoDisplay(NoBrowser):
    """There is no usable X display; the message says what to install or mend."""


class XServer:
    """An X display by its name.

    Attributes:
        name: What ``DISPLAY`` would hold, e.g. ``:99``.
        virtual: It is an Xvfb of ours: no window manager, no other client.
    """

    def __init__(self, name: str) -> None:
        """Name a display that runs already, and that goes on after ``close``."""
        self.name = name
        self.virtual = False
        self._keeper: subprocess.Popen[bytes] | None = None

    @classmethod
    def of_session(cls, size: tuple[int, int] = SCREEN) -> XServer:
        """The display that ``DISPLAY`` names, or a new virtual one for a page area of ``size`` where it is not set.

        Raises:
            NoDisplay: as ``start``.
        """
        name = os.environ.get("DISPLAY")
        return cls(name) if name else cls.start(size)

    @classmethod
    def start(cls, size: tuple[int, int] = SCREEN) -> XServer:
        """Start an Xvfb under a number that is free, and wait until it takes connections.

        Its screen is one pixel wider and taller than the page area. Chromium takes a pixel off each side of a window
        that would fill the screen, lest a window manager make it full-screen.

        Raises:
            NoDisplay: Xvfb is not installed or does not start.
        """
        if not shutil.which("Xvfb"):
            raise NoDisplay(f"no DISPLAY is set and Xvfb is not installed: {INSTALL_HINT}")
        width, height = size
        command = ["Xvfb", "-displayfd", "1", "-screen", "0", f"{width + 1}x{height + 1}x24", "-nolisten", "tcp"]
        with tempfile.TemporaryFile() as messages:
            keeper = subprocess.Popen(
                ["sh", "-c", _KEEPER, "xvfb", *command],
                env=allowed((*BASIC, "TMPDIR")),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=messages,
                start_new_session=True,  # Ctrl-C ends the browser first, then the display
            )
            server = cls("")
            server._keeper = keeper
            server.virtual = True
            number = _first_line(keeper.stdout)
            if not number.isdigit():
                server.close()
                messages.seek(0)
                reason = messages.read().decode(errors="replace").strip() or "it gave no reason"
                raise NoDisplay(f"Xvfb does not start: {reason}")
        server.name = f":{number}"
        return server

    @property
    def authority(self) -> str:
        """The X authority file for clients: python-xlib fails where the user has none, an empty one will do."""
        default = os.environ.get("XAUTHORITY") or Path("~/.Xauthority").expanduser()
        return os.devnull if self.virtual or not Path(default).exists() else str(default)

    def close(self) -> None:
        """End the server if it is ours; may be called twice."""
        keeper, self._keeper = self._keeper, None
        if not keeper:
            return
        for pipe in (keeper.stdin, keeper.stdout):
            if pipe:
                pipe.close()
        try:
            keeper.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(keeper.pid, signal.SIGKILL)
            keeper.wait()

    def __enter__(self) -> XServer:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def readable(file: IO[bytes], seconds: float) -> bool:
    """Wait until ``file`` (unbuffered, or nothing read yet) has data or has ended; False after ``seconds``."""
    with selectors.DefaultSelector() as selector:
        selector.register(file, selectors.EVENT_READ)
        return bool(selector.select(max(0.0, seconds)))


def _first_line(file: IO[bytes] | None) -> str:
    """The line that a server writes when it is ready; empty if it ends or stays silent."""
    if file is None or not readable(file, PATIENCE):
        return ""
    return file.readline().decode().strip()
