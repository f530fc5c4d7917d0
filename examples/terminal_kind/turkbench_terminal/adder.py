"""A solver of questions in a terminal, to have one that needs no model."""

from __future__ import annotations

import re
from typing import Any


class Adder:
    """Answers with the sum of all numbers in the question."""

    kinds = ("terminal",)

    def solve(self, page: Any, act: Any) -> None:
        """See ``harness.episode.solver``."""
        act.answer(text=str(sum(map(int, re.findall(r"\d+", page.goal)))))
