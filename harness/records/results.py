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
        wall_seconds: Seconds that it was at work, as a clock on the wall tells them, however many workers it had: from
            the start of each sitting to the end of its last page, browsers started and pages looked at beforehand
            included. While it goes on, those of earlier sittings. None if that is not known of one of them.
        pages: Its episodes without a harness error.
        pages_per_second: ``pages / wall_seconds``; None if that is not known.
        model_seconds: Seconds between requests to models and their replies, tries in vain included, added up over the
            ``model_told`` episodes of which that is known. Workers wait side by side, so that it can be more than
            ``wall_seconds``. None if it is known of no episode.
        model_told: How many these are.
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
        score: The mean score.
        ceiling: The same mean of the best scores that the labels allow.
        do_nothing: The same mean for the untouched forms.
        constant: The same mean for the most frequent answers of each task's other instances.
        copy: The same mean for the longest input in every text field that can be seen.
        untied: The mean without fields whose vote is tied.
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
        instances: How many instances have a score.
        tasks: How many tasks have one.
        mean_over_instances: The mean score of all instances.
        mean_over_fields: The mean score of all fields.
        bounds: The lowest and the highest headline that the instances without a score allow; None if none lacks one.
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
        instances: How many of its instances have a score.
        episodes: How many of its instances were played.
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
        accepted_submissions: The share of submissions that the page let through.
        filled_where_every_worker_left_blank: The share of the fields without a label in their instance that the solver
            filled all the same.
    """

    accepted_submissions: float | None
    filled_where_every_worker_left_blank: float | None


@dataclass(frozen=True, kw_only=True)
class Work:
    """In how many episodes the solver did anything at all.

    Attributes:
        played: Episodes that have no harness error.
        replied: Those of them in which the solver gave a reply of use: one of a model in which at least one action, or
            the end of the work, could be read; of a program or class, that it ended without an error, or did something.
        acted: Those of them in which at least one action worked, or, of what acts past the action library, at least one
            field was changed.
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
        overall: Means over tasks, the headline among them.
        splits: Split to the means over its tasks.
        tasks: Task to the means over its instances.
        kinds: Kind of field to the means over all fields of that kind.
        outcomes: Outcome to the count of episodes; every outcome is listed.
        rates: Shares of submissions and of fields.
        unscored_fields: Status to the count of fields that are not scored.
        work: In how many episodes the solver did anything; None in runs that were written before this was counted.
    """

    overall: OverallScores
    splits: Mapping[str, MeanScores]
    tasks: Mapping[str, TaskScores]
    kinds: Mapping[str, KindScores]
    outcomes: Mapping[str, int]
    rates: Rates
    unscored_fields: Mapping[str, int]
    work: Work | None = None
