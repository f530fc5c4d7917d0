"""Textual entailment: one choice of three and an explanation in the worker's words."""

from __future__ import annotations

from typing import Any

from tasks._generator.crowd import Crowd, Worker
from tasks._generator.made import Made
from tasks._generator.model import texts

NAME = "Textual entailment"
FREE = ("explanation",)

OPTIONS = ("entailment", "neutral", "contradiction")


def instances(crowd: Crowd) -> list[Made]:
    """Make the instances: pairs marked `split` get an even number of workers and a tie."""
    return [
        crowd.made(
            {"premise": item["premise"], "hypothesis": item["hypothesis"]},
            lambda worker, item=item: _answers(item, worker),
            {"label": item["label"]},
            hard=["label"] if "split" in item else (),
        )
        for item in texts("textual_entailment")
    ]


def _answers(item: dict[str, Any], worker: Worker) -> dict[str, str]:
    """Give a choice and what explains this very choice: who errs falls for the item's lure."""
    lured = bool(worker.side) if "split" in item else worker.errs(item.get("hard", 0.1) + 0.15)
    return {
        "label": item["lure" if lured else "label"],
        "explanation": worker.say(item["why_lure" if lured else "why"]),
    }
