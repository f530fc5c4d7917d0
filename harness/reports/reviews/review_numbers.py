"""What reviews come to: categories of answers, and how far the metric and people agree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from typing import Literal, TypeAlias

import numpy as np

from harness.kit.statistics.clustered import mean_of_items
from harness.kit.statistics.estimate import Estimate
from harness.kit.statistics.jackknife import cohens_kappa
from harness.records.verdict import ANSWER_VERDICTS, AnswerVerdict, PlaceVerdict, Verdicts

Category: TypeAlias = Literal["correct", "wrong", "label_wrong", "placeholder", "parse_error", "unsure"]
CATEGORIES: tuple[Category, ...] = ("correct", "wrong", "label_wrong", "placeholder", "parse_error", "unsure")
Stratum: TypeAlias = tuple[str, str]
"""Task and kind of field: these take turns in the draw (``harness.reports.reviews.drawing``)."""
THRESHOLD = 0.5
"""The score from which on the metric is taken to accept an answer."""


@dataclass(frozen=True)
class ReviewedField:
    """A verdict beside the score of the same answer.

    Attributes:
        verdict: The verdict.
        reviewer: Whose.
        kind: The field's kind.
        score: The metric's score.
        ceiling: The best score that the labels allow.
    """

    verdict: PlaceVerdict
    reviewer: str
    kind: str
    score: float
    ceiling: float

    @property
    def stratum(self) -> Stratum:
        """Of which fields of the run it was drawn."""
        return self.verdict.task, self.kind

    @property
    def answer(self) -> AnswerVerdict:
        """What is said of the answer; of which nothing is said, nobody could tell anything."""
        return self.verdict.answer or "unsure"

    @property
    def category(self) -> Category:
        """What the answer is: wrong labels leave open only what is no answer at all."""
        if self.verdict.labels == "wrong" and self.answer not in {"placeholder", "parse_error"}:
            return "label_wrong"
        return self.answer

    @property
    def is_decided(self) -> bool:
        """Whether the person could tell."""
        return self.answer != "unsure"

    @property
    def person_accepts(self) -> bool:
        """Whether the person takes the answer for right."""
        return self.answer == "correct"

    def metric_accepts(self, threshold: float) -> bool:
        """Whether the metric does."""
        return self.score >= threshold


@dataclass(frozen=True)
class CategoryNumbers:
    """The answers of one category.

    Attributes:
        fields: How many.
        share: Their share of all that was judged.
        accepted: How many of them the metric accepts.
        score: Their mean score; None of none.
    """

    fields: int
    share: Estimate
    accepted: int
    score: float | None


@dataclass(frozen=True)
class MetricAgreement:
    """The metric's yes or no beside the person's, where the person could tell.

    Attributes:
        both: Answers that both accept.
        false_positives: That the metric alone accepts.
        false_negatives: That the person alone accepts.
        neither: That none accepts.
        rate: The share on which they agree.
        kappa: Cohen's kappa.
        false_positive_rate: The share of what the person rejects that the metric accepts.
        false_negative_rate: The share of what the person accepts that the metric rejects.
    """

    both: int
    false_positives: int
    false_negatives: int
    neither: int
    rate: Estimate
    kappa: Estimate
    false_positive_rate: Estimate
    false_negative_rate: Estimate


@dataclass(frozen=True)
class RunShares:
    """Shares of all scored fields of the run, reckoned from those that were judged.

    A judged field stands for as many fields of the run as there are of its task and kind for each that was judged.
    Intervals take these weights for given.

    Attributes:
        covered: The share of the run's scored fields that are of a task and kind of which something was judged: all
            that the others speak of.
        categories: Category -> its share.
        correct: As in ``ReviewNumbers``.
        metric: As in ``ReviewNumbers``.
        rate: The share on which metric and person agree, where the person could tell.
    """

    covered: float
    categories: Mapping[Category, Estimate]
    correct: Estimate
    metric: Estimate
    rate: Estimate


@dataclass(frozen=True)
class ReviewNumbers:
    """What one reviewer's verdicts, or what all agree on, come to.

    Attributes:
        reviewer: Whose; empty for all of them together.
        judged: Fields.
        categories: Category -> its answers.
        correct: The share of correct answers among those that could be read and judged.
        metric: The mean score of the same answers.
        agreement: Of metric and person.
        with_right_labels: The same without the fields whose labels the person holds wrong.
        kinds: Kind of field -> the agreement on it.
        in_run: Shares of the whole run.
    """

    reviewer: str
    judged: int
    categories: Mapping[Category, CategoryNumbers]
    correct: Estimate
    metric: Estimate
    agreement: MetricAgreement
    with_right_labels: MetricAgreement
    kinds: Mapping[str, MetricAgreement]
    in_run: RunShares


@dataclass(frozen=True)
class ReviewerAgreement:
    """Two reviewers on the fields that both have judged.

    Attributes:
        first: One.
        second: The other.
        fields: How many both have judged.
        rate: The share on which they say the same of the answer.
        kappa: Cohen's kappa over the verdicts.
    """

    first: str
    second: str
    fields: int
    rate: Estimate
    kappa: Estimate


@dataclass(frozen=True)
class ReviewResults:
    """All of it. Intervals are of 95 per cent, over tasks like these.

    Attributes:
        profile: The metric's scoring profile.
        threshold: The score from which on the metric accepts.
        drawn: Fields that were drawn.
        reviewers: What each reviewer's verdicts come to.
        together: What all come to on the fields on which those who judged them say the same; None with one reviewer.
        disputed: Fields on which they do not.
        between: The reviewers, two by two.
    """

    profile: str
    threshold: float
    drawn: int
    reviewers: tuple[ReviewNumbers, ...]
    together: ReviewNumbers | None
    disputed: int
    between: tuple[ReviewerAgreement, ...]


def beside_scores(
    reviews: Sequence[Verdicts], scores: Mapping[tuple[str, int, str | None], tuple[str, float, float]]
) -> list[ReviewedField]:
    """Put verdicts beside scores.

    Args:
        reviews: A file of verdicts for each reviewer.
        scores: Task, index and field -> kind, score and ceiling.
    """
    return [
        ReviewedField(each, verdicts.judge.name, *scores[each.place])
        for verdicts in reviews
        for each in verdicts.verdicts
    ]


def review_results(
    rows: Sequence[ReviewedField], strata: Mapping[Stratum, int], *, profile: str, drawn: int, threshold: float
) -> ReviewResults:
    """What verdicts come to.

    Args:
        rows: Of all reviewers.
        strata: How many scored fields the run has of each task and kind.
        profile: The scoring profile of the scores.
        drawn: How many fields were drawn.
        threshold: The score from which on the metric accepts.
    """
    numbers = partial(_numbers, strata=strata, threshold=threshold)
    names = list(dict.fromkeys(row.reviewer for row in rows))
    by_place: dict[tuple[str, int, str | None], list[ReviewedField]] = {}
    for row in rows:
        by_place.setdefault(row.verdict.place, []).append(row)
    agreed = [found[0] for found in by_place.values() if len({row.category for row in found}) == 1]
    return ReviewResults(
        profile=profile,
        threshold=threshold,
        drawn=drawn,
        reviewers=tuple(numbers(name, [row for row in rows if row.reviewer == name]) for name in names),
        together=numbers("", agreed) if len(names) > 1 else None,
        disputed=len(by_place) - len(agreed),
        between=tuple(_between(first, second, list(by_place.values())) for first, second in combinations(names, 2)),
    )


def _numbers(
    reviewer: str, rows: Sequence[ReviewedField], *, strata: Mapping[Stratum, int], threshold: float
) -> ReviewNumbers:
    read = _read(rows)
    return ReviewNumbers(
        reviewer=reviewer,
        judged=len(rows),
        categories={each: _category(each, rows, threshold) for each in CATEGORIES},
        correct=_share(read, lambda row: row.person_accepts),
        metric=_mean(read, [row.score for row in read]),
        agreement=_agreement(rows, threshold),
        with_right_labels=_agreement([row for row in rows if row.verdict.labels != "wrong"], threshold),
        kinds={
            kind: _agreement([row for row in rows if row.kind == kind], threshold)
            for kind in sorted({row.kind for row in rows})
        },
        in_run=_in_run(rows, strata, threshold),
    )


def _in_run(rows: Sequence[ReviewedField], strata: Mapping[Stratum, int], threshold: float) -> RunShares:
    judged = Counter(row.stratum for row in rows)
    stands_for = {stratum: strata[stratum] / number for stratum, number in judged.items()}

    def mean(of: Sequence[ReviewedField], value: Callable[[ReviewedField], float]) -> Estimate:
        return _mean(of, [value(row) for row in of], [stands_for[row.stratum] for row in of])

    read = _read(rows)
    return RunShares(
        covered=sum(strata[stratum] for stratum in judged) / max(sum(strata.values()), 1),
        categories={each: mean(rows, partial(_is_of, each)) for each in CATEGORIES},
        correct=mean(read, lambda row: float(row.person_accepts)),
        metric=mean(read, lambda row: row.score),
        rate=mean(
            [row for row in rows if row.is_decided],
            lambda row: float(row.metric_accepts(threshold) == row.person_accepts),
        ),
    )


def _is_of(category: Category, row: ReviewedField) -> float:
    return float(row.category == category)


def _read(rows: Sequence[ReviewedField]) -> list[ReviewedField]:
    """The answers that could be read and judged."""
    return [row for row in rows if row.is_decided and row.answer != "parse_error"]


def _category(category: Category, rows: Sequence[ReviewedField], threshold: float) -> CategoryNumbers:
    found = [row for row in rows if row.category == category]
    return CategoryNumbers(
        fields=len(found),
        share=_share(rows, lambda row: row.category == category),
        accepted=sum(row.metric_accepts(threshold) for row in found),
        score=sum(row.score for row in found) / len(found) if found else None,
    )


def _agreement(rows: Sequence[ReviewedField], threshold: float) -> MetricAgreement:
    decided = [row for row in rows if row.is_decided]
    metric = [row.metric_accepts(threshold) for row in decided]
    person = [row.person_accepts for row in decided]
    pairs = list(zip(metric, person, strict=True))
    return MetricAgreement(
        both=pairs.count((True, True)),
        false_positives=pairs.count((True, False)),
        false_negatives=pairs.count((False, True)),
        neither=pairs.count((False, False)),
        rate=_mean(decided, [float(one == other) for one, other in pairs]),
        kappa=cohens_kappa(np.array(metric, dtype=int), np.array(person, dtype=int), _tasks(decided)),
        false_positive_rate=_share(
            [row for row in decided if not row.person_accepts], lambda row: row.metric_accepts(threshold)
        ),
        false_negative_rate=_share(
            [row for row in decided if row.person_accepts], lambda row: not row.metric_accepts(threshold)
        ),
    )


def _between(first: str, second: str, places: Sequence[Sequence[ReviewedField]]) -> ReviewerAgreement:
    pairs = []
    for rows in places:
        by = {row.reviewer: row for row in rows}
        if first in by and second in by:
            pairs.append((by[first], by[second]))
    ones = [one for one, _ in pairs]
    codes = [[ANSWER_VERDICTS.index(row.answer) for row in side] for side in (ones, [two for _, two in pairs])]
    return ReviewerAgreement(
        first=first,
        second=second,
        fields=len(pairs),
        rate=_mean(ones, [float(one == other) for one, other in zip(*codes, strict=True)]),
        kappa=cohens_kappa(codes[0], codes[1], _tasks(ones)),
    )


def _tasks(rows: Sequence[ReviewedField]) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    names = sorted({row.verdict.task for row in rows})
    return np.array([names.index(row.verdict.task) for row in rows], dtype=np.int64)


def _share(rows: Sequence[ReviewedField], holds: Callable[[ReviewedField], bool]) -> Estimate:
    return _mean(rows, [float(holds(row)) for row in rows])


def _mean(rows: Sequence[ReviewedField], values: Sequence[float], weights: Sequence[float] | None = None) -> Estimate:
    """The mean over fields, with tasks as clusters: fields of one task go together."""
    counts = np.ones(len(values)) if weights is None else np.array(weights, dtype=float)
    return mean_of_items(np.array(values, dtype=float) * counts, counts, _tasks(rows))
