"""Sentiment of reviews: an ordered choice, a lone box, a remark that may stay empty."""

from __future__ import annotations

import random
from typing import Any

from tasks._generator.crowd import Crowd
from tasks._generator.model import Row, instance, texts, wordings

NAME = "Sentiment of reviews"

SCALE = ("very negative", "negative", "neutral", "positive", "very positive")


def rows(rng: random.Random) -> list[Row]:
    """Make the rows: reviews marked `or` get an even number of workers and a tie."""
    crowd = Crowd(rng)
    return [row for item in texts("sentiment_of_reviews") for row in _instance(crowd, item)]


def _instance(crowd: Crowd, item: dict[str, Any]) -> list[Row]:
    right = item["sentiment"]
    workers = crowd.workers()
    if "or" in item:
        votes = crowd.tie(right, item["or"], 2 * -(-workers // 2) if workers < 7 else 6)
    else:
        votes = [crowd.choose_near(right, SCALE, item.get("hard", 0.08)) for _ in range(workers)]
    return instance(
        {"product": item["product"], "review": item["review"]},
        [
            {
                "sentiment": vote,
                "mentions_price": "on" if item["price"] != crowd.chance(0.06) else "",
                "reason": "" if crowd.blank(0.4) else crowd.write(wordings(item, "reasons", vote), 0.15),
            }
            for vote in votes
        ],
    )
