"""Scores of one episode: field by field, and the instance's own, with its ceiling and its floors.

Pure: it needs the episode's record and a profile, no browser and no task files, so that a run can be scored again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from harness.catalog.kinds import TASK_KINDS, TEXTS, TYPED
from harness.records.episode import Episode, FieldRecord
from harness.records.site_record import SiteRecord
from harness.scoring.answers.columns import SCORED
from harness.scoring.leave_one_out import mean_score, scores_of, workers_of
from harness.scoring.metrics import FieldScore, Profile


@dataclass(frozen=True)
class ScoredField:
    """A field with its score.

    Attributes:
        record: The field.
        score: Of what was sent.
        do_nothing: Of what the untouched form sends.
        constant: Of the most frequent answer of the task's other instances.
        copy: Of the longest input, for a text; of what the untouched form sends, for any other field.
    """

    record: FieldRecord
    score: FieldScore
    do_nothing: FieldScore
    constant: FieldScore
    copy: FieldScore


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
        copy: The same mean for the longest input in every text.
        untied: The mean over fields that no tie of votes decides; None if there are none.
    """

    episode: Episode
    fields: tuple[ScoredField, ...]
    score: float | None
    ceiling: float | None
    do_nothing: float | None
    constant: float | None
    copy: float | None
    untied: float | None


def score_episode(episode: Episode, profile: Profile) -> InstanceScore:
    """Score an episode. After a harness error there is nothing to score: every number is None."""
    if episode.outcome == "harness_error":
        return InstanceScore(episode, (), None, None, None, None, None, None)
    made: InstanceScore = TASK_KINDS.find(episode.kind).score(episode, profile)
    return made


def score_form(episode: Episode, profile: Profile) -> InstanceScore:
    """The score of a form that came to its end, with its floors: means over its fields."""
    fields = score_workers(episode, profile) if episode.answered_by == "workers" else score_fields(episode, profile)
    return InstanceScore(
        episode=episode,
        fields=tuple(fields),
        score=_mean(fields, profile, lambda field: field.score),
        ceiling=_mean(fields, profile, _ceiling),
        do_nothing=_mean(fields, profile, lambda field: field.do_nothing),
        constant=_mean(fields, profile, lambda field: field.constant),
        copy=_mean(fields, profile, lambda field: field.copy),
        untied=_mean([field for field in fields if not field.score.tied], profile, lambda field: field.score),
    )


def score_site(episode: Episode, site: SiteRecord) -> InstanceScore:
    """The score of an episode on a website: its main evaluator's, whatever the profile; it has no floors of fields."""
    main = site.main
    score = main.score if main else None
    return InstanceScore(
        episode=episode,
        fields=(),
        score=score,
        ceiling=None if score is None else 1.0,
        do_nothing=main.floor if main else None,
        constant=None,
        copy=None,
        untied=score,
    )


def scored_records(episode: Episode, profile: Profile) -> list[FieldRecord]:
    """The fields of an episode that have a score, in order: as ``score_episode`` finds them, and much faster."""
    if episode.outcome == "harness_error":
        return []
    if episode.answered_by == "workers":
        return [field.record for field in score_workers(episode, profile)]
    return [field for field in counted(episode.fields, profile) if _has_score(field, episode, profile)]


def _has_score(field: FieldRecord, episode: Episode, profile: Profile) -> bool:
    # Whether a text has a score is up to its labels alone; the score itself is what takes long.
    answers: set[tuple[str, ...]] = {()}
    if field.kind not in TEXTS:
        answers = {field.sent, field.untouched, field.constant, copied_into(field, episode.longest_input)}
    return all(profile.score_field(field.kind, field.options, field.labels, values) for values in answers)


def score_fields(episode: Episode, profile: Profile) -> list[ScoredField]:
    """Score what was sent in the fields that count under the profile."""
    found = []
    for field in counted(episode.fields, profile):
        answers = (field.sent, field.untouched, field.constant, copied_into(field, episode.longest_input))
        four = scores_of(profile, (field.kind, field.options, field.labels), answers)
        if scored := _scored_field(field, *four):
            found.append(scored)
    return found


def score_workers(episode: Episode, profile: Profile) -> list[ScoredField]:
    """Score each worker's answers against those of the others, and the floors on the same labels.

    Fields are left out whose instance has fewer than two workers.
    """
    found = []
    workers = workers_of(episode.fields)
    for field in counted(episode.fields, profile):
        given = (None, field.untouched, field.constant, copied_into(field, episode.longest_input))
        four = (mean_score(profile, field, workers, values) for values in given)
        if scored := _scored_field(field, *four):
            found.append(scored)
    return found


def counted(fields: Sequence[FieldRecord], profile: Profile) -> list[FieldRecord]:
    """The fields that are scored, and that the profile looks at."""
    return [field for field in fields if field.status == SCORED and (field.visible or profile.scores_invisible)]


def copied_into(field: FieldRecord, longest_input: str) -> tuple[str, ...]:
    """What a field sends once the longest input has been copied into every text."""
    return (longest_input,) if field.kind in TYPED and field.visible and longest_input else field.untouched


def _scored_field(
    field: FieldRecord,
    score: FieldScore | None,
    nothing: FieldScore | None,
    constant: FieldScore | None,
    copied: FieldScore | None,
) -> ScoredField | None:
    if score and nothing and constant and copied:
        return ScoredField(field, score, nothing, constant, copied)
    return None


def _ceiling(field: ScoredField) -> FieldScore:
    score = field.score
    ceiling = score.ceiling
    if score.score == ceiling:
        return score
    return FieldScore(ceiling, ceiling, score.agreement, score.tied, score.explanation)


def _mean(fields: Sequence[ScoredField], profile: Profile, which: Callable[[ScoredField], FieldScore]) -> float | None:
    return profile.instance_score([(field.record.kind, which(field)) for field in fields])
