"""The rows of WebCanvas' Tables 4, 5, 11 and 12, as ``webcanvas.toml`` has them."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any

from harness.kit.text import did_you_mean
from harness.papers.turkingbench.paper_rows import PaperModel, UnknownRow

FILE = files(__package__) / "webcanvas.toml"
TABLES = {"table4": "Table 4", "table5": "Table 5", "table11": "Table 11", "table12": "Table 12"}
"""Names on command lines -> names in the paper."""


@dataclass(frozen=True, kw_only=True)
class WebCanvasRow:
    """A line of scores of a table.

    Attributes:
        table: Where it stands in the paper.
        number: Its place in the table, from 1.
        model: Which model acted.
        judge: Which model judged its progress; None where none did.
        pictures: Whether the judge was shown the page as a picture.
        golden: Whether the judge was told a human reference.
        memory: Whether the model was told of its earlier steps.
        thought: Whether it was asked for a thought before each action (ReAct).
        completion: The completion rate, micro, in per cent.
        success: The task success rate, in per cent.
        efficiency: Steps a key node.
        alignment: The human alignment score, from 0 to 1; None if the table has none.
        doubtful: Cell -> why its reading, or what it says, is in doubt.
    """

    table: str
    number: int
    model: PaperModel
    judge: PaperModel | None = None
    pictures: bool = False
    golden: bool = False
    memory: bool = True
    thought: bool = True
    completion: float
    success: float
    efficiency: float
    alignment: float | None = None
    doubtful: Mapping[str, str] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """What it is called on command lines, and its folder; rows that ask alike have one name in all tables."""
        parts = [self.model.key]
        if self.judge:
            parts.append(f"judge-{self.judge.key}")
        parts += [word for word, is_there in (("golden", self.golden), ("no-memory", not self.memory)) if is_there]
        return "-".join([*parts, *([] if self.thought else ["no-thought"])])

    @property
    def solver(self) -> str:
        """The preset that asks its model."""
        return self.model.preset

    @property
    def options(self) -> dict[str, Any]:
        """All that makes the row of its preset, by the names of flags."""
        asked = {**self.model.options, **said("options")}
        if not self.thought:
            asked["planning"] = "none"
        if not self.memory:
            asked["memory"] = 0
        if self.judge:
            asked["reward"] = "both" if self.pictures else "text"
        if self.judge and self.judge != self.model:
            asked["reward_model"] = self.judge.options["model"]
        if self.golden:
            asked["reference"] = "golden"
        return asked

    @property
    def remarks(self) -> tuple[str, ...]:
        """What a reader has to know of it: what of it is in doubt."""
        return tuple(f"doubtful {cell}: {why}" for cell, why in self.doubtful.items())


def webcanvas_rows(table: str) -> tuple[WebCanvasRow, ...]:
    """The rows of a table, in its order.

    Args:
        table: One of the names in the paper, see ``TABLES``.
    """
    return _tables()[table]


def chosen(rows: tuple[WebCanvasRow, ...], wanted: str) -> WebCanvasRow:
    """The row of a number or a name.

    Raises:
        UnknownRow: there is none.
    """
    for row in rows:
        if wanted in (row.name, str(row.number)):
            return row
    names = [row.name for row in rows]
    raise UnknownRow(
        f"there is no row {wanted!r}.{did_you_mean(wanted, names)} There are 1 to {len(rows)}, and by name "
        + ", ".join(names)
    )


def said(key: str) -> Any:
    """What is said of all rows: ``citation``, ``url``, ``tasks_dir``, ``task_names``, ``differs`` or ``options``."""
    return _file()[key]


def tasks_of(table: str) -> tuple[int, str]:
    """How many tasks a table's figures were measured on, and which."""
    entry = _file()["tables"][table]
    return int(entry["tasks"]), str(entry["about"])


@cache
def _file() -> dict[str, Any]:
    return tomllib.loads(FILE.read_text(encoding="utf-8"))


@cache
def _tables() -> Mapping[str, tuple[WebCanvasRow, ...]]:
    models = {key: PaperModel(key, **entry) for key, entry in _file()["models"].items()}
    made: dict[str, list[WebCanvasRow]] = {table: [] for table in TABLES.values()}
    for entry in _file()["rows"]:
        judge = models[entry["judge"]] if "judge" in entry else None
        before = made[entry["table"]]
        values = {**entry, "model": models[entry["model"]], "judge": judge, "number": len(before) + 1}
        before.append(WebCanvasRow(**values))
    return {table: tuple(rows) for table, rows in made.items()}
