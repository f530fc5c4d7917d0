"""Mind2Web-Live: the tasks of WebCanvas's public JSON as a task set of sites, and such a task set as that JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from harness.catalog.facts import parse_json
from harness.catalog.site_facts import Evaluators, KeyNode, Match, NodeTarget, PathMethod, SiteFacts
from harness.catalog.task import FACTS
from harness.datasets.tasksets import DatasetError
from harness.kit.files.codec import Malformed, plain, typed
from harness.kit.files.writing import is_free, new_folder, write_json
from harness.kit.text import shorten

NAME = "mind2web-live"
ORIGIN = "mind2web-live.json"
"""The file of an imported task set that says by which index, and in which order, the public file has its tasks."""
FUNCTIONS: Mapping[str, tuple[NodeTarget, Match]] = {
    "url_exactly_match": ("url", "exact"),
    "url_included_match": ("url", "include"),
    "url_semantic_match": ("url", "semantic"),
    "element_path_exactly_match": ("element_path", "exact"),
    "element_value_exactly_match": ("element_value", "exact"),
    "element_value_included_match": ("element_value", "include"),
    "element_value_semantic_match": ("element_value", "semantic"),
}
"""The match functions by their names in the public file."""
_METHODS: Mapping[str, PathMethod] = {"selector": "css", "xpath": "xpath"}
_KEYS = {"index", "task", "reference_task_length", "evaluation"}
_CONTENT: Mapping[NodeTarget, tuple[set[str], set[str]]] = {
    "url": ({"key", "reference_answer", "url"}, set()),
    "element_path": ({"reference_answer", "netloc", "url"}, set()),
    "element_value": ({"reference_answer", "netloc", "url"}, {"path"}),
}
"""By target which keys a node's content has to have, and which it may have."""


@dataclass(frozen=True)
class ImportedTasks:
    """What was imported.

    Attributes:
        tasks: How many tasks.
        nodes: How many key nodes they have.
        origins: How many sites they lead to.
    """

    tasks: int
    nodes: int
    origins: int


def import_tasks(file: Path, out: Path) -> ImportedTasks:
    """Write the tasks of a public file as a task set; nothing in the file is left out.

    Args:
        file: The JSON.
        out: The folder of the task set; it is made, and may be there if it is empty.

    Raises:
        DatasetError: the file holds something that is not understood, and where; or ``out`` is not empty.
        OSError: a file cannot be read or written.
    """
    if not is_free(out):
        raise DatasetError(f"{out} is not empty; give a new folder for the new task set")
    tasks = _read(file)
    if not tasks:
        raise DatasetError(f"{file} holds no task")
    width = max(3, len(str(len(tasks) - 1)))
    names = [f"Mind2Web-Live {place:0{width}}" for place in range(len(tasks))]
    with new_folder(out) as part:
        for name, (_, facts) in zip(names, tasks, strict=True):
            write_json(part / name / FACTS, _task_json(facts))
        order = [{"task": name, "index": index} for name, (index, _) in zip(names, tasks, strict=True)]
        write_json(part / ORIGIN, order)
    nodes = sum(len(facts.evaluators.key_nodes) for _, facts in tasks)
    return ImportedTasks(len(tasks), nodes, len({origin for _, facts in tasks for origin in facts.origins}))


def exported_tasks(tasks_dir: Path) -> list[dict[str, Any]]:
    """A task set of sites in the format of the public file.

    Args:
        tasks_dir: An imported task set, or any folder of tasks on sites that are judged by key nodes alone.

    Returns:
        What the public file holds, ready for ``json.dumps``: in its own order, and tasks that were added by name.

    Raises:
        DatasetError: a task says what the format cannot say, or cannot be read.
        OSError: a file cannot be read.
    """
    order = known_ids(tasks_dir)
    folders = sorted(file.parent for file in tasks_dir.glob(f"[!._]*/{FACTS}"))
    there = {folder.name: folder for folder in folders}
    if gone := [name for name in order if name not in there]:
        raise DatasetError(f"{tasks_dir / ORIGIN} names the task {gone[0]!r}, which is not there; put it back")
    names = [*order, *(name for name in there if name not in order)]
    if not names:
        raise DatasetError(f"{tasks_dir} holds no task with a {FACTS}")
    return [_public(order.get(name, name), _facts_in(there[name] / FACTS), there[name] / FACTS) for name in names]


