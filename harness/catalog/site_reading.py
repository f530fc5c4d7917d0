"""What the ``task.json`` of a task on a website says, checked; and the same filled in from a row of the table."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from pathlib import Path
from typing import Any, NoReturn, TypeVar, get_args, get_type_hints
from urllib.parse import urlsplit

import cssselect
from lxml import etree

from harness.catalog.kinds import FORM, TASK_KINDS, KindName
from harness.catalog.problems import Problem
from harness.catalog.site_facts import EVALUATORS, Condition, PathMethod, SiteFacts
from harness.catalog.template import instantiate, placeholders
from harness.kit.files.codec import Malformed, plain, typed
from harness.kit.text import close_names


def fault_of_path(path: str, method: PathMethod) -> str:
    """Why a path is none; empty if it is one, or if nobody can tell before its variables are filled in.

    Args:
        path: A CSS selector or an XPath.
        method: Which of them it is.
    """
    if placeholders(path):
        return ""
    try:
        if method == "css":
            cssselect.parse(path.strip())
        else:
            etree.XPath(path)
    except (cssselect.SelectorError, etree.XPathError, ValueError) as error:
        return f"{path!r} is no {'CSS selector' if method == 'css' else 'XPath'}: {error}"
    return ""


KIND = "kind"
SITE_KEYS = tuple(each.name for each in fields(SiteFacts))
"""The keys that only the ``task.json`` of a task on a website has."""
LEVELS = ("", "easy", "medium", "hard")
RecordT = TypeVar("RecordT")
_SEEDS = 2**63
# A browser's list takes what begins with a dot for all hosts that end so.
_HOST = re.compile(r"[a-z0-9_-]+(\.[a-z0-9_-]+)*\.?")
"""A host as browsers write it; what is in none could mean something where hosts stand in lists."""
_EMPTY, _NOT_EMPTY = "the reference is empty, which anything would match", "Say what is looked for"
_PLACE = re.compile(r"^\$\.?")


def kind_of(data: object, task: str, file: Path) -> tuple[KindName | None, list[Problem]]:
    """Which kind of task a ``task.json`` is about.

    Args:
        data: Its JSON value.
        task: The task.
        file: For the problems.

    Returns:
        The kind, a form where nothing is said; None if it is none that is known, with the problem.
    """
    said = data.get(KIND, FORM) if isinstance(data, Mapping) else FORM
    if isinstance(said, str) and said in TASK_KINDS:
        return said, []
    near = close_names(said, tuple(TASK_KINDS)) if isinstance(said, str) else ""
    remedy = f"Perhaps {near} is meant" if near else f"Write one of {', '.join(TASK_KINDS)}"
    return None, [Problem(task, file, None, KIND, f"{said!r} is no kind of task", remedy)]


def read_site(data: Mapping[str, Any], task: str, file: Path) -> tuple[SiteFacts | None, list[Problem]]:
    """Check what a ``task.json`` says of a website.

    Args:
        data: Its keys ``SITE_KEYS``.
        task: The task.
        file: For the problems.

    Returns:
        The facts, which may hold variables; None if something is wrong with them, and everything that is.
    """

    def wrong(at: str, what: str, remedy: str) -> Problem:
        return Problem(task, file, None, at, what, remedy)

    if missing := [key for key in ("goal", "start", "origins", "evaluators") if key not in data]:
        what = "a task on a website needs it, and it is not there"
        return None, [wrong(key, what, "Add it (docs/reference/site-task.md says what it holds)") for key in missing]
    problems = [
        wrong(at, "unknown key", f"Perhaps {near} is meant" if near else f"Known keys are {', '.join(known)}")
        for at, key, known in _unknown(data, SiteFacts)
        for near in [close_names(key, known)]
    ]
    problems += _unknown_main(data, wrong)
    if problems:
        return None, problems
    try:
        facts = typed(data, SiteFacts)
    except Malformed as error:
        place, colon, words = str(error).partition(": ")
        at, what = (_PLACE.sub("", place), words) if colon and place.startswith("$") else ("", str(error))
        return None, [Problem(task, file, None, at or None, what, "Correct the value")]
    problems = [wrong(at, what, remedy) for at, what, remedy in _faults(facts)]
    return (None if problems else facts), problems


def _unknown(value: object, kind: Any, at: str = "") -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """Keys, at any depth, that no attribute has: where, the key, and those that there are."""
    inner = [each for each in (kind, *get_args(kind)) if is_dataclass(each)]
    if isinstance(value, Mapping) and inner:
        hints = get_type_hints(inner[0])
        for key, item in value.items():
            where = f"{at}.{key}" if at else str(key)
            if key in hints:
                yield from _unknown(item, hints[key], where)
            else:
                yield where, str(key), tuple(hints)
    elif isinstance(value, list) and inner:
        for number, item in enumerate(value):
            yield from _unknown(item, inner[0], f"{at}[{number}]")


def _unknown_main(data: Mapping[str, Any], wrong: Any) -> list[Problem]:
    evaluators = data["evaluators"]
    main = evaluators.get("main") if isinstance(evaluators, Mapping) else None
    if main is None or main in EVALUATORS:
        return []
    near = close_names(main, EVALUATORS) if isinstance(main, str) else ""
    remedy = f"Perhaps {near} is meant" if near else f"Known are {', '.join(EVALUATORS)}"
    return [wrong("evaluators.main", f"{main!r} is no evaluator", remedy)]


def _faults(facts: SiteFacts) -> Iterator[tuple[str, str, str]]:
    """What is wrong with values of the right types: where, what, and what to do."""
    if not facts.goal.strip():
        yield "goal", "the goal is empty", "Say in words what is to be done"
    if not facts.origins:
        yield "origins", "there is none", 'Write a list such as ["http://shop.test"]'
    for number, origin in enumerate(facts.origins):
        if why := _no_origin(origin):
            yield f"origins[{number}]", f"{origin!r} {why}", 'Write scheme and host alone, such as "http://shop.test"'
    start = origin_of(facts.start)
    usable = facts.origins and not any(map(_no_origin, facts.origins))
    if usable and not placeholders(start or facts.start) and start not in facts.origins:
        what = f"{facts.start!r} is outside the origins {', '.join(facts.origins)}"
        yield "start", what, "Add its origin to origins, or correct the address"
    given = facts.evaluators.given
    if not given and not facts.evaluators.judged:
        yield "evaluators", "there is none", f"Give at least one of {', '.join(EVALUATORS[1:])}"
    elif facts.evaluators.main and facts.evaluators.main not in given:
        what = f"{facts.evaluators.main!r} is to be the main evaluator and is not given"
        yield "evaluators.main", what, f"Give it, or name one of {', '.join(given)}"
    for number, node in enumerate(facts.evaluators.key_nodes):
        if node.target == "element_path" and node.match != "exact":
            at = f"evaluators.key_nodes[{number}].match"
            yield at, f"paths are compared exactly, not by {node.match!r}", 'Write "exact"'
        is_path = node.target == "element_path" and node.match == "exact"
        paths = {"path": node.path} | ({"reference": node.reference} if is_path else {})
        for key, path in paths.items():
            if path and (why := fault_of_path(path, node.method)):
                yield f"evaluators.key_nodes[{number}].{key}", why, "Correct the path"
        if not node.reference and node.match != "exact":
            yield f"evaluators.key_nodes[{number}].reference", _EMPTY, _NOT_EMPTY
    rule = facts.evaluators.answer
    if rule is not None and not rule.reference.strip() and rule.match != "exact":
        yield "evaluators.answer.reference", _EMPTY, _NOT_EMPTY
    yield from _faults_of_checks(facts)
    for number, condition in enumerate(facts.evaluators.final_state):
        if condition.at and not condition.at.startswith("/"):
            at = f"evaluators.final_state[{number}].at"
            yield at, f"{condition.at!r} is no JSON pointer", 'Begin it with a slash, such as "/orders/0/total"'
        if condition.how == "count" and isinstance(condition.value, str) and not _json_name(condition.value, facts):
            at = f"evaluators.final_state[{number}].value"
            remedy = "Write a number; or a variable alone that json_variables names"
            yield at, f"{condition.value!r} is a text, and nothing is so many", remedy
    if not 0 <= facts.seed < _SEEDS:
        yield "seed", f"{facts.seed} is no seed", "Write a whole number from 0"
    if facts.level not in LEVELS:
        yield "level", f"{facts.level!r} is no level", f"Write one of {', '.join(LEVELS[1:])}"
    for name in ("max_steps", "reference_length"):
        if (number_ := getattr(facts, name)) is not None and number_ < 1:
            yield name, f"{number_} is no number of steps", "Write 1 or more, or leave the key out"


def _faults_of_checks(facts: SiteFacts) -> Iterator[tuple[str, str, str]]:
    for number, check in enumerate(facts.evaluators.checks):
        at = f"evaluators.checks[{number}]"
        if not check.any_of:
            yield f"{at}.any_of", "there is nothing that it is compared with", "Write at least one reference"
        for place, wanted in enumerate(check.any_of):
            if not wanted.reference.strip() and wanted.match != "exact":
                yield f"{at}.any_of[{place}].reference", _EMPTY, _NOT_EMPTY
            if check.of == "address" and wanted.match not in ("exact", "include"):
                what = f"addresses are not compared by {wanted.match!r}"
                yield f"{at}.any_of[{place}].match", what, 'Write "exact" or "include"'
        if (check.of == "page") != (check.look is not None):
            what = "a page is looked at somewhere, and nothing else is"
            yield f"{at}.look", what, 'Give it where of is "page", and only there'
        elif check.look and check.look.number is not None and check.look.number < 0:
            yield f"{at}.look.number", f"{check.look.number} is no place", "Write 0 for the first, or null for all"
        elif check.look and (check.look.reads == "attribute") != bool(check.look.attribute):
            what = "an attribute has a name, and nothing else is read by one"
            yield f"{at}.look.attribute", what, 'Give it where reads is "attribute", and only there'
        elif check.look and (url := check.look.url):
            origin = origin_of(url)
            if not placeholders(origin or url) and origin not in facts.origins:
                what = f"{url!r} is outside the origins {', '.join(facts.origins)}"
                yield f"{at}.look.url", what, "Add its origin to origins, or correct the address"


def _no_origin(origin: str) -> str:
    """Why a text is no origin; empty if it is one."""
    if placeholders(origin):
        return "holds a variable, and what a browser may visit is the same for all instances"
    return "" if origin_of(origin) == origin else "is no origin"


def origin_of(url: str) -> str:
    """Scheme, host and port of an address of the web, as an origin is written; empty if it is none."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return ""
    if parts.scheme not in ("http", "https") or parts.username is not None:
        return ""
    if not _HOST.fullmatch(parts.hostname or ""):
        return ""
    usual = {"http": 80, "https": 443}[parts.scheme]
    return f"{parts.scheme}://{parts.hostname}" + (f":{port}" if port not in (None, usual) else "")


