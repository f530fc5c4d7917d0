"""Means over tasks, and what is made of them: shares of the ceiling, skills, bounds of a headline.

Tables are those of ``harness.analysis.score_table.ScoreTable``. ``docs/metrics.md`` defines the numbers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from harness.analysis.score_table import MEASURES

Numbers = dict[str, Any]
"""A JSON object."""


def task_means(instances: pd.DataFrame, measures: Sequence[str] = MEASURES) -> pd.DataFrame:
    """The mean of each task's instances.

    Args:
        instances: A row an episode.
        measures: The columns to average; a mean leaves out what is NaN.

    Returns:
        A row a task, sorted: the measures, ``split``, ``instances`` (with a score) and ``episodes``.
    """
    groups = instances.groupby("task", sort=True, observed=True)
    means = groups[list(measures)].mean()
    means["split"] = groups["split"].first()
    means["instances"] = groups["score"].count()
    means["episodes"] = groups.size()
    return means


def numbers_of(means: pd.Series[Any]) -> Numbers:
    """A row of means as a JSON object; null for NaN."""
    return {str(name): number(value) for name, value in means.items()}


def number(value: object) -> float | None:
    """A number for JSON; None for NaN."""
    return None if pd.isna(value) else float(value)  # type: ignore[arg-type, call-overload]


def with_skill(numbers: Mapping[str, Any]) -> Numbers:
    """Add the share of the ceiling, and of the way from each floor to the ceiling, that the score reaches.

    Args:
        numbers: With ``score``, ``ceiling``, ``do_nothing`` and ``constant``, each a score or None.

    Returns:
        The same with ``of_ceiling``, ``skill_over_do_nothing`` and ``skill_over_constant``; None where the floor is as
        high as the ceiling.
    """
    score, ceiling = numbers["score"], numbers["ceiling"]
    found = {**numbers, "of_ceiling": score / ceiling if score is not None and ceiling else None}
    for floor in ("do_nothing", "constant"):
        found[f"skill_over_{floor}"] = _skill(score, ceiling, numbers[floor])
    return found


def _skill(score: float | None, ceiling: float | None, floor: float | None) -> float | None:
    if score is None or ceiling is None or floor is None or ceiling - floor < 1e-9:
        return None
    return (score - floor) / (ceiling - floor)


def bounds(instances: pd.DataFrame) -> list[float] | None:
    """The least and the most that the headline can be, whatever the instances without a score had scored.

    Args:
        instances: A row an episode.

    Returns:
        Both; None if no instance lacks a score because of a harness error.
    """
    missing = instances["outcome"] == "harness_error"
    if not missing.any():
        return None
    found = []
    for value in (0.0, 1.0):
        filled = instances["score"].where(~missing, value)
        found.append(float(filled.groupby(instances["task"], observed=True).mean().mean()))
    return found
