"""The profile ``standard``: the paper's metric for each kind of field, with its gaps filled."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from harness.catalog.labels import match_option
from harness.scoring.metrics import choice, iou, l1, text
from harness.scoring.metrics.field_score import FieldScore, mean

Rule = Literal["text", "vote", "box", "set", "range"]
"""The rules by which fields are scored; ``box`` is a box that is the only one of its name."""
_Score = Callable[[Sequence[str], Sequence[str], Sequence[str]], FieldScore | None]
_Best = Callable[[Sequence[str], Sequence[str]], tuple[str, ...]]


@dataclass(frozen=True)
class _Metric:
    rule: Rule
    score: _Score
    best: _Best


_TEXT = _Metric("text", text.score, text.best)
_VOTE = _Metric("vote", choice.score, choice.best)
_BOX = _Metric("box", choice.score_box, choice.best_box)
_SET = _Metric("set", iou.score, iou.best)
_RANGE = _Metric("range", l1.score, l1.best)
_METRICS = {
    "text": _TEXT,
    "textarea": _TEXT,
    "hidden": _TEXT,
    "radio": _VOTE,
    "select": _VOTE,
    "checkbox": _SET,
    "range": _RANGE,
}


@dataclass(frozen=True)
class Standard:
    """The default profile; the table in ``docs/reference/metrics.md`` is its definition."""

    name: str = "standard"
    scores_invisible: bool = True

    def score_field(
        self, kind: str, options: Sequence[str], labels: Sequence[str], sent: Sequence[str]
    ) -> FieldScore | None:
        """Score one field; see ``Profile.score_field``.

        None if every label is blank; for checkboxes, where blank is an answer, if there is no label at all.
        """
        return _metric(kind, options, labels, several=_several(sent)).score(options, labels, sent)

    def best_answer(self, kind: str, options: Sequence[str], labels: Sequence[str]) -> tuple[str, ...]:
        """Find values that reach the ceiling; see ``Profile.best_answer``."""
        return _metric(kind, options, labels, several=False).best(options, labels)

    def instance_score(self, scores: Sequence[tuple[str, FieldScore]]) -> float | None:
        """Average the fields of an instance; see ``Profile.instance_score``."""
        return mean([field.score for _, field in scores])


def rule_of(kind: str, options: Sequence[str], labels: Sequence[str], sent: Sequence[str]) -> Rule:
    """The rule by which a field is scored; arguments and errors as for ``Profile.score_field``."""
    return _metric(kind, options, labels, several=_several(sent)).rule


def _several(sent: Sequence[str]) -> bool:
    return len(set(sent)) > 1


def _metric(kind: str, options: Sequence[str], labels: Sequence[str], *, several: bool) -> _Metric:
    if kind not in _METRICS:
        raise ValueError(f"unknown kind of field {kind!r}; known are {', '.join(sorted(_METRICS))}")
    if kind == "checkbox" and len(options) == 1:
        return _BOX
    if kind == "select" and (several or any(names_several(label, options) for label in labels)):
        return _SET
    return _METRICS[kind]


def names_several(label: str, options: Sequence[str]) -> bool:
    """Whether the label of a list is a set of its options rather than one of them."""
    if "|" not in label or match_option(label, options) is not None:
        return False
    return any(match_option(part, options) is not None for part in label.split("|"))


STANDARD = Standard()
