"""Workers scored against the other workers of their instance, and answers on the same sets of labels.

A worker faces one label less than a solver does, and a vote or a best match with fewer labels is harder to meet. So a
solver stands beside the workers only once it is scored on the same sets of labels: with each worker left out in turn.
"""

from __future__ import annotations

import random
from collections.abc import Hashable, Mapping, Sequence
from functools import lru_cache
from typing import cast

from harness.catalog.kinds import CHOICES
from harness.catalog.labels import clean, is_blank, match_option, ticked
from harness.kit.text import counted
from harness.records.episode import FieldRecord
from harness.scoring.metrics import FieldScore, Profile

MOST_WORKERS = 30
"""Workers of an instance who are left out in turn; a few instances of the benchmark have up to 1,097."""

Values = tuple[str, ...]


def workers_of(fields: Sequence[FieldRecord]) -> tuple[int, ...]:
    """The rows of an instance's labels whose worker answered anything.

    Args:
        fields: The fields of one episode, those that are not scored included.

    Returns:
        Rows in order; of more than ``MOST_WORKERS`` a draw that is the same each time.
    """
    answered = answered_rows(fields)
    if len(answered) > MOST_WORKERS:
        chance = random.Random(len(answered))  # noqa: S311 - a draw, not a secret
        answered = sorted(chance.sample(answered, MOST_WORKERS))
    return tuple(answered)


def answered_rows(fields: Sequence[FieldRecord]) -> list[int]:
    """All rows of an instance's labels whose worker answered anything, in order."""
    columns = [field.labels for field in fields]
    rows = range(max(map(len, columns), default=0))
    return [row for row in rows if any(row < len(cells) and not is_blank(cells[row]) for cells in columns)]


def values_of(label: str, kind: str, options: Sequence[str]) -> Values:
    """What a form would send whose field holds a worker's answer.

    Args:
        label: The raw cell.
        kind: The field's kind.
        options: Its options' values.

    Returns:
        The values; none for a blank. A label that no option matches stays as it is written.
    """
    if kind in {"checkbox", "select"}:
        return tuple(sorted(ticked(label, options)))
    if is_blank(label):
        return ()
    return (match_option(label, options) or clean(label),)


def own_answers(field: FieldRecord, workers: Sequence[int]) -> dict[int, Values]:
    """Worker -> what they themselves would have sent; of one for whom the field has no row, as of a blank one."""
    cells = dict(enumerate(field.labels))
    return {worker: values_of(cells.get(worker, ""), field.kind, field.options) for worker in workers}


def mean_score(profile: Profile, field: FieldRecord, given: Mapping[int, Values]) -> FieldScore | None:
    """The mean score of answers on the labels that are left when a worker is left out.

    Args:
        profile: The rules.
        field: The field with its labels.
        given: Worker (row of the labels) who is left out -> the answer that is scored on the labels of the others.

    Returns:
        Means of score, ceiling and agreement; tied if a tie decides any of them. None if fewer than two workers are
        given, or if the others' labels never score the field. Whether they do depends on labels alone, so that a
        solver's mean is over the same sets as the workers'.
    """
    if len(given) < 2:
        return None
    known: dict[tuple[Values, Values], FieldScore | None] = {}
    scores = []
    for worker, values in given.items():
        others = field.labels[:worker] + field.labels[worker + 1 :]
        key = (others, values)
        if key not in known:
            known[key] = _score(profile, field.kind, field.options, others, values)
        if score := known[key]:
            scores.append(score)
    if not scores:
        return None
    agreements = [score.agreement for score in scores if score.agreement is not None]
    return FieldScore(
        score=sum(score.score for score in scores) / len(scores),
        ceiling=sum(score.ceiling for score in scores) / len(scores),
        agreement=sum(agreements) / len(agreements) if agreements else None,
        tied=any(score.tied for score in scores),
        explanation=f"mean of {counted(len(scores), 'worker')}, each against the others",
    )


def score_apart(profile: Profile, field: FieldRecord, worker: int, values: Values) -> FieldScore | None:
    """The score of an answer on the labels of all workers but one; None if these do not score the field."""
    others = field.labels[:worker] + field.labels[worker + 1 :]
    return _score(profile, field.kind, field.options, others, values)


def _score(profile: Profile, kind: str, options: Values, labels: Values, sent: Values) -> FieldScore | None:
    """As the profile says. Votes on few options come again and again; texts hardly ever do, and are long."""
    if kind in CHOICES:
        return _remembered(cast("Hashable", profile), kind, options, labels, sent)
    return profile.score_field(kind, options, labels, sent)


@lru_cache(maxsize=1 << 14)
def _remembered(profile: Profile, kind: str, options: Values, labels: Values, sent: Values) -> FieldScore | None:
    return profile.score_field(kind, options, labels, sent)
