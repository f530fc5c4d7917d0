"""Dialogue quality: ratings from 1 to 5, problems, and a question that a low rating reveals.

The page shows "What went wrong?" when the overall rating is 1 or 2. Workers of one dialogue are therefore on
the same side of that gate: all of them rate 1 or 2 and write what went wrong, or all rate 3 to 5 and leave it
empty. Whatever rating has the most votes, even of tied ones, then reveals every field that has labels.
"""

from __future__ import annotations

import html
import random
from typing import Any

from tasks._generator.crowd import Crowd
from tasks._generator.model import Row, instance, joined, texts

NAME = "Dialogue quality"

SCALE = ("1", "2", "3", "4", "5")
REVEALING = SCALE[:2]
PROBLEMS = ("ignores a question", "repeats itself", "wrong information", "too long", "rude")
SPEAKERS = {"c": "customer", "a": "assistant"}


def rows(rng: random.Random) -> list[Row]:
    """Make the rows of all dialogues."""
    crowd = Crowd(rng)
    return [
        row
        for item in texts("dialogue_quality")
        for row in instance(
            {"topic": item["topic"], "dialogue": _dialogue(item["turns"])},
            [_answer(crowd, item) for _ in range(crowd.workers())],
        )
    ]


def _answer(crowd: Crowd, item: dict[str, Any]) -> dict[str, str]:
    gate = REVEALING if item["overall"] <= 2 else SCALE[2:]
    overall = crowd.choose_near(str(item["overall"]), gate, 0.25)
    return {
        "understanding": crowd.choose_near(str(item["understanding"]), SCALE, 0.2),
        "helpfulness": crowd.choose_near(str(item["helpfulness"]), SCALE, 0.2),
        # The one rating that may be left out. A spreadsheet turns a column of numbers with gaps into
        # fractions, which is how such labels reach a benchmark.
        "tone": "" if crowd.blank(0.2) else crowd.choose_near(str(item["tone"]), SCALE, 0.2) + ".0",
        "overall": overall,
        "problems": joined(crowd.tick(item["problems"], PROBLEMS, 0.05), PROBLEMS),
        "what_went_wrong": crowd.write(item["wrong"], 0.2) if overall in REVEALING else "",
    }


def _dialogue(turns: list[str]) -> str:
    spoken = [(SPEAKERS[turn[0]], html.escape(turn[3:], quote=False)) for turn in turns]
    return "".join(f'<li class="{who}"><b>{who.title()}</b>{text}</li>' for who, text in spoken)
