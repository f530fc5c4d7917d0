"""MiniWoB++ as a task set of sites: a task folder for each of its pages (Liu et al., ICLR 2018; Farama's package)."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any

from harness.catalog.task import FACTS, TABLE
from harness.catalog.trace import TRACE

NAME = "miniwob"
PAGES = "miniwob"
"""The folder of the pages, beside those of what they share."""
ORIGIN = "http://miniwob.test"
SEEDS = 5
"""Instances of a task: what a page shows is drawn by its seed."""
GOAL = "Do what the page itself asks for, in the yellow box at its top."
_TRACES = "miniwob_traces.json"
"""Ways that are the same whatever the seed: page -> steps."""


def task_files(folder: Path) -> Mapping[str, bytes]:
    """The task folders of the pages, by their paths.

    Args:
        folder: Where the package's files are kept, pages in ``html``.
    """
    ways = json.loads((files(__package__) / _TRACES).read_text(encoding="utf-8"))
    pages = sorted(file.stem for file in (folder / "html" / PAGES).glob("*.html"))
    return {f"tasks/{page}/{name}": data for page in pages for name, data in _task(page, ways.get(page))}


def _task(page: str, way: list[Any] | None) -> Iterator[tuple[str, bytes]]:
    start = f"{ORIGIN}/{PAGES}/{page}.html?seed=${{seed}}"
    yield (
        FACTS,
        _json(
            {
                "kind": "site",
                "title": page.replace("-", " ").capitalize(),
                "description": "A page of MiniWoB++: an instruction, and a small area to follow it in.",
                "split": "other",
                "licence": "MIT (MiniWoB++, Farama Foundation)",
                "goal": GOAL,
                "start": start,
                "origins": [ORIGIN],
                "site": NAME,
                "evaluators": {"page_reward": True},
            }
        ),
    )
    yield TABLE, "".join(f"{line}\n" for line in ("seed", *range(SEEDS))).encode()
    if way is not None:
        yield TRACE, _json({"goal": GOAL, "start": start, "steps": way, "made_by": "hand, from the page's source"})


def _json(record: object) -> bytes:
    return json.dumps(record, indent=1).encode() + b"\n"
