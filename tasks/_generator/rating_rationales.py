"""Rating rationales: three reasons for an answer, each rated on three scales, and the best of them."""

from __future__ import annotations

from typing import Any

from tasks._generator.crowd import Crowd, Worker
from tasks._generator.made import Made
from tasks._generator.model import texts

NAME = "Rating rationales"

SCALE = ("1", "2", "3", "4", "5")
LETTERS = ("A", "B", "C")
# What a kind of reason deserves: is it true, does it explain the answer, is it well written.
_RATINGS = {"good": ("5", "5", "5"), "partly": ("5", "2", "4"), "bad": ("1", "1", "3")}
SCALES = ("true", "explains", "clear")


def instances(crowd: Crowd) -> list[Made]:
    """Make the instances: every question twice, the reasons in other orders, of which one is left as it is."""
    made = []
    for turn in (0, 1):
        for item in texts("rating_rationales"):
            order = crowd.rng.sample(list(_RATINGS), 3)
            made.append(_instance(crowd, item, order, turn))
    return made


def _instance(crowd: Crowd, item: dict[str, Any], order: list[str], turn: int) -> Made:
    # The second time somebody in a hurry wrote the good reason down: it is as true, and less clear.
    ratings = dict(_RATINGS)
    shown = {kind: item[kind] for kind in order}
    if turn:
        shown["good"] = "well " + shown["good"].rstrip(".").lower().replace(",", " and so") + " thats why"
        ratings["good"] = ("5", "5", "2")
    best = LETTERS[order.index("good")]
    truth = {
        f"{letter}-{scale}": right
        for letter, kind in zip(LETTERS, order, strict=True)
        for scale, right in zip(SCALES, ratings[kind], strict=True)
    } | {"best": best}

    def answers(worker: Worker) -> dict[str, str]:
        given = {name: worker.choose_near(right, SCALE, 0.55) for name, right in truth.items() if name != "best"}
        # The best is the one that this worker rated best, unless it was ticked without a look back.
        sums = {letter: sum(int(given[f"{letter}-{scale}"]) for scale in SCALES[:2]) for letter in LETTERS}
        top = [letter for letter in LETTERS if sums[letter] == max(sums.values())]
        return given | {"best": worker.choose(best if best in top else top[0], LETTERS, 0.1)}

    inputs = {"question": item["question"], "answer": item["answer"]}
    inputs |= {f"reason_{letter.lower()}": shown[kind] for letter, kind in zip(LETTERS, order, strict=True)}
    return crowd.made(inputs, answers, truth, most=5)
