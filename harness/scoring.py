"""Scores of one episode: field by field, and the instance's own, with its ceiling and its floors.

Pure: it needs the episode's record and a profile, no browser and no task files, so that a run can be scored again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from harness.answers import SCORED
from harness.episode import Episode, FieldRecord
from harness.metrics import FieldScore, Profile


@dataclass(frozen=True)
class ScoredField:
    """A field with its score.

    Attributes:
        record: The field.
        score: Of what was sent.
        do_nothing: Of what the untouched form sends.
        constant: Of the most frequent answer of the task's other instances.
    """

    record: FieldRecord
    score: FieldScore
    do_nothing: FieldScore
    constant: FieldScore


@dataclass(frozen=True)
class InstanceScore:
    """An instance's score under one profile.

    Attributes:
        episode: What happened.
        fields: Its scored fields.
        score: Mean over them; None if none is scored, or after a harness error.
        ceiling: The same mean of the fields' ceilings: what the labels allow.
        do_nothing: The same mean for the untouched form.
        constant: The same mean for the most frequent answers of the task's other instances.
        untied: The mean over fields that no tie of votes decides; None if there are none.
    """

    episode: Episode
    fields: tuple[ScoredField, ...]
    score: float | None
    ceiling: float | None
    do_nothing: float | None
    constant: float | None
    untied: float | None


def score_episode(episode: Episode, profile: Profile) -> InstanceScore:
    """Score an episode. After a harness error there is nothing to score: every number is None."""
    if episode.outcome == "harness_error":
        return InstanceScore(episode, (), None, None, None, None, None)
    fields = score_fields(episode.fields, profile)
    return InstanceScore(
        episode=episode,
        fields=tuple(fields),
        score=_mean(fields, profile, lambda field: field.score),
        ceiling=_mean(fields, profile, _ceiling),
        do_nothing=_mean(fields, profile, lambda field: field.do_nothing),
        constant=_mean(fields, profile, lambda field: field.constant),
        untied=_mean([field for field in fields if not field.score.tied], profile, lambda field: field.score),
    )


def score_fields(fields: Sequence[FieldRecord], profile: Profile) -> list[ScoredField]:
    """Score the fields that count under the profile."""
    found = []
    for field in fields:
        if field.status != SCORED or not (field.visible or profile.scores_invisible):
            continue
        # What was sent is often one of the floors.
        scores = {
            values: profile.score_field(field.kind, field.options, field.labels, values)
            for values in {field.sent, field.untouched, field.constant}
        }
        score, nothing, constant = scores[field.sent], scores[field.untouched], scores[field.constant]
        if score and nothing and constant:
            found.append(ScoredField(field, score, nothing, constant))
    return found


def _ceiling(field: ScoredField) -> FieldScore:
    score = field.score
    return score if score.score == score.ceiling else replace(score, score=score.ceiling)


def _mean(fields: Sequence[ScoredField], profile: Profile, which: Callable[[ScoredField], FieldScore]) -> float | None:
    return profile.instance_score([(field.record.kind, which(field)) for field in fields])
