"""One instance in two runs, side by side: fields, steps with the first that parts, and what models were sent."""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any, Literal

from harness.records.record_file import NotARun
from harness.records.turn import Turn
from harness.reports.watch.episode_files import EpisodeFiles
from harness.reports.watch.episode_view import EpisodeView
from harness.reports.watch.field_view import FieldView
from harness.reports.watch.scene_view import MomentView

MOST_LINES = 400
"""Lines of a difference between two prompts that are shown."""
_AROUND = 2
"""Lines around what differs."""

LineKind = Literal["same", "first", "second", "gap"]
_KINDS: Mapping[str, LineKind] = {" ": "same", "-": "first", "+": "second", "@": "gap"}


@dataclass(frozen=True)
class PairedField:
    """A field in both episodes.

    Attributes:
        first: In the first; None where it had no such field.
        second: In the second.
    """

    first: FieldView | None
    second: FieldView | None

    @property
    def either(self) -> FieldView:
        """The one that is there."""
        field = self.first or self.second
        assert field is not None  # noqa: S101 - a pair has at least one side
        return field

    @property
    def differs(self) -> bool:
        """Whether the two sent something else."""
        sent = [field and field.why.record.sent for field in (self.first, self.second)]
        return sent[0] != sent[1]


@dataclass(frozen=True)
class PairedStep:
    """Steps that stand at one place.

    Attributes:
        first: Of the first episode; None where it did nothing like that.
        second: Of the second.
        parts: Whether it is the first in which the two differ.
    """

    first: MomentView | None
    second: MomentView | None
    parts: bool = False

    @property
    def is_same(self) -> bool:
        """Whether both did the same."""
        return bool(self.first and self.second and self.first.action == self.second.action)


@dataclass(frozen=True)
class PromptLine:
    """A line of the difference between two prompts.

    Attributes:
        kind: In which of the two it stands; ``gap`` for lines that are left out.
        text: The line.
    """

    kind: LineKind
    text: str


@dataclass(frozen=True)
class EpisodePair:
    """An instance in two runs.

    Attributes:
        first: The page of the first episode.
        second: The page of the second.
        fields: Scored ones before others, those that differ first.
        steps: In their order, like ones beside each other.
        parting: The number of the row of ``steps``, from 1, that parts; None if none does.
        turn: The turn, from 1, whose prompts are compared: the first in which they or the replies differ; None if there
            is none in both.
        prompt: The difference between its prompts; empty if they are the same.
        trouble: Why prompts cannot be compared; empty if they can.
    """

    first: EpisodeView
    second: EpisodeView
    fields: tuple[PairedField, ...]
    steps: tuple[PairedStep, ...]
    parting: int | None
    turn: int | None
    prompt: tuple[PromptLine, ...]
    trouble: str = ""


def episode_pair(first: EpisodeView, second: EpisodeView, files: tuple[EpisodeFiles, EpisodeFiles]) -> EpisodePair:
    """Put two episodes beside each other.

    Args:
        first: The page of one.
        second: The page of the other, of the same instance.
        files: Of their runs.
    """
    steps = tuple(_steps(first, second))
    turn, prompt, trouble = _prompts(first, second, files)
    return EpisodePair(
        first=first,
        second=second,
        fields=tuple(_fields(first, second)),
        steps=steps,
        parting=next((place for place, step in enumerate(steps, 1) if step.parts), None),
        turn=turn,
        prompt=prompt,
        trouble=trouble,
    )


def _fields(first: EpisodeView, second: EpisodeView) -> list[PairedField]:
    sides = [{each.why.record.name: each for each in (*page.scored, *page.unscored)} for page in (first, second)]
    pairs = [PairedField(sides[0].get(name), sides[1].get(name)) for name in dict.fromkeys([*sides[0], *sides[1]])]
    return sorted(pairs, key=lambda pair: (not pair.differs, pair.either.why.score is None))


def _steps(first: EpisodeView, second: EpisodeView) -> Iterator[PairedStep]:
    sides = [[each for scene in page.scenes for each in scene.moments if each.action] for page in (first, second)]
    actions = [[each.action for each in side] for side in sides]
    has_parted = False
    for kind, *places in difflib.SequenceMatcher(a=actions[0], b=actions[1], autojunk=False).get_opcodes():
        ours, theirs = sides[0][places[0] : places[1]], sides[1][places[2] : places[3]]
        for one, other in zip_longest(ours, theirs):
            yield PairedStep(one, other, parts=kind != "equal" and not has_parted)
            has_parted = has_parted or kind != "equal"


def _prompts(
    first: EpisodeView, second: EpisodeView, files: tuple[EpisodeFiles, EpisodeFiles]
) -> tuple[int | None, tuple[PromptLine, ...], str]:
    turns = list(zip(first.episode.turns, second.episode.turns, strict=False))
    if not turns:
        return None, (), ""
    parted = (number for number, pair in enumerate(turns, 1) if _said(pair[0]) != _said(pair[1]))
    number = next(parted, len(turns))
    try:
        ours, theirs = (
            list(_lines(each.whole_text(turn.sent))) for each, turn in zip(files, turns[number - 1], strict=True)
        )
    except NotARun as error:
        return number, (), str(error)
    found = difflib.unified_diff(ours, theirs, n=_AROUND, lineterm="")
    lines = [PromptLine(_KINDS[line[0]], line[1:]) for line in found if not line.startswith(("---", "+++"))]
    cut = [PromptLine("gap", f"{len(lines) - MOST_LINES:,} more lines")] if len(lines) > MOST_LINES else []
    return number, (*lines[:MOST_LINES], *cut), ""


def _said(turn: Turn) -> tuple[Any, ...]:
    return turn.sent, turn.images, turn.reply, turn.calls


def _lines(value: Any, name: str = "") -> Iterator[str]:
    """A request as lines: texts line by line below the names that lead to them."""
    if isinstance(value, Mapping):
        for key, each in value.items():
            yield from _lines(each, f"{name}.{key}" if name else str(key))
    elif isinstance(value, Sequence) and not isinstance(value, str):
        for place, each in enumerate(value, 1):
            yield from _lines(each, f"{name} {place}")
    elif isinstance(value, str) and ("\n" in value or len(value) > 60):
        yield f"{name}:"
        yield from value.splitlines()
    else:
        yield f"{name}: {value if isinstance(value, str) else json.dumps(value)}"
