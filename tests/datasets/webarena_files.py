"""Configuration files in the format of WebArena, made for tests; in words of our own."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any


def configured(task_id: int, kinds: Sequence[str], *, start: str = "__SHOPPING__/", **said: Any) -> dict[str, Any]:
    """A task, as a configuration file has it.

    Args:
        task_id: Its number.
        kinds: Its eval_types.
        start: Its start_url.
        said: Further keys: those of a task replace its own, all others are of its ``eval``.
    """
    task: dict[str, Any] = {
        "sites": ["shopping"],
        "task_id": task_id,
        "require_login": False,
        "storage_state": None,
        "start_url": start,
        "geolocation": None,
        "intent_template": "Do {{what}} for ${{price}}",
        "instantiation_dict": {"what": "it"},
        "intent": "Look for a kettle.",
        "require_reset": False,
        "intent_template_id": 1,
    }
    own = {key: value for key, value in said.items() if key in task}
    of_eval = {key: value for key, value in said.items() if key not in task}
    empty = {"reference_answers": None, "reference_url": "", "program_html": []}
    return {**task, **own, "eval": {"eval_types": list(kinds), **empty, **of_eval}}


def page(url: str, locator: str, **contents: Any) -> dict[str, Any]:
    """An item of ``program_html``."""
    return {"url": url, "locator": locator, "required_contents": contents}


def write_file(folder: Path, *tasks: dict[str, Any]) -> Path:
    """Write a configuration file."""
    file = folder / "tasks.json"
    file.write_text(json.dumps(tasks), encoding="utf-8")
    return file
