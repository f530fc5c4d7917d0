"""How far the program of a solver was shut in while it was evaluated, in words for readers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from harness.browser.box.program_options import Programs
from harness.kit.options.records import view

WORDS: Mapping[str | None, str] = {
    "none": "no box: it could read all files of its user, the labels among them",
    "box": "a box in which nothing of its user exists but what the program needs",
    "container": "a container",
    "masked": "a box of an earlier version, which showed its user's files but for task sets, runs and caches (masked)",
    "strict": "a box of an earlier version, in which nothing existed but what was named (strict)",
    None: "a box or in none, which is not known: it may have read the labels",
}


def shut_in(options: Mapping[str, Any], isolation: str | None) -> str:
    """How the program of a run was shut in.

    Args:
        options: Of the run's solver.
        isolation: What its record says.

    Returns:
        In words; empty if the solver has no program.
    """
    if not view(Programs, options).any:
        return ""
    return WORDS.get(isolation, WORDS[None])


def is_open(options: Mapping[str, Any], isolation: str | None) -> bool:
    """Whether a run has a program that could, for all that is known, read the labels."""
    return bool(shut_in(options, isolation)) and (isolation not in WORDS or isolation in ("none", None))
