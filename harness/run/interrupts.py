"""Ctrl-C and SIGTERM: the first asks a run to end, the second ends it at once."""

from __future__ import annotations

import os
import signal
import threading
from types import FrameType, TracebackType
from typing import Any

SIGNALS = (signal.SIGINT, signal.SIGTERM)


class Interrupts:
    """A context in which an interrupt is a request while the run is ``patient``, and else a ``KeyboardInterrupt``.

    Signals arrive in the main thread; elsewhere this changes nothing.

    Attributes:
        patient: Whether somebody looks at ``asked`` and the first interrupt need not raise.
    """

    def __init__(self) -> None:
        self.patient = False
        self._count = 0
        self._before: dict[int, Any] = {}
        self._bell, self._button = os.pipe()

    @property
    def asked(self) -> bool:
        """Whether there was an interrupt."""
        return self._count > 0

    def fileno(self) -> int:
        """Becomes readable at an interrupt, so that a wait for other things ends."""
        return self._bell

    def __enter__(self) -> Interrupts:
        if threading.current_thread() is threading.main_thread():
            self._before = {number: signal.signal(number, self._arrived) for number in SIGNALS}
        return self

    def _arrived(self, _number: int, _frame: FrameType | None) -> None:
        self._count += 1
        if self._count == 1 and self.patient:
            os.write(self._button, b".")
            return
        raise KeyboardInterrupt

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)
        os.close(self._bell)
        os.close(self._button)


def ignore_in_worker() -> None:
    """Leave interrupts to the parent, which says when to end; programs started from here react as usual."""
    for number in SIGNALS:
        signal.signal(number, lambda *_: None)
