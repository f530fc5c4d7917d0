"""Marking praise and blame: stretches of a review that are highlighted with the mouse and written down by script."""

from __future__ import annotations

import html
import json
import re

from tasks._generator.crowd import Crowd, Worker
from tasks._generator.made import Made
from tasks._generator.model import texts

NAME = "Marking praise and blame"
OPEN = ("would_buy",)

_PIECE = re.compile(r"\*(.+?)\*|#(.+?)#|[^*#]+")
OVERALL = ("more praise", "balanced", "more blame")


def instances(crowd: Crowd) -> list[Made]:
    """Make the instances: the stretches of a kind are mostly marked as they are, else one is left out or cut short."""
    return [_instance(crowd, item["review"]) for item in texts("marking_praise_and_blame")]


def _instance(crowd: Crowd, review: str) -> Made:
    text, praise, blame = _read(review)
    overall = OVERALL[1] if len(praise) == len(blame) else OVERALL[0 if len(praise) > len(blame) else 2]

    def answers(worker: Worker) -> dict[str, str]:
        return {
            "praise": _written(_marked(worker, text, praise)),
            "blame": _written(_marked(worker, text, blame)),
            "overall": worker.choose_near(overall, OVERALL, 0.35),
            "would_buy": "on" if worker.rng.random() < 0.5 else "",
        }

    truth = {"praise": _written(praise), "blame": _written(blame), "overall": overall}
    return crowd.made({"review": html.escape(text)}, answers, truth, most=5)


def _read(review: str) -> tuple[str, list[tuple[int, int]], list[tuple[int, int]]]:
    text = ""
    found: tuple[list[tuple[int, int]], list[tuple[int, int]]] = ([], [])
    for piece in _PIECE.finditer(review):
        words = piece[1] or piece[2] or piece[0]
        if piece[1] or piece[2]:
            found[0 if piece[1] else 1].append((len(text), len(text) + len(words.rstrip("."))))
        text += words
    return text, *found


def _marked(worker: Worker, text: str, right: list[tuple[int, int]]) -> list[tuple[int, int]]:
    if not worker.errs(0.3):
        return right
    marks = list(right)
    at = worker.rng.randrange(len(marks))
    if len(marks) > 1 and worker.rng.random() < 0.5:
        return [mark for place, mark in enumerate(marks) if place != at]
    start, end = marks[at]
    marks[at] = (start, start + text[start:end].rindex(" "))
    return marks


def _written(marks: list[tuple[int, int]]) -> str:
    # As JSON.stringify writes it.
    return json.dumps([{"start": start, "end": end} for start, end in marks], separators=(",", ":"))
