"""What a report says about one result: its numbers, where they come from, and what went wrong."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from harness.analysis.endings import OutcomeReasons
from harness.analysis.length_effect import LengthEffect
from harness.analysis.result_numbers import CROWD, GroupNumbers, ResultNumbers
from harness.analysis.seeds import Result
from harness.analysis.site_results import SiteResults
from harness.kit.statistics.estimate import Estimate
from harness.records.episode import Outcome
from harness.records.run_record import RunRecord
from harness.reports.mistakes.findings import Findings


@dataclass(frozen=True)
class ScoreHistogram:
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
        tasks: Mean over tasks of the means of their instances.
        pooled: Mean over tasks of the means of their fields.
        instances: Mean over instances.
    """

    comparability_id: str
    tasks: Estimate
    pooled: float
    instances: Estimate


@dataclass(frozen=True)
class Reported:
    """One result of a report.

    Attributes:
        name: The solver, with what tells it from the other results.
        numbers: What was measured.
        records: The ``run.json`` of each of its runs.
        scores: How the instances' scores are distributed.
        dropped: Why -> instances that some of several seeds scored and the numbers leave out.
        mistakes: Wrong answers of its first run.
        folder: The run directory of its first run; None if it is not on disk.
        original: Its first run under ``turkingbench-2024``; None if nothing was published about its
            tasks.
        endings: Outcome -> why episodes of all its runs ended so.
        second_attempts: How many of them had a second attempt.
        result: The tables behind it, for what is said of several results together; None where there are none.
        length: How its scores go with the lengths of its pages; None if no length is known.
        sites: What its episodes on websites are worth; None if there are none.
        changed: What was changed in the records of its runs after they were written, in words; empty if nothing is
            known to be.
    """

    name: str
    numbers: ResultNumbers
    records: Sequence[RunRecord]
    scores: ScoreHistogram
    dropped: Mapping[str, int]
    mistakes: Findings
    original: Original | None = None
    endings: Mapping[Outcome, OutcomeReasons] = field(default_factory=dict)
    second_attempts: int = 0
    result: Result | None = field(default=None, compare=False)
    length: LengthEffect | None = None
    sites: SiteResults | None = None
    changed: Sequence[str] = ()
    folder: Path | None = None

    @property
    def record(self) -> RunRecord:
        """The ``run.json`` of its first run."""
        return self.records[0]

    @property
    def profile(self) -> str:
        """The scoring profile."""
        return self.numbers.profile

    @property
    def comparability_id(self) -> str:
        """Of its runs, under that profile."""
        return self.numbers.comparability_id

    @property
    def overall(self) -> GroupNumbers:
        """The numbers over all tasks."""
        return self.numbers.groups.overall

    @property
    def score(self) -> float | None:
        """The headline."""
        return self.overall.estimates.score.value

    @property
    def is_on_sites(self) -> bool:
        """Whether all that was scored of it are episodes on websites, which have no fields."""
        return self.sites is not None and not self.overall.sizes.fields

    @property
    def is_of_workers(self) -> bool:
        """Whether the workers themselves are what was scored."""
        return self.record.config.solver == CROWD
