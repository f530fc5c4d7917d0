"""Processes that are forked: how they end with their parent, and what they can tell it."""

from __future__ import annotations

import copy
import ctypes
import multiprocessing
import os
import pickle
import signal
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from harness.run.interrupts import SIGNALS, ignore_in_worker
from harness.runlog.fatal import FatalError

Result = TypeVar("Result")
PROCESSES = multiprocessing.get_context("fork")
"""Forked, since a process is at work at once: nothing has to be imported anew. Who forks has one thread."""
_PR_SET_PDEATHSIG = 1
_INTERRUPTED = 130
"""The status of a process that an interrupt has ended."""


@dataclass(frozen=True)
class ChildAnswer:
    """To what another process was asked: what was asked for, or why it cannot be had."""

    value: Any = None
    error: Exception | None = None


def live_with(parent: int) -> None:
    """Leave interrupts to the parent of this process, and end with it; this process ends here if it is gone already."""
    ignore_in_worker()
    if sys.platform == "linux":
        # A solver may be at work for minutes after its run was killed; elsewhere a worker ends after its page.
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:
            os._exit(1)


def portable(error: Exception) -> Exception:
    """An error as another process can have it.

    One of ours as it is, a plain one of Python made anew; of any other, which may hold anything, the words.
    """
    kind = type(error)
    try:
        if kind.__module__.startswith("harness."):
            pickle.dumps(error)
            copy.copy(error)  # is made anew as it would be at the other end
            return error
    except Exception:  # noqa: BLE001 - whatever is wrong with it, it cannot be sent
        return FatalError(str(error))
    if kind.__module__ == "builtins" and all(isinstance(each, (str, int)) for each in error.args):
        return kind(*error.args)
    return FatalError(f"{kind.__name__}: {error}")


def in_child(function: Callable[[], Result]) -> Result:
    """Call a function in a process of its own, which ends with it, so that nothing it has read is left in this one.

    Args:
        function: The function; what it gives must be of types that can be pickled.

    Raises:
        KeyboardInterrupt: there was an interrupt; the function was interrupted, too.
        Exception: whatever the function raised, as far as another process can have it.
    """
    ours, theirs = PROCESSES.Pipe(duplex=False)

    def call() -> None:
        ours.close()
        try:
            signal.pthread_sigmask(signal.SIG_UNBLOCK, SIGNALS)
            answer = ChildAnswer(function())
        except KeyboardInterrupt:
            sys.exit(_INTERRUPTED)
        except Exception as error:  # noqa: BLE001 - it is raised where it was asked for
            answer = ChildAnswer(error=portable(error))
        theirs.send(answer)

    process = PROCESSES.Process(target=call)
    # An interrupt that came once there is a child, and before what ends it, would leave it behind.
    signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)
    try:
        process.start()
        theirs.close()
        signal.pthread_sigmask(signal.SIG_UNBLOCK, SIGNALS)
        answer: ChildAnswer = ours.recv()
    except EOFError:
        process.join()
        if process.exitcode == _INTERRUPTED:
            raise KeyboardInterrupt from None
        raise FatalError("a process that was to prepare the run has ended by itself") from None
    except BaseException:
        if process.pid:
            process.terminate()
        raise
    finally:
        if process.pid:
            process.join()
        ours.close()
        signal.pthread_sigmask(signal.SIG_UNBLOCK, SIGNALS)
    if answer.error:
        raise answer.error
    result: Result = answer.value
    return result
