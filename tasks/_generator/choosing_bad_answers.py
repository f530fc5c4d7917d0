"""Choosing bad answers: a box for each of eight answers that will not do, and why the worst is bad."""

from __future__ import annotations

from typing import Any

from tasks._generator.crowd import Crowd, Worker
from tasks._generator.made import Made
from tasks._generator.model import texts

NAME = "Choosing bad answers"
FREE = ("why",)
OPEN = ("worst",)

_WHY = (
    "“{text}” helps nobody here.",
    "Who would do that? “{text}” makes it worse.",
    "With “{text}” you are no step further.",
    "“{text}” is nonsense as an answer.",
    "It does no good to “{text}” in this case.",
    "Number {at} misses the point, “{text}” is silly.",
    "I had to laugh at “{text}”, but it is no help.",
)


def instances(crowd: Crowd) -> list[Made]:
    """Make the instances: a bad answer is overlooked more often than a good one is ticked."""
    return [_instance(crowd, item) for item in texts("choosing_bad_answers")]


def _instance(crowd: Crowd, item: dict[str, Any]) -> Made:
    shown = crowd.rng.sample(item["good"] + item["bad"], 8)
    bad = [str(at) for at, text in enumerate(shown, 1) if text in item["bad"]]

    def answers(worker: Worker) -> dict[str, str]:
        ticked = worker.tick(bad, [str(at) for at in range(1, 9)], 0.25)
        worst = worker.pick(sorted(ticked) or bad)
        ticked |= {worst}
        reasons = [text.format(text=shown[int(worst) - 1], at=worst) for text in _WHY]
        return {
            **{f"bad-{at}": "on" if str(at) in ticked else "" for at in range(1, 9)},
            "worst": worst,
            "why": worker.say(reasons),
        }

    inputs = {"question": item["question"]} | {f"answer_{at}": text for at, text in enumerate(shown, 1)}
    truth = {f"bad-{at}": "on" if str(at) in bad else "" for at in range(1, 9)}
    return crowd.made(inputs, answers, truth, most=5)
