"""What a requester wants to know of all items in the end, from an agent's answers to all and people's to some.

Of a choice that is the share of items with each answer, of numbers their mean. The agent's answers alone are biased by
its mistakes. Prediction-powered inference (docs/explanation/statistics.md) takes the bias out with the items that
people answered, too, and has a narrower interval than these alone where the agent is often right.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from harness.analysis.replacement.answers import AnsweredField, AnsweredItem
from harness.catalog.kinds import CHOICES, TEXTS
from harness.catalog.labels import number
from harness.kit.statistics.bootstrap import Floats
from harness.kit.statistics.clustered import mean_of_one
from harness.kit.statistics.estimate import Estimate
from harness.kit.statistics.prediction_powered import corrected_mean
from harness.scoring.leave_one_out import values_of

MOST_ANSWERS = 6
"""Answers of a choice that are told of, the most frequent ones."""
MIN_LABELLED = 10
"""With fewer items that people answered, nothing is estimated."""


@dataclass(frozen=True)
class Quantity:
    """The share of items with an answer, or the mean of a number.

    Attributes:
        field: The field.
        answer: The answer whose share it is; empty of a mean.
        agent: The agent's alone, over all items.
        people: From the items alone that people answered.
        both: From all: the agent's, corrected by people's.
        labelled: Items that people answered.
        items: All.
        worth: How many people's answers one is worth where an agent answers all items, if these are many: 1 if the
            agent is of no use. None if that is not known.
    """

    field: str
    answer: str
    agent: float
    people: Estimate
    both: Estimate
    labelled: int
    items: int
    worth: float | None


def quantities(items: Sequence[AnsweredItem]) -> list[Quantity]:
    """Estimate all that can be estimated of one task's fields. Texts that are no numbers have no mean."""
    found = []
    of_field: dict[str, list[AnsweredField]] = {}
    for item in items:
        for each in item.fields:
            of_field.setdefault(each.name, []).append(each)
    for name, fields in of_field.items():
        for answer, truth, said in _columns(fields):
            known = ~np.isnan(truth)
            if known.sum() >= MIN_LABELLED:
                found.append(_quantity(name, answer, truth, said, known))
    return found


def _quantity(
    name: str, answer: str, truth: Floats, said: Floats, known: np.ndarray[tuple[int], np.dtype[np.bool_]]
) -> Quantity:
    both = np.concatenate([truth[known], said])
    least, most = (0.0, 1.0) if answer else (float(both.min()), float(both.max()))
    width = (most - least) or 1.0
    people = mean_of_one((truth[known] - least) / width)
    corrected = corrected_mean((truth - least) / width, (said - least) / width, np.arange(len(truth))).estimate
    return Quantity(
        field=name,
        answer=answer,
        agent=float(said.mean()),
        people=_scaled(people, least, width),
        both=_scaled(corrected, least, width),
        labelled=int(known.sum()),
        items=len(truth),
        worth=_worth(truth[known], said[known]),
    )


def _scaled(estimate: Estimate, least: float, width: float) -> Estimate:
    def back(value: float | None) -> float | None:
        return None if value is None else least + width * value

    return Estimate(
        back(estimate.value),
        back(estimate.low),
        back(estimate.high),
        estimate.clusters,
        estimate.items,
        estimate.method,
    )


def _worth(truth: Floats, said: Floats) -> float | None:
    """One over what is left of the variance of people's answers once the agent's are known."""
    if np.ptp(truth) == 0 or np.ptp(said) == 0:
        return None
    correlation = float(np.corrcoef(truth, said)[0, 1])
    return 1 / max(1 - correlation**2, 1e-3) if correlation > 0 else 1.0


def _columns(fields: Sequence[AnsweredField]) -> Iterator[tuple[str, Floats, Floats]]:
    """Answer, what people say of each item (NaN where they say nothing), and what the agent says."""
    given = [
        [
            values
            for label in each.labels
            if (values := values_of(label, each.kind, each.options)) or each.kind == "checkbox"
        ]
        for each in fields
    ]
    if fields[0].kind in CHOICES:
        votes = Counter(value for each in given for values in each for value in values)
        for answer, _ in votes.most_common(MOST_ANSWERS):
            truth = [np.mean([answer in values for values in each]) if each else np.nan for each in given]
            yield answer, np.array(truth), np.array([float(answer in each.sent) for each in fields])
        return
    numbers = [[_number(values[0]) for values in each if values] for each in given]
    sent = [_number(each.sent[0]) if each.sent else None for each in fields]
    is_text = fields[0].kind in TEXTS
    if any(value is None for each in numbers for value in each) or (is_text and not any(numbers)):
        return
    kept = [at for at, value in enumerate(sent) if value is not None]
    if len(kept) == len(sent):
        means = [np.mean([value for value in each if value is not None]) if each else np.nan for each in numbers]
        yield "", np.array(means), np.array([value for value in sent if value is not None])


def _number(text: str) -> float | None:
    found = number(text)
    return None if found is None else float(found)
