"""Which episodes of a run are asked for, and in which order: the words behind the ``?`` of an address."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any
from urllib.parse import urlencode

from harness.analysis.failed_actions import FAULTS, Fault
from harness.reports.watch.search_terms import SearchTerms

_AMOUNTS = {
    "ceiling": ("ceiling", "highest ceiling", "lowest ceiling"),
    "steps": ("steps", "most actions", "fewest actions"),
    "failed": ("failed", "most failed actions", "fewest failed actions"),
    "turns": ("turns", "most turns", "fewest turns"),
    "tokens": ("input_tokens + output_tokens", "most tokens", "fewest tokens"),
    "cost": ("cost", "dearest", "cheapest"),
    "seconds": ("seconds", "longest", "shortest"),
    "turn_seconds": ("seconds / nullif(turns, 0)", "most time a turn", "least time a turn"),
}
"""Name of an amount -> how SQL says it, and the words of the orders that begin with the most and with the least."""
_ON_SITES = ("site", "reached")
_GROUPS = ("outcome", "split", "kinds", *_ON_SITES)
"""Texts that are put in order."""
_PLACES = "task, place"
ORDERS: Mapping[str, str] = {
    "place": _PLACES,
    "-place": "task DESC, place DESC",
    "worst": "score IS NULL, score, task, place",
    "best": "score DESC, task, place",
    "newest": "written DESC, task, place",
    "oldest": "written, task, place",
    **{name: f"{amount} DESC, {_PLACES}" for name, (amount, _, _) in _AMOUNTS.items()},
    **{f"-{name}": f"{amount} IS NULL, {amount}, {_PLACES}" for name, (amount, _, _) in _AMOUNTS.items()},
    **{name: f"{name}, {_PLACES}" for name in _GROUPS},
    **{f"-{name}": f"{name} DESC, {_PLACES}" for name in _GROUPS},
}
"""Name of an order -> how SQL says it. What is not known comes last; a minus turns the order of its name round."""
ORDER_WORDS: Mapping[str, str] = {
    "place": "task and index",
    "-place": "task and index, from the last",
    "worst": "worst first",
    "best": "best first",
    "newest": "newest first",
    "oldest": "oldest first",
    **{name: most for name, (_, most, _) in _AMOUNTS.items()},
    **{f"-{name}": least for name, (_, _, least) in _AMOUNTS.items()},
    **{name: f"{name}, from A" for name in _GROUPS},
    **{f"-{name}": f"{name}, from Z" for name in _GROUPS},
}
ORDERS_ON_SITES = frozenset({*_ON_SITES, *(f"-{name}" for name in _ON_SITES)})
"""Orders that say nothing of episodes on forms."""
NO_SCORE = "none"
"""In place of a score: episodes without one."""
AMOUNTS: Mapping[str, tuple[str, str]] = {
    "tokens": ("Tokens", "input_tokens + output_tokens"),
    "cost": ("Cost, dollars", "cost"),
    "seconds": ("Seconds", "seconds"),
    "steps": ("Actions", "steps"),
}
"""What ``least_NAME`` and ``most_NAME`` bound -> what people call it, and how SQL says it."""
_BOUNDS = {
    f"{side}_{name}": f"{words} {sign} ?"
    for side, sign in (("least", ">="), ("most", "<="))
    for name, (_, words) in AMOUNTS.items()
}
_AMONG = "(task, place) IN (SELECT value ->> 0, value ->> 1 FROM json_each(?))"
_FAILED = "number IN (SELECT episode FROM error WHERE {})"


@dataclass(frozen=True)
class EpisodeQuery:
    """A choice of episodes. An empty text chooses nothing.

    Attributes:
        task: Only of this task.
        kind: Only with a field of this kind.
        outcome: Only with this outcome.
        low: Only with at least this score, in per cent; or ``NO_SCORE``.
        high: Only with at most this score, in per cent.
        site: Only on this website.
        level: Only of this level.
        reached: Only on websites, and with the goal reached or not: ``yes``, ``no`` or ``unknown``.
        error: Only with a failed action of this class.
        message: Only with a failed action whose message is folded to this (``harness.analysis.failed_actions.folded``).
        field: Only with a failed action that was meant for a field of this name. Class, message and field are those of
            one and the same action.
        fault: Only with a failed action, or an end, that is the fault of this one: a key of
            ``harness.analysis.failed_actions.FAULTS``.
        ended: Only those that ended by what is folded to this.
        judged: Only those of which a judge says so: its outcome and its name, as ``success rule``.
        q: Only with all of these words, or beginnings of words, and phrases in quotes, in what the model was shown and
            said, in what was done, in what the form sent, or at addresses that were visited.
        least_tokens: Only with at least so many tokens; so the seven that follow, see ``AMOUNTS``. An episode of which
            the amount is not known is left out.
        sort: A key of ``ORDERS``.
    """

    task: str = ""
    kind: str = ""
    outcome: str = ""
    low: str = ""
    high: str = ""
    site: str = ""
    level: str = ""
    reached: str = ""
    error: str = ""
    message: str = ""
    field: str = ""
    fault: str = ""
    ended: str = ""
    judged: str = ""
    q: str = ""
    least_tokens: str = ""
    most_tokens: str = ""
    least_cost: str = ""
    most_cost: str = ""
    least_seconds: str = ""
    most_seconds: str = ""
    least_steps: str = ""
    most_steps: str = ""
    sort: str = "place"

    @classmethod
    def of(cls, given: Mapping[str, Any]) -> EpisodeQuery:
        """The choice in the query of an address; what is no such choice is passed over."""
        found = {field.name: str(given.get(field.name, "")).strip() for field in fields(cls)}
        for name in ("low", "high"):
            if _number(found[name]) is None and not (name == "low" and found[name] == NO_SCORE):
                found[name] = ""
        for name in _BOUNDS:
            found[name] = found[name] if _AMOUNT.fullmatch(found[name]) else ""
        if found["sort"] not in ORDERS:
            found["sort"] = "place"
        if found["fault"] not in FAULTS:
            found["fault"] = ""
        return cls(**found)

    def to_query(self) -> str:
        """The same as the query of an address, without its ``?``; empty if everything is chosen, in the first order."""
        return urlencode({name: value for name, value in self._chosen().items() if value != getattr(_ALL, name)})

    @property
    def is_filter(self) -> bool:
        """Whether it may leave episodes out."""
        return replace(self, sort=_ALL.sort) != _ALL

    def where(self, judged: Collection[tuple[str, int]] = ()) -> tuple[str, list[object]]:
        """A condition on rows of ``episode`` in SQL, and the values in it.

        Args:
            judged: Task and index of the episodes that ``judged`` chooses, which no index knows.
        """
        conditions: list[str] = []
        values: list[object] = []

        def add(condition: str, *of: object) -> None:
            conditions.append(condition)
            values.extend(of)

        if self.task:
            add("task = ?", self.task)
        # What is compared sooner than texts comes first: conditions are looked at in this order.
        if (low := _number(self.low)) is not None:
            add("score >= ?", low / 100 - _ROUNDING)
        if (high := _number(self.high)) is not None:
            add("score <= ?", high / 100 + _ROUNDING)
        if self.kind:
            add("instr(' ' || kinds || ' ', ?) > 0", f" {self.kind} ")
        if self.outcome:
            add("outcome = ?", self.outcome)
        for name, chosen in (("site", self.site), ("level", self.level), ("reached", self.reached)):
            if chosen:
                add(f"{name} = ?", chosen)
        for name, condition in _BOUNDS.items():
            if bound := getattr(self, name):
                add(condition, float(bound))
        failed = {"class": self.error, "message": self.message, "field": self.field}
        if columns := {column: value for column, value in failed.items() if value}:
            same = " AND ".join(f"{column} = ?" for column in columns)
            add(_FAILED.format(same), *columns.values())
        if self.fault:
            classes, end = _FAULTS[self.fault]
            add(_FAULTY, json.dumps(classes), end)
        if self.ended:
            add("ended = ?", self.ended)
        if self.judged:
            add(_AMONG, json.dumps([list(place) for place in judged]))
        if self.q:
            add("number IN (SELECT rowid FROM text WHERE text MATCH ?)", SearchTerms.of(self.q).fts5)
        if self.low == NO_SCORE:
            add("score IS NULL")
        return " AND ".join(conditions) or "1", values

    @property
    def has_bounds(self) -> bool:
        """Whether it bounds an amount."""
        return any(getattr(self, name) for name in _BOUNDS)

    @property
    def bounds(self) -> tuple[tuple[str, str, str, str], ...]:
        """The amounts that can be bounded: name, what people call it, its least and its most."""
        return tuple(
            (name, words, getattr(self, f"least_{name}"), getattr(self, f"most_{name}"))
            for name, (words, _) in AMOUNTS.items()
        )

    @property
    def order(self) -> str:
        """The order in SQL."""
        return ORDERS[self.sort]

    def _chosen(self) -> dict[str, str]:
        return {field.name: getattr(self, field.name) for field in fields(self)}


_ALL = EpisodeQuery()
_ROUNDING = 1e-9
_AMOUNT = re.compile(r"\d{1,12}(\.\d{1,6})?")
_FAULTY = "(number IN (SELECT episode FROM error WHERE class IN (SELECT value FROM json_each(?))) OR outcome = ?)"
_ENDS: Mapping[Fault, str] = {"model": "agent_error", "harness": "harness_error", "unknown": ""}
_FAULTS: Mapping[str, tuple[tuple[str, ...], str]] = {fault: (names, _ENDS[fault]) for fault, names in FAULTS.items()}
"""Whose fault -> the classes of failed actions, and the outcome."""


def _number(text: str) -> float | None:
    return float(text) if re.fullmatch(r"\d{1,3}(\.\d{1,6})?", text) else None
