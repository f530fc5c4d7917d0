"""A run in a list of runs: what its ``run.json`` says, or why it says nothing."""

from __future__ import annotations

from dataclasses import dataclass

from harness.errors.user import UserError
from harness.runlog.directory import RunDirectory
from harness.runlog.run_record import RunRecord
from harness.watch.run_state import RunState, count_episodes, state_of
from harness.watch.runs_folder import RunPlace


@dataclass(frozen=True)
class ListedRun:
    """One run in a list.

    Attributes:
        place: Where it is.
        state: How far it is.
        record: Its ``run.json``; None if that cannot be read.
        reason: Why it cannot; empty if it can.
        episodes: How many episodes it has.
    """

    place: RunPlace
    state: RunState
    record: RunRecord | None
    reason: str
    episodes: int

    @property
    def score(self) -> float | None:
        """Its headline, as ``run.json`` says it; None before the end."""
        results = self.record.results if self.record else None
        return results.overall.score if results else None


def listed_run(place: RunPlace) -> ListedRun:
    """Look at a run. What is wrong with it is in the answer: nothing is raised for it."""
    episodes = count_episodes(place.folder)
    try:
        record = RunDirectory(place.folder).read()
    except (UserError, OSError, ValueError) as error:
        return ListedRun(place, "broken", None, str(error), episodes)
    return ListedRun(place, state_of(place.folder, record), record, "", episodes)
