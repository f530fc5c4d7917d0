"""What a record of a leaderboard looks like, down to its last number: strangers write such files, too."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, get_args

from harness.browser.browser_choice import BrowserPlace
from harness.browser.sandbox import Sandbox
from harness.records.run_record import COMPARED, Isolation
from harness.reports.leaderboard.checked_run import Digests
from harness.run.reproduction import Mark, WhyNot

MOST_TEXT = 20_000


@dataclass(frozen=True)
class ObjectOf:
    """An object with any names, whose values all look alike."""

    value: Any


@dataclass(frozen=True)
class OpenObject:
    """An object with these names and any others."""

    known: Mapping[str, Any]


TEXT, WHOLE, NUMBER, FLAG = "a text", "a whole number from 0", "a number from 0", "true or false"
SANDBOX = "on, off or unknown"
ISOLATION = "none, box, container, masked or strict"
PLACE = "here, attached or grid"
DIGESTS = "fit or unknown"
MARK = "replayed or self-reported"
WHY_NOT = "a reason why nothing was replayed, or empty"
_CHOICES = {
    SANDBOX: get_args(Sandbox),
    ISOLATION: get_args(Isolation),
    PLACE: get_args(BrowserPlace),
    DIGESTS: get_args(Digests),
    MARK: get_args(Mark),
    WHY_NOT: get_args(WhyNot),
}
TEXT_OR_NULL, WHOLE_OR_NULL, NUMBER_OR_NULL = (f"{kind} or null" for kind in (TEXT, WHOLE, NUMBER))

MAY_LACK = frozenset({"sandbox", "browser_place", "isolate", "work", "digests", "replay"})
"""Keys that older records of this version lack, or those of solvers without a program."""

_ESTIMATE = {
    "value": NUMBER_OR_NULL,
    "low": NUMBER_OR_NULL,
    "high": NUMBER_OR_NULL,
    "clusters": WHOLE,
    "items": WHOLE,
    "method": TEXT,
}
_SCORES = {
    "score": _ESTIMATE,
    "of_ceiling": _ESTIMATE,
    "ceiling": NUMBER_OR_NULL,
    "do_nothing": NUMBER_OR_NULL,
    "constant": NUMBER_OR_NULL,
    "copy": NUMBER_OR_NULL,
    "untied": NUMBER_OR_NULL,
    "mean_over_instances": NUMBER_OR_NULL,
    "mean_over_fields": NUMBER_OR_NULL,
    "fields": WHOLE,
    "splits": ObjectOf({"score": _ESTIMATE, "tasks": WHOLE}),
    "tasks": ObjectOf({"split": TEXT, "instances": WHOLE, "score": NUMBER_OR_NULL, "ceiling": NUMBER_OR_NULL}),
    "comparability_id": TEXT,
}
_COMPARED = {key: TEXT for key in COMPARED if key != "outside"}
RECORD: Mapping[str, Any] = {
    "schema": WHOLE,
    "id": TEXT,
    "name": TEXT,
    "note": TEXT,
    "role": TEXT,
    "configuration": OpenObject(
        {
            "solver": TEXT,
            "max_instances": WHOLE_OR_NULL,
            "options": OpenObject({"isolate": ISOLATION}),
            "limits": OpenObject({}),
        }
    ),
    "solver": OpenObject({}),
    "harness": {"revision": TEXT_OR_NULL, "changed_files": WHOLE},
    "browser": TEXT,
    "sandbox": SANDBOX,
    "browser_place": PLACE,
    "compared": {**_COMPARED, "outside": OpenObject({"instances_without_their_media": WHOLE})},
    "task_files_checked": FLAG,
    "digests": DIGESTS,
    "replay": {
        "mark": MARK,
        "why_not": WHY_NOT,
        "films": WHOLE,
        "episodes": WHOLE,
        "replayed": WHOLE,
        "same": WHOLE,
    },
    "answers": TEXT,
    "outcomes": ObjectOf(WHOLE),
    "work": {"played": WHOLE, "replied": WHOLE, "acted": WHOLE},
    "effort": {
        "seconds": NUMBER,
        "steps": WHOLE_OR_NULL,
        "input_tokens": WHOLE_OR_NULL,
        "output_tokens": WHOLE_OR_NULL,
        "cost": NUMBER_OR_NULL,
    },
    "profiles": ObjectOf(_SCORES),
    "started": TEXT,
    "ended": TEXT_OR_NULL,
}


def misfits(value: Any, wanted: Any = RECORD, where: str = "it") -> Iterator[str]:
    """Where a JSON value does not look as it should.

    Args:
        value: The value.
        wanted: What it should look like: one of the words above, an object with exactly these names (those of
            ``MAY_LACK`` aside), ``ObjectOf`` or ``OpenObject``.
        where: What to call it.

    Yields:
        What is wrong, in words.
    """
    if isinstance(wanted, str):
        if not _is(value, wanted):
            yield f"{where} is not {wanted}"
    elif not isinstance(value, dict):
        yield f"{where} is no object"
    elif isinstance(wanted, ObjectOf):
        for name, each in value.items():
            yield from misfits(each, wanted.value, f"{where}.{name[:60]}")
    else:
        known = wanted.known if isinstance(wanted, OpenObject) else wanted
        yield from (f"{where} lacks {name}" for name in known if name not in value and name not in MAY_LACK)
        if not isinstance(wanted, OpenObject):
            yield from (f"{where} holds {name[:60]!r}, which no record has" for name in value if name not in known)
        for name in known:
            if name in value:
                yield from misfits(value[name], known[name], f"{where}.{name}")


def _is(value: Any, kind: str) -> bool:
    if value is None:
        return kind.endswith("or null")
    kind = kind.removesuffix(" or null")
    if kind == TEXT:
        return isinstance(value, str) and len(value) <= MOST_TEXT
    if kind in _CHOICES:
        return isinstance(value, str) and value in _CHOICES[kind]
    if kind == FLAG:
        return isinstance(value, bool)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    whole = kind == WHOLE
    return not (whole and isinstance(value, float)) and math.isfinite(value) and value >= 0
