"""Votes: radio buttons, lists, and boxes that stand alone. Right is what no other answer beats."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from harness.catalog.labels import clean, is_blank, match_option, ticked, winners
from harness.kit.text import counted
from harness.scoring.metrics.field_score import FieldScore, listed, quoted

_TICKED = "ticked"
_NOT_TICKED = "not ticked"


@dataclass(frozen=True)
class Poll:
    """An answer beside the votes of the workers.

    Attributes:
        votes: The workers' answers, as options where one is meant; blank ones are no votes.
        first: The answers in the first place.
        predicted: What was sent; None for nothing.
    """

    votes: tuple[str, ...]
    first: tuple[str, ...]
    predicted: str | None

    @property
    def points(self) -> float:
        """The score."""
        return float(self.predicted in self.first)


def score(options: Sequence[str], labels: Sequence[str], sent: Sequence[str]) -> FieldScore | None:
    """Score one choice of several: exact match with the workers' vote (TurkingBench, section 3.4).

    Args:
        options: The values of the field's options; if empty, the labels' own values are the options.
        labels: The raw cells of all workers; blank ones do not vote.
        sent: What the form sent; the first value counts.

    Returns:
        The score, or None if every label is blank. On a tie each tied answer is right. The ceiling is 0 if no
        answer in the first place is an option of the page.
    """
    found = poll(options, labels, sent)
    return _judged(found, 1.0 if _attainable(found.first, options) else 0.0) if found else None


def poll(options: Sequence[str], labels: Sequence[str], sent: Sequence[str]) -> Poll | None:
    """What one choice of several is compared with; arguments as for ``score``.

    Returns:
        The votes, or None if there is none.
    """
    votes, answers = _votes(options, labels)
    if not votes:
        return None
    predicted = None
    if sent:
        option = match_option(sent[0], answers)
        predicted = clean(sent[0]) if option is None else option
    return Poll(tuple(votes), winners(votes), predicted)


def best(options: Sequence[str], labels: Sequence[str]) -> tuple[str, ...]:
    """The first of the most voted answers that the page offers; nothing if it offers none."""
    votes, _ = _votes(options, labels)
    return _attainable(winners(votes), options)[:1]


def score_box(options: Sequence[str], labels: Sequence[str], sent: Sequence[str]) -> FieldScore | None:
    """Score a box that is the only one of its name: a vote of "ticked" against "not ticked".

    Args:
        options: The value of the box.
        labels: The raw cells of all workers; a blank one is a vote for "not ticked".
        sent: What the form sent; nothing if the box is not ticked.

    Returns:
        The score, or None without any label. The ceiling is 1.
    """
    found = poll_box(options, labels, sent)
    return _judged(found, ceiling=1.0) if found else None


def poll_box(options: Sequence[str], labels: Sequence[str], sent: Sequence[str]) -> Poll | None:
    """What a box alone is compared with; arguments as for ``score_box``.

    Returns:
        The votes, or None without any label.
    """
    votes = tuple(_box(label, options) for label in labels)
    if not votes:
        return None
    predicted = _TICKED if any(value in options or ticked(value, options) for value in sent) else _NOT_TICKED
    return Poll(votes, winners(votes), predicted)


def best_box(options: Sequence[str], labels: Sequence[str]) -> tuple[str, ...]:
    """The value of the box if ticking it is right, else nothing."""
    first = winners([_box(label, options) for label in labels])
    return tuple(options) if first[:1] == (_TICKED,) else ()


def _votes(options: Sequence[str], labels: Sequence[str]) -> tuple[list[str], list[str]]:
    """The votes as option values, and all answers there are: the options, then labels that match none."""
    answers = list(options)
    votes = []
    for label in labels:
        if is_blank(label):
            continue
        answer = match_option(label, answers)
        if answer is None:
            answer = clean(label)
            answers.append(answer)
        votes.append(answer)
    return votes, answers


def _attainable(first: Sequence[str], options: Sequence[str]) -> tuple[str, ...]:
    return tuple(answer for answer in first if answer in options) if options else tuple(first)


def _box(label: str, options: Sequence[str]) -> str:
    return _TICKED if ticked(label, options) else _NOT_TICKED


def _judged(found: Poll, ceiling: float) -> FieldScore:
    votes, first, predicted = found.votes, found.first, found.predicted
    own = 0 if predicted is None else votes.count(predicted)
    most, everybody = votes.count(first[0]), len(votes)
    right = bool(found.points)
    tied = len(first) > 1
    if right and tied:
        reason = f"{quoted(str(predicted))} is tied for first place with {most} of {counted(everybody, 'vote')}"
    elif right:
        reason = f"{quoted(str(predicted))} has {most} of {counted(everybody, 'vote')}, {_share(most, everybody)}"
    else:
        said = (
            f"{quoted(predicted)} has {own} of {counted(everybody, 'vote')}"
            if predicted is not None
            else "nothing was sent"
        )
        reason = f"{said}; {listed(first)} {'have' if tied else 'has'} {most}"
        reason += f" of {everybody}" if predicted is None else ""
    if not ceiling:
        reason += "; the page offers no such option"
    return FieldScore(found.points, ceiling, own / everybody, tied, reason)


def _share(most: int, everybody: int) -> str:
    return "the majority" if 2 * most > everybody else "the most"
