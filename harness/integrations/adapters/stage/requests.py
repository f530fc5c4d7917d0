"""The requests that come in at a stage."""

from __future__ import annotations

import queue
import threading
from typing import IO

from harness.integrations.adapters.stage.messages import Request
from harness.kit.files import codec

LEAVE = Request("leave")


class Requests:
    """The requests of whoever drives a stage, in order; ``leave`` from the end of the stream on."""

    def __init__(self, stream: IO[bytes]) -> None:
        """Read a stream, a request a line."""
        self._queue: queue.SimpleQueue[Request] = queue.SimpleQueue()
        self._put_back: Request | None = None
        threading.Thread(target=self._read, args=[stream], daemon=True).start()

    def _read(self, stream: IO[bytes]) -> None:
        for line in stream:
            self._queue.put(codec.decode(line, Request))
        self._queue.put(LEAVE)

    def next(self, seconds: float | None = None) -> Request | None:
        """The next request; None if none comes within so many seconds."""
        if self._put_back:
            request, self._put_back = self._put_back, None
            return request
        try:
            return self._queue.get(timeout=seconds)
        except queue.Empty:
            return None

    def put_back(self, request: Request) -> None:
        """Give a request to whoever asks next."""
        self._put_back = request
