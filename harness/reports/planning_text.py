"""Plans of comparisons as text for people. Differences are shown in points of per cent."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from harness.analysis.planning import Design, RequiredSize, VarianceBasis
from harness.analysis.seeds import Result
from harness.kit.statistics.significance import MIN_CLUSTERS
from harness.kit.text import aligned, counted, percent


def planning_text(
    results: Sequence[Result],
    basis: VarianceBasis,
    needs: Sequence[RequiredSize],
    designs: Sequence[Design],
    *,
    wanted: float,
    level: float,
) -> str:
    """What a plan goes by, what differences need, and what designs show.

    Args:
        results: The one or two that it goes by.
        basis: What they tell of the variance.
        needs: The sizes that show differences.
        designs: The differences that sizes show.
        wanted: The chance of showing a difference.
        level: Of the test.
    """
    return "\n\n".join([*_of_basis(results, basis), *_of_needs(basis, needs, wanted, level), *_of_designs(designs)])


def _of_basis(results: Sequence[Result], basis: VarianceBasis) -> Iterator[str]:
    between, within = (percent(math.sqrt(variance)) for variance in (basis.parts.between, basis.parts.within))
    size = f"{counted(basis.tasks, 'task')} of {basis.instances} instances each (harmonic mean)"
    known = "none" if basis.correlation is None else f"{basis.correlation:.2f}"
    if len(results) == 2:
        yield f"Paired differences of {results[0].name} and {results[1].name} on {size}; correlation {known}."
    else:
        yield (
            f"Scores of {results[0].name} on {size}, and a second solver that varies as much, correlation {known} "
            "(taken for granted; two runs would show it)."
        )
    if basis.dropped:
        yield "Instances left out: " + ", ".join(f"{count} {reason}" for reason, count in basis.dropped.items()) + "."
    yield f"Standard deviation of a difference: {between} points between tasks, {within} within a task."


def _of_needs(basis: VarianceBasis, needs: Sequence[RequiredSize], wanted: float, level: float) -> Iterator[str]:
    rows = [
        ["difference, points", "instances a task, these tasks", "tasks like these", f"or tasks of {basis.instances}"]
    ]
    for each in needs:
        numbers = (_or_none(each.these_tasks), _or_none(each.like_these), _or_none(each.tasks))
        rows.append([f"{100 * each.difference:g}", *numbers])
    yield (
        f"To show a difference with a chance of {wanted:g} (two-sided test, level {level:g}) on {basis.tasks} tasks:"
    )
    yield aligned(rows)
    if any(each.like_these is None for each in needs):
        few = f" (with fewer than {MIN_CLUSTERS} there is no test)" if basis.tasks < MIN_CLUSTERS else ""
        yield f"none: {basis.tasks} tasks are too few, however many instances they have{few}; it takes more tasks."


def _of_designs(designs: Sequence[Design]) -> Iterator[str]:
    rows = [["tasks x instances", "these tasks", "tasks like these"]]
    for each in designs:
        rows.append(
            [f"{each.tasks} x {each.instances}", _points_or_none(each.these_tasks), _points_or_none(each.like_these)]
        )
    yield "The smallest difference that a design shows as surely, in points:"
    yield aligned(rows)


def _or_none(number: int | None) -> str:
    return "none" if number is None else str(number)


def _points_or_none(difference: float | None) -> str:
    return "none" if difference is None else percent(difference)
