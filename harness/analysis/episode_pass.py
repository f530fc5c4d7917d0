"""One pass over the episodes of a run, which scores them and shows them to visitors: in parts, in one process or many.

A part is seen by visitors of its own, which are merged in the order of the parts. That is so in one process, too, so
that nothing depends on how many there are.
"""

from __future__ import annotations

import copy
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, Future
from functools import partial
from typing import Any, ParamSpec, Protocol, TypeVar

from harness.records.directory import RunDirectory
from harness.records.record_file import EpisodeFiles
from harness.scoring.metrics import Profile
from harness.scoring.scores import InstanceScore, score_episode

P = ParamSpec("P")
T = TypeVar("T")


class InPlace(Executor):
    """Calls a function when it is submitted. What it raises is raised by the future, as from any other executor."""

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Call a function; the future is done."""
        future: Future[Any] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:  # noqa: BLE001 - whoever asks for the result has it
            future.set_exception(error)
        return future


IN_PLACE = InPlace()


PART = 250
"""Episodes of a part: a second of work or so, so that all processes end at nearly the same time."""
_AHEAD = 128
"""Parts that are asked for before the first of them is taken in; they wait in memory."""


class Visitor(Protocol):
    """Looks at every episode of a run while it is read, and keeps what it needs.

    It can be copied and pickled before it has seen any.
    """

    def see(self, score: InstanceScore) -> None:
        """Look at one."""

    def merge(self, other: Any) -> None:
        """Take in what another of its kind has seen of the episodes that follow: as if it had seen them itself."""


def pass_over(run: RunDirectory, profile: Profile, visitors: Sequence[Visitor], pool: Executor = IN_PLACE) -> None:
    """Read and score all episodes of a run, one at a time, and show them to visitors. No episode is kept.

    Args:
        run: The run directory; it is not changed.
        profile: The rules of the scores.
        visitors: Each is shown every episode with its scores, by task folder and index. They have seen none yet.
        pool: What does the work; other processes, or at once in this one.

    Raises:
        NotARun: an episode cannot be read; of several the first.
    """
    blank = copy.deepcopy(list(visitors))  # what is sent to another process is pickled at some time, and these change
    work = partial(_seen, profile, blank)
    waiting: deque[Future[Sequence[Visitor]]] = deque()
    for part in run.episode_files().parts(PART):
        if len(waiting) == _ahead(pool):
            _take_in(waiting.popleft(), visitors)
        waiting.append(pool.submit(work, part))
    while waiting:
        _take_in(waiting.popleft(), visitors)


def _ahead(pool: Executor) -> int:
    """How many parts may wait to be taken in: where there is but this process, one."""
    return 1 if pool is IN_PLACE else _AHEAD


def _take_in(future: Future[Sequence[Visitor]], visitors: Sequence[Visitor]) -> None:
    for visitor, more in zip(visitors, future.result(), strict=True):
        visitor.merge(more)


def _seen(profile: Profile, blank: Sequence[Visitor], episodes: EpisodeFiles) -> Sequence[Visitor]:
    """Visitors who have seen some episodes."""
    visitors = copy.deepcopy(blank)
    for episode in episodes:
        score = score_episode(episode, profile)
        for visitor in visitors:
            visitor.see(score)
    return visitors
