"""Which joke is funnier: a preference that people share only in part, on cards that hide their inputs."""

from __future__ import annotations

import html
from typing import Any

from tasks._generator.crowd import Crowd, Worker
from tasks._generator.made import Made
from tasks._generator.model import texts

NAME = "Which joke is funnier"

CHOICES = ("A", "B", "neither")

_REASONS = (
    "I like {point}.",
    "Because of {point}.",
    "It is {point} that made me laugh.",
    "The other one is predictable; here I did not expect {point}.",
    "I had to read it twice, then I saw {point}.",
)
_UNDECIDED = (
    "I smiled at {point}, but also at {other}.",
    "Neither {point} nor {other} made me laugh.",
    "One has {point}, the other {other}, and I cannot choose.",
    "With {point} and {other} they are about equal.",
)


FREE = ("why",)
OPEN = ("rating",)


def instances(crowd: Crowd) -> list[Made]:
    """Make the instances: the closer two jokes are, the less workers agree; close pairs of even crowds may tie."""
    jokes = texts("which_joke_is_funnier")
    made = []
    for first, second in zip(jokes[::2], jokes[1::2], strict=True):
        inputs = {"joke_a": html.escape(first["joke"]), "joke_b": html.escape(second["joke"])}
        gap = first["funny"] - second["funny"]
        made.append(
            crowd.made(
                inputs,
                lambda worker, first=first, second=second: _answers(first, second, worker),
                {"funnier": "A" if gap >= 0 else "B"},
                hard=() if gap else ["funnier"],
            )
        )
    return made


def _answers(first: dict[str, Any], second: dict[str, Any], worker: Worker) -> dict[str, str]:
    gap = first["funny"] - second["funny"]
    # With jokes equally funny a worker takes the first as often as any other answer.
    difficulty = max(0.2, 0.6 - 0.15 * abs(gap))
    chosen = worker.choose("A" if gap >= 0 else "B", CHOICES, difficulty)
    liked, other = (second, first) if chosen == "B" else (first, second)
    reasons = _UNDECIDED if chosen == "neither" else _REASONS
    wordings = [reason.format(point=liked["point"], other=other["point"]) for reason in reasons]
    return {
        "funnier": chosen,
        "rating": str(worker.rate(liked["funny"] - (chosen == "neither"), 1, 7, 2)),
        "why": worker.say(wordings),
    }
