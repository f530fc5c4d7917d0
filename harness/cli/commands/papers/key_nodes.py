"""Forms judged by key nodes beside the metric, and how far the two agree."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from harness.cli.boundary import COMPLETE, INCOMPLETE, error_boundary, print_out, program
from harness.cli.command_line import CommandLine
from harness.kit.errors import UserError
from harness.kit.text import aligned, markdown_table

if TYPE_CHECKING:
    from harness.analysis.form_key_nodes import FormAgreement
    from harness.records.directory import RunDirectory


def parser() -> argparse.ArgumentParser:
    """The command line."""
    parse = CommandLine(
        prog=program("papers webcanvas key-nodes"),
        description="Score forms by key nodes and by the metric, and say how far the two agree. Each "
        "scored field is one node; its reference is the answer with the highest score. "
        "docs/reference/key-nodes.md explains the columns.",
        epilog="exit codes: 0 done; 1 a run is not complete; 2 wrong use",
    )
    parse.add_argument("runs", type=Path, nargs="+", metavar="RUN", help="run directories of forms")
    shown = parse.add_mutually_exclusive_group()
    shown.add_argument("--json", action="store_true", help="print JSON: one object, or a list for several runs")
    shown.add_argument("--markdown", action="store_true", help="print the table in Markdown")
    return parse


@error_boundary()
def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code."""
    arguments = parser().parse_args(argv)
    # What is slow to import is imported for work, not for help.
    from harness.records.directory import RunDirectory  # noqa: PLC0415

    runs = [RunDirectory.open(folder) for folder in arguments.runs]
    found = [_agreement(run) for run in runs]
    if arguments.json:
        objects = [{"run": str(run.folder), **_told(each)} for run, each in zip(runs, found, strict=True)]
        print_out(json.dumps(objects[0] if len(objects) == 1 else objects, ensure_ascii=False, indent=1))
    else:
        print_out(_table(runs, found, in_markdown=arguments.markdown))
    return COMPLETE if all(run.read().status == "complete" for run in runs) else INCOMPLETE


def _agreement(run: RunDirectory) -> FormAgreement:
    """How far both agree on a run, by the run's own metric.

    Raises:
        UserError: it has no scored field of a form.
    """
    from harness.analysis.form_key_nodes import form_agreement  # noqa: PLC0415
    from harness.scoring.metrics import PROFILES  # noqa: PLC0415

    forms = (episode for episode in run.episodes() if episode.site is None)
    found = form_agreement(forms, PROFILES[run.read().config.metrics])
    if not found.fields:
        raise UserError(f"{run.folder} has no scored field of a form; give a run on forms by a solver")
    return found


def _told(found: FormAgreement) -> dict[str, object]:
    return {**asdict(found), "agreement": found.agreement}


def _table(runs: Sequence[RunDirectory], found: Sequence[FormAgreement], *, in_markdown: bool) -> str:
    from harness.kit.text import NOTHING, UNKNOWN  # noqa: PLC0415
    from harness.records.agent_name import agent_name  # noqa: PLC0415

    def number(value: float | None) -> str:
        return UNKNOWN if value is None else f"{value:.3f}"

    rows = [["run", "fields", "both", "node alone", "metric alone", "neither", "agreement", "kappa", "met", "score"]]
    for run, each in zip(runs, found, strict=True):
        kappa = each.kappa
        interval = "" if kappa.low is None else f" ({kappa.low:.2f} to {kappa.high:.2f})"
        counts = (each.fields, each.both, each.node_only, each.metric_only, each.neither)
        told = NOTHING if kappa.value is None else f"{kappa.value:.2f}{interval}"
        shares = (number(each.completion), number(each.score))
        rows.append([agent_name(run.read()), *map(str, counts), number(each.agreement), told, *shares])
    return markdown_table(rows) if in_markdown else aligned(rows)
