"""Paraphrase rating: two sliders on which workers disagree, and a choice."""

from __future__ import annotations

import random
from typing import Any

from tasks._generator.crowd import Crowd
from tasks._generator.model import Row, instance, texts

NAME = "Paraphrase rating"

RELATIONS = ("same meaning", "A says more", "B says more", "different meaning")


def rows(rng: random.Random) -> list[Row]:
    """Make the rows: pairs marked `or` get an even number of workers and a tie."""
    crowd = Crowd(rng)
    return [row for item in texts("paraphrase_rating") for row in _instance(crowd, item)]


def _instance(crowd: Crowd, item: dict[str, Any]) -> list[Row]:
    right = item["relation"]
    workers = crowd.workers()
    if "or" in item:
        votes = crowd.tie(right, item["or"], 6 if workers > 4 else 4)
    else:
        votes = [crowd.choose(right, RELATIONS, 0.08) for _ in range(workers)]
    spread = item.get("spread", 20)
    return instance(
        {"sentence_a": item["a"], "sentence_b": item["b"]},
        [
            {
                "similarity": str(crowd.rate(item["same"], 0, 100, spread)),
                "fluency": str(crowd.rate(item["natural"], 0, 100, 22)),
                "relation": vote,
            }
            for vote in votes
        ],
    )
