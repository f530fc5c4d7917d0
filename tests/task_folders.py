"""Small task folders for tests."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping, Sequence
from pathlib import Path


def csv_text(*rows: Sequence[str]) -> str:
    out = io.StringIO(newline="")
    csv.writer(out).writerows(rows)
    return out.getvalue()


def make_task(
    tasks_dir: Path,
    name: str,
    *,
    template: str | bytes | None = "<p>${text}</p><input name=a>",
    table: str | bytes | None = "text,Answer.a\r\none,yes\r\n",
    facts: Mapping[str, object] | str | None = None,
) -> Path:
    """Write a task folder; a file that is None is left out."""
    folder = tasks_dir / name
    folder.mkdir(parents=True)
    said = facts if isinstance(facts, str) or facts is None else json.dumps(facts)
    for file, content in (("template.html", template), ("batch.csv", table), ("task.json", said)):
        if content is not None:
            data = content if isinstance(content, bytes) else content.encode()
            (folder / file).write_bytes(data)
    return folder
