"""Rows of a run's index: the episodes that are chosen, page by page, and which stand before and after one."""

from __future__ import annotations

import datetime
import math
import sqlite3
import statistics
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Any

from harness.reports.watch.episode_query import EpisodeQuery
from harness.reports.watch.judged_list import JudgedEpisodes
from harness.reports.watch.table_columns import Cell, Column

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
        input_tokens: Tokens that it was sent.
        output_tokens: Tokens that it wrote.
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
    input_tokens: int | None
    output_tokens: int | None
    cost: float | None
    seconds: float | None

    @property
    def tokens(self) -> int | None:
        """All tokens."""
        known = self.input_tokens is not None and self.output_tokens is not None
        return (self.input_tokens or 0) + (self.output_tokens or 0) if known else None

    @property
    def turn_seconds(self) -> float | None:
        """Its seconds for each of its turns; None without a turn."""
        return self.seconds / self.turns if self.seconds is not None and self.turns else None

    @property
    def written_at(self) -> str:
        """When it was written: ISO 8601, UTC."""
        return datetime.datetime.fromtimestamp(self.written, datetime.UTC).isoformat(timespec="seconds")


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
class AmountSummary:
    """What is to be said of an amount over the chosen episodes; None stands for what is not known of any of them.

    Attributes:
        name: ``tokens``, ``cost`` (US dollars), ``seconds`` or ``turn_seconds`` (an episode's seconds for each turn).
        total: Of those of which it is known; None where adding up says nothing.
        mean: Their mean.
        median: Their median.
        p95: What 95 per cent of them do not exceed; between two episodes, on the line between them.
        known: Of how many it is known.
        of: How many are chosen.
    """

    name: str
    total: float | None
    mean: float | None
    median: float | None
    p95: float | None
    known: int
    of: int

    @property
    def is_partly_known(self) -> bool:
        """Whether it is known of some episodes and not of others."""
        return 0 < self.known < self.of


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


def chosen_episodes(
    database: sqlite3.Connection, query: EpisodeQuery, judged: Collection[tuple[str, int]] = ()
) -> Iterator[IndexedEpisode]:
    """All chosen episodes in their order, read as they are asked for; the arguments are those of ``episode_page``."""
    where, values = query.where(judged)
    yield from map(
        _episode,
        database.execute(f"SELECT {_COLUMNS} FROM episode WHERE {where} ORDER BY {query.order}", values),  # noqa: S608
    )


def amount_summaries(
    database: sqlite3.Connection, query: EpisodeQuery, judged: Collection[tuple[str, int]] = ()
) -> tuple[AmountSummary, ...]:
    """What the chosen episodes took; the arguments are those of ``episode_page``."""
    where, values = query.where(judged)
    amounts = ", ".join(_SUMMED.values())
    rows = database.execute(f"SELECT {amounts} FROM episode WHERE {where}", values).fetchall()  # noqa: S608
    columns = zip(*rows, strict=True) if rows else ((),) * len(_SUMMED)
    return tuple(_summary(name, column) for name, column in zip(_SUMMED, columns, strict=True))


_SUMMED = {
    "tokens": "input_tokens + output_tokens",
    "cost": "cost",
    "seconds": "seconds",
    "turn_seconds": "seconds / nullif(turns, 0)",
}
"""Amounts that are summed up -> how SQL says them."""


def _summary(name: str, column: tuple[float | None, ...]) -> AmountSummary:
    known = sorted(each for each in column if each is not None)
    if not known:
        return AmountSummary(name, None, None, None, None, 0, len(column))
    total = math.fsum(known)
    cuts = statistics.quantiles(known, n=20, method="inclusive") if len(known) > 1 else known * 19
    shown = None if name == "turn_seconds" else total
    return AmountSummary(name, shown, total / len(known), cuts[9], cuts[18], len(known), len(column))


_Column = Column[IndexedEpisode]

_PLACE = _Column(
    "place",
    "Episode",
    ("task", "index", "id"),
    lambda each: (each.task, each.index, each.id),
    rising="place",
    falling="-place",
    shown="always",
)
_SCORE = _Column(
    "score",
    "Score",
    ("score",),
    lambda each: (each.score,),
    rising="worst",
    falling="best",
    number=True,
    most_first=True,
)
_OUTCOME = _Column.of_words("outcome", "Outcome", ("outcome", "detail"), lambda each: (each.outcome, each.detail))
_ON_SITES = (
    _Column.of_words("site", "Website, level", ("site", "level"), lambda each: (each.site or None, each.level or None)),
    _Column.of_words("reached", "Goal reached", ("reached",), lambda each: (each.reached or None,)),
)
_AMOUNTS = (
    _Column.of_amounts("ceiling", "Ceiling", ("ceiling",), lambda each: (each.ceiling,)),
    _Column.of_amounts("steps", "Actions", ("actions",), lambda each: (each.steps,)),
    _Column(
        "failed",
        "Failed",
        ("failed_actions", "failed_classes"),
        lambda each: (each.failed, each.classes),
        rising="-failed",
        falling="failed",
        most_first=True,
    ),
    _Column.of_amounts("turns", "Turns", ("turns",), lambda each: (each.turns,)),
    _Column.of_amounts(
        "tokens",
        "Tokens",
        ("tokens", "input_tokens", "output_tokens"),
        lambda each: (each.tokens, each.input_tokens, each.output_tokens),
    ),
    _Column.of_amounts("cost", "Cost", ("cost",), lambda each: (each.cost,)),
    _Column.of_amounts("seconds", "Time", ("seconds",), lambda each: (each.seconds,)),
)
_ASKED = (
    _Column.of_amounts(
        "turn_seconds", "Time a turn", ("turn_seconds",), lambda each: (each.turn_seconds,), shown="asked"
    ),
    _Column.of_words("kinds", "Kinds of field", ("kinds",), lambda each: (each.kinds,), shown="asked"),
    _Column.of_words("split", "Split", ("split",), lambda each: (each.split,), shown="asked"),
    _Column(
        "written",
        "Written",
        ("written",),
        lambda each: (each.written_at,),
        rising="oldest",
        falling="newest",
        most_first=True,
        shown="asked",
    ),
)


def episode_columns(
    judged: JudgedEpisodes, *, on_sites: bool = True, is_judged: bool = True
) -> tuple[Column[IndexedEpisode], ...]:
    """The columns of a table of episodes, in order.

    Args:
        judged: What judges said of them.
        on_sites: With those that only episodes on websites have something in.
        is_judged: With that of what judges said.
    """

    def said(each: IndexedEpisode) -> tuple[Cell, ...]:
        found = judged.of(each.task, each.index)
        return (tuple(f"{one.judge}: {', '.join(one.outcomes)}" for one in found),)

    return (
        _PLACE,
        _SCORE,
        _OUTCOME,
        *(_ON_SITES if on_sites else ()),
        *((Column("judged", "Judged", ("judged",), said),) if is_judged else ()),
        *_AMOUNTS,
        *_ASKED,
    )


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
        input_tokens=_whole(sent),
        output_tokens=_whole(received),
        cost=cost,
        seconds=seconds,
    )


def _whole(number: float | None) -> int | None:
    return None if number is None else int(number)
