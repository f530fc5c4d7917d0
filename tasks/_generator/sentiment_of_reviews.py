"""Sentiment of reviews: an ordered choice, a lone box, a remark that may stay empty."""

from __future__ import annotations

from typing import Any

from tasks._generator.crowd import Crowd, Worker
from tasks._generator.made import Made
from tasks._generator.model import texts

NAME = "Sentiment of reviews"
FREE = ("reason",)

SCALE = ("very negative", "negative", "neutral", "positive", "very positive")
_REASONS = {
    "very negative": (
        "They are done with it, {bad}.",
        "Nothing but trouble, {bad}.",
        "You can feel the anger, since {bad}.",
        "The writer warns us that {bad}.",
    ),
    "negative": (
        "Not happy with it because {bad}.",
        "The complaint weighs more: {bad}.",
        "A let-down on the whole, {bad}.",
        "More bad than good, {bad}.",
    ),
    "neutral": (
        "A bit of both, {good} but {bad}.",
        "No clear feeling, just that {bad}.",
        "It is a plain report that {good}.",
        "I find no verdict, only that {good} and {bad}.",
    ),
    "positive": (
        "Mostly pleased, {good}.",
        "They like that {good}, with a small but.",
        "Good on the whole because {good}.",
        "The plus is that {good}, even if {bad}.",
    ),
    "very positive": (
        "Full of praise, {good}.",
        "They love it because {good}.",
        "Could not be happier that {good}.",
        "Pure enthusiasm here, {good}.",
    ),
}


def instances(crowd: Crowd) -> list[Made]:
    """Make the instances: reviews marked `or` get an even number of workers and a tie."""
    return [
        crowd.made(
            {"product": item["product"], "review": item["review"]},
            lambda worker, item=item: _answers(item, worker),
            {"sentiment": item["sentiment"], "mentions_price": "on" if item["price"] else ""},
            hard=["sentiment"] if "or" in item else (),
        )
        for item in texts("sentiment_of_reviews")
    ]


def _answers(item: dict[str, Any], worker: Worker) -> dict[str, str]:
    if "or" in item:
        vote = (item["sentiment"], item["or"])[worker.side]
    else:
        vote = worker.choose_near(item["sentiment"], SCALE, item.get("hard", 0.1) + 0.25)
    return {
        "sentiment": vote,
        "mentions_price": "on" if item["price"] != worker.errs(0.2 if item["price"] else 0.08) else "",
        "reason": "" if worker.skips(0.3) else worker.say(_reasons(item, vote)),
    }


def _reasons(item: dict[str, Any], vote: str) -> list[str]:
    """Return reasons that go with a worker's choice."""
    own = item["reasons"] if vote == item["sentiment"] else item["reasons_or"] if vote == item.get("or") else []
    made = [
        reason.format(good=good, bad=bad) for reason in _REASONS[vote] for good in item["good"] for bad in item["bad"]
    ]
    return [*own, *made]
