"""What a report says about one result: its numbers, where they come from, and what went wrong."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from harness.reports.wording import value
from harness.runlog.run_record import RunRecord

Record = Mapping[str, Any]


@dataclass(frozen=True)
class Scores:
    """The scores of instances, counted.

    Attributes:
        bins: Instances in bins of equal width from 0 to 1; the last one holds 1, too.
        nothing: Instances with a score of exactly 0.
        full: Instances that reach exactly 1.
    """

    bins: Sequence[int]
    nothing: int
    full: int


@dataclass(frozen=True)
class Original:
    """The published split of a run under the rules of the original code, for comparison with published numbers.

    Attributes:
        comparability_id: Of the run under that profile.
        tasks: Mean over tasks of the means of their instances, an ``Estimate`` as JSON.
        pooled: Mean over tasks of the means of their fields.
        instances: Mean over instances, an ``Estimate`` as JSON.
    """

    comparability_id: str
    tasks: Record
    pooled: float
    instances: Record


@dataclass(frozen=True)
class Reported:
    """One result of a report.

    Attributes:
        name: The solver, with what tells it from the other results.
        numbers: See ``harness.analysis.numbers``.
        records: The ``run.json`` of each of its runs.
        profile: The scoring profile.
        comparability_id: Under that profile.
        scores: How the instances' scores are distributed.
        dropped: Why -> instances that some of several seeds scored and the numbers leave out.
        mistakes: Wrong answers of its first run, see ``harness.reports.mistakes.collection``.
        original: Its first run under ``turkingbench-2024``; None if nothing was published about its
            tasks.
    """

    name: str
    numbers: Record
    records: Sequence[RunRecord]
    profile: str
    comparability_id: str
    scores: Scores
    dropped: Mapping[str, int]
    mistakes: Record
    original: Original | None = None

    @property
    def record(self) -> RunRecord:
        """The ``run.json`` of its first run."""
        return self.records[0]

    @property
    def overall(self) -> Record:
        """The numbers over all tasks."""
        found: Record = self.numbers["overall"]
        return found

    @property
    def score(self) -> float | None:
        """The headline."""
        return value(self.overall["score"])

    @property
    def is_of_workers(self) -> bool:
        """Whether the workers themselves are what was scored."""
        return self.record.config.solver == "crowd"
