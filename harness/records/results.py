"""The numbers of a run, as they stand under ``results`` in ``run.json``; docs/reference/metrics.md defines them.

A score is between 0 and 1; None stands for what nothing could be measured for.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class RunTime:
    """How long a run took.

    Attributes:
        wall_seconds: Seconds at work, browser starts and reference pass included; None if unknown for one sitting.
        pages: Episodes without a harness error.
        pages_per_second: ``pages / wall_seconds``.
        model_seconds: Seconds of waiting for models, summed over ``model_told`` episodes; workers wait side by side.
        model_told: Number of episodes that know it.
    """

    wall_seconds: float | None
    pages: int
    pages_per_second: float | None
    model_seconds: float | None
    model_told: int


@dataclass(frozen=True, kw_only=True)
class MeanScores:
    """Means over the same tasks or fields: the score, and what it is to be held against.

    Attributes:
        score: Mean score.
        ceiling: Mean of the best scores that the labels allow.
        do_nothing: Mean for untouched forms.
        constant: Mean for the most frequent answers of the task's other instances.
        copy: Mean for the longest input in every visible text field.
        untied: Mean without fields whose vote is tied.
        of_ceiling: ``score / ceiling``.
        skill_over_do_nothing: ``(score - do_nothing) / (ceiling - do_nothing)``.
        skill_over_constant: ``(score - constant) / (ceiling - constant)``.
    """

    score: float | None
    ceiling: float | None
    do_nothing: float | None
    constant: float | None
    copy: float | None
    untied: float | None
    of_ceiling: float | None
    skill_over_do_nothing: float | None
    skill_over_constant: float | None


@dataclass(frozen=True, kw_only=True)
class OverallScores(MeanScores):
    """The means over all tasks.

    Attributes:
        instances: Instances with a score.
        tasks: Tasks with a score.
        mean_over_instances: Mean score of all instances.
        mean_over_fields: Mean score of all fields.
        bounds: Lowest and highest headline that the instances without a score allow; None if all have one.
    """

    instances: int
    tasks: int
    mean_over_instances: float | None
    mean_over_fields: float | None
    bounds: tuple[float, float] | None


@dataclass(frozen=True, kw_only=True)
class _Counted:
    split: str
    instances: int
    episodes: int


@dataclass(frozen=True, kw_only=True)
class TaskScores(MeanScores, _Counted):
    """The means over one task's instances.

    Attributes:
        split: The task's split.
        instances: Those of its instances with a score.
        episodes: Instances that were played.
    """


@dataclass(frozen=True, kw_only=True)
class _Fields:
    fields: int


@dataclass(frozen=True, kw_only=True)
class KindScores(MeanScores, _Fields):
    """The means over all fields of one kind.

    Attributes:
        fields: How many there are.
    """


@dataclass(frozen=True, kw_only=True)
class Rates:
    """Shares of submissions and of fields.

    Attributes:
        accepted_submissions: Share of submissions that the page let through.
        filled_where_every_worker_left_blank: Share of the fields without a label in their instance that the solver
            filled.
    """

    accepted_submissions: float | None
    filled_where_every_worker_left_blank: float | None


@dataclass(frozen=True, kw_only=True)
class Work:
    """In how many episodes the solver did anything at all.

    Attributes:
        played: Episodes without a harness error.
        replied: Of these, those in which a model's reply could be used, or a program did something or ended without an
            error.
        acted: Of these, those in which an action worked or a field changed.
    """

    played: int
    replied: int
    acted: int

    @property
    def never_replied(self) -> bool:
        """Whether no reply was of use."""
        return self.played > 0 and not self.replied

    @property
    def did_nothing(self) -> bool:
        """Whether there were replies of use, and nothing was ever done."""
        return self.replied > 0 and not self.acted


@dataclass(frozen=True, kw_only=True)
class Results:
    """All numbers of a run.

    Attributes:
        overall: Means over tasks; the headline.
        splits: Split -> means over its tasks.
        tasks: Task -> means over its instances.
        kinds: Kind of field -> means over its fields.
        outcomes: Outcome -> number of episodes.
        rates: Shares of submissions and of fields.
        unscored_fields: Status -> number of fields that are not scored.
        work: In how many episodes the solver did anything.
    """

    overall: OverallScores
    splits: Mapping[str, MeanScores]
    tasks: Mapping[str, TaskScores]
    kinds: Mapping[str, KindScores]
    outcomes: Mapping[str, int]
    rates: Rates
    unscored_fields: Mapping[str, int]
    work: Work | None = None
