"""How long does it take: a typed number and the unit that goes with it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tasks._generator.crowd import Crowd, Worker
from tasks._generator.made import Made
from tasks._generator.model import texts

NAME = "How long does it take"


OPEN = ("amount", "unit", "confidence")


def instances(crowd: Crowd) -> list[Made]:
    """Make the instances: an estimate has no right answer; number and unit belong together."""
    return [
        crowd.made(
            {"sentence": re.sub(r"\*(.+?)\*", r"<mark>\1</mark>", item["sentence"])},
            lambda worker, item=item: _answer(worker, item["answers"]),
            {},
        )
        for item in texts("how_long_does_it_take")
    ]


def _answer(worker: Worker, answers: Sequence[Sequence[str]]) -> dict[str, str]:
    amount, unit = worker.pick(answers)
    return {
        "amount": amount,
        "unit": unit,
        "confidence": worker.choose_near("fairly sure", ("sure", "fairly sure", "guess"), 0.4),
    }
