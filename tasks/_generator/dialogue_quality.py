"""Dialogue quality: ratings from 1 to 5, problems, and a question that a low rating reveals.

The page shows "What went wrong?" when the overall rating is 1 or 2. Workers of one dialogue are therefore on
the same side of that gate: all of them rate 1 or 2 and write what went wrong, or all rate 3 to 5 and leave it
empty. Whatever rating has the most votes, even of tied ones, then reveals every field that has labels.
"""

from __future__ import annotations

import html
from typing import Any

from tasks._generator.crowd import Crowd, Worker
from tasks._generator.made import Made
from tasks._generator.model import joined, texts

NAME = "Dialogue quality"

SCALE = ("1", "2", "3", "4", "5")
REVEALING = SCALE[:2]
PROBLEMS = ("ignores a question", "repeats itself", "wrong information", "too long", "rude")
SPEAKERS = {"c": "customer", "a": "assistant"}


FREE = ("what_went_wrong",)


def instances(crowd: Crowd) -> list[Made]:
    """Make the instances of all dialogues."""
    return [
        crowd.made(
            {"topic": item["topic"], "dialogue": _dialogue(item["turns"])},
            lambda worker, item=item: _answer(worker, item),
            {
                "understanding": str(item["understanding"]),
                "helpfulness": str(item["helpfulness"]),
                "tone": f"{item['tone']}.0",
                "overall": str(item["overall"]),
                "problems": joined(item["problems"], PROBLEMS),
            },
        )
        for item in texts("dialogue_quality")
    ]


def _answer(worker: Worker, item: dict[str, Any]) -> dict[str, str]:
    gate = REVEALING if item["overall"] <= 2 else SCALE[2:]
    overall = worker.choose_near(str(item["overall"]), gate, 0.4)
    return {
        "understanding": worker.choose_near(str(item["understanding"]), SCALE, 0.45),
        "helpfulness": worker.choose_near(str(item["helpfulness"]), SCALE, 0.45),
        # The one rating that may be left out. A spreadsheet turns a column of numbers with gaps into
        # fractions, which is how such labels reach a benchmark.
        "tone": "" if worker.skips(0.15) else worker.choose_near(str(item["tone"]), SCALE, 0.45) + ".0",
        "overall": overall,
        "problems": joined(worker.tick(item["problems"], PROBLEMS, 0.25), PROBLEMS),
        "what_went_wrong": worker.say(item["wrong"]) if overall in REVEALING else "",
    }


def _dialogue(turns: list[str]) -> str:
    spoken = [(SPEAKERS[turn[0]], html.escape(turn[3:], quote=False)) for turn in turns]
    return "".join(f'<li class="{who}"><b>{who.title()}</b>{text}</li>' for who, text in spoken)
