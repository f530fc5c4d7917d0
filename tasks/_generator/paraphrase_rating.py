"""Paraphrase rating: two sliders on which workers disagree, and a choice."""

from __future__ import annotations

from typing import Any

from tasks._generator.crowd import Crowd, Worker
from tasks._generator.made import Close, Made
from tasks._generator.model import texts

NAME = "Paraphrase rating"

RELATIONS = ("same meaning", "A says more", "B says more", "different meaning")


def instances(crowd: Crowd) -> list[Made]:
    """Make the instances: pairs marked `or` get an even number of workers and a tie."""
    return [
        crowd.made(
            {"sentence_a": item["a"], "sentence_b": item["b"]},
            lambda worker, item=item: _answers(item, worker),
            {
                "similarity": Close(item["same"], 20),
                "fluency": Close(item["natural"], 20),
                "relation": item["relation"],
            },
            hard=["relation"] if "or" in item else (),
        )
        for item in texts("paraphrase_rating")
    ]


def _answers(item: dict[str, Any], worker: Worker) -> dict[str, str]:
    if "or" in item:
        relation = (item["relation"], item["or"])[worker.side]
    else:
        relation = worker.choose(item["relation"], RELATIONS, 0.28)
    # Who takes two sentences for the same, or not, says so with the slider too.
    same = item["same"]
    if relation != item["relation"] and "or" not in item:
        same = 85 if relation == "same meaning" else 25 if relation == "different meaning" else 60
    return {
        "similarity": str(worker.rate(same, 0, 100, item.get("spread", 20) + 35)),
        "fluency": str(worker.rate(item["natural"], 0, 100, 45)),
        "relation": relation,
    }
