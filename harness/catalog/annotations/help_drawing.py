"""Which assignments get help: drawn for each worker and instance, so that what help does can be told from who gets it.

Help is what a run sent on the same instance: filled in beforehand, or marked where the worker answers otherwise.
"""

from __future__ import annotations

import hashlib
from typing import Literal, get_args

Way = Literal["fill", "mark"]
"""How help is given: the run's answers stand in the fields, or fields in which the worker differs are marked."""
WAYS: tuple[Way, ...] = get_args(Way)
_DIGITS = 13
"""Hex digits of the hash that make the draw: as many as a float holds."""


def is_drawn(seed: int, share: float, worker: str, what: str) -> bool:
    """Whether a worker is drawn to get something: help on an instance, or a gold question at an assignment.

    The draw depends on nothing else, so that who gives an instance back and takes it again draws nothing new.

    Args:
        seed: Of the batch's help or gold questions.
        share: Of the assignments that are to be drawn, from 0 to 1.
        worker: What tells the worker from others.
        what: What it is drawn for: an instance's id, or the assignment's place among the worker's.
    """
    digest = hashlib.sha256(f"{seed}:{worker}:{what}".encode()).hexdigest()
    drawn: float = int(digest[:_DIGITS], 16) / 16**_DIGITS
    return drawn < share
