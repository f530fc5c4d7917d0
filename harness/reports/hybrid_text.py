"""The hybrid of several results as text for people. Scores are shown in per cent, differences in points of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from harness.analysis.hybrid import Hybrid
from harness.kit.statistics.estimate import Estimate
from harness.kit.statistics.significance import MIN_CLUSTERS
from harness.kit.text import NOTHING, counted, percent, points
from harness.reports.comparison_text import Table, chance, interval

_OPTIMISTIC = "optimistic"
_FITTED = "cross-fitted"


def hybrid_text(made: Hybrid, table: Table) -> str:
    """A hybrid, and what it is held against.

    Args:
        made: What to show.
        table: Makes text of rows.
    """
    tasks, instances = counted(made.hybrid.clusters, "task"), counted(made.hybrid.items, "instance")
    left = ", ".join(f"{count} {reason}" for reason, count in made.dropped.items())
    return "\n\n".join(
        [
            f"The hybrid: each kind of field answered by the result that is best at it on the other tasks "
            f"({instances} of {tasks} that all results share).",
            *(["\n".join(f"warning: {warning}" for warning in made.warnings)] if made.warnings else []),
            table(list(_scores(made))),
            table(list(_differences(made))),
            "\n".join(_notes(made)),
            table(list(_choices(made))),
            "chosen by all: what all tasks together choose. chosen by the others: of the tasks with such fields, in\n"
            "how many the other tasks chose whom.",
            f"Instances left out: {left}." if left else "No instance is left out.",
        ]
    )


def _scores(made: Hybrid) -> Iterator[list[str]]:
    yield ["", "choice", "score", "95 % interval"]
    yield _score("hybrid", _FITTED, made.hybrid)
    yield _score("hybrid", _OPTIMISTIC, made.hybrid_optimistic)
    yield _score("single best", _FITTED, made.single)
    yield _score(f"single best: {made.best}", _OPTIMISTIC, made.single_optimistic)
    for name, estimate in zip(made.results, made.scores, strict=True):
        yield _score(name, NOTHING, estimate)


def _score(name: str, choice: str, estimate: Estimate) -> list[str]:
    limits = NOTHING
    if estimate.low is not None and estimate.high is not None:
        limits = f"{percent(estimate.low)} to {percent(estimate.high)}"
    return [name, choice, percent(estimate.value), limits]


def _differences(made: Hybrid) -> Iterator[list[str]]:
    yield ["hybrid (cross-fitted) less", "difference", "95 % interval", "p"]
    for name, difference, p in (
        ("single best, cross-fitted", made.difference, made.p),
        (f"{made.best}, best in hindsight", made.difference_from_best, made.p_from_best),
    ):
        yield [name, points(difference.value), interval(difference), chance(p)]


def _notes(made: Hybrid) -> Iterator[str]:
    yield (
        f"{_OPTIMISTIC}: chosen on the very tasks that are scored, which takes luck for skill; "
        f"{_FITTED}: each task by what the others choose."
    )
    yield f"The single best of the other tasks was {_told(made.single_times)}."
    if made.p is None:
        yield f"p: fewer than {MIN_CLUSTERS} tasks can show nothing by a test, whatever they differ."


def _choices(made: Hybrid) -> Iterator[list[str]]:
    yield ["kind of field", "fields", "tasks", *made.results, "chosen by all", "chosen by the others"]
    for each in made.kinds:
        means = map(percent, each.means)
        yield [each.kind, str(each.fields), str(each.tasks), *means, each.chosen, _told(each.times)]


def _told(times: Mapping[str, int]) -> str:
    return ", ".join(f"{name} ({count})" for name, count in times.items())
