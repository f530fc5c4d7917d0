"""Run the oracle and list every field below its ceiling: ``python -m oracle.check``.

Exit status 0: every scored field of every instance reaches its ceiling; 1: some do not, or the run did not get
to its end; 2: wrong use.
"""

from __future__ import annotations

import argparse
import datetime
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from harness.browser.launch import NoBrowser
from harness.catalog.problems import CatalogError
from harness.evaluate import COMPLETE, INCOMPLETE, Bar, add_task_arguments, config_of, refused, wrong_use
from harness.metrics import PROFILES
from harness.run.runlog import RunDirectory
from harness.run.runner import Run
from harness.scoring import InstanceScore, ScoredField
from harness.server import ServerRefused

_ROUNDING = 1e-9


@dataclass(frozen=True)
class Shortfall:
    """A scored field in which the oracle is below its ceiling, or an instance that it could not work on.

    Attributes:
        task: The task's name.
        index: The instance's place in its file.
        rows: The data rows of the task's table that it was made from; the row below the header is 1.
        field: The field's name; empty for a whole instance.
        wanted: The labels.
        found: What the form sent.
        reason: Why, as far as it is known.
    """

    task: str
    index: int
    rows: tuple[int, ...]
    field: str
    wanted: tuple[str, ...]
    found: tuple[str, ...]
    reason: str

    def __str__(self) -> str:
        place = f"{self.task}, instance {self.index} ({_listed(self.rows)})"
        if not self.field:
            return f"{place}: {self.reason}"
        wanted = " / ".join(repr(_short(label)) for label in dict.fromkeys(self.wanted))
        found = ", ".join(repr(_short(value)) for value in self.found) or "nothing"
        return f"{place}, field {self.field!r}: wanted {wanted}; found {found}; {self.reason}"


def shortfalls(scores: Iterable[InstanceScore], rows: Mapping[tuple[str, int], tuple[int, ...]]) -> list[Shortfall]:
    """Every field below its ceiling, and every instance without a score that should have one.

    Args:
        scores: The scores of the oracle's episodes, in any order.
        rows: Task and index of an instance -> its rows.

    Returns:
        By task and instance.
    """
    found = []
    for score in sorted(scores, key=lambda score: (score.episode.task, score.episode.index)):
        episode = score.episode
        place = (episode.task, episode.index, rows[episode.task, episode.index])
        if episode.outcome in ("harness_error", "agent_error", "limit"):
            found.append(Shortfall(*place, "", (), (), f"{episode.outcome}: {episode.detail}"))
        for field in score.fields:
            if field.score.score < field.score.ceiling - _ROUNDING:
                record = field.record
                found.append(Shortfall(*place, record.name, record.labels, record.sent, _reason(score, field)))
    return found


def _reason(score: InstanceScore, field: ScoredField) -> str:
    name = field.record.name
    refusals = [step.message for step in score.episode.steps if not step.ok and repr(name) in step.message]
    if refusals:
        return refusals[-1]
    if field.record.visible:
        return field.score.explanation
    if field.record.kind == "hidden" or not field.record.options:
        return "not visible at load: the page's script writes or makes it"
    return "not visible at load, and nothing that was tried brought it out"


def _listed(rows: Sequence[int]) -> str:
    shown = ", ".join(map(str, rows[:10])) + (", …" if len(rows) > 10 else "")
    return f"row {shown}" if len(rows) == 1 else f"rows {shown}"


def _short(text: str) -> str:
    return text if len(text) <= 60 else text[:59] + "…"


def parser() -> argparse.ArgumentParser:
    """The command line."""
    parse = argparse.ArgumentParser(
        prog="python -m oracle.check",
        description="Run the oracle and list every field below its ceiling.",
        epilog="exit codes: 0 every field reaches its ceiling; 1 some do not; 2 wrong use",
    )
    add_task_arguments(parse)
    parse.add_argument(
        "--metrics", choices=list(PROFILES), default="standard", help="scoring profile (default: %(default)s)"
    )
    parse.add_argument(
        "--out", type=Path, metavar="DIR", help="keep the run directory here (default: it is thrown away)"
    )
    return parse


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code."""
    arguments = parser().parse_args(argv)
    config = config_of(arguments, "oracle", arguments.metrics)
    if reason := refused(config):
        return wrong_use(reason)
    if arguments.out and (refusal := RunDirectory(arguments.out).refusal()):
        return wrong_use(f"{refusal}; give another --out")
    try:
        with tempfile.TemporaryDirectory(prefix="oracle-check-") as scratch:
            run = Run(config, arguments.out or Path(scratch) / "run", Bar())
            for problem in run.catalog.problems:
                print(f"problem: {problem}")
            if not run.selection.jobs:
                return wrong_use("nothing to check: no chosen task has labelled instances")
            started = datetime.datetime.now(datetime.UTC)
            result = run.execute()
    except (CatalogError, ServerRefused, NoBrowser) as error:
        return wrong_use(str(error))
    except KeyboardInterrupt:
        print("interrupted before the run began", file=sys.stderr)
        return INCOMPLETE
    instances = [job.instance for job in run.selection.jobs]
    missed = shortfalls(result.scores, {(each.task, each.index): each.rows for each in instances})
    for shortfall in missed:
        print(shortfall)
    seconds = (datetime.datetime.now(datetime.UTC) - started).total_seconds()
    fields = sum(len(score.fields) for score in result.scores)
    tasks = Counter(score.episode.task for score in result.scores)
    below = Counter(shortfall.task for shortfall in missed)
    print(
        f"{fields - sum(1 for each in missed if each.field)} of {fields} scored fields at their ceiling, "
        f"{len(result.scores)} instances of {len(tasks)} tasks ({len(below)} with shortfalls), {seconds:.0f} s"
    )
    return COMPLETE if not missed and result.status == "complete" else INCOMPLETE


if __name__ == "__main__":
    sys.exit(main())
