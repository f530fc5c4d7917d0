"""What the rules of the original code do to scores, on a run or ``--recorded FILE``."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from harness.cli.boundary import COMPLETE, INCOMPLETE, error_boundary, program
from harness.cli.command_line import CommandLine
from harness.kit.errors import UserError
from harness.kit.text import counted
from harness.papers.turkingbench.measured import in_markdown, in_words, measure
from harness.papers.turkingbench.original import beside, beside_table, original_table, read_recorded, task_lines
from harness.papers.turkingbench.quirk_effects import ANSWERS


def parser() -> argparse.ArgumentParser:
    """The command line."""
    parse = CommandLine(
        prog=program("papers turkingbench parity"),
        description="With RUN: print how many points each quirk of the original code is worth on that "
        "run. With --recorded: recompute the original per-task table from recorded "
        "values, and check every recorded score.",
        epilog="exit codes: 0 done; 1 a recorded score is not reproduced, or the run is not complete; 2 wrong use",
    )
    parse.add_argument("runs", type=Path, nargs="*", metavar="RUN", help="run directories")
    parse.add_argument("--recorded", type=Path, metavar="FILE", help="a recorded run: one JSON object per line")
    parse.add_argument(
        "--agreement",
        type=Path,
        metavar="FILE",
        help="with --recorded: the agreement.json that `papers turkingbench agreement` wrote for the "
        "same file; adds a column with the scores of what our browser sent",
    )
    parse.add_argument(
        "--answers",
        choices=list(ANSWERS),
        default="solver",
        help="with RUN: score the solver's answers, or those of a baseline on the same pages (default: solver)",
    )
    parse.add_argument("--split", metavar="NAME", help="with RUN: only the episodes of this split")
    shown = parse.add_mutually_exclusive_group()
    shown.add_argument("--json", action="store_true", help="print JSON: one object, or a list for several runs")
    shown.add_argument("--markdown", action="store_true", help="with RUN: print one Markdown table of all runs")
    return parse


@error_boundary()
def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code."""
    arguments = parser().parse_args(argv)
    if bool(arguments.recorded) == bool(arguments.runs):
        raise UserError("give run directories, or --recorded FILE")
    if arguments.recorded:
        if arguments.markdown:
            raise UserError("--markdown goes with run directories")
        return _recorded(arguments.recorded, arguments.agreement, as_json=arguments.json)
    if arguments.agreement:
        raise UserError("--agreement goes with --recorded")
    measured = [measure(folder, arguments.answers, arguments.split) for folder in arguments.runs]
    if arguments.json:
        objects = [each.to_json() for each in measured]
        print(json.dumps(objects[0] if len(objects) == 1 else objects, ensure_ascii=False, indent=1))
    elif arguments.markdown:
        print(in_markdown(measured))
    else:
        print("\n\n".join(map(in_words, measured)))
        print("\nIn points. Quirks act on one another, so that single ones do not add up to all of them together.")
    return COMPLETE if all(each.complete for each in measured) else INCOMPLETE


def _recorded(file: Path, agreement: Path | None, *, as_json: bool) -> int:
    found = read_recorded(file, agreement)
    wrong = [field for field in found.fields if not field.agrees]
    lines = task_lines(found.fields, [field.recorded for field in found.fields])
    lines_beside = beside(found) if agreement else []
    if as_json:
        shown: dict[str, Any] = {
            "file": str(file),
            "tasks": [asdict(line) for line in lines],
            "checked": len(found.fields),
            "not_reproduced": [asdict(field) for field in wrong],
            "not_scored": dict(found.others),
        }
        if agreement:
            shown["our_browser"] = [asdict(line) for _, line in lines_beside]
        print(json.dumps(shown, ensure_ascii=False, indent=1))
    else:
        print(original_table(lines))
        print(f"\n{len(found.fields) - len(wrong):,} of {counted(len(found.fields), 'recorded score')} are reproduced.")
        if found.others:
            print("Not scored: " + ", ".join(f"{count} {status}" for status, count in sorted(found.others.items())))
        for field in wrong:
            print(
                f"line {field.line}: {field.task}, field {field.name!r}: {field.recorded} recorded, {field.ours} here"
            )
        if lines_beside:
            print(f"\n{beside_table(found, lines_beside)}")
    return INCOMPLETE if wrong else COMPLETE
