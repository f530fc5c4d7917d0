"""How long does it take: a typed number and the unit that goes with it."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence

from tasks._generator.crowd import Crowd
from tasks._generator.model import Row, instance, texts

NAME = "How long does it take"


def rows(rng: random.Random) -> list[Row]:
    """Make the rows: a worker's number and unit belong together, so that units tie now and then."""
    crowd = Crowd(rng)
    return [
        row
        for item in texts("how_long_does_it_take")
        for row in instance(
            {"sentence": re.sub(r"\*(.+?)\*", r"<mark>\1</mark>", item["sentence"])},
            [_answer(crowd, item["answers"]) for _ in range(crowd.workers())],
        )
    ]


def _answer(crowd: Crowd, answers: Sequence[Sequence[str]]) -> dict[str, str]:
    amount, unit = crowd.pick(answers)
    return {
        "amount": amount,
        "unit": unit,
        "confidence": crowd.pick(("sure", "sure", "fairly sure", "guess")),
    }
