"""A deadline for code that never looks at the clock: it is thrown out of its thread."""

from __future__ import annotations

import ctypes
import threading
from types import TracebackType

AGAIN_SECONDS = 5.0
"""Between two throws at code that swallows the first."""


class Overdue(BaseException):
    """The deadline has passed. No ``Exception``, so that code that swallows all of those cannot swallow it."""


class Watchdog:
    """A context that raises ``Overdue`` in its own thread when it lasts too long.

    It reaches whatever runs Python code, even an endless loop. A call that blocks inside the system (a socket without
    a time-out) ends only when it returns: CPython delivers such an exception between two instructions
    (``PyThreadState_SetAsyncExc``).
    """

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._thread = ctypes.c_ulong(threading.get_ident())
        self._lock = threading.Lock()
        self._over = threading.Event()

    def __enter__(self) -> Watchdog:
        threading.Thread(target=self._watch, name="watchdog", daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        while True:
            try:
                with self._lock:
                    self._over.set()
                # Take back what was thrown in the last moment and has not arrived.
                self._throw(None)
            except Overdue:
                continue
            return

    def _watch(self) -> None:
        seconds = min(self._seconds, threading.TIMEOUT_MAX)
        while not self._over.wait(seconds):
            with self._lock:
                if not self._over.is_set():
                    self._throw(Overdue)
            seconds = AGAIN_SECONDS

    def _throw(self, what: type[Overdue] | None) -> None:
        error = ctypes.py_object(what) if what else None
        ctypes.pythonapi.PyThreadState_SetAsyncExc(self._thread, error)
