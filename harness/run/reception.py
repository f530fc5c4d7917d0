"""Where workers on other machines come to a run: a port at which both ends prove that they know its secret."""

from __future__ import annotations

import contextlib
import secrets
import socket
import threading
from collections.abc import Callable
from multiprocessing import AuthenticationError
from multiprocessing.connection import Connection, answer_challenge, deliver_challenge
from types import TracebackType

from harness.run.line import LineAddress, patient


class Reception:
    """A context: the port is open, and whoever knows the secret is let in.

    Attributes:
        address: Where it is.
    """

    def __init__(self, host: str, admit: Callable[[Connection], None]) -> None:
        """Open the port.

        Args:
            host: The address of this machine at which the others reach it.
            admit: Is given each line, in a thread of its own; it is closed here afterwards.

        Raises:
            OSError: there is no such address here.
        """
        self._socket = socket.create_server((host, 0), backlog=128)
        self._admit = admit
        self.address = LineAddress(host, self._socket.getsockname()[1], secrets.token_bytes(32))
        self._thread = threading.Thread(target=self._receive, daemon=True)

    def __enter__(self) -> Reception:
        self._thread.start()
        return self

    def _receive(self) -> None:
        while True:
            try:
                connection, _ = self._socket.accept()
            except OSError:
                return  # it was closed
            patient(connection)
            # Whoever comes and says nothing keeps nobody else waiting.
            threading.Thread(target=self._greet, args=(Connection(connection.detach()),), daemon=True).start()

    def _greet(self, pipe: Connection) -> None:
        with pipe, contextlib.suppress(AuthenticationError, EOFError, OSError):
            deliver_challenge(pipe, self.address.key)
            answer_challenge(pipe, self.address.key)
            self._admit(pipe)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)  # which wakes the thread
        self._socket.close()
        self._thread.join()
