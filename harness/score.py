"""Score a run again from its directory, without a browser: ``python -m harness.score RUN``."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from harness.analysis.aggregation import Groups, Rows
from harness.analysis.estimation import headline_estimates
from harness.analysis.run_results import RunScores
from harness.evaluate import COMPLETE, EXIT_CODES, INCOMPLETE, wrong_use
from harness.metrics import PROFILES
from harness.models.client import MissingExtra
from harness.people.aggregated_labels import AGGREGATIONS, MAJORITY, AggregatedLabels, NothingToAggregate
from harness.runlog.directory import NotARun, RunDirectory
from harness.runlog.provenance import comparability_id
from harness.scoring.scores import score_episode
from harness.statistics.clustered import LEVEL
from harness.text.tables import aligned, summary_table

OVERALL = "overall (mean over tasks)"


@dataclass(frozen=True)
class Rescored:
    """A run that was scored again.

    Attributes:
        record: The content of its ``run.json`` with the results computed anew.
        groups: The scores that these results are made of.
    """

    record: dict[str, Any]
    groups: Groups[Rows]


def score_run(run: RunDirectory, metrics: str | None = None, labels: str = MAJORITY) -> Rescored:
    """Score a run again.

    Args:
        run: The run directory; it is not changed.
        metrics: Another profile than the run's own; the comparability id is then that of a run with this profile.
        labels: A name of ``AGGREGATIONS``. Other than by majority, the record has one more key, ``labels``: the name as
            ``aggregation``, what was done as ``effect``, and the results without it as ``majority``; and no run has its
            comparability id.

    Raises:
        NotARun: a file of it cannot be read.
        NothingToAggregate: there are no other labels.
        MissingExtra: the aggregation needs a library that is not installed.
    """
    record = run.read()
    name = metrics or record["config"]["metrics"]
    profile = PROFILES[name]
    aggregate = AGGREGATIONS[labels].aggregate
    scores = RunScores.of(score_episode(episode, profile) for episode in run.episodes())
    record["results"] = _results(scores)
    if name != record["config"]["metrics"]:
        record["config"]["metrics"] = name
        record["comparability_id"] = comparability_id(record, name)
    if aggregate and record["results"]:
        aggregated = AggregatedLabels(run.episodes(), aggregate)
        scores = RunScores.of(score_episode(aggregated.replaced(episode), profile) for episode in run.episodes())
        effect = aggregated.effect.to_json()
        record["labels"] = {"aggregation": labels, "effect": effect, "majority": record["results"]}
        record["results"] = _results(scores)
        record["comparability_id"] = comparability_id(record, f"{name}, labels by {labels}")
    return Rescored(record, scores.groups)


def _results(scores: RunScores) -> dict[str, Any] | None:
    """The numbers of a run; None without an episode."""
    return asdict(scores.results()) if scores.counts.outcomes else None


def headlines_table(groups: Groups[Rows]) -> str:
    """The headline of a run and those of its splits with their intervals, as percentages."""
    overall, splits = headline_estimates(groups)
    rows = [["", "score", f"{100 * LEVEL:g} % interval", "tasks", "instances"]]
    for name, each in {OVERALL: overall, **{f"split {split}": each for split, each in splits.items()}}.items():
        limits = "–"
        if each.low is not None and each.high is not None:
            limits = f"{100 * each.low:.1f} to {100 * each.high:.1f}"
        score = "–" if each.value is None else f"{100 * each.value:.1f}"
        rows.append([name, score, limits, str(each.clusters), str(each.items)])
    return aligned(rows)


def effect_table(record: Mapping[str, Any]) -> str:
    """What an aggregation of labels did to the scores of a run, as text.

    Args:
        record: As ``score_run`` makes it for labels other than by majority.
    """
    before, after, done = record["labels"]["majority"], record["results"], record["labels"]["effect"]
    name = record["labels"]["aggregation"]
    rows = [["score", MAJORITY, name, "change", "constant", name, "change"]]
    places = [(OVERALL, before["overall"], after["overall"])]
    places += [(f"split {split}", before["splits"][split], each) for split, each in after["splits"].items()]
    places += [(f"kind {kind}", before["kinds"][kind], each) for kind, each in after["kinds"].items()]
    for title, old, new in places:
        rows.append([title, *_change(old["score"], new["score"]), *_change(old["constant"], new["constant"])])
    told = (
        f"{done['replaced']:,} of {done['fields']:,} scored choices have one label in place of several. As they are: "
        f"{done['single']:,} with fewer than two votes, {done['kept']:,} whose options differ between instances or "
        f"whose answer no one label can say. Questions decided against the votes: {done['overturned']:,}; "
        f"ties decided: {done['ties']:,}."
    )
    return f"Labels: {name} ({AGGREGATIONS[name].summary})\n\n{aligned(rows)}\n\n{told}"


def _change(before: float | None, after: float | None) -> list[str]:
    if before is None or after is None:
        return ["–", "–", "–"]
    return [f"{100 * before:.1f}", f"{100 * after:.1f}", f"{100 * (after - before):+.1f}"]


def parser() -> argparse.ArgumentParser:
    """The command line."""
    parse = argparse.ArgumentParser(prog="python -m harness.score", description=__doc__, epilog=EXIT_CODES)
    parse.add_argument("run", type=Path, metavar="RUN", help="run directory")
    parse.add_argument("--metrics", choices=list(PROFILES), help="scoring profile (default: the run's own)")
    parse.add_argument(
        "--labels",
        choices=list(AGGREGATIONS),
        default=MAJORITY,
        help="replace the labels of choices by one: "
        + "; ".join(f"{name}: {each.summary}" for name, each in AGGREGATIONS.items())
        + " (default: %(default)s)",
    )
    parse.add_argument("--json", action="store_true", help="print the record as JSON instead of tables")
    return parse


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code."""
    arguments = parser().parse_args(argv)
    try:
        scored = score_run(RunDirectory.open(arguments.run), arguments.metrics, arguments.labels)
    except (NotARun, MissingExtra) as error:
        return wrong_use(str(error))
    except NothingToAggregate as error:
        return wrong_use(f"--labels {arguments.labels}: {arguments.run}: {error}")
    record = scored.record
    if arguments.json:
        print_out(json.dumps(record, ensure_ascii=False, indent=1))
    else:
        parts = [summary_table(record), *([headlines_table(scored.groups)] if record["results"] else [])]
        print_out("\n\n".join([*parts, *([effect_table(record)] if "labels" in record else [])]))
    return COMPLETE if record["status"] == "complete" else INCOMPLETE


def print_out(text: str) -> None:
    """Print; a reader that has seen enough, such as ``head``, may close its end."""
    try:
        print(text, flush=True)
    except BrokenPipeError:
        # Python flushes once more when it ends, and would complain.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    sys.exit(main())
