"""How somebody outside says that they are done: a line on standard input, its end, or a signal."""

from __future__ import annotations

import os
import selectors
import stat

from harness.run.interrupts import Interrupts

STANDARD_INPUT = 0
_PIECE = 65_536


class DoneSignal:
    """Waits for word that somebody is done.

    The end of standard input counts, too: whoever could have said a word has gone. It does not where there never was
    anybody, as with ``/dev/null``, which is what a shell gives to programs in the background.

    Attributes:
        words: What they have said on standard input.
    """

    def __init__(self, interrupts: Interrupts) -> None:
        """Listen to standard input, and to Ctrl-C and SIGTERM through ``interrupts``."""
        self.words = ""
        self._interrupts = interrupts
        self._stdin = STANDARD_INPUT if _somebody_is_there(STANDARD_INPUT) else None

    def is_given(self, seconds: float) -> bool:
        """Wait for at most so many seconds; whether they have said so."""
        with selectors.DefaultSelector() as ears:
            ears.register(self._interrupts, selectors.EVENT_READ)
            if self._stdin is not None:
                ears.register(self._stdin, selectors.EVENT_READ)
            heard = [key.fd for key, _ in ears.select(seconds)]
        if self._interrupts.asked:
            return True
        if self._stdin not in heard:
            return False
        said = os.read(STANDARD_INPUT, _PIECE)
        self.words += said.decode(errors="replace")
        return not said or b"\n" in said


def _somebody_is_there(descriptor: int) -> bool:
    try:
        mode = os.fstat(descriptor).st_mode
    except OSError:  # it is closed
        return False
    return os.isatty(descriptor) or not stat.S_ISCHR(mode)
