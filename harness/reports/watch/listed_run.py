"""A run in a list of runs: what its ``run.json`` and its index say, or why they say nothing."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from harness.kit.errors import UserError
from harness.kit.files.installation import BUNDLED_TASKS
from harness.records.agent_name import agent_name
from harness.records.directory import RunDirectory
from harness.records.results import Work
from harness.records.run_record import RunRecord
from harness.reports.run_summary import resuming
from harness.reports.watch.run_state import RunState, count_episodes, state_of
from harness.reports.watch.run_watch import IndexProgress, WatchedRuns
from harness.reports.watch.runs_folder import RunPlace
from harness.reports.wording import told_of_cause, told_of_errors, told_of_work
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
    """

    place: RunPlace
    state: RunState
    record: RunRecord | None
    reason: str
    episodes: int
    index: IndexProgress | None

    @property
    def agent(self) -> str:
        """Whom it evaluated; empty if that cannot be read."""
        return agent_name(self.record) if self.record else ""

    @property
    def task_set(self) -> str:
        """What people call its folder of tasks; empty if that cannot be read."""
        return task_set_name(self.record) if self.record else ""

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
    def errors(self) -> str:
        """How many of its episodes ended by an error, in words; empty if none did, or if that is not known."""
        if self.index and self.index.numbers:
            return told_of_errors(self.index.numbers.outcomes)
        results = self.record.results if self.record else None
        return told_of_errors(results.outcomes) if results else ""

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
    """Look at a run. What is wrong with it is in the answer: nothing is raised for it.

    Args:
        place: Where it is.
        watched: Who keeps its index up.
        holds: Seconds for which an earlier look at its episodes is good enough, unless it goes on.
    """
    try:
        record = RunDirectory(place.folder).read()
    except (UserError, OSError, ValueError) as error:
        return ListedRun(place, "broken", None, str(error), count_episodes(place.folder), None)
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
    return ListedRun(place, state, record, "", episodes, index)


def task_set_name(record: RunRecord) -> str:
    """What people call a folder of tasks: its own name, or where that is only ``tasks``, that of the one above it."""
    folder: Path = record.config.tasks_dir
    if folder == BUNDLED_TASKS:
        return "bundled tasks"
    return (folder.parent.name if folder.name == "tasks" else folder.name) or str(folder)


def _number(value: float | None) -> tuple[bool, float]:
    """A key by which what is not known comes last, and the highest first."""
    return value is None, -(value or 0.0)


RUN_ORDERS: Mapping[str, Callable[[ListedRun], object]] = {
    "newest": lambda run: (run.record is None, [-ord(letter) for letter in (run.record.started if run.record else "")]),
    "name": lambda run: run.place.parts,
    "score": lambda run: _number(run.score),
    "cost": lambda run: _number(run.cost),
    "solver": lambda run: (run.agent.casefold(), run.place.parts),
    "state": lambda run: (run.state, run.place.parts),
}
"""Name of an order -> the key of a run in it."""


def chosen_runs(runs: Sequence[ListedRun], words: str, state: str, sort: str) -> list[ListedRun]:
    """Some runs in an order.

    Args:
        runs: All of them.
        words: Each has to stand in the run's name, its solver, its task set or its split; empty for all.
        state: A state; empty for all.
        sort: A key of ``RUN_ORDERS``.
    """
    wanted = words.casefold().split()
    found = []
    for run in runs:
        text = "\n".join((run.place.name, run.agent, run.task_set, run.split, run.reason)).casefold()
        if all(word in text for word in wanted) and state in {"", run.state}:
            found.append(run)
    return sorted(found, key=RUN_ORDERS[sort])  # type: ignore[arg-type]
