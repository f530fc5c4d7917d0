"""Small tasks on a bundled website for tests."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

START = "http://travel.test/"
ACCOUNT = "http://travel.test/account/"
TO_THE_ACCOUNT = {"target": "url", "match": "exact", "reference": ACCOUNT}
FACTS: Mapping[str, Any] = {
    "kind": "site",
    "goal": "Open your account.",
    "start": START,
    "origins": ["http://travel.test"],
    "site": "travel",
    "level": "easy",
    "evaluators": {"key_nodes": [TO_THE_ACCOUNT], "final_state": [{"at": "", "how": "exists"}]},
}
WAY: Sequence[Mapping[str, Any]] = ({"do": "goto", "value": ACCOUNT}, {"do": "finish"})


def make_site_task(
    tasks_dir: Path, name: str, *, table: str | None = None, trace: object = None, **facts: object
) -> Path:
    """Write the folder of a task on the bundled travel portal.

    Args:
        tasks_dir: Where.
        name: Of the task.
        table: The text of its table; None for none.
        trace: The content of its trace; None for the way to the account.
        facts: What its ``task.json`` says otherwise than ``FACTS``; a key that is None is left out.
    """
    folder = tasks_dir / name
    folder.mkdir(parents=True)
    said = {key: value for key, value in {**FACTS, **facts}.items() if value is not None}
    (folder / "task.json").write_text(json.dumps(said), encoding="utf-8")
    way = {"goal": said.get("goal", ""), "start": said.get("start", ""), "steps": WAY} if trace is None else trace
    (folder / "trace.json").write_text(way if isinstance(way, str) else json.dumps(way), encoding="utf-8")
    if table is not None:
        (folder / "batch.csv").write_text(table, encoding="utf-8")
    return folder
