"""Pairs of words: do they mean the same, the opposite, or neither? Thirty quick judgements on one page."""

from __future__ import annotations

from tasks._generator.crowd import Crowd, Worker
from tasks._generator.made import Made, Truth
from tasks._generator.model import texts

NAME = "Pairs of words"
OPEN = ("unknown",)

PAGES = 20
ANSWERS = ("same", "opposite", "neither")
# How many pairs of each sort a page has, and how often an ordinary worker errs on one, and in which way.
_SORTS = {"same": (9, 0.4, "neither"), "opposite": (9, 0.34, "neither"), "alike": (4, 0.42, "same"),
          "neither": (8, 0.24, "opposite")}  # fmt: skip
_PAIRS = {item["are"]: item["pairs"] for item in texts("pairs_of_words")}


def instances(crowd: Crowd) -> list[Made]:
    """Make the instances: who errs takes words that belong together for words that mean the same."""
    return [_instance(crowd) for _ in range(PAGES)]


def _instance(crowd: Crowd) -> Made:
    rng = crowd.rng
    asked = [(sort, pair) for sort, (count, *_) in _SORTS.items() for pair in rng.sample(_PAIRS[sort], count)]
    rng.shuffle(asked)
    inputs, truth = {}, {}
    for place, (sort, pair) in enumerate(asked, 1):
        inputs[f"first_{place}"], inputs[f"second_{place}"] = rng.sample(pair, 2)
        truth[f"pair_{place}"] = sort if sort in ANSWERS else "neither"

    def answers(worker: Worker) -> dict[str, str]:
        given = {}
        for (name, right), (sort, _) in zip(truth.items(), asked, strict=True):
            _, difficulty, lure = _SORTS[sort]
            given[name] = worker.choose(right, ANSWERS, difficulty, (lure,))
        return given | {"unknown": "on" if worker.errs(0.2) else ""}

    right: dict[str, Truth] = {**truth}
    return crowd.made(inputs, answers, right)
