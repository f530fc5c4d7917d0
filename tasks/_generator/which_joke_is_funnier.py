"""Which joke is funnier: a preference that people share only in part, on cards that hide their inputs."""

from __future__ import annotations

import html
import random
from typing import Any

from tasks._generator.crowd import Crowd
from tasks._generator.model import Row, instance, texts

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
    "They are equally good.",
    "Neither made me laugh.",
    "I smiled at {point}, but also at {other}.",
)


def rows(rng: random.Random) -> list[Row]:
    """Make the rows: the closer two jokes are, the less workers agree; close pairs of even crowds may tie."""
    crowd = Crowd(rng)
    jokes = texts("which_joke_is_funnier")
    made: list[Row] = []
    for first, second in zip(jokes[::2], jokes[1::2], strict=True):
        inputs = {"joke_a": html.escape(first["joke"]), "joke_b": html.escape(second["joke"])}
        made += instance(inputs, [_answers(first, second, crowd) for _ in range(crowd.workers())])
    return made


def _answers(first: dict[str, Any], second: dict[str, Any], crowd: Crowd) -> dict[str, str]:
    gap = first["funny"] - second["funny"]
    # With jokes equally funny a worker takes the first as often as any other answer.
    difficulty = max(0.15, 0.6 - 0.15 * abs(gap))
    chosen = crowd.choose("A" if gap >= 0 else "B", CHOICES, difficulty)
    liked, other = (second, first) if chosen == "B" else (first, second)
    reasons = _UNDECIDED if chosen == "neither" else _REASONS
    wordings = [reason.format(point=liked["point"], other=other["point"]) for reason in reasons]
    return {
        "funnier": chosen,
        "rating": str(crowd.rate(liked["funny"] - (chosen == "neither"), 1, 7, 2)),
        "why": crowd.write(wordings, 0.12),
    }
