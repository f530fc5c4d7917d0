"""News in one sentence: workers who each sum up an article in words of their own; a box ticked at load."""

from __future__ import annotations

import html
from typing import Any

from tasks._generator.crowd import Crowd, Worker
from tasks._generator.made import Made
from tasks._generator.model import texts

NAME = "News in one sentence"

DIFFICULTIES = ("easy", "medium", "hard")
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday")
_MONTHS = ("March", "April", "May", "June")


FREE = ("summary",)


def instances(crowd: Crowd) -> list[Made]:
    """Make the instances: workers mostly leave the tick of `readable`, and take it away where words are missing."""
    rng, made = crowd.rng, []
    for item in texts("news_in_one_sentence"):
        inputs = {
            "section": item["section"],
            "dateline": f"{rng.choice(_DAYS)}, {rng.randint(1, 28)} {rng.choice(_MONTHS)}",
            "headline": html.escape(item["headline"]),
            "article_html": "".join(
                f"<p>{html.escape(paragraph)}</p>" for paragraph in item["article"].strip().split("\n")
            ),
        }
        truth = {"difficulty": item["difficulty"], "readable": "" if "garbled" in item else "on"}
        made.append(crowd.made(inputs, lambda worker, item=item: _answers(item, worker), truth, most=4))
    return made


def _answers(item: dict[str, Any], worker: Worker) -> dict[str, str]:
    readable = "garbled" not in item
    # Who is in a hurry takes the first sentence of the article, or the headline with a little around it.
    first = item["article"].strip().split("\n")[0].split(". ")[0].rstrip(".") + "."
    taken = [first, f"It is about this: {item['headline']}.", f"{item['headline']}, says the article."]
    return {
        "summary": worker.say(taken if worker.hasty else item["summaries"], talk=False),
        "difficulty": worker.choose_near(item["difficulty"], DIFFICULTIES, 0.4),
        "readable": "on" if readable != worker.errs(0.2) else "",
    }
