"""The rows of the paper's Tables 4 and 5, as ``published.toml`` has them: which model, asked how, with what score."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any

from harness.kit.errors import UserError
from harness.kit.text import counted, did_you_mean
from harness.reports.published_score import OVERALL

FILE = files(__package__) / "published.toml"
TABLES = {"table4": "Table 4", "table5": "Table 5"}
"""Names on command lines -> names in the paper."""
PROMPTS = "turkingbench"
"""The set of prompts that asks as the paper did."""
ENCODINGS = {"full": "full", "relevant": "relevant-5-10"}
"""Encodings as the tables call them -> ours: of ``relevant`` what models were sent, not what appendix C describes."""
MODALITIES = {"text": "T", "vision": "T+V", "": "–"}
"""What a model sees -> as the tables write it."""


class UnknownRow(UserError):
    """A table has no such row; the message says which there are."""


@dataclass(frozen=True)
class PaperModel:
    """A model of the tables.

    Attributes:
        key: Our name of it.
        printed: Its name as the table has it.
        label: Its name as we write it.
        size: Its parameters, as printed; empty if the table has none.
        input: ``text`` or ``vision``; empty for what is no model.
        context: Tokens that it holds, by the table; None if the table does not say.
        preset: The preset that asks it; empty for what is no model.
        solver: The solver of what is no model; empty for a model.
        options: What has to be changed in the preset, beside encoding and demonstrations, by the names of flags.
    """

    key: str
    printed: str
    label: str
    size: str = ""
    input: str = ""
    context: int | None = None
    preset: str = ""
    solver: str = ""
    options: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class PaperRow:
    """A line of scores of a table, or a combination that the tables do not have.

    Attributes:
        table: Where it stands in the paper; empty if the tables do not have it.
        number: Its place among the table's rows of models, from 1; None for what is no model or in no table.
        model: Whose scores they are.
        encoding: ``relevant`` or ``full``; empty for what is no model.
        demos: How many demonstrations; None for what is no model.
        length: Tokens of a request, in subwords of GPT-2; None if it is not printed.
        scores: Measure -> score in per cent: ``OVERALL``, and in Table 5 kinds of field.
        measured: The same measures, as this harness measured them.
        doubtful: Cell -> why its reading, or what it says, is in doubt.
        note: What else a reader should know; may be empty.
        mean_over: What its scores are means of.
        is_reference: Whether it is one of the few that reports show as lines.
    """

    table: str
    number: int | None
    model: PaperModel
    encoding: str = ""
    demos: int | None = None
    length: int | None = None
    scores: Mapping[str, float] = field(default_factory=dict)
    measured: Mapping[str, float] = field(default_factory=dict)
    doubtful: Mapping[str, str] = field(default_factory=dict)
    note: str = ""
    mean_over: str = ""
    is_reference: bool = False

    @property
    def name(self) -> str:
        """What it is called on command lines, and its folder; equal rows of both tables have one name."""
        return self.model.key if self.demos is None else f"{self.model.key}-{self.encoding}-{self.demos}"

    @property
    def label(self) -> str:
        """The same in words."""
        if self.demos is None:
            return self.model.label
        return f"{self.model.label} ({self.encoding} HTML, {counted(self.demos, 'demonstration')})"

    @property
    def place(self) -> str:
        """Where it stands, for readers; empty if in no table."""
        return f"{self.table}, row {self.number or self.name}" if self.table else ""

    @property
    def solver(self) -> str:
        """What ``--solver`` is given: a preset, or a solver that is no model."""
        return self.model.preset or self.model.solver

    @property
    def options(self) -> dict[str, Any]:
        """All that makes the row of its preset, by the names of flags; nothing for what is no model."""
        if not self.model.preset:
            return {}
        return {**self.model.options, "encoding": ENCODINGS[self.encoding], "demos": self.demos, "prompts": PROMPTS}

    @property
    def printed(self) -> float | None:
        """The score over all kinds, in per cent; None if the row is in no table."""
        return self.scores.get(OVERALL)

    @property
    def doubts(self) -> str:
        """The doubtful cells with their reasons, on one line; empty if there are none."""
        return "; ".join(f"doubtful {cell}: {why}" for cell, why in self.doubtful.items())


def paper_rows(table: str) -> tuple[PaperRow, ...]:
    """The rows of a table, in its order.

    Args:
        table: ``Table 4`` or ``Table 5``.
    """
    return _tables()[table]


@cache
def further_rows() -> tuple[PaperRow, ...]:
    """Combinations that the tables do not have, of models that they have."""
    data, models = _file(), _models()
    return tuple(
        PaperRow("", None, models[each["model"]], each["encoding"], demos, note=each.get("note", ""))
        for each in data["further"]
        for demos in each["demos"]
    )


def chosen(rows: tuple[PaperRow, ...], wanted: str) -> PaperRow:
    """The row of a number or a name.

    Args:
        rows: Of a table, and further ones.
        wanted: The number or the name.

    Raises:
        UnknownRow: there is none.
    """
    found = [row for row in rows if wanted == row.name or (wanted.isdecimal() and row.number == int(wanted))]
    if not found:
        names = [row.name for row in rows]
        numbers = sum(row.number is not None for row in rows)
        raise UnknownRow(
            f"there is no row {wanted!r}.{did_you_mean(wanted, names)} There are 1 to {numbers}, and by name "
            + ", ".join(names)
        )
    return found[0]


def source(key: str) -> str:
    """What is said of all rows, by its key, such as ``citation`` or ``profile``."""
    return str(_file()[key])


@cache
def _file() -> dict[str, Any]:
    return tomllib.loads(FILE.read_text(encoding="utf-8"))


@cache
def _models() -> Mapping[str, PaperModel]:
    return {key: PaperModel(key, **entry) for key, entry in _file()["models"].items()}


@cache
def _tables() -> Mapping[str, tuple[PaperRow, ...]]:
    made: dict[str, list[PaperRow]] = {table: [] for table in TABLES.values()}
    for entry in _file()["rows"]:
        values = {"mean_over": source("mean_over"), **entry}
        before, model = made[values.pop("table")], _models()[values.pop("model")]
        number = 1 + sum(row.number is not None for row in before) if model.preset else None
        values["is_reference"] = values.pop("reference", False)
        before.append(PaperRow(entry["table"], number, model, **values))
    return {table: tuple(rows) for table, rows in made.items()}
