"""The table of the runs of a folder: its columns, which runs are chosen, and their order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from harness.kit.errors import UserError
from harness.records.directory import RunDirectory
from harness.reports.watch.listed_run import ListedRun
from harness.reports.watch.run_notes import PlacedNotes, RunNote, RunNotes, empty_note
from harness.reports.watch.runs_folder import RunPlace, RunsFolder
from harness.reports.watch.table_columns import Cell, Column

NEWEST = "started"
"""The order of runs where nobody has chosen another."""


def _interval(run: ListedRun) -> tuple[Cell, ...]:
    numbers = run.index.numbers if run.index else None
    if numbers is None or run.score is None:
        return run.score, None, None
    return run.score, numbers.overall.score.low, numbers.overall.score.high


_Column = Column[ListedRun]
RUN_COLUMNS: tuple[_Column, ...] = (
    _Column.of_words(
        "name",
        "Run",
        ("run", "solver", "tags", "note"),
        lambda run: (run.place.name, run.agent or None, run.note.tags, run.note.note),
        shown="always",
    ),
    _Column.of_words(
        "state", "State", ("state", "reason"), lambda run: (run.state, run.cause or run.remark or run.reason)
    ),
    _Column.of_words(
        "tasks", "Tasks, split", ("task_set", "split"), lambda run: (run.task_set or None, run.split or None)
    ),
    _Column.of_amounts("score", "Score, 95 %", ("score", "score_low", "score_high"), _interval),
    _Column.of_amounts("ceiling", "Ceiling", ("ceiling",), lambda run: (run.ceiling,)),
    _Column.of_amounts("crowd", "Crowd", ("crowd",), lambda run: (run.crowd,)),
    _Column.of_amounts("cost", "Cost", ("cost",), lambda run: (run.cost,)),
    _Column.of_amounts(
        "episodes", "Episodes", ("episodes", "planned_episodes"), lambda run: (run.episodes, run.planned)
    ),
    _Column.of_amounts(
        "errors", "Ended by error", ("ended_by_error",), lambda run: (run.ended_by_error,), shown="asked"
    ),
    _Column.of_amounts("tokens", "Tokens", ("tokens",), lambda run: (run.tokens,), shown="asked"),
    _Column.of_amounts("time", "Wall time", ("wall_seconds",), lambda run: (run.wall_seconds,), shown="asked"),
    _Column.of_words(
        "comparability",
        "Comparability id",
        ("comparability_id",),
        lambda run: ((run.record.comparability_id if run.record else "") or None,),
        shown="asked",
    ),
    Column(
        NEWEST,
        "Started",
        ("started",),
        lambda run: (run.record.started if run.record else None,),
        rising=f"-{NEWEST}",
        falling=NEWEST,
        most_first=True,
    ),
)
_SORTED = {sort: column for column in RUN_COLUMNS for sort in (column.rising, column.falling)}
RUN_ORDERS: Mapping[str, str] = {
    "started": "newest first",
    "-started": "oldest first",
    "name": "name",
    "-name": "name, from Z",
    "score": "best first",
    "-score": "worst first",
    "cost": "dearest first",
    "-cost": "cheapest first",
    "solver": "solver",
    "state": "state",
}
"""Orders that a list offers beside the headings of its columns -> what they are called."""


@dataclass(frozen=True)
class RunChoice:
    """A choice of runs; an empty text, or none, chooses all.

    Attributes:
        words: Each has to stand in the run's name, its solver, its task set, its split, its tags or its note.
        state: A state.
        tag: A tag.
        places: The names of the folders that lead to runs, of each.
    """

    words: str = ""
    state: str = ""
    tag: str = ""
    places: tuple[tuple[str, ...], ...] = ()

    @property
    def is_filter(self) -> bool:
        """Whether it may leave runs out."""
        return self != RunChoice()

    def chosen(self, runs: Sequence[ListedRun]) -> list[ListedRun]:
        """Those that it chooses, in the order that they are in."""
        return [run for run in runs if self._chooses(run)]

    def _chooses(self, run: ListedRun) -> bool:
        if (self.state and run.state != self.state) or (self.tag and self.tag not in run.note.tags):
            return False
        if self.places and run.place.parts not in self.places:
            return False
        told = (run.place.name, run.agent, run.task_set, run.split, run.reason, run.note.note, *run.note.tags)
        text = "\n".join(told).casefold()
        return all(word in text for word in self.words.casefold().split())


def in_order(runs: Sequence[ListedRun], sort: str) -> list[ListedRun]:
    """Runs in an order; those of which it is not known come last.

    Args:
        runs: The runs.
        sort: An order of a column of ``RUN_COLUMNS``, or ``solver``; what is neither is ``NEWEST``.
    """
    by_name = sorted(runs, key=lambda run: run.place.parts)
    if sort == "solver":
        return sorted(by_name, key=lambda run: (not run.agent, run.agent.casefold()))
    sort = sort if sort in _SORTED else NEWEST
    cells = _SORTED[sort].cells
    known = [run for run in by_name if cells(run)[0] is not None]
    known.sort(key=lambda run: _key(cells(run)[0]), reverse=sort == _SORTED[sort].falling)
    return known + [run for run in by_name if cells(run)[0] is None]


def _key(cell: Cell) -> Any:
    return cell.casefold() if isinstance(cell, str) else cell


def noted_runs(folder: RunsFolder, runs: Sequence[ListedRun]) -> tuple[list[ListedRun], PlacedNotes]:
    """All runs of a folder with what people noted of each, and what of the notes has no run.

    Raises:
        MalformedNotes: the notes cannot be read.
    """
    placed = RunNotes(folder.folder).placed(run.note for run in runs)
    return [replace(run, note=placed.notes[run.note.path]) for run in runs], placed


def noted_run(folder: RunsFolder, run: ListedRun) -> ListedRun:
    """One run of a folder with what people noted of it.

    Raises:
        MalformedNotes: the notes cannot be read.
    """
    notes = RunNotes(folder.folder)
    mine = [note for note in notes.read() if note.path == run.note.path or note.is_of(run.note)]
    here = [note for note in mine if note.path == run.note.path and note.is_of(run.note)]
    if not mine or here:
        return replace(run, note=here[0]) if here else run
    everyone = [run.note if place == run.place else _unread(place) for place in folder.places()]
    return replace(run, note=notes.placed(everyone).notes[run.note.path])


def _unread(place: RunPlace) -> RunNote:
    try:
        return empty_note(place.parts, RunDirectory(place.folder).read())
    except (UserError, OSError, ValueError):
        return empty_note(place.parts, None)
