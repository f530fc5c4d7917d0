"""A number and how sure it is; and what is taken where nobody says otherwise."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

DRAWS = 10_000
"""Of a bootstrap."""
POWER = 0.8
"""The chance of showing a difference that is there."""
ALPHA = 0.05
"""The level of a two-sided test: the chance of showing a difference that is not there."""
CORRELATION = 0.5
"""Of two solvers' scores, where only one is known: the middle of the 0.3 to 0.7 that Miller (2024, arXiv:2411.00640)
reports for the scores of models on the questions of an evaluation. Differences then vary as much as scores do."""


NO_INTERVAL = "none"
"""The method of an estimate without limits."""


@dataclass(frozen=True)
class Estimate:
    """A number with the limits of its interval.

    Attributes:
        value: The number; None where nothing could be measured.
        low: The lower limit; None where the data allow no honest interval: ``method`` is then ``NO_INTERVAL``.
        high: The upper limit; None if ``low`` is.
        clusters: Clusters (tasks) that the number rests on.
        items: Items (instances, or fields) in them.
        method: How the limits were found, as ``docs/explanation/statistics.md`` names it.
    """

    value: float | None
    low: float | None
    high: float | None
    clusters: int
    items: int
    method: str = NO_INTERVAL

    def to_json(self) -> dict[str, Any]:
        """The estimate as a JSON object with the attributes' names as its keys."""
        return asdict(self)

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> Estimate:
        """Read what ``to_json`` wrote.

        Raises:
            KeyError: If a key is missing.
        """
        return cls(**{name: record[name] for name in ("value", "low", "high", "clusters", "items", "method")})
