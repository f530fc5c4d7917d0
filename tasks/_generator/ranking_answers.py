"""Ranking answers: four selects that the page accepts only if every answer has a place of its own.

Workers swap neighbours now and then; at every place the right answer has the most votes, so that the majority is a
ranking that the page accepts.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tasks._generator.crowd import Crowd, Worker
from tasks._generator.made import Made
from tasks._generator.model import script_json, texts

NAME = "Ranking answers"

LETTERS = ("A", "B", "C", "D")


def instances(crowd: Crowd) -> list[Made]:
    """Make the instances of all questions, the answers of each in drawn order."""
    return [_instance(crowd, item) for item in texts("ranking_answers")]


def _instance(crowd: Crowd, item: dict[str, Any]) -> Made:
    order = crowd.rng.sample(LETTERS, len(LETTERS))
    shown = dict(zip(order, item["answers"], strict=True))
    return crowd.made(
        {
            "question": item["question"],
            "answers": script_json([{"letter": letter, "text": shown[letter]} for letter in LETTERS]),
        },
        lambda worker: _ranks(_ranking(worker, order)) | {"best_is_good": worker.choose("yes", ("yes", "no"), 0.25)},
        _ranks(order) | {"best_is_good": "yes"},
    )


def _ranks(ranking: Sequence[str]) -> dict[str, str]:
    return {f"rank_{place}": letter for place, letter in enumerate(ranking, start=1)}


def _ranking(worker: Worker, order: Sequence[str]) -> list[str]:
    ranking = list(order)
    for at in range(len(ranking) - 1):
        if worker.errs(0.3):
            ranking[at], ranking[at + 1] = ranking[at + 1], ranking[at]
    return ranking
