"""A process at the other ends of a DevTools pipe: Chromium, or what stands for a browser elsewhere."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress

from harness.browser.sandbox import Account
from harness.browser.wire import PipeEnds

END_SECONDS = 10
"""How long a killed process may take to vanish."""
COMMANDS, ANSWERS = 3, 4
"""The descriptors at which Chromium expects its ends of the pipe."""
_KEPT = 65_536
"""Bytes of a process's complaints that are read when it does not start."""


class PipedProcess:
    """A process that leads a group of its own.

    Attributes:
        ends: Our ends of the pipe.
    """

    def __init__(
        self,
        command: Sequence[str],
        environment: dict[str, str],
        *,
        account: Account | None = None,
        announce: Callable[[], None] | None = None,
    ) -> None:
        """Start it.

        Args:
            command: Its command line.
            environment: All of its variables.
            account: The user that it runs as; None for our own.
            announce: Called in the process before its program runs.

        Raises:
            OSError, subprocess.SubprocessError: it cannot be started.
        """
        theirs, ours = os.pipe(), os.pipe()
        commands, answers = theirs[0], ours[1]

        def prepare() -> None:
            if announce:
                announce()
            # Away from where they are put, lest one takes the other's place.
            high = [os.dup(each) for each in (commands, answers, commands, answers)][2:]
            os.dup2(high[0], COMMANDS)
            os.dup2(high[1], ANSWERS)

        self.ends = PipeEnds(answers=ours[0], commands=theirs[1])
        try:
            with _taken((COMMANDS, ANSWERS)):
                self._process = subprocess.Popen(
                    command,
                    env=environment,
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.PIPE,
                    pass_fds=(COMMANDS, ANSWERS),
                    # In a session of its own, so that a Ctrl-C at the terminal does not end it under an episode.
                    start_new_session=True,
                    preexec_fn=prepare,  # noqa: PLW1509 - it calls nothing that could hold a lock
                    user=account.uid if account else None,
                    group=account.gid if account else None,
                    extra_groups=[] if account else None,
                )
        except BaseException:
            self.ends.close()
            raise
        finally:
            os.close(commands)
            os.close(answers)

    @property
    def group(self) -> int:
        """Its process group, which no other process is in."""
        return self._process.pid

    def complaints(self) -> str:
        """What it has said on its standard error so far."""
        assert self._process.stderr  # noqa: S101 - a pipe
        os.set_blocking(self._process.stderr.fileno(), False)
        with suppress(BlockingIOError):
            return os.read(self._process.stderr.fileno(), _KEPT).decode(errors="replace")
        return ""

    def ignore(self) -> None:
        """Hear no complaint of it any more."""
        if self._process.stderr:
            self._process.stderr.close()

    def ask_to_end(self) -> None:
        """Let it end by itself, and end it if it does not; never raises."""
        with suppress(ProcessLookupError, subprocess.TimeoutExpired):
            self._process.terminate()
            self._process.wait(END_SECONDS)
        self.end()

    def end(self) -> None:
        """End it, with all of its group; never raises."""
        end_group(self._process.pid)
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(END_SECONDS)


def end_group(group: int) -> None:
    """Kill a process group, if it is there."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(group, signal.SIGKILL)


def last_line(text: str) -> str:
    """The last line of complaints; empty if there is none."""
    return next((line.strip() for line in reversed(text.splitlines()) if line.strip()), "")


@contextlib.contextmanager
def _taken(descriptors: tuple[int, ...]) -> Iterator[None]:
    """A context in which descriptors are in use, so that no new file gets one of them."""
    opened: list[int] = []
    try:
        while not opened or opened[-1] <= max(descriptors):
            opened.append(os.open(os.devnull, os.O_RDONLY))
        yield
    finally:
        for each in opened:
            os.close(each)
