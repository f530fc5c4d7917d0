"""How well yes-or-no verdicts agree with the truth, for items that come in clusters."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray

from harness.kit.statistics.clustered import LEVEL, EstimationOptions, mean_of_items_many
from harness.kit.statistics.estimate import Estimate
from harness.kit.statistics.jackknife import cohens_kappa

UNREAD = -1
"""A verdict that could not be read, among those that are 0 (failure) or 1 (success)."""


@dataclass(frozen=True)
class VerdictCounts:
    """How many items have which truth and which verdict.

    Attributes:
        true_positives: Both say success.
        false_positives: The verdict alone does.
        false_negatives: The truth alone does, and the verdict says failure.
        true_negatives: Both say failure.
        unread_positives: The truth says success, and no verdict could be read.
        unread_negatives: The truth says failure, and no verdict could be read.
    """

    true_positives: int
    false_positives: int
    false_negatives: int
    true_negatives: int
    unread_positives: int
    unread_negatives: int

    @property
    def items(self) -> int:
        """All of them."""
        return sum(getattr(self, each.name) for each in fields(self))

    @property
    def unread(self) -> int:
        """Those without a verdict that could be read."""
        return self.unread_positives + self.unread_negatives


@dataclass(frozen=True)
class VerdictAgreement:
    """Verdicts against the truth, each number with its interval; a verdict that could not be read agrees with nothing.

    Attributes:
        counts: What the numbers are made of.
        truth_rate: The share of successes by the truth.
        verdict_rate: The share of verdicts that say success; one that could not be read says none.
        agreement: The share of items on which both say the same.
        precision: Of the verdicts that say success, the share that is right.
        recall: Of the successes, the share of which the verdict says so.
        f1: The harmonic mean of precision and recall.
        negative_predictive_value: Of the verdicts that say failure, the share that is right.
        true_negative_rate: Of the failures, the share of which the verdict says so.
        kappa: Cohen's, where what could not be read is a category of its own.
    """

    counts: VerdictCounts
    truth_rate: Estimate
    verdict_rate: Estimate
    agreement: Estimate
    precision: Estimate
    recall: Estimate
    f1: Estimate
    negative_predictive_value: Estimate
    true_negative_rate: Estimate
    kappa: Estimate


def count_verdicts(truth: ArrayLike, verdicts: ArrayLike) -> VerdictCounts:
    """Count which verdicts stand against which truth.

    Args:
        truth: Of each item 1 for success, 0 for failure.
        verdicts: Of each item the same by the judge, or ``UNREAD``.

    Raises:
        ValueError: the arrays differ in length, or hold anything else.
    """
    yes, said = _checked(truth, verdicts)
    return VerdictCounts(*(int(part.sum()) for part in _parts(yes, said)))


def verdict_agreement(
    truth: ArrayLike, verdicts: ArrayLike, clusters: ArrayLike, **how: Unpack[EstimationOptions]
) -> VerdictAgreement:
    """Hold verdicts against the truth.

    Every number but kappa is one ratio of totals over items, so that one bootstrap over clusters serves them all: a
    task on which five agents were judged is one cluster of five items.

    Args:
        truth: Of each item 1 for success, 0 for failure.
        verdicts: Of each item the same by the judge, or ``UNREAD``.
        clusters: The cluster (task) of each item, as any integer.
        **how: See ``EstimationOptions``; bounds are those of shares.

    Returns:
        The numbers, from 0 to 1 (kappa from -1); without a value where nothing was there to divide by.

    Raises:
        ValueError: the arrays differ in length, or hold anything else.
    """
    yes, said = _checked(truth, verdicts)
    codes = np.asarray(clusters)
    tp, fp, fn, tn, lost_yes, lost_no = _parts(yes, said)
    all_items = np.ones_like(tp)
    ratios = [
        (yes.astype(np.float64), all_items),
        (tp + fp, all_items),
        (tp + tn, all_items),
        (tp, tp + fp),
        (tp, tp + fn + lost_yes),
        (2 * tp, 2 * tp + fp + fn + lost_yes),
        (tn, tn + fn),
        (tn, tn + fp + lost_no),
    ]
    numerators, denominators = (np.stack(side, axis=1) for side in zip(*ratios, strict=True))
    shares = mean_of_items_many(numerators, denominators, codes, **how)
    unread_category = 2
    categories = np.where(said == UNREAD, unread_category, said)
    kappa = cohens_kappa(yes, categories, codes, level=how.get("level", LEVEL))
    truth_rate, verdict_rate, agreed, precision, recall, f1, right_failures, found_failures = shares
    return VerdictAgreement(
        counts=count_verdicts(yes, said),
        truth_rate=truth_rate,
        verdict_rate=verdict_rate,
        agreement=agreed,
        precision=precision,
        recall=recall,
        f1=f1,
        negative_predictive_value=right_failures,
        true_negative_rate=found_failures,
        kappa=kappa,
    )


def _checked(truth: ArrayLike, verdicts: ArrayLike) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    yes, said = (np.asarray(each, dtype=np.int64) for each in (truth, verdicts))
    if yes.ndim != 1 or yes.shape != said.shape:
        raise ValueError(f"a truth and a verdict per item are needed, not {yes.shape} and {said.shape}")
    if not np.isin(yes, (0, 1)).all() or not np.isin(said, (UNREAD, 0, 1)).all():
        raise ValueError(f"a truth is 0 or 1, and a verdict 0, 1 or {UNREAD}")
    return yes, said


def _parts(yes: NDArray[np.int64], said: NDArray[np.int64]) -> tuple[NDArray[np.float64], ...]:
    """Of each item 1 in one of the six arrays, in the order of ``VerdictCounts``."""
    kinds = ((1, 1), (0, 1), (1, 0), (0, 0), (1, UNREAD), (0, UNREAD))
    return tuple(((yes == truth) & (said == verdict)).astype(np.float64) for truth, verdict in kinds)
