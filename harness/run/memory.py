"""How much memory a long-lived process keeps that it no longer uses."""

from __future__ import annotations

import contextlib
import ctypes

# Of glibc's <malloc.h>.
_M_TRIM_THRESHOLD, _M_ARENA_MAX = -1, -8
_TRIM_BYTES = 128 * 1024


def give_back_early() -> None:
    """Let freed memory go back to the system soon, and all threads share one heap; no effect where there is no glibc.

    Tables of labels are read and dropped one after another. By default glibc raises its threshold with each large
    block, and gives every thread a heap of its own: the processes of a run together kept nearly twice of what they
    needed (docs/notes/performance.md). Threads hardly contend for the heap here, since they hold Python's lock in
    turns.
    """
    with contextlib.suppress(OSError, AttributeError):
        libc = ctypes.CDLL("libc.so.6")
        libc.mallopt(_M_TRIM_THRESHOLD, _TRIM_BYTES)
        libc.mallopt(_M_ARENA_MAX, 1)


def give_back() -> None:
    """Give the system back what is free in the heap now; no effect where there is no glibc."""
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL("libc.so.6").malloc_trim(0)
