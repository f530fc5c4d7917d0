"""What the reviews of a run come to, as the page says it. Slow to import: numbers with intervals are made."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.http import HttpRequest

from harness.kit.cut_texts import cut_texts
from harness.kit.errors import UserError
from harness.kit.files.writing import path_name
from harness.kit.text import percent
from harness.records.directory import RunDirectory
from harness.records.verdict import JudgedRun, PlaceVerdict
from harness.reports.reviews.judged_review import JudgedReview, judged_review
from harness.reports.reviews.open_verdicts import OpenVerdicts, open_words
from harness.reports.reviews.questions import WORDS
from harness.reports.reviews.report_section import SUMMARY_HEADINGS, summary_rows
from harness.reports.reviews.review_numbers import THRESHOLD, ReviewedField
from harness.reports.reviews.review_text import Row, results_parts
from turkle_app.viewer.reviewed_run import ReviewedRun

MOST_EXAMPLES = 20
"""Answers of each kind of disagreement on the page; the files have all."""


@dataclass(frozen=True)
class ReportPart:
    """A part of what a review comes to: words, and tables whose first row has the headings.

    Attributes:
        words: What the tables hold.
        tables: The tables.
        folded: Whether they are shown on demand.
    """

    words: str
    tables: Sequence[Sequence[Row]]
    folded: bool


@dataclass(frozen=True)
class DisputedAnswer:
    """An answer on which a person and the metric differ.

    Attributes:
        verdict: The person's verdict.
        reviewer: Who.
        words: What the person says, in words.
        score: The metric's score, in per cent.
        task: The task's name in addresses.
    """

    verdict: PlaceVerdict
    reviewer: str
    words: str
    score: str
    task: str


@dataclass(frozen=True)
class Disagreement:
    """Answers on which a person and the metric differ.

    Attributes:
        words: Who accepts them.
        rows: Some of them.
        number: How many there are.
    """

    words: str
    rows: Sequence[DisputedAnswer]
    number: int


@dataclass(frozen=True)
class ReportedReview:
    """A review in the report.

    Attributes:
        number: Its number.
        judged: What was said; None if it cannot be read.
        reason: Why it cannot; empty if it can.
        summary: A row a reviewer, below the headings.
        parts: All that it comes to.
        differ: Where person and metric differ.
    """

    number: int
    judged: JudgedReview | None
    reason: str = ""
    summary: Sequence[Row] = ()
    parts: Sequence[ReportPart] = ()
    differ: Sequence[Disagreement] = ()


@dataclass(frozen=True)
class SaidOpenly:
    """An open verdict in the report.

    Attributes:
        name: Who said it.
        verdict: It.
        words: What it says.
        task: The task's name in addresses.
    """

    name: str
    verdict: PlaceVerdict
    words: Sequence[str]
    task: str


def threshold_of(request: HttpRequest) -> float:
    """Return the score, 0 to 1, from which on the metric is taken to accept an answer; asked for in per cent."""
    try:
        threshold = float(request.GET.get("threshold", "")) / 100
    except ValueError:
        return THRESHOLD
    return threshold if 0 <= threshold <= 1 else THRESHOLD


def reported(shown: ReviewedRun, number: int, threshold: float) -> ReportedReview:
    """Return what one of the reviews of a run comes to."""
    try:
        folder, _ = shown.review(number)
        judged = judged_review(RunDirectory(shown.place.folder), folder, threshold)
    except UserError as error:
        return ReportedReview(number, None, str(error))
    summary = [SUMMARY_HEADINGS, *summary_rows(judged.results)]
    differ = list(_differ(judged.rows, threshold))
    return ReportedReview(number, judged, summary=summary, parts=_parts(judged), differ=differ)


def _parts(judged: JudgedReview) -> list[ReportPart]:
    found: list[tuple[str, list[list[Row]]]] = []
    # What the first and the last paragraph say of the threshold and of words, the page says once for all reviews.
    for part in list(results_parts(judged.results))[1:-1]:
        if isinstance(part, str):
            found.append((part, []))
        else:
            found[-1][1].append(part)
    people = len(judged.results.reviewers)
    return [
        ReportPart(words.rstrip(":"), tables, folded=people > 1 and number <= people)
        for number, (words, tables) in enumerate(found)
    ]


def _differ(rows: Sequence[ReviewedField], threshold: float) -> Iterator[Disagreement]:
    decided = [row for row in rows if row.is_decided and row.metric_accepts(threshold) != row.person_accepts]
    for words, found in (
        ("The metric accepts, and the person does not", [row for row in decided if not row.person_accepts]),
        ("The person accepts, and the metric does not", [row for row in decided if row.person_accepts]),
    ):
        if found:
            shown = [
                DisputedAnswer(
                    cut_texts(row.verdict),
                    row.reviewer,
                    WORDS[row.category],
                    percent(row.score),
                    path_name(row.verdict.task),
                )
                for row in found[:MOST_EXAMPLES]
            ]
            yield Disagreement(words, shown, len(found))


def said_openly(shown: ReviewedRun) -> Iterator[SaidOpenly]:
    """Return what was said openly of a run.

    Raises:
        UserError: It cannot be read.
    """
    if shown.record:
        for each in OpenVerdicts.beside(shown.place.folder).read(JudgedRun.of(shown.record)):
            for verdict in each.verdicts:
                yield SaidOpenly(each.judge.name, verdict, open_words(verdict), path_name(verdict.task))
