"""Goal and step: does each of eight steps help to reach a goal, and which is the first that must be done."""

from __future__ import annotations

from typing import Any

from tasks._generator.crowd import Crowd, Worker
from tasks._generator.made import Made
from tasks._generator.model import texts

NAME = "Goal and step"

HELPS = ("helps", "does not help")


def instances(crowd: Crowd) -> list[Made]:
    """Make the instances: five steps help, three do not, in drawn order."""
    return [_instance(crowd, item) for item in texts("steps")]


def _instance(crowd: Crowd, item: dict[str, Any]) -> Made:
    shown = crowd.rng.sample(item["steps"] + item["wrong"], 8)
    truth = {f"step-{at}": HELPS[text in item["wrong"]] for at, text in enumerate(shown, 1)}
    first = str(1 + shown.index(item["steps"][0]))
    numbers = [str(at) for at in range(1, 9)]
    helping = [at for at in numbers if truth[f"step-{at}"] == "helps" and at != first]

    def answers(worker: Worker) -> dict[str, str]:
        given = {name: worker.choose(right, HELPS, 0.28) for name, right in truth.items()}
        started = worker.choose(first, numbers, 0.25, helping)
        # What is done first helps.
        return given | {f"step-{started}": "helps", "first": started}

    inputs = {"goal": item["goal"]} | {f"step_{at}": text for at, text in enumerate(shown, 1)}
    return crowd.made(inputs, answers, truth | {"first": first}, most=5)
