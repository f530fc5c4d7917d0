"""A demonstration as the JSON that Mind2Web publishes, and back; what the records have no name for is kept.

Source: the public files of Mind2Web (Deng et al. 2023). Their candidates are objects or, in later copies, texts that
hold an object; attributes are such a text in both.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any, get_args

from harness.kit.errors import UserError
from harness.kit.text import shorten
from harness.papers.mind2web.demonstrations.demonstration import (
    Candidate,
    DemonstratedStep,
    Demonstration,
    DoneOperation,
    Operation,
    OriginalOperation,
)

_Object = Mapping[str, Any]


class DemonstrationError(UserError):
    """What is read is no demonstration; the message says where, and which key."""


def as_json(demonstration: Demonstration) -> dict[str, Any]:
    """A demonstration as the public files have it."""
    return {
        **_facts(demonstration),
        "action_reprs": list(demonstration.action_reprs),
        "actions": [_step_json(step) for step in demonstration.steps],
        **demonstration.more,
    }


def _facts(demonstration: Demonstration) -> dict[str, str]:
    return {
        "annotation_id": demonstration.annotation_id,
        "website": demonstration.website,
        "domain": demonstration.domain,
        "subdomain": demonstration.subdomain,
        "confirmed_task": demonstration.confirmed_task,
    }


def _step_json(step: DemonstratedStep) -> dict[str, Any]:
    return {
        **_step_facts(step),
        "pos_candidates": [_candidate_json(each) for each in step.positives],
        "neg_candidates": [_candidate_json(each) for each in step.negatives],
        **step.more,
    }


def _step_facts(step: DemonstratedStep) -> dict[str, Any]:
    done = step.operation
    return {
        "action_uid": step.action_uid,
        "raw_html": step.raw_html,
        "cleaned_html": step.cleaned_html,
        "operation": {"op": done.op, "original_op": done.original_op, "value": done.value},
    }


def _candidate_json(candidate: Candidate) -> dict[str, Any]:
    flags = {
        "is_original_target": candidate.is_original_target,
        "is_top_level_target": candidate.is_top_level_target,
    }
    return {
        "tag": candidate.tag,
        "attributes": json.dumps(dict(candidate.attributes)),
        **{name: flag for name, flag in flags.items() if flag is not None},
        "backend_node_id": candidate.backend_node_id,
        **candidate.more,
    }


def demonstration_of(value: object, where: str) -> Demonstration:
    """A demonstration from an object of the public files.

    What ``as_json`` writes comes back equal, and what comes from here is written as the same JSON, with two exceptions:
    candidates that were texts become objects, and lists of candidates that were missing become empty ones.

    Args:
        value: What ``json.loads`` gives.
        where: Where it stands, for messages, e.g. ``train_0.json, demonstration 3``.

    Raises:
        DemonstrationError: it is none.
    """
    entry = _object(value, where)
    words, steps = _list(entry, "action_reprs", where), _list(entry, "actions", where)
    if len(words) != len(steps):
        raise DemonstrationError(f"{where}: action_reprs has {len(words)} entries, and actions {len(steps)}")
    if odd := [each for each in words if not isinstance(each, str)]:
        raise DemonstrationError(f"{where}: {_shown(odd[0])} in action_reprs is no text")
    made = Demonstration(
        annotation_id=_text(entry, "annotation_id", where),
        website=_text(entry, "website", where),
        domain=_text(entry, "domain", where),
        subdomain=_text(entry, "subdomain", where),
        confirmed_task=_text(entry, "confirmed_task", where),
        action_reprs=tuple(words),
        steps=tuple(_step(step, f"{where}, step {number}") for number, step in enumerate(steps, start=1)),
    )
    return replace(made, more=_more(entry, _facts(made), {"action_reprs", "actions"}))


def _step(value: object, where: str) -> DemonstratedStep:
    entry = _object(value, where)
    made = DemonstratedStep(
        action_uid=_text(entry, "action_uid", where),
        raw_html=_text(entry, "raw_html", where),
        cleaned_html=_text(entry, "cleaned_html", where),
        operation=_operation(entry, where),
        positives=_candidates(entry, "pos_candidates", where),
        negatives=_candidates(entry, "neg_candidates", where),
    )
    return replace(made, more=_more(entry, _step_facts(made), {"pos_candidates", "neg_candidates"}))


def _operation(step: _Object, where: str) -> DoneOperation:
    where = f"{where}, operation"
    entry = _object(_parsed(step.get("operation"), where), where)
    op: Any = entry.get("op")
    original: Any = entry.get("original_op", op)
    if op not in get_args(Operation):
        raise DemonstrationError(f"{where}: op is {_shown(op)}, none of {', '.join(get_args(Operation))}")
    if original not in get_args(OriginalOperation):
        raise DemonstrationError(
            f"{where}: original_op is {_shown(original)}, none of {', '.join(get_args(OriginalOperation))}"
        )
    return DoneOperation(op=op, original_op=original, value=_text(entry, "value", where))


def _candidates(step: _Object, key: str, where: str) -> tuple[Candidate, ...]:
    values = _list(step, key, where) if step.get(key) is not None else []
    return tuple(_candidate(each, f"{where}, {key}, element {number}") for number, each in enumerate(values, start=1))


def _candidate(value: object, where: str) -> Candidate:
    entry = _object(_parsed(value, where), where)
    number = entry.get("backend_node_id")
    if isinstance(number, bool) or not isinstance(number, str | int) or number == "":
        raise DemonstrationError(f"{where}: backend_node_id is {_shown(number)}, neither a text nor a whole number")
    attributes = _object(_parsed(entry.get("attributes") or {}, f"{where}, attributes"), f"{where}, attributes")
    made = Candidate(
        backend_node_id=str(number),
        tag=_text(entry, "tag", where),
        attributes={
            name: each if isinstance(each, str) else json.dumps(each, ensure_ascii=False)
            for name, each in attributes.items()
        },
        is_original_target=_truth(entry, "is_original_target", where),
        is_top_level_target=_truth(entry, "is_top_level_target", where),
    )
    more = _more(entry, _candidate_json(made))
    return replace(made, more=more) if more else made


def _more(entry: _Object, known: _Object, besides: Collection[str] = ()) -> dict[str, Any]:
    """What of an object would not be written again as it stands: unknown keys, and known ones in another form."""
    return {
        key: value
        for key, value in entry.items()
        if key not in besides and not (key in known and known[key] == value and type(known[key]) is type(value))
    }


def _object(value: object, where: str) -> _Object:
    if not isinstance(value, dict):
        raise DemonstrationError(f"{where}: {_shown(value)} is no object")
    return value


def _parsed(value: object, where: str) -> object:
    """What is a JSON value already, or a text that holds one."""
    if not isinstance(value, str):
        return value
    try:
        return json.loads(value)
    except (ValueError, RecursionError) as error:
        raise DemonstrationError(f"{where}: {_shown(value)} holds no JSON ({error})") from error


def _text(entry: _Object, key: str, where: str) -> str:
    value = entry.get(key)
    if not isinstance(value, str):
        raise DemonstrationError(f"{where}: {f'{key} is {_shown(value)}, no text' if key in entry else f'no {key}'}")
    return value


def _truth(entry: _Object, key: str, where: str) -> bool | None:
    value = entry.get(key)
    if value is not None and not isinstance(value, bool):
        raise DemonstrationError(f"{where}: {key} is {_shown(value)}, neither true nor false")
    return value


def _list(entry: _Object, key: str, where: str) -> list[Any]:
    value = entry.get(key)
    if not isinstance(value, list):
        raise DemonstrationError(f"{where}: {f'{key} is {_shown(value)}, no list' if key in entry else f'no {key}'}")
    return value


def _shown(value: object) -> str:
    return shorten(repr(value), 60)
