"""Textual entailment: one choice of three and an explanation in the worker's words."""

from __future__ import annotations

import random
from typing import Any

from tasks._generator.crowd import Crowd
from tasks._generator.model import Row, instance, texts, wordings

NAME = "Textual entailment"

OPTIONS = ("entailment", "neutral", "contradiction")


def rows(rng: random.Random) -> list[Row]:
    """Make the rows: pairs marked `or` get an even number of workers and a tie."""
    crowd = Crowd(rng)
    return [row for item in texts("textual_entailment") for row in _instance(crowd, item)]


def _instance(crowd: Crowd, item: dict[str, Any]) -> list[Row]:
    right = item["label"]
    workers = crowd.workers()
    if "or" in item:
        votes = crowd.tie(right, item["or"], 4 if workers > 3 else 2)
    else:
        votes = [crowd.choose(right, OPTIONS, item.get("hard", 0.07)) for _ in range(workers)]
    return instance(
        {"premise": item["premise"], "hypothesis": item["hypothesis"]},
        [{"label": vote, "explanation": crowd.write(wordings(item, "why", vote), 0.2)} for vote in votes],
    )
