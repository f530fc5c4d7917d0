"""What a solver did about a field, as a reviewer is told: what was sent, and what came to nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from harness.actions.call import ActionCall
from harness.actions.parser import parse
from harness.episode.library import ACTIONS
from harness.kit.text import shorten
from harness.records.directory import RunDirectory
from harness.records.episode import Episode, FieldRecord
from harness.records.turn import ERROR
from harness.records.verdict import JudgedRun
from harness.reports.reviews.drawing import draw
from harness.reports.reviews.review import DrawnField, Review, WrongReview
from harness.scoring.metrics import FieldScore, Profile
from harness.scoring.scores import score_episode, scored_records

LONGEST_REPLY = 2_000
"""Characters."""
_BLANK = "(left blank)"

Place: TypeAlias = tuple[str, int, str | None]
"""Task, index and field."""


@dataclass(frozen=True)
class GivenAnswer:
    """What a reviewer is told of a field beside its page.

    Attributes:
        untouched: Whether the form sends the same if nobody touches it.
        failed: Actions on the field that were not done, each with the reason.
        unread: Replies about the field of which no action could be read.
        labels: What workers answered, the most frequent first, each with how many did.
    """

    untouched: bool
    failed: tuple[str, ...]
    unread: tuple[str, ...]
    labels: tuple[tuple[str, int], ...]


def strata_of(run: RunDirectory, profile: Profile) -> Counter[tuple[str, str]]:
    """How many scored fields a run has of each task and kind: what ``draw_review`` draws from.

    Raises:
        NotARun: it cannot be read.
    """
    return Counter(
        (episode.task, field.kind) for episode in run.episodes() for field in scored_records(episode, profile)
    )


def draw_review(
    run: RunDirectory, profile: Profile, number: int, seed: int, told: Callable[[int], None] = lambda _read: None
) -> Review:
    """Draw the fields of a review from the scored fields of a run.

    Args:
        run: The run.
        profile: Says which fields are scored. Their scores decide nothing.
        number: How many are drawn.
        seed: Of the draw.
        told: Is told after each episode how many have been read.

    Raises:
        NotARun: it cannot be read.
        WrongReview: it has no scored field, or nobody worked on its pages.
    """
    strata: dict[str, dict[str, list[DrawnField]]] = {}
    for read, episode in enumerate(run.episodes(), 1):
        if episode.answered_by == "workers":
            raise WrongReview(f"{run.folder} is a run of the workers themselves: no solver answered")
        for field in scored_records(episode, profile):
            kinds = strata.setdefault(episode.task, {})
            kinds.setdefault(field.kind, []).append(_drawn(episode, field))
        told(read)
    total = sum(len(fields) for kinds in strata.values() for fields in kinds.values())
    if not total:
        raise WrongReview(f"{run.folder} has no scored field that could be reviewed")
    return Review(
        run=JudgedRun.of(run.read()),
        profile=profile.name,
        seed=seed,
        scored_fields=total,
        fields=tuple(draw(strata, number, seed)),
    )


def _drawn(episode: Episode, field: FieldRecord) -> DrawnField:
    where = {"task": episode.task, "index": episode.index, "id": episode.id}
    return DrawnField(**where, field=field.name, kind=field.kind, sent=field.sent)  # type: ignore[arg-type]


def given_answers(run: RunDirectory, review: Review) -> Mapping[Place, GivenAnswer]:
    """What there is to tell of each drawn field.

    Raises:
        NotARun: an episode cannot be read.
        WrongReview: the run has changed since the draw.
    """
    return {each.place: _given(episode, record) for each, episode, record in _drawn_fields(run, review)}


def scores_of(run: RunDirectory, review: Review, profile: Profile) -> Mapping[Place, tuple[str, float, float]]:
    """Kind, score and ceiling of each drawn field.

    Raises:
        NotARun: an episode cannot be read.
        WrongReview: the run has changed since the draw, or scores other fields now.
    """
    found = {}
    scored: dict[tuple[str, int], Mapping[str, FieldScore]] = {}
    for each, episode, record in _drawn_fields(run, review):
        key = (each.task, each.index)
        if key not in scored:
            scored[key] = {field.record.name: field.score for field in score_episode(episode, profile).fields}
        if record.name not in scored[key]:
            raise _changed(run, each)
        score = scored[key][record.name]
        found[each.place] = (record.kind, score.score, score.ceiling)
    return found


def _drawn_fields(run: RunDirectory, review: Review) -> Iterator[tuple[DrawnField, Episode, FieldRecord]]:
    episodes: dict[tuple[str, int], Episode] = {}
    for each in review.fields:
        key = (each.task, each.index)
        if key not in episodes:
            episodes[key] = run.episode(*key)
        episode = episodes[key]
        record = next((field for field in episode.fields if field.name == each.field), None)
        if record is None or episode.id != each.id or record.sent != each.sent:
            raise _changed(run, each)
        yield each, episode, record


def _changed(run: RunDirectory, drawn: DrawnField) -> WrongReview:
    where = f"{drawn.task!r}, instance {drawn.index}, field {drawn.field!r}"
    return WrongReview(f"{run.folder} has changed since the draw: {where}")


def _given(episode: Episode, field: FieldRecord) -> GivenAnswer:
    failed = [f"{step.action}: {step.message}" for step in episode.steps if not step.ok and _is_on(step.action, field)]
    asked = f"field {field.name!r}"
    unread = [
        shorten(turn.reply.strip() or "(an empty reply)", LONGEST_REPLY)
        for turn in episode.turns
        if turn.note.startswith(asked) and all(call.startswith(ERROR) for call in turn.calls)
    ]
    labels = Counter(label.strip() or _BLANK for label in field.labels)
    return GivenAnswer(field.sent == field.untouched, tuple(failed), tuple(unread), tuple(labels.most_common()))


def _is_on(action: str, field: FieldRecord) -> bool:
    """Whether an action names a field."""
    calls = parse(action, ACTIONS)
    return any(isinstance(call, ActionCall) and call.args.get("name") == field.name for call in calls)
