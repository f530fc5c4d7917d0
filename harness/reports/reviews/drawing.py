"""Which fields are reviewed: a draw in which tasks, and in each task kinds of field, take turns."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from itertools import chain
from typing import TypeVar

T = TypeVar("T")


def draw(strata: Mapping[str, Mapping[str, Sequence[T]]], number: int, seed: int) -> list[T]:
    """Draw from every task as many, and within a task from every kind of field, as far as they go.

    A score is a mean over tasks in which each weighs alike; so does each task among the fields that are drawn.

    Args:
        strata: Task -> kind of field -> its fields. The order of each counts.
        number: How many to draw; all if there are not as many.
        seed: Of the draw. A larger number draws the same and more.

    Returns:
        What was drawn, in the order of the draw: round by round one of each task.
    """
    chance = random.Random(seed)  # noqa: S311 - a sample, nothing secret
    queues = []
    for task in sorted(strata):
        kinds = [chance.sample(strata[task][kind], len(strata[task][kind])) for kind in sorted(strata[task])]
        chance.shuffle(kinds)
        queues.append(_in_turn(kinds))
    chance.shuffle(queues)
    return _in_turn(queues)[:number]


def _in_turn(queues: Sequence[Sequence[T]]) -> list[T]:
    """The first of each, then the second of each, and so on."""
    rounds = range(max(map(len, queues), default=0))
    return list(chain.from_iterable((queue[turn] for queue in queues if turn < len(queue)) for turn in rounds))
