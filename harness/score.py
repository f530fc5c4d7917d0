"""Score a run again from its directory, without a browser: ``python -m harness.score RUN``."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from harness.analysis.headlines import Headlines
from harness.analysis.scored_run import Visitor
from harness.analysis.summary import summarise
from harness.cli.program import program
from harness.evaluate import COMPLETE, EXIT_CODES, INCOMPLETE, wrong_use
from harness.files.codec import plain
from harness.metrics import PROFILES
from harness.models.client import MissingExtra
from harness.people.aggregated_labels import AGGREGATIONS, MAJORITY, AggregatedLabels, Effect, NothingToAggregate
from harness.reports.run_summary import summary_table
from harness.runlog.directory import NotARun, RunDirectory
from harness.runlog.results import MeanScores, Results
from harness.runlog.run_record import RunRecord, comparability_id
from harness.scoring.scores import InstanceScore, score_episode
from harness.text.numbers import NOTHING, percent, points
from harness.text.tables import aligned


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
        labels: The labels, if they are not by majority.
    """

    record: RunRecord
    labels: Relabelled | None = None

    def to_json(self) -> dict[str, Any]:
        """The record as JSON, with one more key, ``labels``, if they are not by majority."""
        return {**plain(self.record), **({"labels": plain(self.labels)} if self.labels else {})}


def score_run(
    run: RunDirectory, metrics: str | None = None, labels: str = MAJORITY, visitors: Sequence[Visitor] = ()
) -> Rescored:
    """A run with its results computed anew.

    Args:
        run: The run directory; it is not changed.
        metrics: Another profile than the run's own; the comparability id is then that of a run with this profile.
        labels: A name of ``AGGREGATIONS``. Other than by majority, it is said what was done, and no run has the
            comparability id.
        visitors: Each is shown every episode with the scores that the results are made of.

    Raises:
        NotARun: a file of it cannot be read.
        NothingToAggregate: there are no other labels.
        MissingExtra: the aggregation needs a library that is not installed.
    """
    record = run.read()
    name = metrics or record.config.metrics
    profile = PROFILES[name]
    aggregate = AGGREGATIONS[labels].aggregate
    scores = (score_episode(episode, profile) for episode in run.episodes())
    record = replace(record, results=_results(scores, () if aggregate else visitors))
    if name != record.config.metrics:
        config = replace(record.config, metrics=name)
        record = replace(record, config=config, comparability_id=comparability_id(record.compared, name))
    if not aggregate or record.results is None:
        return Rescored(record)
    aggregated = AggregatedLabels(run.episodes(), aggregate)
    scores = (score_episode(aggregated.replaced(episode), profile) for episode in run.episodes())
    results = _results(scores, visitors)
    ident = comparability_id(record.compared, f"{name}, labels by {labels}")
    relabelled = Relabelled(labels, aggregated.effect, record.results)
    return Rescored(replace(record, results=results, comparability_id=ident), relabelled)


def _results(scores: Iterable[InstanceScore], visitors: Sequence[Visitor]) -> Results | None:
    """The numbers of a run; None without an episode."""
    results = summarise(_shown(scores, visitors))
    return results if any(results.outcomes.values()) else None


def _shown(scores: Iterable[InstanceScore], visitors: Sequence[Visitor]) -> Iterator[InstanceScore]:
    for score in scores:
        for visitor in visitors:
            visitor.see(score)
        yield score


def effect_table(labels: Relabelled, after: Results) -> str:
    """What an aggregation of labels did to the scores of a run, as text.

    Args:
        labels: The labels that the results were made with.
        after: The results.
    """
    before, done, name = labels.majority, labels.effect, labels.aggregation
    rows = [["score", MAJORITY, name, "change", "constant", name, "change"]]
    places: list[tuple[str, MeanScores, MeanScores]] = [("overall (mean over tasks)", before.overall, after.overall)]
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
    parse = argparse.ArgumentParser(prog=program("harness.score"), description=__doc__, epilog=EXIT_CODES)
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
    headlines = Headlines()
    try:
        found = score_run(RunDirectory(arguments.run), arguments.metrics, arguments.labels, [headlines])
    except (NotARun, MissingExtra) as error:
        return wrong_use(str(error))
    except NothingToAggregate as error:
        return wrong_use(f"--labels {arguments.labels}: {arguments.run}: {error}")
    if arguments.json:
        print_out(json.dumps(found.to_json(), ensure_ascii=False, indent=1))
    else:
        print_out("\n\n".join(_tables(found, headlines)))
    return COMPLETE if found.record.status == "complete" else INCOMPLETE


def _tables(found: Rescored, headlines: Headlines) -> Iterator[str]:
    yield summary_table(found.record)
    if results := found.record.results:
        yield headlines.table()
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
