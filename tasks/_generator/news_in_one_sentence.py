"""News in one sentence: workers who each sum up an article in words of their own; a box ticked at load."""

from __future__ import annotations

import html
import random
from typing import Any

from tasks._generator.crowd import Crowd
from tasks._generator.model import Row, instance, texts

NAME = "News in one sentence"

DIFFICULTIES = ("easy", "medium", "hard")
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday")
_MONTHS = ("March", "April", "May", "June")


def rows(rng: random.Random) -> list[Row]:
    """Make the rows: workers mostly leave the tick of `readable`, and take it away where words are missing."""
    crowd = Crowd(rng)
    made: list[Row] = []
    for item in texts("news_in_one_sentence"):
        inputs = {
            "section": item["section"],
            "dateline": f"{rng.choice(_DAYS)}, {rng.randint(1, 28)} {rng.choice(_MONTHS)}",
            "headline": html.escape(item["headline"]),
            "article_html": "".join(
                f"<p>{html.escape(paragraph)}</p>" for paragraph in item["article"].strip().split("\n")
            ),
        }
        made += instance(inputs, [_answers(item, worker, crowd) for worker in range(crowd.workers())])
    return made


def _answers(item: dict[str, Any], worker: int, crowd: Crowd) -> dict[str, str]:
    readable = "garbled" not in item
    # Taken in turn: people who write a sentence of their own seldom write the same one.
    wording = item["summaries"][worker % len(item["summaries"])]
    return {
        "summary": crowd.write([wording], 0.15 if worker < len(item["summaries"]) else 1),
        "difficulty": crowd.choose_near(item["difficulty"], DIFFICULTIES, 0.25),
        "readable": "on" if readable != crowd.chance(0.06) else "",
    }
