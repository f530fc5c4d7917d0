"""The pieces of a label that names several things in one text."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping
from typing import Any

_SEPARATORS = ("@!", "|", ";", "\n", ",", "\t", " ")
CONFIRMS = re.compile(
    r"^\W*(add|save|apply|ok|confirm|assign|tag|set|mark|highlight|annotate)\b|^[+➕✚✓✔✎✏]", re.IGNORECASE
)
"""What a button says that takes over what has been chosen."""
TAKES_BACK = re.compile(r"\b(undo|remove|delete|clear|reset)\b|^[x×✕✖✘](\s|$)", re.IGNORECASE)
"""What a button says that takes an answer away."""


def pieces_of(target: str) -> list[list[str]]:
    """Ways to read a label as a list of names: as JSON, else split at one of the usual separators, the surest first."""
    try:
        value: Any = json.loads(target)
    except ValueError:
        value = None
    if isinstance(value, list):
        flat = [each for each in value if isinstance(each, str | int | float)]
        return [[str(each) for each in flat]] if len(flat) == len(value) else []
    if value is not None and not isinstance(value, str | int | float):
        return []
    ways = []
    for separator in _SEPARATORS:
        if separator in target:
            parts = [part.strip() for part in target.split(separator)]
            ways.append([part for part in parts if part])
    return [*ways, [target.strip()]]


def is_structured(target: str) -> bool:
    """Whether a label is JSON of several parts, which only a script writes; a list of names is none."""
    try:
        value: Any = json.loads(target)
    except ValueError:
        return False
    return isinstance(value, dict) or (isinstance(value, list) and not all(isinstance(each, str) for each in value))


def pairs_in(target: str) -> list[tuple[str, str]]:
    """The pairs of a label such as ``0-0 1-2`` or ``[[0, 0], [1, 2]]`` or ``{"0": ["0->2"]}``; none if it has none."""
    try:
        value: Any = json.loads(target)
    except ValueError:
        return _written_pairs(target)
    return list(dict.fromkeys(_pairs(value)))


def _pairs(value: Any) -> list[tuple[str, str]]:
    if isinstance(value, str):
        return _written_pairs(value)
    if isinstance(value, dict):
        ends = [value[key] for key in ("from", "to") if isinstance(value.get(key), str | int)]
        ends = ends or [value[key] for key in ("source", "target") if isinstance(value.get(key), str | int)]
        if len(ends) == 2:
            return [(str(ends[0]), str(ends[1]))]
        if all(isinstance(each, int | str) for each in value.values()) and value:
            return [(str(key), str(each)) for key, each in value.items()]
        return [
            pair
            for key, each in value.items()
            for pair in (
                [(str(key), str(end)) for end in each]
                if isinstance(each, list) and all(isinstance(end, int) for end in each)
                else _pairs(each)
            )
        ]
    if isinstance(value, list):
        if len(value) == 2 and all(isinstance(each, int | str) and not isinstance(each, bool) for each in value):
            written = [pair for each in value if isinstance(each, str) for pair in _written_pairs(each)]
            return written or [(str(value[0]), str(value[1]))]
        return [pair for each in value for pair in _pairs(each)]
    return []


def _written_pairs(text: str) -> list[tuple[str, str]]:
    found = re.findall(r"([\w.]+)\s*(?:->|→|=>|-|:|–)\s*([\w.]+)", text)
    rest = re.sub(r"[\w.]+\s*(?:->|→|=>|-|:|–)\s*[\w.]+", "", text)
    return [] if re.search(r"\w", rest) else found


def likeness(written: Any, target: Any) -> float:
    """How much of what a label says a field holds, less what it should not hold; both as read from their JSON."""
    held, wanted = _facts(written), _facts(target)
    return (held & wanted).total() - (held - wanted).total() / 2


def _facts(value: Any) -> Counter[str]:
    if isinstance(value, Mapping):
        pairs = ((key, item) for key, each in value.items() for item in (each if isinstance(each, list) else [each]))
        return Counter(json.dumps(pair, sort_keys=True) for pair in pairs)
    if isinstance(value, list):
        if all(isinstance(each, str) for each in value):
            return Counter(json.dumps(pair) for pair in enumerate(value))
        return Counter(json.dumps(each, sort_keys=True) for each in value)
    return Counter()
