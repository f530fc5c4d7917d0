"""Score a run again from its directory, without a browser: ``python -m harness.score RUN``."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from harness.analysis.aggregation import Groups, Rows
from harness.analysis.estimation import headline_estimates
from harness.analysis.run_results import RunScores
from harness.evaluate import COMPLETE, EXIT_CODES, INCOMPLETE, wrong_use
from harness.files.codec import plain
from harness.metrics import PROFILES
from harness.models.client import MissingExtra
from harness.people.aggregated_labels import AGGREGATIONS, MAJORITY, AggregatedLabels, Effect, NothingToAggregate
from harness.reports.run_summary import summary_table
from harness.runlog.directory import NotARun, RunDirectory
from harness.runlog.results import MeanScores, Results
from harness.runlog.run_record import RunRecord, comparability_id
from harness.scoring.scores import score_episode
from harness.statistics.clustered import LEVEL
from harness.text.numbers import NOTHING, percent, points
from harness.text.tables import aligned

OVERALL = "overall (mean over tasks)"


@dataclass(frozen=True)
class Relabelled:
    """Labels other than by majority.

    Attributes:
        aggregation: How they were made: a name of ``AGGREGATIONS``.
        effect: What was done.
        majority: The results without it.
    """

    aggregation: str
    effect: Effect
    majority: Results


@dataclass(frozen=True)
class Rescored:
    """A run that was scored again.

    Attributes:
        record: The content of its ``run.json`` with the new results.
        groups: The scores that these results are made of.
        labels: The labels, if they are not by majority.
    """

    record: RunRecord
    groups: Groups[Rows]
    labels: Relabelled | None = None

    def to_json(self) -> dict[str, Any]:
        """The record as JSON, with one more key, ``labels``, if they are not by majority."""
        return {**plain(self.record), **({"labels": plain(self.labels)} if self.labels else {})}


def score_run(run: RunDirectory, metrics: str | None = None, labels: str = MAJORITY) -> Rescored:
    """A run with its results computed anew.

    Args:
        run: The run directory; it is not changed.
        metrics: Another profile than the run's own; the comparability id is then that of a run with this profile.
        labels: A name of ``AGGREGATIONS``. Other than by majority, it is said what was done, and no run has the
            comparability id.

    Raises:
        NotARun: a file of it cannot be read.
        NothingToAggregate: there are no other labels.
        MissingExtra: the aggregation needs a library that is not installed.
    """
    record = run.read()
    name = metrics or record.config.metrics
    profile = PROFILES[name]
    aggregate = AGGREGATIONS[labels].aggregate
    scores = RunScores.of(score_episode(episode, profile) for episode in run.episodes())
    record = replace(record, results=_results(scores))
    if name != record.config.metrics:
        config = replace(record.config, metrics=name)
        record = replace(record, config=config, comparability_id=comparability_id(record.compared, name))
    if not aggregate or record.results is None:
        return Rescored(record, scores.groups)
    aggregated = AggregatedLabels(run.episodes(), aggregate)
    scores = RunScores.of(score_episode(aggregated.replaced(episode), profile) for episode in run.episodes())
    ident = comparability_id(record.compared, f"{name}, labels by {labels}")
    relabelled = Relabelled(labels, aggregated.effect, record.results)
    return Rescored(replace(record, results=_results(scores), comparability_id=ident), scores.groups, relabelled)


def _results(scores: RunScores) -> Results | None:
    """The numbers of a run; None without an episode."""
    return scores.results() if scores.counts.outcomes else None


def headlines_table(groups: Groups[Rows]) -> str:
    """The headline of a run and those of its splits with their intervals, as percentages."""
    overall, splits = headline_estimates(groups)
    rows = [["", "score", f"{100 * LEVEL:g} % interval", "tasks", "instances"]]
    for name, each in {OVERALL: overall, **{f"split {split}": each for split, each in splits.items()}}.items():
        limits = NOTHING if each.low is None else f"{percent(each.low)} to {percent(each.high)}"
        rows.append([name, percent(each.value), limits, str(each.clusters), str(each.items)])
    return aligned(rows)


def effect_table(labels: Relabelled, after: Results) -> str:
    """What an aggregation of labels did to the scores of a run, as text.

    Args:
        labels: The labels that the results were made with.
        after: The results.
    """
    before, done, name = labels.majority, labels.effect, labels.aggregation
    rows = [["score", MAJORITY, name, "change", "constant", name, "change"]]
    places: list[tuple[str, MeanScores, MeanScores]] = [(OVERALL, before.overall, after.overall)]
    places += [(f"split {split}", before.splits[split], each) for split, each in after.splits.items()]
    places += [(f"kind {kind}", before.kinds[kind], each) for kind, each in after.kinds.items()]
    for title, old, new in places:
        rows.append([title, *_change(old.score, new.score), *_change(old.constant, new.constant)])
    told = (
        f"{done.replaced:,} of {done.fields:,} scored choices have one label in place of several. As they are: "
        f"{done.single:,} with fewer than two votes, {done.kept:,} whose options differ between instances or "
        f"whose answer no one label can say. Questions decided against the votes: {done.overturned:,}; "
        f"ties decided: {done.ties:,}."
    )
    return f"Labels: {name} ({AGGREGATIONS[name].summary})\n\n{aligned(rows)}\n\n{told}"


def _change(before: float | None, after: float | None) -> list[str]:
    if before is None or after is None:
        return [NOTHING, NOTHING, NOTHING]
    return [percent(before), percent(after), points(after - before)]


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
        found = score_run(RunDirectory(arguments.run), arguments.metrics, arguments.labels)
    except (NotARun, MissingExtra) as error:
        return wrong_use(str(error))
    except NothingToAggregate as error:
        return wrong_use(f"--labels {arguments.labels}: {arguments.run}: {error}")
    if arguments.json:
        print_out(json.dumps(found.to_json(), ensure_ascii=False, indent=1))
    else:
        print_out("\n\n".join(_tables(found)))
    return COMPLETE if found.record.status == "complete" else INCOMPLETE


def _tables(found: Rescored) -> Iterator[str]:
    yield summary_table(found.record)
    if results := found.record.results:
        yield headlines_table(found.groups)
        if found.labels:
            yield effect_table(found.labels, results)


def print_out(text: str) -> None:
    """Print; a reader that has seen enough, such as ``head``, may close its end."""
    try:
        print(text, flush=True)
    except BrokenPipeError:
        # Python flushes once more when it ends, and would complain.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    sys.exit(main())