def _texts_of(value: object) -> Iterator[str]:
    """All texts in a plain JSON value, at any depth."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for item in value.values():
            yield from _texts_of(item)
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from _texts_of(item)


def variables_of(*records: object) -> tuple[str, ...]:
    """The names that stand as ``${...}`` in records, each once, in order of first occurrence."""
    texts = (text for record in records if record is not None for text in _texts_of(plain(record)))
    return tuple(dict.fromkeys(name for text in texts for name in placeholders(text)))


def filled(record: RecordT, inputs: Mapping[str, str]) -> RecordT:
    """A record with the variables of all its texts filled in."""
    return typed(_filled(plain(record), inputs), type(record)) if inputs else record


def filled_site(facts: SiteFacts, inputs: Mapping[str, str]) -> SiteFacts:
    """The facts with all variables filled in, those of conditions as ``SiteFacts.json_variables`` says.

    Raises:
        ValueError: a cell of such a column is no JSON.
    """
    if not inputs:
        return facts

    def typed_value(value: Any) -> Any:
        if isinstance(value, str):
            name = _json_name(value, facts)
            return json_cell(inputs[name]) if name else instantiate(value, inputs)
        if isinstance(value, Mapping):
            return {key: typed_value(item) for key, item in value.items()}
        return [typed_value(item) for item in value] if isinstance(value, (list, tuple)) else value

    def of_condition(condition: Condition) -> Condition:
        return replace(filled(replace(condition, value=None), inputs), value=typed_value(condition.value))

    conditions = tuple(map(of_condition, facts.evaluators.final_state))
    made = filled(facts, inputs)
    return replace(made, evaluators=replace(made.evaluators, final_state=conditions))


def json_cell(cell: str) -> Any:
    """The value of a cell that holds JSON.

    Raises:
        ValueError: it holds none.
    """

    def no_json(constant: str) -> NoReturn:
        raise ValueError(f"{constant} is no JSON")

    return json.loads(cell, parse_constant=no_json)


def _json_name(value: str, facts: SiteFacts) -> str:
    """The name of the JSON variable that a text is, and nothing else; empty if it is none."""
    return next((name for name in facts.json_variables if value == f"${{{name}}}"), "")


def _filled(value: Any, inputs: Mapping[str, str]) -> Any:
    if isinstance(value, str):
        return instantiate(value, inputs)
    if isinstance(value, Mapping):
        return {key: _filled(item, inputs) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_filled(item, inputs) for item in value]
    return value
