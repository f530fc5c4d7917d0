"""All trackers that a run is logged to while it goes on."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType

from harness.integrations.tracking.follower import Follower


class Followers:
    """A context around a run, see ``harness.run.run_result.RunWatcher``: a process for each tracker, or none."""

    def __init__(self, names: Sequence[str], folder: Path, say: Callable[[str], None]) -> None:
        """Prepare.

        Args:
            names: Trackers, of ``harness.integrations.tracking.trackers.TRACKERS``.
            folder: The run directory.
            say: Is told what the user should know.
        """
        self._all = [Follower(name, folder, say) for name in dict.fromkeys(names)]
        self._stack = ExitStack()

    def __enter__(self) -> Followers:
        with ExitStack() as stack:
            for each in self._all:
                stack.enter_context(each)
            self._stack = stack.pop_all()
        return self

    def planned(self, finished: Iterable[tuple[str, int]]) -> None:
        """See ``RunWatcher``."""
        before = list(finished)
        for each in self._all:
            each.planned(before)

    def ended(self, task: str, index: int) -> None:
        """See ``RunWatcher``."""
        for each in self._all:
            each.ended(task, index)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.__exit__(kind, error, trace)