def _read(file: Path) -> list[tuple[int | str, SiteFacts]]:
    try:
        data = parse_json(file.read_bytes())
    except ValueError as error:
        raise DatasetError(f"{file}: {error}") from error
    if not isinstance(data, list):
        raise DatasetError(f"{file}: no list of tasks, as the files of Mind2Web-Live are")
    tasks = [_task(entry, f"{file}, task {number}") for number, entry in enumerate(data, start=1)]
    seen: set[int | str] = set()
    for number, (index, _) in enumerate(tasks, start=1):
        if index in seen:
            raise DatasetError(f"{file}, task {number}: another task has the index {index!r}, too")
        seen.add(index)
    return tasks


def _task(entry: Any, where: str) -> tuple[int | str, SiteFacts]:
    _check_keys(entry, _KEYS, set(), where)
    index, goal, length, evaluation = (
        entry["index"],
        entry["task"],
        entry["reference_task_length"],
        entry["evaluation"],
    )
    if isinstance(index, bool) or not isinstance(index, int | str):
        raise DatasetError(f"{where}: its index is neither a number nor a text")
    where = f"{where} (index {index})"
    if not isinstance(goal, str) or not goal.strip():
        raise DatasetError(f"{where}: it has no task in words")
    if isinstance(length, bool) or not isinstance(length, int) or length < 1:
        raise DatasetError(f"{where}: reference_task_length is no number of steps")
    if not isinstance(evaluation, list) or not evaluation:
        raise DatasetError(f"{where}: it has no key node in evaluation")
    if "${" in json.dumps(entry):
        raise DatasetError(f"{where}: it holds ${{, which a task's table fills in; write it otherwise")
    nodes = tuple(_node(each, f"{where}, key node {number}") for number, each in enumerate(evaluation, start=1))
    origins = tuple(dict.fromkeys(_origin(node.url) for node in nodes))
    evaluators = Evaluators(key_nodes=nodes)
    return index, SiteFacts(
        goal=goal, start=f"{origins[0]}/", origins=origins, evaluators=evaluators, reference_length=length
    )


def _node(entry: Any, where: str) -> KeyNode:
    function = entry.get("match_function_name") if isinstance(entry, dict) else None
    if not isinstance(function, str) or function not in FUNCTIONS:
        known = ", ".join(FUNCTIONS)
        raise DatasetError(f"{where}: the match function {shorten(repr(function))} is not known; known are {known}")
    target, match = FUNCTIONS[function]
    _check_keys(
        entry, {"match_function_name", "content"} | ({"method"} if target == "element_path" else set()), set(), where
    )
    content = entry["content"]
    _check_keys(content, *_CONTENT[target], f"{where}, content")
    for key, text in content.items():
        if not isinstance(text, str):
            raise DatasetError(f"{where}, content: {key} is no text")
    method = entry.get("method", "selector")
    if method not in _METHODS:
        raise DatasetError(f"{where}: the method {shorten(repr(method))} is not known; known are {', '.join(_METHODS)}")
    _check_address(content["url"], where)
    if not content["reference_answer"] and match != "exact":
        raise DatasetError(f"{where}: its reference is empty, which anything would match")
    if content.get("path") == "":
        raise DatasetError(f"{where}: its path is empty; leave it out")
    return KeyNode(
        target=target,
        match=match,
        reference=content["reference_answer"],
        key=content.get("key", ""),
        path=content.get("path", ""),
        method=_METHODS[method],
        host=content.get("netloc", ""),
        url=content["url"],
    )


def _check_keys(entry: Any, wanted: set[str], allowed: set[str], where: str) -> None:
    if not isinstance(entry, dict):
        raise DatasetError(f"{where}: no object")
    if missing := sorted(wanted - entry.keys()):
        raise DatasetError(f"{where}: it lacks {missing[0]}")
    if strange := sorted(entry.keys() - wanted - allowed):
        raise DatasetError(f"{where}: {strange[0]} is not known, and nothing is left out")


