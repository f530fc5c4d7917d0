"""Steps in order: five steps of an everyday goal that are dragged into their order; script writes it down."""

from __future__ import annotations

from typing import Any

from tasks._generator.crowd import Crowd, Worker
from tasks._generator.made import Made
from tasks._generator.model import script_json, texts

NAME = "Steps in order"
OPEN = ("clear",)

LETTERS = "abcde"


def instances(crowd: Crowd) -> list[Made]:
    """Make the instances: who errs swaps two steps that follow each other."""
    return [_instance(crowd, item) for item in texts("steps")]


def _instance(crowd: Crowd, item: dict[str, Any]) -> Made:
    # Letters name the steps in the order in which the page shows them, which is never the right one.
    letters = crowd.rng.sample(LETTERS, 5)
    while letters == sorted(letters):
        letters = crowd.rng.sample(LETTERS, 5)
    shown = sorted(zip(letters, item["steps"], strict=True))

    def answers(worker: Worker) -> dict[str, str]:
        order = list(letters)
        for at in range(4):
            if worker.errs(0.12):
                order[at], order[at + 1] = order[at + 1], order[at]
        return {
            "order": " ".join(order),
            "first": order[0],
            "last": order[-1],
            "clear": "on" if worker.rng.random() < 0.8 else "",
        }

    truth = {"order": " ".join(letters), "first": letters[0], "last": letters[-1]}
    steps = [{"letter": letter, "text": text} for letter, text in shown]
    return crowd.made({"goal": item["goal"], "steps": script_json(steps)}, answers, truth, most=5)
