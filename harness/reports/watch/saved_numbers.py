"""The numbers of a run as its index keeps them: made by a background worker, shown by whoever reads them."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass

from harness.kit.files import codec
from harness.kit.statistics.estimate import Estimate
from harness.records.results import MeanScores, Work

_NAME = "numbers"


@dataclass(frozen=True, kw_only=True)
class PartNumbers:
    """The numbers of all tasks, of a split, a task, or a kind of field.

    Attributes:
        name: What it is called; empty for everything.
        split: Of a task, its split; else empty.
        episodes: Its episodes.
        scored: Instances with a score; of a kind, fields.
        score: The mean with its interval: over tasks; of a task over its instances, of a kind over its fields.
        ceiling: The same mean of the best scores that the labels allow.
        floor: The highest of the same means of answers that nobody has understood anything for.
        crowd: The workers' own, each against the others; None where too few answered.
    """

    name: str
    split: str
    episodes: int
    scored: int
    score: Estimate
    ceiling: float | None
    floor: float | None
    crowd: float | None


@dataclass(frozen=True, kw_only=True)
class RunNumbers:
    """The numbers of a run.

    Attributes:
        episodes: Episodes that they are of.
        last: The number in the index of the last one that was taken in.
        overall: Of all tasks.
        of_ceiling: The share of the ceiling that the score reaches.
        own_left_out: The score on the labels that the workers face.
        crowd: The workers' own on these.
        means: All means over tasks, as ``run.json`` has them at the end.
        bounds: The least and the most that the headline can be; None if no instance lacks a score.
        splits: Of each split, if there are several.
        tasks: Of each task.
        kinds: Of each kind of field.
        outcomes: Outcome -> episodes; every outcome is there.
        asked_work: What was done by a solver that is asked; None of any other.
        seconds: What it took to make them.
    """

    episodes: int
    last: int
    overall: PartNumbers
    of_ceiling: Estimate
    own_left_out: Estimate
    crowd: Estimate
    means: MeanScores
    bounds: tuple[float, float] | None
    splits: tuple[PartNumbers, ...]
    tasks: tuple[PartNumbers, ...]
    kinds: tuple[PartNumbers, ...]
    outcomes: Mapping[str, int]
    asked_work: Work | None
    seconds: float


def last_number(database: sqlite3.Connection) -> int:
    """The number of the episode that was taken in last; 0 without any."""
    return int(database.execute("SELECT coalesce(max(number), 0) FROM episode").fetchone()[0])


def save_numbers(database: sqlite3.Connection, numbers: RunNumbers) -> None:
    """Put numbers into an index in place of those that it has."""
    text = json.dumps(codec.plain(numbers))
    database.execute("INSERT OR REPLACE INTO about VALUES (?, ?)", (_NAME, text))


def saved_numbers(database: sqlite3.Connection) -> RunNumbers | None:
    """The numbers that an index has; None if it has none that this version reads."""
    row = database.execute("SELECT value FROM about WHERE name = ?", (_NAME,)).fetchone()
    try:
        return codec.decode(row[0].encode(), RunNumbers) if row else None
    except codec.Malformed:
        return None
