"""What a run's index counts: outcomes, classes of errors, tasks and kinds to choose from, and how fast it goes."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from harness.analysis.failed_actions import FAULT_OF, FAULTS, Fault
from harness.analysis.site_groups import in_order
from harness.records.episode import OUTCOMES

_PACE_OF = 100
"""The newest episodes by which the pace is told."""


_MESSAGES = 20
"""Messages of a class that are told, fields and tasks of a message, and ways in which episodes ended."""


@dataclass(frozen=True)
class MessageCount:
    """Messages that differ in names and numbers alone, see ``harness.analysis.failed_actions.folded``.

    Attributes:
        message: What they have in common.
        count: How often.
        episodes: In how many episodes.
    """

    message: str
    count: int
    episodes: int


@dataclass(frozen=True)
class ErrorCount:
    """A class of failed actions.

    Attributes:
        name: The class.
        count: How often.
        episodes: In how many episodes.
        messages: Its messages, most frequent first, at most twenty.
        more: How many other messages there are.
    """

    name: str
    count: int
    episodes: int
    messages: tuple[MessageCount, ...]
    more: int

    @property
    def fault(self) -> Fault:
        """Whose fault it is."""
        return FAULT_OF[self.name]


@dataclass(frozen=True)
class PlaceCount:
    """A field or a task in which actions failed.

    Attributes:
        name: Of the field or the task.
        count: How many actions.
        episodes: In how many episodes.
    """

    name: str
    count: int
    episodes: int


@dataclass(frozen=True)
class FailurePlaces:
    """Where actions failed in one way, most frequent first, at most twenty each.

    Attributes:
        fields: The fields that they were meant for; of actions that are meant for none there is none.
        tasks: The tasks.
    """

    fields: tuple[PlaceCount, ...]
    tasks: tuple[PlaceCount, ...]


@dataclass(frozen=True)
class EndCount:
    """A way in which episodes ended without a score, or before their end.

    Attributes:
        outcome: Their outcome.
        message: Why, as ``MessageCount.message``.
        episodes: How many.
    """

    outcome: str
    message: str
    episodes: int


@dataclass(frozen=True)
class BrokenFile:
    """A file of an episode that cannot be read.

    Attributes:
        name: Its path below ``episodes/``.
        reason: Why.
    """

    name: str
    reason: str


@dataclass(frozen=True)
class RunCounts:
    """What is counted of a run.

    Attributes:
        outcomes: Outcome -> episodes; every outcome is there.
        errors: Classes of failed actions, most frequent first.
        ends: Why episodes ended that are not simply scored, most frequent first, at most twenty.
        faults: Whose fault -> failed actions, and in how many episodes.
        tasks: Task -> episodes, by name.
        kinds: Kinds of field that occur.
        sites: Website -> episodes, by name; of forms there are none.
        levels: Level of a website's task -> episodes.
        reached: Whether the goal was reached, as ``EpisodeQuery.reached`` -> episodes.
        broken: Files that cannot be read, a few of them.
        changed: How many files can be read, and were changed after the run had written them.
        changed_files: A few of these, by their paths below ``episodes/``.
        steps: Actions of all episodes; None if those of one are not known.
        cost: US dollars of all episodes; None if none is known.
        unpriced: Episodes whose cost is not known.
        seconds: Of all episodes together.
    """

    outcomes: Mapping[str, int]
    errors: tuple[ErrorCount, ...]
    ends: tuple[EndCount, ...]
    faults: Mapping[Fault, tuple[int, int]]
    tasks: Mapping[str, int]
    kinds: tuple[str, ...]
    sites: Mapping[str, int]
    levels: Mapping[str, int]
    reached: Mapping[str, int]
    broken: tuple[BrokenFile, ...]
    changed: int
    changed_files: tuple[str, ...]
    steps: int | None
    cost: float | None
    unpriced: int
    seconds: float | None


@dataclass(frozen=True)
class Pace:
    """How fast a run goes.

    Attributes:
        per_minute: Episodes a minute, of the newest; None of fewer than two.
        seconds_to_go: Until all planned ones are done at this pace; None if that is not known.
    """

    per_minute: float | None
    seconds_to_go: float | None


def counts(database: sqlite3.Connection, broken: int = 20) -> RunCounts:
    """Count what a run holds.

    Args:
        database: Its index.
        broken: At most how many broken files are named, and how many changed ones.
    """
    outcomes = dict(database.execute("SELECT outcome, count(*) FROM episode GROUP BY outcome").fetchall())
    ends = database.execute(
        "SELECT outcome, ended, count(*) FROM episode WHERE ended != '' GROUP BY outcome, ended "
        "ORDER BY count(*) DESC, outcome, ended LIMIT ?",
        (_MESSAGES,),
    ).fetchall()
    kinds = database.execute("SELECT DISTINCT kinds FROM episode").fetchall()
    files = database.execute(
        "SELECT folder || '/' || name, reason FROM file WHERE episode IS NULL ORDER BY folder, name LIMIT ?", (broken,)
    ).fetchall()
    changed = database.execute(
        "SELECT folder || '/' || name FROM file WHERE episode IS NOT NULL AND reason != '' ORDER BY folder, name"
    ).fetchall()
    sums = database.execute("SELECT sum(cost), count(*) - count(cost), sum(seconds) FROM episode").fetchone()
    steps, unknown = database.execute("SELECT total(steps), count(*) - count(steps) FROM episode").fetchone()
    levels = _grouped(database, "level")
    return RunCounts(
        outcomes={name: outcomes.get(name, 0) for name in OUTCOMES},
        errors=tuple(_errors(database)),
        ends=tuple(EndCount(*row) for row in ends),
        faults=_faults(database),
        tasks=dict(database.execute("SELECT task, count(*) FROM episode GROUP BY task ORDER BY task").fetchall()),
        kinds=tuple(sorted({kind for (words,) in kinds for kind in words.split()})),
        sites=_grouped(database, "site"),
        levels={level: levels[level] for level in in_order(levels)},
        reached=_grouped(database, "reached"),
        broken=tuple(BrokenFile(*row) for row in files),
        changed=len(changed),
        changed_files=tuple(name for (name,) in changed[:broken]),
        steps=None if unknown else int(steps),
        cost=sums[0],
        unpriced=sums[1],
        seconds=sums[2],
    )


def _errors(database: sqlite3.Connection) -> Iterator[ErrorCount]:
    """The classes of failed actions with their messages, most frequent first."""
    messages: dict[str, list[MessageCount]] = {}
    for name, *row in database.execute(
        "SELECT class, message, sum(count), count(DISTINCT episode) FROM error GROUP BY class, message "
        "ORDER BY sum(count) DESC, message"
    ):
        messages.setdefault(name, []).append(MessageCount(*row))
    for name, count, episodes in database.execute(
        "SELECT class, sum(count), count(DISTINCT episode) FROM error GROUP BY class ORDER BY sum(count) DESC, class"
    ):
        found = messages[name]
        yield ErrorCount(name, count, episodes, tuple(found[:_MESSAGES]), max(0, len(found) - _MESSAGES))


def failure_places(database: sqlite3.Connection, name: str, message: str) -> FailurePlaces:
    """Where actions failed.

    Args:
        database: The run's index.
        name: Their class.
        message: What their messages are folded to.
    """
    fields, tasks = (
        database.execute(
            f"SELECT {column}, sum(count), count(DISTINCT error.episode) FROM error "  # noqa: S608 - our own names
            "JOIN episode ON episode.number = error.episode WHERE class = ? AND message = ? "
            f"GROUP BY {column} HAVING {column} != '' ORDER BY sum(count) DESC, {column} LIMIT ?",
            (name, message, _MESSAGES),
        ).fetchall()
        for column in ("error.field", "episode.task")
    )
    return FailurePlaces(tuple(PlaceCount(*row) for row in fields), tuple(PlaceCount(*row) for row in tasks))


def _faults(database: sqlite3.Connection) -> Mapping[Fault, tuple[int, int]]:
    found = {}
    for fault, names in FAULTS.items():
        count, episodes = database.execute(
            "SELECT total(count), count(DISTINCT episode) FROM error WHERE class IN (SELECT value FROM json_each(?))",
            (json.dumps(names),),
        ).fetchone()
        if count:
            found[fault] = (int(count), episodes)
    return found


def _grouped(database: sqlite3.Connection, column: str) -> Mapping[str, int]:
    """Episodes on websites by what a column says of them."""
    found = database.execute(
        f"SELECT {column}, count(*) FROM episode WHERE site != '' GROUP BY {column} ORDER BY {column}"  # noqa: S608 - our own names
    )
    return dict(found.fetchall())


def pace(database: sqlite3.Connection, left: int | None) -> Pace:
    """How fast episodes come in.

    Args:
        database: The run's index.
        left: How many episodes are still to come; None if that is not known yet. It is not counted in the index, which
            may be behind.
    """
    times = [
        time for (time,) in database.execute("SELECT written FROM episode ORDER BY written DESC LIMIT ?", (_PACE_OF,))
    ]
    if len(times) < 2 or times[0] <= times[-1]:
        return Pace(None, None)
    each = (times[0] - times[-1]) / (len(times) - 1)
    return Pace(60 / each, None if left is None else max(0, left) * each)
