"""Final state: conditions on what a bundled site tells of itself in the end."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from harness.catalog.site_facts import Condition
from harness.kit.text import shorten
from harness.records.site_record import EvaluatedPart, Evaluation, SiteRecord

_INDEX = re.compile(r"0|[1-9][0-9]*")
_NOTHING = object()


class WrongPointer(ValueError):
    """A place in the state that is no JSON pointer."""


def final_state(record: SiteRecord) -> Evaluation:
    """Whether all conditions hold in the end: 1 if they do, else 0; unknown if the site could not be asked."""
    conditions = record.task.evaluators.final_state
    floor = None if record.state_before is None else _score(_parts(conditions, record.state_before))
    if record.state is None:
        parts = tuple(EvaluatedPart(name=name_of(each), score=None, why="not known") for each in conditions)
        why = "the state of the site is not known"
        return Evaluation(evaluator="final_state", score=None, success=None, floor=floor, parts=parts, why=why)
    parts = _parts(conditions, record.state)
    score = _score(parts)
    success = None if score is None else score == 1
    why = f"{sum(part.score == 1 for part in parts)} of {len(parts)} conditions hold"
    return Evaluation(evaluator="final_state", score=score, success=success, floor=floor, parts=parts, why=why)


def name_of(condition: Condition) -> str:
    """A condition in words."""
    words = f"{condition.at or 'all'} {condition.how.replace('_', ' ')}"
    return words if condition.how in ("exists", "absent") else f"{words} {shorten(repr(condition.value), 80)}"


def at_pointer(state: Any, pointer: str) -> tuple[bool, Any]:
    """What stands at a JSON pointer (RFC 6901).

    Args:
        state: A JSON value.
        pointer: E.g. ``/orders/0/total``; empty for all of it.

    Returns:
        Whether there is such a place, and what stands there.

    Raises:
        WrongPointer: it is none.
    """
    found = state
    for name in _names(pointer):
        found = _below(found, name)
        if found is _NOTHING:
            return False, None
    return True, found


def holds(condition: Condition, state: Any) -> bool:
    """Whether a condition holds.

    A condition on a place that is not there does not hold, whatever it says, but for ``absent``: else a place that is
    written wrong would always be as it should.

    Raises:
        WrongPointer: its place is no JSON pointer.
    """
    is_there, found = at_pointer(state, condition.at)
    if condition.how in ("exists", "absent"):
        return is_there == (condition.how == "exists")
    if not is_there:
        return False
    value = condition.value
    match condition.how:
        case "is":
            return _equal(found, value)
        case "is_not":
            return not _equal(found, value)
        case "contains":
            return _contains(found, value) is True
        case "lacks":
            return _contains(found, value) is False
        case "count":
            return isinstance(found, list | dict) and _equal(len(found), value)
        case "at_least":
            return _ordered(found, value) and found >= value
        case _:
            return _ordered(found, value) and found <= value


def _parts(conditions: Sequence[Condition], state: Any) -> tuple[EvaluatedPart, ...]:
    parts = []
    for condition in conditions:
        score: float | None
        try:
            is_there, found = at_pointer(state, condition.at)
            score = float(holds(condition, state))
            why = f"it is {shorten(repr(found), 120)}" if is_there else "there is nothing"
        except WrongPointer as error:
            score, why = None, str(error)
        parts.append(EvaluatedPart(name=name_of(condition), score=score, why=why))
    return tuple(parts)


def _score(parts: Sequence[EvaluatedPart]) -> float | None:
    scores = [part.score for part in parts]
    return 0.0 if 0 in scores else None if None in scores else 1.0


def _names(pointer: str) -> list[str]:
    if not pointer:
        return []
    if not pointer.startswith("/"):
        raise WrongPointer(f"{pointer!r} is no JSON pointer: it begins with no /")
    return [name.replace("~1", "/").replace("~0", "~") for name in pointer[1:].split("/")]


def _below(value: Any, name: str) -> Any:
    if isinstance(value, Mapping):
        return value.get(name, _NOTHING)
    if isinstance(value, list | tuple) and _INDEX.fullmatch(name) and int(name) < len(value):
        return value[int(name)]
    return _NOTHING


def _contains(found: Any, value: Any) -> bool | None:
    """Whether a text has a part, a map a key, or a list something of the kind; None of what can hold nothing."""
    if isinstance(found, str):
        return value in found if isinstance(value, str) else None
    if isinstance(found, Mapping):
        return value in found if isinstance(value, str) else None
    if isinstance(found, list | tuple):
        return any(_is_of_kind(item, value) for item in found)
    return None


def _is_of_kind(item: Any, value: Any) -> bool:
    """Whether they are equal; a map is, too, if it has all that the other says, and more."""
    if isinstance(item, Mapping) and isinstance(value, Mapping):
        return all(key in item and _is_of_kind(item[key], each) for key, each in value.items())
    return _equal(item, value)


def _equal(one: Any, other: Any) -> bool:
    """Whether they are the same JSON: true is not 1, and 2.0 is 2."""
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return one.keys() == other.keys() and all(_equal(one[key], other[key]) for key in one)
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        return len(one) == len(other) and all(_equal(*each) for each in zip(one, other, strict=True))
    return isinstance(one, bool) == isinstance(other, bool) and bool(one == other)


def _ordered(one: Any, other: Any) -> bool:
    """Whether one of them can be more than the other: two numbers, or two texts, as dates are written."""
    return (_is_number(one) and _is_number(other)) or (isinstance(one, str) and isinstance(other, str))


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
