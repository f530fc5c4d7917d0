"""What came of one page that somebody outside has worked on: the record that ``turkbench page open`` ends with."""

from __future__ import annotations

from dataclasses import dataclass

from harness.records.episode import FieldRecord, Outcome
from harness.records.site_record import Evaluation
from harness.scoring.scores import InstanceScore

VERSION = 1
"""Of the record. A new key leaves it as it is; it grows when a key goes or comes to mean something else."""


@dataclass(frozen=True)
class FieldResult:
    """One answer field.

    Attributes:
        name: The field's name.
        kind: One of ``harness.catalog.kinds.KINDS``.
        status: ``scored``, or why it is not.
        sent: What the form sent.
        labels: What the workers answered, one each, blanks included.
        score: Between 0 and 1; None if it is not scored.
        ceiling: The best score that the labels allow; None if it is not scored.
    """

    name: str
    kind: str
    status: str
    sent: tuple[str, ...]
    labels: tuple[str, ...]
    score: float | None
    ceiling: float | None


@dataclass(frozen=True)
class PageResult:
    """What came of a page. Scores lie between 0 and 1; None if no field of the instance is scored.

    Attributes:
        version: ``VERSION``.
        task: The task's name.
        row: The instance's place in its table, from 0.
        outcome: How it ended (docs/reference/run-directory.md).
        detail: More about that, if there is more.
        score: Mean over the scored fields.
        ceiling: The same mean of the fields' ceilings.
        do_nothing: The same mean for the untouched form.
        constant: The same mean for the most frequent answers of the task's other instances.
        accepted: Whether the page let the form be sent.
        blocked: Why it did not; empty if it did.
        fields: The answer fields, in page order.
    """

    version: int
    task: str
    row: int
    outcome: Outcome
    detail: str
    score: float | None
    ceiling: float | None
    do_nothing: float | None
    constant: float | None
    accepted: bool
    blocked: str
    fields: tuple[FieldResult, ...]

    @classmethod
    def of(cls, made: InstanceScore) -> PageResult:
        """The result of an episode that was played to its end."""
        episode, submission = made.episode, made.episode.submission
        assert submission  # noqa: S101 - somebody worked on the page
        scores = {each.record.name: each.score for each in made.fields}

        def result(field: FieldRecord) -> FieldResult:
            score = scores.get(field.name)
            return FieldResult(
                name=field.name,
                kind=field.kind,
                status=field.status,
                sent=field.sent,
                labels=field.labels,
                score=score.score if score else None,
                ceiling=score.ceiling if score else None,
            )

        return cls(
            version=VERSION,
            task=episode.task,
            row=episode.index,
            outcome=episode.outcome,
            detail=episode.detail,
            score=made.score,
            ceiling=made.ceiling,
            do_nothing=made.do_nothing,
            constant=made.constant,
            accepted=submission.accepted,
            blocked=submission.blocked,
            fields=tuple(map(result, episode.fields)),
        )


@dataclass(frozen=True)
class SiteResult:
    """What came of a task on a website. Scores lie between 0 and 1; None if they are not known.

    Attributes:
        version: ``VERSION``.
        task: The task's name.
        row: The instance's place in its table, from 0.
        outcome: How it ended (docs/reference/run-directory.md).
        detail: More about that, if there is more.
        score: That of its main evaluator.
        do_nothing: The same had nothing been done.
        answer: What was answered; None if nothing was.
        evaluations: What all evaluators say, the main one first (docs/reference/key-nodes.md).
    """

    version: int
    task: str
    row: int
    outcome: Outcome
    detail: str
    score: float | None
    do_nothing: float | None
    answer: str | None
    evaluations: tuple[Evaluation, ...]

    @classmethod
    def of(cls, made: InstanceScore) -> SiteResult:
        """The result of an episode that was played to its end."""
        episode, site = made.episode, made.episode.site
        assert site  # noqa: S101 - it is of a website
        return cls(
            version=VERSION,
            task=episode.task,
            row=episode.index,
            outcome=episode.outcome,
            detail=episode.detail,
            score=made.score,
            do_nothing=made.do_nothing,
            answer=site.answer,
            evaluations=site.evaluations,
        )


def result_of(made: InstanceScore) -> PageResult | SiteResult:
    """The result of an episode, of a form or on a website."""
    return SiteResult.of(made) if made.episode.site else PageResult.of(made)
