"""The runs that are to be compared, read by one measure."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Executor
from pathlib import Path
from typing import Any

from harness.analysis.comparison import LEFT_OUT, SCORE
from harness.analysis.episode_pass import IN_PLACE
from harness.analysis.scored_run import ScoredRun, read_scored
from harness.analysis.seeds import Result
from harness.kit.registry import registry
from harness.records.directory import RunDirectory


def read_runs(folders: Sequence[Path], profile: str | None, pool: Executor = IN_PLACE) -> tuple[list[ScoredRun], str]:
    """Read runs, and say what of them can be compared.

    Args:
        folders: Run directories.
        profile: The profile to score them by; None for their own.
        pool: What reads and scores their episodes.

    Returns:
        The runs; and the measure: ``LEFT_OUT`` if one of them is the workers themselves, else ``SCORE``.

    Raises:
        NotARun: one of them cannot be read.
    """
    solvers = {RunDirectory(folder).read().config.solver for folder in folders}
    people = bool(solvers & {"crowd", registry("solvers").place("crowd")})
    runs = [read_scored(folder, profile, people=people, pool=pool) for folder in folders]
    return runs, LEFT_OUT if people else SCORE


def result_record(result: Result) -> dict[str, Any]:
    """Which runs a result is made of, as a JSON object."""
    return {
        "name": result.name,
        "runs": [str(run.folder) for run in result.runs],
        "profile": result.runs[0].profile,
        "comparability_id": result.runs[0].comparability_id,
        "seeds": list(result.seeds),
        "headlines": list(result.headlines),
        "between_seeds": result.between_seeds,
        "dropped": dict(result.dropped),
    }
