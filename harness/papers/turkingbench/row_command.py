"""The command line that asks as a row of the paper's tables did."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, Generic, Protocol, TypeVar

from harness.episode.registry import find_solver
from harness.kit.errors import UserError
from harness.kit.files.installation import to_type
from harness.kit.options import names_of
from harness.models.asking_options import PresetChange
from harness.models.call_options import ModelChoice, RequestOptions
from harness.models.client import Retirement
from harness.models.presets import Preset, presets, resolve, retirement_of
from harness.papers.turkingbench.paper_rows import PaperModel, PaperRow, paper_rows

INSTANCES = 20
"""Instances of a task, as in the paper."""
_ITSELF = {"retired_anyway": True}
"""The option by which a model is asked that is gone: a row is about it, not about what takes its place."""
_DECIDED = frozenset(Preset.__dataclass_fields__) - {"base_url"}
"""What a preset decides about how a model is asked: where its server is is no part of it."""
HOW_ASKED = tuple(name for name in names_of(PresetChange, changes="asked") if name in _DECIDED)
"""Options that a preset decides, too, by which runs of one model differ."""
_OF_ONE_MODEL = frozenset({*names_of(ModelChoice), *names_of(RequestOptions)})
"""Options that another model in a row's place does not take over."""


class AskedRow(Protocol):
    """What a row of a paper's table has to tell to become a command; see ``PaperRow``."""

    @property
    def name(self) -> str:
        """What it is called on command lines."""

    @property
    def model(self) -> PaperModel:
        """Whose scores they are."""

    @property
    def solver(self) -> str:
        """What ``--solver`` is given."""

    @property
    def options(self) -> Mapping[str, Any]:
        """All that makes the row of its preset, by the names of flags."""


Row = TypeVar("Row", bound=AskedRow)


class NeedsStandIn(UserError):
    """A row's model is gone, and nobody said what is to be asked in its place; the message says what can be."""


@dataclass(frozen=True)
class RowChoice:
    """What is wanted otherwise than a row has it.

    Attributes:
        model: Another model of the same provider.
        stand_in: Whether a model that is gone is replaced by the one that is served today.
        base_url: A server for models.
        of_models: Further words for models only, such as a limit of cost.
        of_all: Further words for every row: tasks and sample.
    """

    model: str | None = None
    stand_in: bool = False
    base_url: str | None = None
    of_models: tuple[str, ...] = ()
    of_all: tuple[str, ...] = ()


@dataclass(frozen=True)
class RowCommand(Generic[Row]):
    """A row with the words of its command line.

    Attributes:
        row: The row.
        words: What follows ``harness.evaluate``.
        gone: Its own model's retirement, if that is over and no server of one's own has it; else None.
        asked: The model that is asked; empty for what is no model.
    """

    row: Row
    words: tuple[str, ...]
    gone: Retirement | None = None
    asked: str = ""

    def __str__(self) -> str:
        return to_type("evaluate", *self.words)

    @property
    def is_refused(self) -> bool:
        """Whether the command asks a model that is gone."""
        return self.gone is not None and self.asked == self.gone.model


def preset_of(row: AskedRow) -> Preset | None:
    """How a row's own model is asked, as a preset that is resolved; None for what is no model."""
    return resolve(row.solver, {**row.options, **_ITSELF}) if row.model.preset else None


def command_of(row: Row, choice: RowChoice, day: date) -> RowCommand[Row]:
    """The command of a row.

    Args:
        row: The row.
        choice: What is wanted otherwise.
        day: Today, by which a model may be gone.
    """
    preset = preset_of(row)
    if preset is None:
        return RowCommand(row, ("--solver", row.solver, *choice.of_all))
    ends = preset.retirement
    gone = ends if ends and ends.is_over(day) and not (choice.base_url or preset.base_url) else None
    model = choice.model or (gone.instead if gone and choice.stand_in else None)
    options = dict(row.options)
    judge_gone = None if choice.base_url or preset.base_url else _gone_judge(preset, options, day)
    if judge_gone and (choice.stand_in or choice.model):
        options["reward_model"], judge_gone = judge_gone.instead, None
    if model is not None and model != preset.model:
        kept = {name: value for name, value in options.items() if name not in _OF_ONE_MODEL}
        options = {"model": model, **kept}
    elif gone or judge_gone:
        options = {**options, **_ITSELF}
    address = {"base_url": choice.base_url} if choice.base_url else {}
    words = ("--solver", row.solver, *_words({**options, **address}), *choice.of_models, *choice.of_all)
    if judge_gone and not gone:
        return RowCommand(row, words, judge_gone, judge_gone.model)
    return RowCommand(row, words, gone, model or preset.model)


def _gone_judge(preset: Preset, options: Mapping[str, Any], day: date) -> Retirement | None:
    """The retirement of the other model that judges the progress of a row's, if there is one and it is over."""
    judge = options.get("reward_model")
    ends = retirement_of(preset.provider, judge) if judge else None
    return ends if ends and ends.is_over(day) else None


def refuse_what_is_gone(commands: Sequence[RowCommand[Row]]) -> None:
    """See that every command asks a model that can be asked.

    Raises:
        NeedsStandIn: one does not.
    """
    refused = [each for each in commands if each.is_refused]
    if refused:
        said = "; ".join(
            f"row {each.row.name}: {gone.model} was shut down on {gone.on}, {gone.instead} takes its place"
            for each in refused
            if (gone := each.gone)
        )
        raise NeedsStandIn(f"{said}. Give --stand-in for these models, or --model for one of yours")


def row_asked_by(solver: str, options: Mapping[str, Any]) -> tuple[PaperRow | None, str]:
    """The row that a preset with options asks as.

    Args:
        solver: The preset's name.
        options: What its user chose over it, by the names of flags.

    Returns:
        The row of Table 4, and the model that is asked in place of its own; None and empty if there is none.
    """
    rows = [row for row in paper_rows("Table 4") if row.solver == solver]
    if not rows:
        return None, ""
    asked = how_asked(solver, options)
    wanted = [(row, how_row_asks(row)) for row in rows]
    for row, each in wanted:
        if asked == each:
            return row, ""
    for row, each in wanted:
        if all(asked[name] == each[name] for name in HOW_ASKED if name not in _OF_ONE_MODEL):
            return row, str(asked["model"])
    return None, ""


def how_asked(solver: str, options: Mapping[str, Any]) -> dict[str, Any]:
    """What a preset with options decides, by the names of ``HOW_ASKED``; None where it is left to the provider.

    Raises:
        harness.episode.solver.WrongOptions: they cannot be meant so.
    """
    checked = find_solver(solver).check(options)
    return {name: checked.get(name) for name in HOW_ASKED}


def how_row_asks(row: PaperRow) -> dict[str, Any]:
    """The same of a row and its own model."""
    return how_asked(row.solver, {**row.options, **_ITSELF})


def preset_remarks() -> Mapping[str, str]:
    """Preset -> the row of Table 4 that it takes as it stands, in words; those of which there is one."""
    found = {name: row_asked_by(name, _ITSELF) for name in presets()}
    return {name: f"{row.place}" for name, (row, model) in found.items() if row and not model}


def _words(options: Mapping[str, Any]) -> list[str]:
    words: list[str] = []
    for name, value in options.items():
        flag = name.replace("_", "-")
        if isinstance(value, bool):
            words.append(f"--{flag}" if value else f"--no-{flag}")
        else:
            words += [f"--{flag}", str(value)]
    return words
