"""Processes of this machine that work is handed to."""

from __future__ import annotations

import copy
import ctypes
import gc
import multiprocessing
import os
import pickle
import signal
import sys
import threading
import warnings
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Any, TypeVar

from harness.analysis.episode_pass import IN_PLACE
from harness.kit.files.installation import cores, is_ours
from harness.records.directory import RunDirectory
from harness.records.fatal import FatalError
from harness.run.interrupts import SIGNALS, ignore_in_worker
from harness.scoring.metrics.rouge import load

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
        if is_ours(kind.__module__):
            pickle.dumps(error)
            copy.copy(error)  # is made anew as it would be at the other end
            return error
    except Exception:  # noqa: BLE001 - whatever is wrong with it, it cannot be sent
        return FatalError(str(error))
    if kind.__module__ == "builtins" and all(isinstance(each, (str, int)) for each in error.args):
        return kind(*error.args)
    return FatalError(f"{kind.__name__}: {error}")


class _PutOff:
    """Interrupts that are put off for a while.

    They are not blocked, since the system would give a blocked one to another thread, and Python's handler would run in
    the main thread all the same.
    """

    def __init__(self) -> None:
        self._before: dict[int, Any] = {}
        self._came: list[int] = []

    def begin(self) -> None:
        """From now on they are put off; handlers are the main thread's affair, and nothing interrupts another."""
        if threading.current_thread() is threading.main_thread():
            self._before = {number: signal.signal(number, self._comes) for number in SIGNALS}

    def end(self) -> None:
        """Handle those that came, and from now on each as it comes; nothing if that was done before."""
        before, self._before = self._before, {}
        came, self._came = self._came, []
        for number, handler in before.items():
            signal.signal(number, handler)
        for number in came:
            signal.raise_signal(number)

    def _comes(self, number: int, _frame: FrameType | None) -> None:
        self._came.append(number)


def in_child(function: Callable[[], Result]) -> Result:
    """Call a function in a process of its own, which ends with it, so that nothing it has read is left in this one.

    Args:
        function: The function; what it gives must be of types that can be pickled.

    Raises:
        KeyboardInterrupt: there was an interrupt; the function was interrupted, too.
        Exception: whatever the function raised, as far as another process can have it.
    """
    ours, theirs = PROCESSES.Pipe(duplex=False)
    put_off = _PutOff()

    def call() -> None:
        ours.close()
        try:
            put_off.end()
            answer = ChildAnswer(function())
        except KeyboardInterrupt:
            sys.exit(_INTERRUPTED)
        except Exception as error:  # noqa: BLE001 - it is raised where it was asked for
            answer = ChildAnswer(error=portable(error))
        theirs.send(answer)

    process = PROCESSES.Process(target=call)
    # An interrupt that came once there is a child, and before what ends it, would leave it behind.
    put_off.begin()
    try:
        process.start()
        theirs.close()
        put_off.end()
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
        put_off.end()
    if answer.error:
        raise answer.error
    result: Result = answer.value
    return result


def _begin(parent: int) -> None:
    """Make this process one of many that read episodes: what is there stays, and what is read leaves no cycles."""
    live_with(parent)
    gc.freeze()
    gc.set_threshold(_GARBAGE)


_GARBAGE = 100_000
"""New objects before cycles among them are looked for: with Python's own number that takes a fifth of the time."""
EPISODES = 2_000
"""For which another process is worth its start, which may import all anew: two seconds of a processor."""


@contextmanager
def processes_for(folders: Sequence[Path]) -> Iterator[Executor]:
    """What is to read and score runs: as many processes as there are cores, and fewer where there is little to do.

    They are forked at once, so that what is imported here is there; beside other threads they are started anew. They
    end with the context: when it is left by an error or an interrupt, after what is under way, which takes seconds, and
    with this process however that ends.

    Args:
        folders: The run directories.
    """
    number = min(cores(), sum(RunDirectory(folder).size() for folder in folders) // EPISODES)
    if number < 2:
        yield IN_PLACE
        return
    alone = threading.active_count() == 1
    context = PROCESSES if alone else multiprocessing.get_context("spawn")
    if alone:
        load()
    with ProcessPoolExecutor(number, context, _begin, (os.getpid(),)) as pool:
        try:
            with warnings.catch_warnings():
                # Python 3.12 and later count threads of libraries, too; NumPy's end before a fork, and begin anew.
                warnings.simplefilter("ignore", DeprecationWarning)
                pool.submit(int)
            yield pool
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise
