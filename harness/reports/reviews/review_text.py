"""What a review comes to, as text for people and as tables for programs."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeAlias

from harness.kit.files.codec import plain
from harness.kit.statistics.estimate import Estimate
from harness.kit.text import NOTHING, counted, percent, shorten
from harness.reports.comparison_text import Table
from harness.reports.escapes import csv_text
from harness.reports.escapes import plain as plain_text
from harness.reports.reviews.questions import WORDS
from harness.reports.reviews.review_numbers import MetricAgreement, ReviewedField, ReviewNumbers, ReviewResults

Row: TypeAlias = list[str]


def results_text(results: ReviewResults, table: Table) -> str:
    """What a review comes to, as tables.

    Args:
        results: What to show.
        table: Makes text of rows.
    """
    return "\n\n".join(part if isinstance(part, str) else table(part) for part in results_parts(results))


def results_parts(results: ReviewResults) -> Iterator[str | list[Row]]:
    """What a review comes to, as paragraphs and tables, whose first row has the headings.

    Args:
        results: What to show.
    """
    yield (
        f"Metric {results.profile}; it is taken to accept an answer from a score of {percent(results.threshold)} on "
        f"(--threshold).\n{counted(results.drawn, 'field')} drawn. Intervals are of 95 % and hold for tasks like these."
    )
    for numbers in (*results.reviewers, *([results.together] if results.together else [])):
        yield from _reviewer(numbers, results)
    if results.between:
        rows = [["reviewers", "fields", "agree", "95 % interval", "kappa", "95 % interval"]]
        for each in results.between:
            cells = [*_estimate(each.rate, percent), *_estimate(each.kappa, _fraction)]
            rows.append([plain_text(f"{each.first}, {each.second}"), str(each.fields), *cells])
        yield "Reviewers among each other, on what they say of the same answers:"
        yield rows
    yield (
        "false +: the metric alone accepts; the rate is of what the person rejects. false -: the person alone does,\n"
        "of what the person accepts. Fields on which the person cannot tell are left out."
    )


def examples_text(rows: Sequence[ReviewedField], threshold: float, most: int) -> str:
    """Answers on which metric and person differ.

    Args:
        rows: Verdicts beside scores.
        threshold: The score from which on the metric accepts.
        most: At most how many of each kind.
    """
    decided = [row for row in rows if row.is_decided and row.metric_accepts(threshold) != row.person_accepts]
    parts = []
    for words, found in (
        ("The metric accepts, and the person does not", [row for row in decided if not row.person_accepts]),
        ("The person accepts, and the metric does not", [row for row in decided if row.person_accepts]),
    ):
        if found:
            rest = f" (the first {most} of {len(found)}; export has all)" if len(found) > most else ""
            parts.append("\n".join([f"{words}{rest}:", *map(_example, found[:most])]))
    return "\n\n".join(parts)


def _example(row: ReviewedField) -> str:
    verdict = row.verdict
    sent = ", ".join(repr(shorten(value)) for value in verdict.sent) or "nothing"
    note = f" {plain_text(verdict.note)}" if verdict.note else ""
    return (
        f"- {plain_text(verdict.task)}, instance {verdict.index}, field {verdict.field!r}: {sent} · score "
        f"{percent(row.score)} · {plain_text(row.reviewer)}: {WORDS[row.category]}.{note}"
    )


def _reviewer(numbers: ReviewNumbers, results: ReviewResults) -> Iterator[str | list[Row]]:
    if numbers.reviewer:
        yield f"{plain_text(numbers.reviewer)}: {counted(numbers.judged, 'field')} judged."
    else:
        yield (
            f"All reviewers: {counted(numbers.judged, 'field')} of which those who judged them say the same; "
            f"{counted(results.disputed, 'field')} in dispute left out."
        )
    whole = numbers.in_run
    limits = "95 % interval"
    rows = [["", "fields", "share", limits, "of the run", limits, "metric accepts", "mean score"]]
    for category, found in numbers.categories.items():
        shares = [*_estimate(found.share, percent), *_estimate(whole.categories[category], percent)]
        rows.append([WORDS[category], str(found.fields), *shares, str(found.accepted), percent(found.score)])
    yield rows
    rows = [["", "fields", "value", limits, "of the run", limits]]
    for name, drawn, weighted in (
        ("correct, of the answers that could be read and judged", numbers.correct, whole.correct),
        ("the metric's mean score of the same answers", numbers.metric, whole.metric),
        ("metric and person agree", numbers.agreement.rate, whole.rate),
    ):
        rows.append([name, str(drawn.items), *_estimate(drawn, percent), *_estimate(weighted, percent)])
    yield rows
    yield (
        "of the run: each judged field counts for as many as the run has of its task and kind.\n"
        f"Of {percent(whole.covered)} % of its scored fields something of the same task and kind was judged; of the "
        "others this says nothing."
    )
    yield list(_agreements(numbers))


def _agreements(numbers: ReviewNumbers) -> Iterator[list[str]]:
    yield [
        "metric and person",
        *("fields", "agree", "95 % interval", "kappa", "95 % interval"),
        *("false +", "rate", "95 % interval", "false -", "rate", "95 % interval"),
    ]
    yield ["all", *_agreement(numbers.agreement)]
    yield ["without wrong labels", *_agreement(numbers.with_right_labels)]
    for kind, found in numbers.kinds.items():
        yield [kind, *_agreement(found)]


def _agreement(found: MetricAgreement) -> list[str]:
    return [
        str(found.rate.items),
        *_estimate(found.rate, percent),
        *_estimate(found.kappa, _fraction),
        str(found.false_positives),
        *_estimate(found.false_positive_rate, percent),
        str(found.false_negatives),
        *_estimate(found.false_negative_rate, percent),
    ]


def _estimate(estimate: Estimate, write: Callable[[float | None], str]) -> list[str]:
    limits = NOTHING
    if estimate.low is not None and estimate.high is not None:
        limits = f"{write(estimate.low)} to {write(estimate.high)}"
    return [write(estimate.value), limits]


def _fraction(value: float | None) -> str:
    return NOTHING if value is None else f"{value:.2f}"


def exported(rows: Sequence[ReviewedField], threshold: float) -> list[dict[str, Any]]:
    """The verdicts with the scores of the same answers, an object each."""
    return [
        {
            "task": row.verdict.task,
            "index": row.verdict.index,
            "id": row.verdict.id,
            "field": row.verdict.field,
            "kind": row.kind,
            "sent": list(row.verdict.sent),
            "reviewer": row.reviewer,
            "answer": row.verdict.answer,
            "labels": row.verdict.labels,
            "category": row.category,
            "note": row.verdict.note,
            "at": row.verdict.at,
            "seconds": row.verdict.seconds,
            "score": row.score,
            "ceiling": row.ceiling,
            "metric_accepts": row.metric_accepts(threshold),
        }
        for row in rows
    ]


def as_json(rows: Sequence[ReviewedField], results: ReviewResults) -> str:
    """Everything as one JSON text."""
    record = {"results": plain(results), "fields": exported(rows, results.threshold)}
    return json.dumps(record, ensure_ascii=False, indent=1) + "\n"


def as_csv(rows: Sequence[ReviewedField], threshold: float) -> str:
    """A row a verdict; several values that were sent are a JSON list."""
    made = io.StringIO()
    records = exported(rows, threshold)
    writer = csv.writer(made, lineterminator="\n")
    writer.writerow(records[0] if records else [])
    for record in records:
        writer.writerow([_cell(value) for value in record.values()])
    return made.getvalue()


def _cell(value: object) -> object:
    if isinstance(value, list):
        return csv_text(str(value[0])) if len(value) == 1 else json.dumps(value, ensure_ascii=False)
    return csv_text(value) if isinstance(value, str) else value
