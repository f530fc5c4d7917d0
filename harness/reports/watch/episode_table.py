"""Rows of a run's index: the episodes that are chosen, page by page, and which stand before and after one."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from harness.reports.watch.episode_query import EpisodeQuery

PAGE = 50
"""Episodes on a page of a table."""
_COLUMNS = (
    "number, folder, task, place, id, split, outcome, kinds, classes, detail, site, level, reached, written, "
    "score, ceiling, constant, steps, failed, turns, input_tokens, output_tokens, cost, seconds"
)


@dataclass(frozen=True)
class IndexedEpisode:
    """One episode in a table. None stands for what is not known.

    Attributes:
        folder: The name of its folder in ``episodes/``: its task in addresses.
        task: Its task.
        index: Its place in the task.
        id: Its id.
        split: Its task's split.
        outcome: How it ended.
        kinds: The kinds of its fields.
        classes: The classes of its failed actions.
        detail: Which limit, or the error, shortened.
        site: The website that it was on; empty for a form.
        level: How hard that is said to be; empty for a form.
        reached: Whether its goal was reached: ``yes``, ``no``, ``unknown``; empty for a form.
        written: When it was written: seconds since 1970.
        score: Its score; None if it has none.
        ceiling: The most that its labels allow.
        constant: What constant answers reach.
        steps: Actions.
        failed: Those that failed.
        turns: Exchanges with a model.
        tokens: All tokens.
        cost: US dollars.
        seconds: From opening the page to reading it back.
    """

    folder: str
    task: str
    index: int
    id: str
    split: str
    outcome: str
    kinds: tuple[str, ...]
    classes: tuple[str, ...]
    detail: str
    site: str
    level: str
    reached: str
    written: float
    score: float | None
    ceiling: float | None
    constant: float | None
    steps: int | None
    failed: int | None
    turns: int | None
    tokens: int | None
    cost: float | None
    seconds: float | None


@dataclass(frozen=True)
class EpisodePage:
    """A page of a table.

    Attributes:
        episodes: Its rows.
        number: Which page it is, from 1.
        pages: How many there are, at least one.
        count: How many episodes are chosen.
        of: How many there are.
    """

    episodes: tuple[IndexedEpisode, ...]
    number: int
    pages: int
    count: int
    of: int

    @property
    def previous(self) -> int:
        """The number of the page before."""
        return self.number - 1

    @property
    def next(self) -> int:
        """The number of the page after."""
        return self.number + 1


@dataclass(frozen=True)
class Neighbours:
    """What stands around an episode in the chosen order.

    Attributes:
        before: The one before; None if it is the first.
        after: The one after; None if it is the last.
        position: Its own place, from 1; None if it is not among the chosen.
        count: How many are chosen.
    """

    before: IndexedEpisode | None
    after: IndexedEpisode | None
    position: int | None
    count: int


def episode_page(
    database: sqlite3.Connection,
    query: EpisodeQuery,
    number: int = 1,
    size: int = PAGE,
    judged: Collection[tuple[str, int]] = (),
) -> EpisodePage:
    """A page of the chosen episodes; the last, or the first, if there is no such page.

    Args:
        database: The run's index.
        query: The choice.
        number: Which page, from 1.
        size: Episodes on a page.
        judged: As ``EpisodeQuery.where``.
    """
    where, values = query.where(judged)
    count = _count(database, where, values)
    pages = max(1, -(-count // size))
    number = min(max(number, 1), pages)
    rows = database.execute(
        f"SELECT {_COLUMNS} FROM episode WHERE {where} ORDER BY {query.order} LIMIT ? OFFSET ?",  # noqa: S608 - our own words
        [*values, size, (number - 1) * size],
    ).fetchall()
    of = count if where == "1" else _count(database, "1", [])
    return EpisodePage(tuple(map(_episode, rows)), number, pages, count, of)


def neighbours(
    database: sqlite3.Connection,
    place: tuple[str, int],
    query: EpisodeQuery,
    judged: Collection[tuple[str, int]] = (),
) -> Neighbours:
    """Which episodes stand before and after one among the chosen, in their order.

    Args:
        database: The run's index.
        place: The name of the episode's folder, and its index.
        query: The choice, as the list passed it on (``EpisodeQuery.of`` of the query in ``?list=``).
        judged: As ``EpisodeQuery.where``.
    """
    where, values = query.where(judged)
    # Numbers alone are ordered; the rows are looked up.
    ordered = [
        number
        for (number,) in database.execute(
            f"SELECT number FROM episode WHERE {where} ORDER BY {query.order}",  # noqa: S608 - our own words
            values,
        )
    ]
    here = database.execute("SELECT number FROM episode WHERE folder = ? AND place = ?", place).fetchone()
    if here is None or here[0] not in ordered:
        return Neighbours(None, None, None, len(ordered))
    at = ordered.index(here[0])
    before = _numbered(database, ordered[at - 1]) if at else None
    after = _numbered(database, ordered[at + 1]) if at + 1 < len(ordered) else None
    return Neighbours(before, after, at + 1, len(ordered))


def _numbered(database: sqlite3.Connection, number: int) -> IndexedEpisode:
    return _episode(database.execute(f"SELECT {_COLUMNS} FROM episode WHERE number = ?", (number,)).fetchone())  # noqa: S608


def _count(database: sqlite3.Connection, where: str, values: list[object]) -> int:
    return int(database.execute(f"SELECT count(*) FROM episode WHERE {where}", values).fetchone()[0])  # noqa: S608


def _episode(row: tuple[Any, ...]) -> IndexedEpisode:
    (_, folder, task, index, ident, split, outcome, kinds, classes, detail, *on_site, written) = row[:14]
    site, level, reached = on_site
    score, ceiling, constant, steps, failed, turns, sent, received, cost, seconds = row[14:]
    return IndexedEpisode(
        folder=folder,
        task=task,
        index=index,
        id=ident,
        split=split,
        outcome=outcome,
        kinds=tuple(kinds.split()),
        classes=tuple(filter(None, classes.split("\n"))),
        detail=detail,
        site=site,
        level=level,
        reached=reached,
        written=written,
        score=score,
        ceiling=ceiling,
        constant=constant,
        steps=_whole(steps),
        failed=_whole(failed),
        turns=_whole(turns),
        tokens=None if sent is None or received is None else int(sent + received),
        cost=cost,
        seconds=seconds,
    )


def _whole(number: float | None) -> int | None:
    return None if number is None else int(number)
