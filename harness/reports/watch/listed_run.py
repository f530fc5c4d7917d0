"""A run in a list of runs: what its ``run.json`` and its index say, or why they say nothing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from harness.kit.errors import UserError
from harness.kit.files.installation import task_set_name
from harness.records.agent_name import agent_name
from harness.records.directory import RunDirectory
from harness.records.results import Work
from harness.records.run_record import RunRecord
from harness.reports.run_summary import resuming
from harness.reports.watch.run_notes import RunNote, empty_note
from harness.reports.watch.run_state import RunState, count_episodes, state_of
from harness.reports.watch.run_watch import IndexProgress, WatchedRuns
from harness.reports.watch.runs_folder import RunPlace
from harness.reports.wording import ended_by_error, told_of_cause, told_of_errors, told_of_work
from harness.scoring.judges.saved_judgements import judged_folders, judges_beside


@dataclass(frozen=True)
class ListedRun:
    """One run in a list.

    Attributes:
        place: Where it is.
        state: How far it is.
        record: Its ``run.json``; None if that cannot be read.
        reason: Why it cannot; empty if it can.
        episodes: How many episodes it has.
        index: How far its index is; None if it cannot be read.
        note: What people noted of it.
    """

    place: RunPlace
    state: RunState
    record: RunRecord | None
    reason: str
    episodes: int
    index: IndexProgress | None
    note: RunNote

    @property
    def agent(self) -> str:
        """Whom it evaluated; empty if that cannot be read."""
        return agent_name(self.record) if self.record else ""

    @property
    def task_set(self) -> str:
        """What people call its folder of tasks; empty if that cannot be read."""
        return task_set_name(self.record.config.tasks_dir) if self.record else ""

    @property
    def split(self) -> str:
        """Its split, ``all`` without one; empty if that cannot be read."""
        return (self.record.config.split or "all") if self.record else ""

    @property
    def score(self) -> float | None:
        """Its headline: by its index if that has it already, else as ``run.json`` says it at the end."""
        if self.index and self.index.numbers:
            return self.index.numbers.overall.score.value
        record, results = self.record, self.record.results if self.record else None
        # Before work was counted, solvers that had never replied had a score, too.
        is_one = record and results and (results.work or not record.is_asked)
        return results.overall.score if results and is_one else None

    @property
    def ceiling(self) -> float | None:
        """The most that the labels allow, from the same place."""
        if self.index and self.index.numbers:
            return self.index.numbers.overall.ceiling
        results = self.record.results if self.record else None
        return results.overall.ceiling if results else None

    @property
    def crowd(self) -> float | None:
        """The workers' own score; None until its index has it, or if too few answered."""
        return self.index.numbers.crowd.value if self.index and self.index.numbers else None

    @property
    def outcomes(self) -> Mapping[str, int]:
        """Outcome -> episodes, from the same place; empty if that is not known."""
        if self.index and self.index.numbers:
            return self.index.numbers.outcomes
        return self.record.results.outcomes if self.record and self.record.results else {}

    @property
    def errors(self) -> str:
        """How many of its episodes ended by an error, in words; empty if none did, or if that is not known."""
        return told_of_errors(self.outcomes)

    @property
    def ended_by_error(self) -> int | None:
        """How many of its episodes ended by an error; None if that is not known."""
        return ended_by_error(self.outcomes) if self.outcomes else None

    @property
    def badge(self) -> str:
        """How its state is marked: as the state is, but not as good where what it came to is not.

        Returns:
            The state; after it ``errors`` if half of its episodes or more ended by an error, else ``idle`` if its
            solver never did anything.
        """
        ended = self.ended_by_error
        if ended and 2 * ended >= sum(self.outcomes.values()):
            return f"{self.state} errors"
        return f"{self.state} idle" if self.remark else self.state

    @property
    def asked_work(self) -> Work | None:
        """What was done by its solver, if that is one that is asked, from the same place; None if it is not known."""
        if self.index and self.index.numbers:
            return self.index.numbers.asked_work
        return self.record.asked_work if self.record else None

    @property
    def remark(self) -> str:
        """What has to be known of its score, in words, if its solver never did anything and its cause is another."""
        stopped = self.record.stopped if self.record else None
        return "" if stopped and stopped.kind == "no_reply" else told_of_work(self.asked_work)

    @property
    def cause(self) -> str:
        """Why it ended before its end, in a sentence; empty while it goes on, and if it came to its end."""
        return told_of_cause(self.record) if self.record and self.state != "running" else ""

    @property
    def resuming(self) -> str:
        """The command that goes on with it, from any folder; empty where that would bring nothing else."""
        if self.record is None or self.record.would_repeat:
            return ""
        return resuming(self.place.folder.resolve(), self.record)

    @property
    def cost(self) -> float | None:
        """What it spent in US dollars, by its own account or as its agents say; None if that is not known."""
        if self.record is None:
            return None
        if self.record.spent is not None:
            spent = self.record.spent.cost
            return None if spent is None else float(spent)
        return self.record.reported.cost if self.record.reported else None

    @property
    def tokens(self) -> int | None:
        """The tokens that its calls of models took, by its own account; None if that is not known."""
        spent = self.record.spent if self.record else None
        return spent.usage.input_tokens + spent.usage.output_tokens if spent else None

    @property
    def wall_seconds(self) -> float | None:
        """How long it was at work by a clock on the wall; None if that is not known."""
        return self.record.time.wall_seconds if self.record and self.record.time else None

    @property
    def judges(self) -> tuple[str, ...]:
        """The folders of judges that have looked at its trajectories."""
        return tuple(
            dict.fromkeys(each.folder.parent.name for each in judged_folders(judges_beside(self.place.folder)))
        )

    @property
    def planned(self) -> int | None:
        """How many episodes there are to be; None if that is not known."""
        return self.record.planned_episodes if self.record else None

    @property
    def share_done(self) -> float | None:
        """The share of the planned episodes that is there; None if their number is not known."""
        return min(1.0, self.episodes / self.planned) if self.planned else None


def listed_run(place: RunPlace, watched: WatchedRuns, holds: float = 0.0) -> ListedRun:
    """Look at a run, whose note is empty. What is wrong with it is in the answer: nothing is raised for it.

    Args:
        place: Where it is.
        watched: Who keeps its index up.
        holds: Seconds for which an earlier look at its episodes is good enough, unless it goes on.
    """
    try:
        record = RunDirectory(place.folder).read()
    except (UserError, OSError, ValueError) as error:
        note = empty_note(place.parts, None)
        return ListedRun(place, "broken", None, str(error), count_episodes(place.folder), None, note)
    state = state_of(place.folder, record)
    try:
        index = watched.watch(place.folder, record).look(0.0 if state == "running" else holds)
    except OSError as error:
        failed = f"the index cannot be written: {error}"
        index = IndexProgress(False, 0, 0, 0, None, 0, behind=False, failed=failed)
    work = index.numbers.asked_work if index.numbers else None
    if work and work.never_replied and state in {"complete", "incomplete"}:
        state = "failed"  # as such runs say themselves since work is counted
    episodes = index.episodes + index.broken + index.waiting if index.built else count_episodes(place.folder)
    return ListedRun(place, state, record, "", episodes, index, empty_note(place.parts, record))
