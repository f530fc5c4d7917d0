"""The clipboard of an X display, for text that no key types."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import time
from collections.abc import Callable

from harness.browser.desktop.xserver import INSTALL_HINT, PATIENCE, NoDisplay, XServer, readable
from harness.kit.files.installation import BASIC, allowed


class Clipboard:
    """Offers text to whoever pastes; what the clipboard held before is lost.

    X has no store for a selection: a process must live to hand it over. Ours is an xclip kept in the foreground
    (``-verbose``), so that it ends with the clipboard and tells when its text has been asked for.
    """

    def __init__(self, server: XServer, holder: Callable[[], int]) -> None:
        """Use the clipboard of ``server``.

        Args:
            server: The display.
            holder: Gives the number of the window that holds the display's clipboard; 0 for none.

        Raises:
            NoDisplay: xclip is not installed.
        """
        if not shutil.which("xclip"):
            raise NoDisplay(f"text beyond ASCII is typed through the clipboard, which needs xclip: {INSTALL_HINT}")
        self._command = ["xclip", "-verbose", "-display", server.name, "-selection", "clipboard"]
        self._environment = {**allowed(BASIC), "XAUTHORITY": server.authority}
        self._holder = holder
        self._owner: subprocess.Popen[bytes] | None = None
        self._messages = b""

    def offer(self, text: str) -> None:
        """Put ``text`` on the clipboard.

        Raises:
            NoDisplay: xclip cannot reach the display.
        """
        before, last = self._holder(), self._owner
        self._messages = b""
        self._owner = subprocess.Popen(
            self._command,
            env=self._environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            bufsize=0,
        )
        if self._owner.stdin:
            with contextlib.suppress(BrokenPipeError):  # it has ended; its message says why
                self._owner.stdin.write(text.encode())
            self._owner.stdin.close()
        deadline = time.monotonic() + PATIENCE
        served = self._reports(1, PATIENCE)
        # It reports before its request for the clipboard has left for the server. The last one holds on until then, so
        # that the server cannot give its number to the new one.
        while served and self._holder() in (0, before) and time.monotonic() < deadline:
            time.sleep(0.001)  # the server says who holds it only when it is asked
        _end(last)
        if not served:
            reason = " ".join(self._messages.decode(errors="replace").split())
            self.close()
            raise NoDisplay(f"xclip cannot use the clipboard: {reason or 'it gave no reason'}")

    def taken(self, seconds: float) -> bool:
        """Wait until the text has been fetched; False if nobody does within ``seconds``.

        A browser asks twice: for the formats on offer, then for the text.
        """
        return self._reports(3, seconds)

    def _reports(self, request: int, seconds: float) -> bool:
        """Wait until xclip says that it waits for the given request, counted from 1."""
        owner = self._owner
        if owner is None or owner.stderr is None:
            return False
        wanted = f"selection request number {request}\n".encode()
        deadline = time.monotonic() + seconds
        while wanted not in self._messages:
            if not readable(owner.stderr, deadline - time.monotonic()):
                return False
            received = os.read(owner.stderr.fileno(), 4096)
            if not received:
                return False
            self._messages += received
        return True

    def close(self) -> None:
        """Give the clipboard up; may be called twice."""
        owner, self._owner = self._owner, None
        _end(owner)


def _end(owner: subprocess.Popen[bytes] | None) -> None:
    if owner:
        owner.kill()
        owner.wait()
        if owner.stderr:
            owner.stderr.close()
