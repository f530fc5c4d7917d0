"""What one field is to hold, and whether it does."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from harness.catalog.kinds import TEXTS
from harness.catalog.labels import clean, is_blank
from harness.scoring.answers.columns import Answer
from harness.scoring.metrics import Profile

Values = tuple[str, ...]
MAX_WORKERS = 20
_ROUNDING = 1e-9


@dataclass(frozen=True)
class FieldGoal:
    """A scored field and its answers.

    Attributes:
        answer: The field with its labels.
        profile: The rules by which it will be scored.
        worker: Whose label is to be entered where any would do, by place among the labels; None for the first.
        choice: An option that reaches the ceiling, too, and is to be entered in place of the first; empty for that one.
    """

    answer: Answer
    profile: Profile
    worker: int | None = None
    choice: str = ""

    @property
    def name(self) -> str:
        """The field's name."""
        return self.answer.name

    @cached_property
    def values(self) -> Values:
        """The values that reach the field's ceiling; none if it is to be left blank."""
        if self.choice:
            return (self.choice,)
        best = self.profile.best_answer(self.answer.kind, self.answer.options, self.answer.labels)
        own = self.label_of(self.worker)
        return (own,) if best and own and self.answer.kind in TEXTS else best

    def label_of(self, worker: int | None) -> str:
        """What a worker answered; empty if nothing."""
        labels = self.answer.labels
        return "" if worker is None or worker >= len(labels) or is_blank(labels[worker]) else clean(labels[worker])

    @cached_property
    def targets(self) -> tuple[str, ...]:
        """Every label as the page would have to write it, the best first: any of them will do for a text."""
        labels = (clean(label) for label in self.answer.labels if not is_blank(label))
        return tuple(dict.fromkeys([*map(clean, self.values[:1]), *labels]))

    def is_held(self, values: Iterable[str]) -> bool:
        """Whether these are the values that were chosen."""
        return set(map(clean, values)) == set(map(clean, self.values))

    def score(self, values: Iterable[str]) -> float:
        """What these values score."""
        answer = self.answer
        found = self.profile.score_field(answer.kind, answer.options, answer.labels, [clean(each) for each in values])
        return found.score if found else 0.0

    def is_reached(self, values: Iterable[str]) -> bool:
        """Whether these values score as high as any can: other labels than the chosen one do, too."""
        sent = [clean(value) for value in values]
        if self.is_held(sent):
            return True
        score = self.profile.score_field(self.answer.kind, self.answer.options, self.answer.labels, sent)
        return score is not None and score.score >= score.ceiling - _ROUNDING


def of_one_worker(goals: Sequence[FieldGoal]) -> list[FieldGoal]:
    """The goals with the answers of one worker wherever any worker's would do.

    What a page's script writes from several answers is the label of nobody unless they are all of one worker: of the
    one, if possible, who answered most of the fields as they are to be answered.
    """

    def agreement(worker: int) -> int:
        return sum(_agrees(goal, worker) for goal in goals)

    workers = range(min(max((len(goal.answer.labels) for goal in goals), default=0), MAX_WORKERS))
    model = max(workers, key=agreement, default=None)
    return [replace(goal, worker=model) for goal in goals]


def _agrees(goal: FieldGoal, worker: int) -> bool:
    label = goal.label_of(worker)
    if goal.answer.kind in TEXTS:
        return bool(label)
    return goal.is_reached(label.split("|") if label else ())
