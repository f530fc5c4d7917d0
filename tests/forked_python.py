"""Our Python programs as processes that are forked from one that has imported what they need.

A program starts in a tenth of a second of a processor that way, and not in half of one. It is a process all the same,
in its own session, with its own settings, environment and standard files, and it ends as it would;
``/proc`` alone shows the environment and the command of the one that it was forked from.
"""

from __future__ import annotations

import gc
import json
import os
import runpy
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import IO, Any, Self

from tests.checkout import PROJECT

_LARGEST_ORDER = 100_000
"""Bytes: command and environment."""


class ForkedPython:
    """A program of ours that runs: as ``subprocess.Popen``, of which it has what its users need.

    Attributes:
        pid: Its number.
        stdin: Of the program.
        stdout: Of the program.
        stderr: Of the program; None where that goes into a file.
    """

    def __init__(
        self,
        command: Sequence[str],
        environment: Mapping[str, str],
        stderr: IO[Any] | None = None,
        *,
        text: bool = True,
    ) -> None:
        """Start it in the checkout, as the leader of a session.

        Args:
            command: This Python, then ``-m`` and a module, ``-c`` and a program, or a script; then arguments.
            environment: All that it is given of it.
            stderr: What its standard error is written to; None for a pipe.
            text: Whether what goes through its pipes is text, and not bytes.
        """
        assert command[0] == sys.executable
        their_input, our_input = os.pipe()
        our_output, their_output = os.pipe()
        our_errors, their_errors = (None, os.dup(stderr.fileno())) if stderr else os.pipe()
        theirs = [their_input, their_output, their_errors]
        kind = "" if text else "b"
        self.stdin = os.fdopen(our_input, f"w{kind}")
        self.stdout = os.fdopen(our_output, f"r{kind}")
        self.stderr = None if our_errors is None else os.fdopen(our_errors, f"r{kind}")
        self._status: int | None = None
        self._keeper = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._keeper.connect(FORK_SERVER.place)
        order = json.dumps([list(command[1:]), dict(environment)])
        socket.send_fds(self._keeper, [order.encode()], theirs)
        for file in theirs:
            os.close(file)
        self.pid = int(self._keeper.recv(100))

    def send_signal(self, number: int) -> None:
        """Send it a signal, if it is there still."""
        if self.poll() is None:
            with suppress(ProcessLookupError):  # its end may be on its way to here
                os.kill(self.pid, number)

    def terminate(self) -> None:
        """Ask it to end."""
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        """End it."""
        self.send_signal(signal.SIGKILL)

    def poll(self) -> int | None:
        """Its exit status, below 0 for a signal; None as long as it runs."""
        try:
            return self.wait(0)
        except subprocess.TimeoutExpired:
            return None

    def wait(self, timeout: float | None = None) -> int:
        """Wait for its end; returns its exit status, below 0 for a signal.

        Raises:
            subprocess.TimeoutExpired: it does not end.
        """
        if self._status is None:
            if not select.select([self._keeper], [], [], timeout)[0]:
                raise subprocess.TimeoutExpired("python", timeout or 0)
            self._status = int(self._keeper.recv(100))
            self._keeper.close()
        return self._status

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        for file in filter(None, (self.stdin, self.stdout, self.stderr)):
            file.close()
        self.wait()


def printed_by(command: Sequence[str], environment: Mapping[str, str]) -> str:
    """What a program prints that ends as it should.

    Args:
        command: As of ``ForkedPython``.
        environment: As of ``ForkedPython``.
    """
    with ForkedPython(command, environment) as program:
        program.stdin.close()
        printed = program.stdout.read()
        assert program.stderr is not None
        said = program.stderr.read()
        assert program.wait() == 0, said
    return printed


class ForkServer:
    """A process that has imported what our programs need, and becomes them by forking; it starts when it is needed.

    It ends with this one, however that ends: when its standard input is closed.
    """

    def __init__(self) -> None:
        self._folder = ""
        self._process: subprocess.Popen[bytes] | None = None
        self._one_at_a_time = threading.Lock()

    @property
    def place(self) -> str:
        """Of its socket."""
        with self._one_at_a_time:
            if self._process is None:
                self._folder = tempfile.mkdtemp()
                command = [sys.executable, "-m", "tests.forked_python", f"{self._folder}/forks"]
                pipe = subprocess.PIPE
                self._process = subprocess.Popen(command, cwd=PROJECT, stdin=pipe, stdout=pipe, start_new_session=True)
                assert self._process.stdout is not None
                assert self._process.stdout.readline()
            return f"{self._folder}/forks"

    def close(self) -> None:
        """End it."""
        if self._process:
            with self._process:
                # Not by its standard input, which a process may hold that was forked from this one and left behind.
                self._process.terminate()
            shutil.rmtree(self._folder)
            self._process = None


FORK_SERVER = ForkServer()
"""Of this process, and of those that it forks."""


def _order(place: str) -> tuple[list[str], dict[str, str]]:
    """Wait for orders until standard input is closed; returns in the processes alone that are to carry one out."""
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    listener.bind(place)
    listener.listen()
    print("ready", flush=True)
    while True:
        if 0 in select.select([0, listener], [], [])[0]:
            os._exit(0)
        with suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        keeper, _ = listener.accept()
        if os.fork():
            keeper.close()
            continue
        listener.close()
        order, files, _, _ = socket.recv_fds(keeper, _LARGEST_ORDER, 3)
        if program := os.fork():
            for number in range(3):
                os.close(files[number])
            keeper.send(str(program).encode())
            keeper.send(str(os.waitstatus_to_exitcode(os.waitpid(program, 0)[1])).encode())
            os._exit(0)
        keeper.close()
        for number, file in enumerate(files):
            os.dup2(file, number)
            os.close(file)
        return json.loads(order)


def _run(command: list[str], environment: dict[str, str]) -> None:
    os.setsid()
    os.environ.clear()
    os.environ.update(environment)
    time.tzset()
    if command[0] == "-m":
        sys.argv = command[1:]
        runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
    elif command[0] == "-c":
        sys.argv = ["-c", *command[2:]]
        exec(command[1], {"__name__": "__main__"})  # noqa: S102 - as Python does with it
    else:
        sys.argv = command
        runpy.run_path(sys.argv[0], run_name="__main__")


if __name__ == "__main__":
    import tests.imported_by_servers  # noqa: F401 - here alone: the settings of those who start programs are their own

    gc.freeze()  # else each program would write to, and so copy, all that was imported, when it looks for garbage
    _run(*_order(sys.argv[1]))
