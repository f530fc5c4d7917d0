"""Why a field has its score, and why another has none."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from harness.catalog.labels import is_blank
from harness.records.episode import Episode, FieldRecord
from harness.reports.watch.comparisons import Comparison, compare
from harness.scoring.answers.columns import SCORED
from harness.scoring.leave_one_out import own_answers, workers_of
from harness.scoring.metrics import FieldScore, Profile
from harness.scoring.scores import InstanceScore, ScoredField, score_episode

BLANK = ""
"""Stands for every way to leave a cell blank, where labels are counted."""


@dataclass(frozen=True)
class WorkerScore:
    """What one worker gave, scored on the labels of the others.

    Attributes:
        row: The worker's row among the labels, from 0.
        answer: What a form would have sent.
        score: On the labels of the others; None if these score nothing.
    """

    row: int
    answer: tuple[str, ...]
    score: float | None


@dataclass(frozen=True)
class FieldExplanation:
    """A field with its answer, its labels and its score.

    Attributes:
        record: The field.
        labels: What workers answered, the most frequent first, each with how many did; blank is ``BLANK``.
        score: Its score; None if it has none.
        scored: The score with the floors; None if it has none.
        why_not: Why it has no score, in words; empty if it has one.
        comparison: What the answer was compared with; None without a score, where workers are scored, and under a
            profile of which that is not known (``harness.reports.watch.comparisons``).
        workers: Of a run of the workers themselves, each of them.
    """

    record: FieldRecord
    labels: tuple[tuple[str, int], ...]
    score: FieldScore | None
    scored: ScoredField | None
    why_not: str
    comparison: Comparison | None
    workers: tuple[WorkerScore, ...] = ()

    @property
    def untouched(self) -> bool:
        """Whether the form sends the same if nobody touches it."""
        return self.record.sent == self.record.untouched


@dataclass(frozen=True)
class EpisodeExplanation:
    """The score of an episode, field by field.

    Attributes:
        profile: The name of the profile.
        instance: The score.
        fields: All fields, in the order of the record.
    """

    profile: str
    instance: InstanceScore
    fields: tuple[FieldExplanation, ...]


def explain(episode: Episode, profile: Profile) -> EpisodeExplanation:
    """Say why each field of an episode has its score under a profile."""
    instance = score_episode(episode, profile)
    # By the record itself: two fields of one page can have one name.
    scored = {id(field.record): field for field in instance.fields}
    workers = workers_of(episode.fields) if episode.answered_by == "workers" else None
    fields = tuple(_explained(episode, each, scored.get(id(each)), profile, workers) for each in episode.fields)
    return EpisodeExplanation(profile.name, instance, fields)


def counted_labels(labels: Sequence[str]) -> tuple[tuple[str, int], ...]:
    """Labels with how many workers gave them, the most frequent first; all blank ones are ``BLANK``."""
    return tuple(Counter(BLANK if is_blank(label) else label for label in labels).most_common())


def _explained(
    episode: Episode, record: FieldRecord, scored: ScoredField | None, profile: Profile, workers: Sequence[int] | None
) -> FieldExplanation:
    labels = counted_labels(record.labels)
    if scored is None:
        return FieldExplanation(record, labels, None, None, _why_not(episode, record, profile), None)
    if workers is not None:
        each = _worker_scores(record, workers, profile)
        return FieldExplanation(record, labels, scored.score, scored, "", None, each)
    comparison = compare(profile.name, record.kind, record.options, record.labels, record.sent)
    return FieldExplanation(record, labels, scored.score, scored, "", comparison)


def _why_not(episode: Episode, record: FieldRecord, profile: Profile) -> str:
    if episode.outcome == "harness_error":
        return "the episode ended by a mistake of turkbench: nothing of it is scored"
    if record.status != SCORED:
        return record.status
    if not record.visible and not profile.scores_invisible:
        return f"cannot be seen when the page has loaded: {profile.name} leaves such fields out"
    if episode.answered_by == "workers":
        return "fewer than two workers can be compared"
    return f"every worker left it blank: {profile.name} does not score it"


def _worker_scores(record: FieldRecord, workers: Sequence[int], profile: Profile) -> tuple[WorkerScore, ...]:
    found = []
    for row, answer in own_answers(record, workers).items():
        others = record.labels[:row] + record.labels[row + 1 :]
        score = profile.score_field(record.kind, record.options, others, answer)
        found.append(WorkerScore(row, answer, score.score if score else None))
    return tuple(found)
