"""Keep a leaderboard: ``turkbench leaderboard add RUN``, ``show``, ``check``.

A leaderboard is a folder of small JSON records, one for each run, and a page that is made of them.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from harness.catalog.overlay import overlay_file
from harness.cli.boundary import COMPLETE, INCOMPLETE, error_boundary, naming_the_file, program
from harness.cli.command_line import CommandLine
from harness.cli.task_sets import fetched
from harness.datasets.tasksets import DATASETS
from harness.kit.arguments import one_line
from harness.kit.errors import UserError
from harness.kit.files.writing import write_bytes
from harness.kit.text import counted, percent
from harness.reports.leaderboard.checked_run import DoesNotFit
from harness.reports.leaderboard.entry import MOST_NAME, MOST_NOTE, differences, is_replayed, result_of, was_tried
from harness.reports.leaderboard.leaderboard_page import RefusedFile, render, words_of_replay
from harness.reports.leaderboard.records import add_record, entry_of, read_records, refuse_known, replayed
from harness.run.page_source import PageSource
from harness.run.reproduction import Reproduction

FOLDER = Path("leaderboard")
PAGE = "index.html"
_MOST_TOLD = 20
"""Episodes that came out otherwise and are named."""
EXIT_CODES = (
    "exit codes: 0 done; 1 add: the run was refused, show and check: a record was refused; 2 wrong use. Each "
    "refusal is named on standard error"
)


def parser() -> argparse.ArgumentParser:
    """The command line."""
    parse = CommandLine(
        prog=program("leaderboard"),
        description="Keep a leaderboard: a folder of small JSON records, one for each run, and a page made of them.",
        epilog=EXIT_CODES,
    )
    what = parse.add_subparsers(dest="what", required=True, metavar="add | show | check")
    add = what.add_parser("add", help="check a run, score and replay it, and add its record", epilog=EXIT_CODES)
    add.add_argument("run", type=Path, metavar="RUN", help="the directory of a complete run")
    _add_folder(add)
    add.add_argument(
        "--name", type=one_line(MOST_NAME), default="", help="name of the entry (default: solver and model)"
    )
    add.add_argument(
        "--note", type=one_line(MOST_NOTE), default="", help="a sentence that the page shows beside the entry"
    )
    _add_tasks(add)
    show = what.add_parser(
        "show", help="write the page; records that fail the check are left out and named", epilog=EXIT_CODES
    )
    _add_folder(show)
    show.add_argument("--out", type=Path, metavar="FILE", help=f"the page (default: {PAGE} in the folder)")
    check = what.add_parser("check", help="check all records, and compare runs with their records", epilog=EXIT_CODES)
    _add_folder(check)
    check.add_argument(
        "--run",
        type=Path,
        action="append",
        default=[],
        metavar="RUN",
        help="check that this run gives one of the records; may be repeated",
    )
    _add_tasks(check)
    return parse


def _add_folder(parse: argparse.ArgumentParser) -> None:
    parse.add_argument(
        "--folder", type=Path, default=FOLDER, metavar="DIR", help="folder of the records (default: %(default)s)"
    )


def _add_tasks(parse: argparse.ArgumentParser) -> None:
    which = parse.add_mutually_exclusive_group()
    which.add_argument(
        "--tasks-dir",
        type=Path,
        metavar="DIR",
        help="folder of the task folders that the run used; their files are compared (default: the bundled tasks)",
    )
    which.add_argument(
        "--dataset", dest="tasks_dir", type=fetched, metavar="NAME", help=f"a fetched task set: {', '.join(DATASETS)}"
    )
    which.add_argument(
        "--no-task-files",
        action="store_true",
        help="do not compare task files, because they are not available; the record and the page say so",
    )
    parse.add_argument(
        "--overlay", type=overlay_file, metavar="FILE", help="further facts about these tasks, as given to the run"
    )


@error_boundary()
def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code."""
    arguments = parser().parse_args(argv)
    command = {"add": _add, "show": _show, "check": _check}[arguments.what]
    try:
        with naming_the_file(otherwise=arguments.folder):
            return command(arguments)
    except DoesNotFit as error:
        print(f"refused: {error}", file=sys.stderr)
        return INCOMPLETE


def _add(arguments: argparse.Namespace) -> int:
    pages = _pages(arguments)
    entry = entry_of(arguments.run, pages, name=arguments.name, note=arguments.note)
    refuse_known(arguments.folder, entry, arguments.run)
    entry, found = replayed(arguments.run, entry, pages)
    file = add_record(arguments.folder, entry, arguments.run)
    for profile, scores in entry["profiles"].items():
        value = scores["score"]["value"]
        shown = "no score" if value is None else percent(value)
        print(f"{profile}: {shown}, comparability id {scores['comparability_id']}")
    if not entry["task_files_checked"]:
        print("The task files were not compared")
    if entry["digests"] == "unknown":
        print("The run has no digests of its episodes' records: whether they were changed is not known")
    _tell_of_replay(entry, found)
    print(f"Record: {file}")
    return COMPLETE


def _pages(arguments: argparse.Namespace) -> PageSource | None:
    if arguments.overlay and arguments.no_task_files:
        raise UserError("--overlay is for tasks whose files are compared: leave it or --no-task-files out")
    return None if arguments.no_task_files else PageSource(arguments.tasks_dir, arguments.overlay)


def _tell_of_replay(entry: Mapping[str, Any], found: Reproduction) -> None:
    """Say how the run is marked, and why; which episodes came out otherwise, with the first of what differs in each."""
    print(f"{found.mark}: {words_of_replay(entry)}{f': {found.reason}' if found.reason else ''}")
    first = {(each.episode.task, each.episode.index): each for each in reversed(found.differences)}
    for place in sorted(first)[:_MOST_TOLD]:
        print(f"  {first[place]}")
    if len(first) > _MOST_TOLD:
        print(f"  and {counted(len(first) - _MOST_TOLD, 'episode')} more")


def _show(arguments: argparse.Namespace) -> int:
    _there(arguments.folder)
    records, refused = read_records(arguments.folder)
    out = arguments.out or arguments.folder / PAGE
    write_bytes(out, render(records, refused).encode("utf-8", "replace"))
    print(f"Page: {out}, {counted(len(records), 'record')}")
    return _tell(refused)


def _check(arguments: argparse.Namespace) -> int:
    _there(arguments.folder)
    records, refused = read_records(arguments.folder)
    pages = _pages(arguments)
    for run in arguments.run:
        again = entry_of(run, pages)
        name = next((name for name, entry in records.items() if result_of(entry) == result_of(again)), None)
        if name is None:
            raise DoesNotFit(f"{run} gives none of the records of {arguments.folder}")
        if is_replayed(records[name]):
            again, found = replayed(run, again, pages)
            if not was_tried(again):
                _tell_of_replay(again, found)
        if other := differences(records[name], again):
            raise DoesNotFit(f"{run} gives {name} again, but {'; '.join(other)}")
        print(f"{name}: {run} gives it again")
    print(f"{counted(len(records), 'record is', 'records are')} in order")
    return _tell(refused)


def _there(folder: Path) -> None:
    if not folder.is_dir():
        raise UserError(f"{folder}: there is no such folder; the first run that is added makes it")


def _tell(refused: Sequence[RefusedFile]) -> int:
    for file in refused:
        print(f"refused: {file.name}: {'; '.join(file.problems)}", file=sys.stderr)
    return INCOMPLETE if refused else COMPLETE
