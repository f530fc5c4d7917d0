"""The time of an episode: where it goes, and a deadline for code that never looks at the clock."""

from __future__ import annotations

import ctypes
import threading
import time
from collections.abc import Callable

from harness.episode.trajectory import Trajectory

PHASES = ("open", "observe", "think", "wait", "act", "submit", "read", "record")
"""Of an episode: opening the page; the solver's looks, its own time, its waits for a model's provider, and its actions;
pressing Submit; making the record of what was sent; scoring it and writing it down."""
FILMING = "film"
"""A phase of an episode that is filmed: making its frames."""


class Clock:
    """Milliseconds by phase of an episode.

    Attributes:
        timing: Phase -> milliseconds.
    """

    def __init__(self) -> None:
        self.timing: dict[str, float] = {}
        self._last = time.perf_counter()

    def lap(self, phase: str) -> float:
        """End a phase and begin the next; gives its milliseconds."""
        now = time.perf_counter()
        ms = (now - self._last) * 1000
        self.timing[phase] = round(ms, 2)
        self._last = now
        return ms

    def solved(self, trajectory: Trajectory) -> None:
        """End the solver's phase, and part it into looking, acting, waiting and the solver's own time."""
        solve = self.lap("think")
        act_ms = sum(step.ms for step in trajectory.steps)
        self.timing |= {
            "observe": round(trajectory.look_ms, 2),
            "act": round(act_ms, 2),
            "wait": round(trajectory.wait_ms, 2),
            "think": round(max(0.0, solve - act_ms - trajectory.look_ms - trajectory.wait_ms - trajectory.film_ms), 2),
        }
        if trajectory.film_ms:
            self.timing[FILMING] = round(trajectory.film_ms, 2)


THROWS = 3
"""How often code that does not end is thrown out of what it does, since it may swallow the first."""
THROW_SECONDS = 5.0
"""How long each throw is given to take effect."""
LEAST_SECONDS = 0.05
"""How long at least is waited between two looks at how much time code has been given beyond its deadline."""


class Overdue(BaseException):
    """The deadline has passed. No ``Exception``, so that code that swallows all of those does not swallow it.

    Attributes:
        left_behind: Whether the late code is still there.
    """

    left_behind = False


_LEFT: list[threading.Thread] = []


def is_code_left() -> bool:
    """Whether late code is still in its thread, from which only the end of this process would end it."""
    return any(thread.is_alive() for thread in _LEFT)


def run_within(
    seconds: float,
    function: Callable[[], None],
    *,
    excused: Callable[[], float] = lambda: 0.0,
    on_longer: Callable[[float], None] = lambda _: None,
) -> None:
    """Call a function in a thread of its own, and wait for it.

    A function that is late is thrown out of whatever Python code it runs, even an endless loop (CPython delivers the
    error between two instructions: ``PyThreadState_SetAsyncExc``). One that blocks inside the system, or swallows
    ``BaseException``, is left behind in its thread.

    Args:
        seconds: How long it may take.
        function: The function.
        excused: How many of the seconds since its start do not count, such as those spent waiting for others; asked
            when the time would be up.
        on_longer: Told each time by how many seconds the deadline is put off.

    Raises:
        Overdue: it did not end in time.
        BaseException: whatever the function raised.
    """
    raised: list[BaseException] = []
    ended = threading.Event()

    def run() -> None:
        try:
            function()
        except BaseException as error:  # noqa: BLE001 - it is raised again in the thread that waits
            raised.append(error)
        finally:
            ended.set()

    thread = threading.Thread(target=run, name=f"{threading.current_thread().name}-watched", daemon=True)
    thread.start()
    allowed, used = seconds, 0.0
    while not ended.wait(min(max(allowed, 0.0), threading.TIMEOUT_MAX)):
        more = excused() - used
        if more <= 0:
            break
        used += more
        allowed = max(more, LEAST_SECONDS)
        on_longer(allowed)
    if not ended.is_set():
        for _ in range(THROWS):
            ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread.ident or 0), ctypes.py_object(Overdue))
            if ended.wait(THROW_SECONDS):
                raise Overdue
        _LEFT.append(thread)
        overdue = Overdue()
        overdue.left_behind = True
        raise overdue
    if raised:
        raise raised[0]
