"""What is known of a task beyond its page and its table: its `task.json`, and the same in an entry of an overlay.

What needs a reason can be given one, `{"is": <value>, "reason": "<text>"}`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from harness.catalog.kinds import FORM, KINDS, KindName
from harness.catalog.problems import Problem, decode
from harness.catalog.site_facts import SiteFacts
from harness.catalog.site_reading import KIND, SITE_KEYS, kind_of, read_site
from harness.kit.files.inside import read_inside
from harness.kit.text import close_names


@dataclass(frozen=True)
class Facts:
    """What `task.json` and the overlay say of one task.

    Attributes:
        title: One line for people.
        description: What workers were asked to do.
        split: The split that the task is in, or None if nothing was said.
        licence: The licence of the task's content.
        content_warning: What readers should know before they open it; empty if nothing.
        not_answers: Field -> why it is not an answer (and is never scored).
        renames: Answer column, without its leading "Answer." -> the field of the page that it belongs to.
        kinds: Field -> its kind, for hidden fields (the kind of answer that script writes there) and for
            fields that appear only later.
        known_issues: What is known to be wrong with the task.
        unreachable: Field, or a glob of fields -> why the workers' answer cannot be entered on the page. The field is
            scored and counted all the same; reports show the reason beside it.
    """

    title: str = ""
    description: str = ""
    split: str | None = None
    licence: str = ""
    content_warning: str = ""
    not_answers: Mapping[str, str] = field(default_factory=dict)
    renames: Mapping[str, str] = field(default_factory=dict)
    kinds: Mapping[str, str] = field(default_factory=dict)
    known_issues: tuple[str, ...] = ()
    unreachable: Mapping[str, str] = field(default_factory=dict)

    def under(self, overlay: Mapping[str, Any]) -> Facts:
        """Return these facts with those of an overlay over them: maps merge, all else is replaced."""
        own = {key: getattr(self, key) for key in overlay}
        return replace(self, **merged(own, overlay))


def merged(under: Mapping[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    """Facts by key with others over them."""
    return {
        **under,
        **{
            key: {**under.get(key, {}), **value} if isinstance(value, Mapping) else value for key, value in over.items()
        },
    }


class WrongValue(ValueError):
    """What is wrong with the value of one key, and what to write instead."""

    def __init__(self, what: str, remedy: str) -> None:
        super().__init__(what)
        self.what = what
        self.remedy = remedy


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise WrongValue(f"{_type(value)} where text is wanted", 'Write text in quotes, such as "news"')
    return value


def _stated(value: object) -> object:
    """What is stated, without the reason that may stand beside it."""
    if not isinstance(value, dict) or set(value) != {"is", "reason"}:
        return value
    if not isinstance(value["reason"], str):
        raise WrongValue(f"the reason is {_type(value['reason'])} where text is wanted", "Write it in quotes")
    return value["is"]


def _split(value: object) -> str:
    name = _text(_stated(value)).strip()
    if not name:
        raise WrongValue("the split has no name", "Write a split such as train, or leave the key out")
    return name


def _text_list(value: object) -> tuple[str, ...]:
    remedy = 'Write a list such as ["a", "b"]'
    if not isinstance(value, list):
        raise WrongValue(f"{_type(value)} where a list of texts is wanted", remedy)
    for number, item in enumerate(value, start=1):
        if not isinstance(item, str):
            raise WrongValue(f"item {number} is {_type(item)} where text is wanted", remedy)
    return tuple(value)


def text_map(value: object) -> dict[str, str]:
    """Return a map of names to texts; a WrongValue if the value is none."""
    remedy = 'Write a map such as {"field": "text"}'
    if not isinstance(value, dict):
        raise WrongValue(f"{_type(value)} where a map of names to texts is wanted", remedy)
    for name, item in value.items():
        if not isinstance(item, str):
            raise WrongValue(f"the value under {name!r} is {_type(item)} where text is wanted", remedy)
    return dict(value)


def _stated_map(value: object) -> dict[str, str]:
    return text_map({name: _stated(item) for name, item in value.items()} if isinstance(value, dict) else value)


def _kind_map(value: object) -> dict[str, str]:
    kinds = _stated_map(value)
    for name, kind in kinds.items():
        if kind not in KINDS:
            raise WrongValue(f"{name!r} has the unknown kind {kind!r}", f"Use one of {', '.join(KINDS)}")
    return kinds


_READERS: dict[str, Callable[[object], Any]] = {
    "title": _text,
    "description": _text,
    "split": _split,
    "licence": _text,
    "content_warning": _text,
    "not_answers": text_map,
    "renames": _stated_map,
    "kinds": _kind_map,
    "known_issues": _text_list,
    "unreachable": text_map,
}


def _type(value: object) -> str:
    names = {dict: "a map", list: "a list", str: "text", bool: "true or false", type(None): "null"}
    return names.get(type(value), "a number")


def read_facts(data: object, task: str, file: Path, at: str = "") -> tuple[dict[str, Any], list[Problem]]:
    """Check what one `task.json`, or one entry of an overlay, says.

    Args:
        data: The JSON value.
        task: The task that it is about.
        file: Where it stands, for the problems.
        at: What the keys stand under in that file, for the problems.

    Returns:
        The values that can be used, by key, ready for `Facts` (keys that were not given are absent), and a
        problem for each key that is unknown or has a value of the wrong type.
    """
    if not isinstance(data, dict):
        what = f"{_type(data)} where a map of facts is wanted"
        return {}, [Problem(task, file, None, at or None, what, 'Write a map such as {"title": "..."}')]
    facts: dict[str, Any] = {}
    problems: list[Problem] = []
    for key, value in data.items():
        where = f"{at}.{key}" if at else key
        if key not in _READERS:
            near = close_names(key, list(_READERS))
            remedy = f"Perhaps {near} is meant" if near else f"Known keys are {', '.join(_READERS)}"
            problems.append(Problem(task, file, None, where, "unknown key, not used", remedy))
            continue
        try:
            facts[key] = _READERS[key](value)
        except WrongValue as error:
            problems.append(Problem(task, file, None, where, f"{error.what}, not used", error.remedy))
    return facts, problems


def parse_json(data: bytes) -> object:
    """Return the JSON value in a file's bytes.

    Raises:
        ValueError: With one readable line, if it is not JSON in UTF-8.
    """
    try:
        return json.loads(decode(data))
    except UnicodeDecodeError as error:
        raise ValueError(f"byte {error.start} is not UTF-8") from error
    except json.JSONDecodeError as error:
        raise ValueError(f"not JSON: {error.msg} at line {error.lineno}, column {error.colno}") from error
    except RecursionError as error:
        raise ValueError("not JSON that can be read: nested too deeply") from error


@dataclass(frozen=True)
class TaskFacts:
    """What one task.json says.

    Attributes:
        facts: What every task can say of itself.
        problems: What is wrong with it.
        readable: False if nothing in it could be read, or nothing that the task can do without.
        kind: The kind of the task.
        site: What a task on a website says beside that; None of a form, and where it cannot be used.
    """

    facts: Facts
    problems: tuple[Problem, ...]
    readable: bool
    kind: KindName = FORM
    site: SiteFacts | None = None


def read_task_json(file: Path, task: str) -> TaskFacts:
    """Read a task.json; a task without one has no facts, and that is fine."""
    try:
        data = parse_json(read_inside(file.parent, file.name))
    except FileNotFoundError:
        return TaskFacts(Facts(), (), readable=True)
    except (OSError, ValueError) as error:
        problem = Problem(task, file, None, None, str(error), "Correct the file or remove it")
        return TaskFacts(Facts(), (problem,), readable=False)
    kind, problems = kind_of(data, task, file)
    if kind is None or not isinstance(data, dict):
        known = {key: data[key] for key in data if key not in {KIND, *SITE_KEYS}} if isinstance(data, dict) else data
        values, found = read_facts(known, task, file)
        return TaskFacts(Facts(**values), (*problems, *found), readable=False)
    of_site = {key: value for key, value in data.items() if kind == "site" and key in SITE_KEYS}
    values, problems = read_facts({key: data[key] for key in data if key not in {KIND, *of_site}}, task, file)
    if kind != "site":
        return TaskFacts(Facts(**values), tuple(problems), readable=True, kind=kind)
    site, found = read_site(of_site, task, file)
    return TaskFacts(Facts(**values), (*problems, *found), site is not None, kind, site)