def _check_address(url: str, where: str) -> None:
    try:
        split = urlsplit(url)
    except ValueError as error:
        raise DatasetError(f"{where}: {shorten(url)!r} is no address: {error}") from error
    if split.scheme not in ("http", "https") or not split.hostname:
        raise DatasetError(f"{where}: {shorten(url)!r} is no address of a page")


def _origin(url: str) -> str:
    split = urlsplit(url)
    return f"{split.scheme}://{split.netloc.lower()}"


def _task_json(facts: SiteFacts) -> dict[str, Any]:
    """What ``task.json`` says: what is as it always is, is left out."""
    nodes = [_said(node) for node in facts.evaluators.key_nodes]
    return {
        "kind": "site",
        "title": shorten(facts.goal, 80),
        "licence": "MIT (Mind2Web-Live, iMeanAI/WebCanvas)",
        "goal": facts.goal,
        "start": facts.start,
        "origins": list(facts.origins),
        "reference_length": facts.reference_length,
        "evaluators": {"key_nodes": nodes},
    }


def _said(node: KeyNode) -> dict[str, Any]:
    unsaid = {each.name: each.default for each in fields(node)}
    return {name: value for name, value in plain(node).items() if value != unsaid[name]}


def known_ids(tasks_dir: Path) -> dict[str, int | str]:
    """The indexes of an imported task set's tasks by their names, in the order of the public file; none of any other.

    Raises:
        DatasetError: the file that says so was changed.
        OSError: it cannot be read.
    """
    file = tasks_dir / ORIGIN
    if not file.exists():
        return {}
    try:
        return {entry["task"]: entry["index"] for entry in typed(parse_json(file.read_bytes()), list[dict[str, Any]])}
    except (ValueError, KeyError, TypeError) as error:
        raise DatasetError(f"{file} is not as the import wrote it: {error}") from error


def _facts_in(file: Path) -> SiteFacts:
    try:
        said = parse_json(file.read_bytes())
        if not isinstance(said, dict) or said.get("kind") != "site":
            raise DatasetError(f"{file}: no task on a site, which the format is for")
        return typed(said, SiteFacts)
    except Malformed as error:
        raise DatasetError(f"{file}: {error}") from error
    except ValueError as error:
        raise DatasetError(f"{file}: {error}") from error


def _public(index: int | str, facts: SiteFacts, file: Path) -> dict[str, Any]:
    for problem in _beyond(facts):
        raise DatasetError(f"{file}: {problem}, which the format cannot say")
    return {
        "index": index,
        "task": facts.goal,
        "reference_task_length": facts.reference_length,
        "evaluation": [_public_node(node) for node in facts.evaluators.key_nodes],
    }


def _beyond(facts: SiteFacts) -> Iterator[str]:
    """What a task says beyond the format."""
    if facts.evaluators.given != ("key_nodes",):
        yield f"it is judged by {', '.join(facts.evaluators.given) or 'nothing'} and not by key nodes alone"
    if facts.site:
        yield f"it is on the bundled site {facts.site!r}"
    if facts.reference_length is None:
        yield "it has no reference_length"
    for number, node in enumerate(facts.evaluators.key_nodes, start=1):
        if (node.target, node.match) not in FUNCTIONS.values():
            yield f"key node {number} compares an {node.target} by {node.match}"
        if node.target == "element_value" and node.method != "css":
            yield f"key node {number} has the path of a value as {node.method}"
        if node.note:
            yield f"key node {number} has a note"


def _public_node(node: KeyNode) -> dict[str, Any]:
    function = next(name for name, meaning in FUNCTIONS.items() if meaning == (node.target, node.match))
    entry: dict[str, Any] = {"match_function_name": function}
    if node.target == "url":
        return {**entry, "content": {"key": node.key, "reference_answer": node.reference, "url": node.url}}
    path = {"path": node.path} if node.path else {}
    content = {"reference_answer": node.reference, "netloc": node.host, **path, "url": node.url}
    if node.target == "element_path":
        entry["method"] = next(name for name, method in _METHODS.items() if method == node.method)
    return {**entry, "content": content}
