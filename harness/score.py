"""Score a run again from its directory, without a browser: ``python -m harness.score RUN``."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from harness.evaluate import COMPLETE, EXIT_CODES, INCOMPLETE, wrong_use
from harness.metrics import PROFILES
from harness.run.provenance import comparability_id
from harness.run.runlog import NotARun, RunDirectory
from harness.scoring import score_episode
from harness.summary import summarise
from harness.tables import summary_table


def score_run(run: RunDirectory, metrics: str | None = None) -> dict[str, Any]:
    """The record of a run with its results computed anew.

    Args:
        run: The run directory; it is not changed.
        metrics: Another profile than the run's own; the comparability id is then that of a run with this profile.

    Raises:
        NotARun: a file of it cannot be read.
    """
    record = run.read()
    name = metrics or record["config"]["metrics"]
    results = summarise(score_episode(episode, PROFILES[name]) for episode in run.episodes())
    record["results"] = results if any(results["outcomes"].values()) else None
    if name != record["config"]["metrics"]:
        record["config"]["metrics"] = name
        record["comparability_id"] = comparability_id(record, name)
    return record


def parser() -> argparse.ArgumentParser:
    """The command line."""
    parse = argparse.ArgumentParser(prog="python -m harness.score", description=__doc__, epilog=EXIT_CODES)
    parse.add_argument("run", type=Path, metavar="RUN", help="run directory")
    parse.add_argument("--metrics", choices=list(PROFILES), help="scoring profile (default: the run's own)")
    parse.add_argument("--json", action="store_true", help="print the record as JSON instead of tables")
    return parse


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code."""
    arguments = parser().parse_args(argv)
    try:
        record = score_run(RunDirectory.open(arguments.run), arguments.metrics)
    except NotARun as error:
        return wrong_use(str(error))
    _print(json.dumps(record, ensure_ascii=False, indent=1) if arguments.json else summary_table(record))
    return COMPLETE if record["status"] == "complete" else INCOMPLETE


def _print(text: str) -> None:
    """Print; a reader that has seen enough, such as ``head``, may close its end."""
    try:
        print(text, flush=True)
    except BrokenPipeError:
        # Python flushes once more when it ends, and would complain.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    sys.exit(main())
