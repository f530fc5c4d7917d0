"""Workers scored against the other workers of their instance, and answers on the same sets of labels.

A worker faces one label less than a solver does, and a vote or a best match with fewer labels is harder to meet. So a
solver stands beside the workers only once it is scored on the same sets of labels: with each worker left out in turn.
"""

from __future__ import annotations

import random
from collections.abc import Hashable, Sequence
from functools import lru_cache
from typing import TypeAlias, cast

from harness.catalog.kinds import CHOICES
from harness.catalog.labels import clean, is_blank, match_option, ticked
from harness.kit.text import counted
from harness.records.episode import FieldRecord
from harness.scoring.metrics import FieldScore, Profile

MOST_WORKERS = 30
"""Workers of an instance who are left out in turn; a few instances of the benchmark have up to 1,097."""

Values: TypeAlias = tuple[str, ...]
Asked: TypeAlias = tuple[str, Values, Values]
"""Kind, options and labels of a field."""
_MOST_REMEMBERED = 1 << 14


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
    return _own_answers(field.kind, field.options, field.labels, workers)


def _own_answers(kind: str, options: Values, labels: Values, workers: Sequence[int]) -> dict[int, Values]:
    cells = dict(enumerate(labels))
    return {worker: values_of(cells.get(worker, ""), kind, options) for worker in workers}


def mean_score(
    profile: Profile, field: FieldRecord, workers: tuple[int, ...], values: Values | None = None
) -> FieldScore | None:
    """The mean score of answers on the labels that are left when a worker is left out.

    Args:
        profile: The rules.
        field: The field with its labels.
        workers: Workers (rows of the labels) who are left out, each in turn.
        values: The answer that is scored on the labels of the others; None for that of each worker who is left out.

    Returns:
        Means of score, ceiling and agreement; tied if a tie decides any of them. None if fewer than two workers are
        given, or if the others' labels never score the field. Whether they do depends on labels alone, so that a
        solver's mean is over the same sets as the workers'.
    """
    if len(workers) < 2:
        return None
    mean = _remembered_mean if field.kind in CHOICES else _mean_score
    return mean(cast("Hashable", profile), (field.kind, field.options, field.labels), workers, values)


def _mean_score(profile: Hashable, asked: Asked, workers: tuple[int, ...], values: Values | None) -> FieldScore | None:
    kind, options, labels = asked
    given = _own_answers(kind, options, labels, workers) if values is None else dict.fromkeys(workers, values)
    known: dict[tuple[Values, Values], FieldScore | None] = {}
    scores = []
    for worker, answer in given.items():
        others = labels[:worker] + labels[worker + 1 :]
        key = (others, answer)
        if key not in known:
            known[key] = scores_of(cast("Profile", profile), (kind, options, others), (answer,))[0]
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


_remembered_mean = lru_cache(maxsize=_MOST_REMEMBERED)(_mean_score)


def score_apart(profile: Profile, field: FieldRecord, worker: int, values: Values) -> FieldScore | None:
    """The score of an answer on the labels of all workers but one; None if these do not score the field."""
    others = field.labels[:worker] + field.labels[worker + 1 :]
    return scores_of(profile, (field.kind, field.options, others), (values,))[0]


def scores_of(profile: Profile, asked: Asked, answers: tuple[Values, ...]) -> tuple[FieldScore | None, ...]:
    """The scores of several answers to one question, as the profile says.

    Votes on few options come again and again, and are remembered; texts hardly ever do, and are long.

    Args:
        profile: The rules.
        asked: The question with its labels.
        answers: What was sent, or would be.
    """
    scores = _remembered_scores if asked[0] in CHOICES else _scores_of
    return scores(cast("Hashable", profile), asked, answers)


def _scores_of(profile: Hashable, asked: Asked, answers: tuple[Values, ...]) -> tuple[FieldScore | None, ...]:
    score = cast("Profile", profile).score_field
    scores = {values: score(*asked, values) for values in dict.fromkeys(answers)}
    return tuple(scores[values] for values in answers)


_remembered_scores = lru_cache(maxsize=_MOST_REMEMBERED)(_scores_of)
