"""Ranking answers: four selects that the page accepts only if every answer has a place of its own.

Workers swap neighbours now and then, but the rankings of one instance are drawn until, at every place, one
answer has more votes than any other and these four answers differ: the majority is a ranking that the page
accepts.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from typing import Any

from tasks._generator.crowd import Crowd
from tasks._generator.model import Row, instance, script_json, texts

NAME = "Ranking answers"

LETTERS = ("A", "B", "C", "D")


def rows(rng: random.Random) -> list[Row]:
    """Make the rows of all questions, the answers of each in drawn order."""
    crowd = Crowd(rng)
    return [row for item in texts("ranking_answers") for row in _instance(crowd, rng, item)]


def _instance(crowd: Crowd, rng: random.Random, item: dict[str, Any]) -> list[Row]:
    order = rng.sample(LETTERS, len(LETTERS))
    workers = crowd.workers()
    rankings = [_ranking(crowd, order) for _ in range(workers)]
    while not _accepted(rankings):
        rankings = [_ranking(crowd, order) for _ in range(workers)]
    shown = dict(zip(order, item["answers"], strict=True))
    return instance(
        {
            "question": item["question"],
            "answers": script_json([{"letter": letter, "text": shown[letter]} for letter in LETTERS]),
        },
        [
            {f"rank_{place}": letter for place, letter in enumerate(ranking, start=1)}
            | {"best_is_good": "yes" if crowd.chance(0.85) else "no"}
            for ranking in rankings
        ],
    )


def _ranking(crowd: Crowd, order: Sequence[str]) -> list[str]:
    ranking = list(order)
    for at in range(len(ranking) - 1):
        if crowd.chance(0.12):
            ranking[at], ranking[at + 1] = ranking[at + 1], ranking[at]
    return ranking


def _accepted(rankings: Sequence[Sequence[str]]) -> bool:
    """Say whether the most voted answers of the four places are sole winners and differ."""
    winners = set()
    for votes in zip(*rankings, strict=True):
        ranked = Counter(votes).most_common(2)
        if len(ranked) == 2 and ranked[0][1] == ranked[1][1]:
            return False
        winners.add(ranked[0][0])
    return len(winners) == len(LETTERS)
