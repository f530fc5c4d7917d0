"""A drawn field as the script of the questions takes it, and what workers answered, which is told later."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from harness.reports.reviews.answers_given import GivenAnswer
from harness.reports.reviews.review import DrawnField


def asked_field(field: DrawnField, answer: GivenAnswer, options: Mapping[str, str]) -> dict[str, Any]:
    """What a reviewer is told before the first question: nothing of labels, nothing of the metric.

    Args:
        field: The field.
        answer: What a solver did about it.
        options: What stands beside its options on the page: value -> text.
    """
    return {
        "task": field.task,
        "index": field.index,
        "id": field.id,
        "field": field.field,
        "kind": field.kind,
        "sent": list(field.sent),
        "beside": [options.get(value, "") for value in field.sent],
        "untouched": answer.untouched,
        "failed": list(answer.failed),
        "unread": list(answer.unread),
    }


def given_labels(answer: GivenAnswer, options: Mapping[str, str]) -> list[dict[str, Any]]:
    """What a reviewer is told before the second question: what workers answered, the most frequent first.

    Args:
        answer: Holds it.
        options: As for ``asked_field``.
    """
    return [{"text": text, "beside": options.get(text, ""), "workers": workers} for text, workers in answer.labels]
