"""A driver that runs in a box of its own, where nobody but the harness reaches it."""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

from harness.browser.box import bubblewrap
from harness.browser.box.named_files import environment_of
from harness.browser.webdriver import inside
from harness.browser.wire import BrowserGone
from harness.kit.errors import WrongSetUp
from harness.kit.files.installation import variable

OWN_DRIVER = "TURKBENCH_CHROMEDRIVER"
"""The variable that names the driver."""
NAME = "chromedriver"
PORT = 9515
"""Where the driver listens, in a network in which nothing else does."""
START_SECONDS = 60.0
"""How long a driver may take to start."""
END_SECONDS = 10
_WORDS = 4_096
"""Bytes of what a driver that does not start has to say."""
_MAJOR = re.compile(r"(\d+)\.\d+")
DRIVER_HINT = (
    f"install the one of the browser's version (on Debian or Ubuntu `sudo apt-get install chromium-driver`), or let "
    f"{OWN_DRIVER} name it"
)


class NoDriver(WrongSetUp):
    """No driver could be started; the message says what to install or mend."""


def find_driver() -> str | None:
    """Path of the driver: from the environment, else from PATH."""
    return variable(OWN_DRIVER) or shutil.which(NAME)


def check_version(program: str, browser: str) -> str:
    """See that a driver is one for a browser.

    Args:
        program: Of the driver.
        browser: Product and version, e.g. ``Chrome/156.0.8078.79``.

    Returns:
        What the driver says of itself, e.g. ``ChromeDriver 156.0.8078.79``.

    Raises:
        NoDriver: it says nothing, or is of another version.
    """
    try:
        asked = subprocess.run(
            [program, "--version"], capture_output=True, text=True, errors="replace", timeout=START_SECONDS, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise NoDriver(f"{program} does not start ({error}): {DRIVER_HINT}") from error
    said = asked.stdout.partition(" (")[0].strip()
    mine, its = _MAJOR.search(said), _MAJOR.search(browser)
    if not (mine and its and mine[1] == its[1]):
        raise NoDriver(f"{program} is {said or 'no driver'}, beside a browser {browser}: {DRIVER_HINT}")
    return said


class DriverProcess:
    """A driver in a box.

    It listens at a port, and whoever reaches a driver's port can have any program started. So it runs in a box with a
    network of its own, from which it reaches nothing either, and with the files of the system alone. Sockets of that
    network are handed out to the harness, which speaks to the driver and lets it reach the page through them.

    Attributes:
        listener: A socket of the box's network that listens: where the driver is let in to the page.
    """

    def __init__(self, browser: str) -> None:
        """Start it.

        Args:
            browser: Product and version of the browser that it is for, e.g. ``Chrome/156.0.8078.79``.

        Raises:
            NoDriver: there is none, or one for other browsers; it does not start; there can be no box.
        """
        program = find_driver()
        if program is None:
            raise NoDriver(f"--input webdriver needs {NAME}, and none was found: {DRIVER_HINT}")
        if reason := bubblewrap.why_not():
            raise NoDriver(
                "--input webdriver is not possible here: a driver listens at a port through which programs can be "
                f"started, so that it runs in a box, and none can be made: {reason}"
            )
        check_version(program, browser)
        ours, theirs = socket.socketpair()
        try:
            self._process = subprocess.Popen(
                _command(program),
                env={"PATH": os.defpath, "TMPDIR": str(bubblewrap.TMP), "HOME": str(bubblewrap.TMP)},
                stdin=theirs.fileno(),
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,  # a Ctrl-C at the terminal is not for it
            )
        except OSError as error:
            ours.close()
            raise NoDriver(f"{program} cannot be started: {error}") from error
        finally:
            theirs.close()
        self._wire = ours
        self._wire.settimeout(START_SECONDS)
        try:
            words, listener = self._receive()
        except OSError as error:
            words, listener = str(error).encode(), None
        if listener is None:
            self._wire.close()
            self._kill()
            said = words.decode(errors="replace") or "its box could not be made"
            raise NoDriver(f"{program} does not start: {said}")
        self.listener = listener

    def _receive(self) -> tuple[bytes, socket.socket | None]:
        words, handed, _, _ = socket.recv_fds(self._wire, _WORDS, 1)
        return words, socket.socket(fileno=handed[0]) if handed else None

    def connected(self, timeout: float) -> socket.socket:
        """A connection to the driver.

        Args:
            timeout: Seconds that an answer may take.

        Raises:
            harness.browser.wire.BrowserGone: it has ended.
        """
        try:
            self._wire.sendall(b".")
            _, made = self._receive()
            if made is None:
                raise ConnectionError("it has ended")
            made.settimeout(timeout)
            made.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            made.connect(("127.0.0.1", PORT))
        except OSError as error:
            raise BrowserGone(f"the driver is gone: {error}") from error
        return made

    def end(self) -> None:
        """End it, whatever state it is in; never raises."""
        self._wire.close()
        self.listener.close()
        self._kill()

    def _kill(self) -> None:
        self._process.kill()  # with what begins a name space of processes all of it ends
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(END_SECONDS)


def _command(program: str) -> list[str]:
    """What starts a driver in a box with the files of the system, Python and itself."""
    python = os.path.realpath(sys.executable)
    files = bubblewrap.system(None)
    for place in (*environment_of(python), Path(program), Path(inside.__file__)):
        files.show(place)
    first = [python, "-I", "-S", inside.__file__, str(PORT), program]
    return bubblewrap.command_line(files, {}, Path("/"), first)
