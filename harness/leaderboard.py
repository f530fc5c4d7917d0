"""Keep a leaderboard: ``python -m harness.leaderboard add RUN``, ``show``, ``check``.

A leaderboard is a folder of small JSON records, one for each run, and a page that is made of them.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from harness.catalog.overlay import overlay_file
from harness.catalog.problems import CatalogError
from harness.datasets.tasksets import DATASETS, DatasetError, tasks_folder
from harness.evaluate import wrong_use
from harness.files.writing import write_bytes, write_json
from harness.reports.leaderboard.checked_run import DoesNotFit, check_run
from harness.reports.leaderboard.entry import MOST_NAME, MOST_NOTE, file_name, make_entry, problems, result_of
from harness.reports.leaderboard.page import Refused, render
from harness.runlog.directory import NotARun

FOLDER = Path("leaderboard")
PAGE = "index.html"
DONE, REFUSED, WRONG_USE = 0, 1, 2
EXIT_CODES = (
    "exit codes: 0 done; 1 add: the run was refused, show and check: a record was refused; 2 wrong use. Each "
    "refusal is named on standard error"
)
MOST_BYTES = 8_000_000
"""Of a record; a true one of 160 tasks has some 50,000."""


def parser() -> argparse.ArgumentParser:
    """The command line."""
    parse = argparse.ArgumentParser(
        prog="python -m harness.leaderboard",
        description="Keep a leaderboard: a folder of small JSON records, one for each run, and a page made of them.",
        epilog=EXIT_CODES,
    )
    what = parse.add_subparsers(dest="what", required=True, metavar="add | show | check")
    add = what.add_parser("add", help="check a run, score it anew and add its record", epilog=EXIT_CODES)
    add.add_argument("run", type=Path, metavar="RUN", help="run directory of a complete run")
    _add_folder(add)
    add.add_argument("--name", type=_words(MOST_NAME), default="", help="what to call it (default: solver and model)")
    add.add_argument("--note", type=_words(MOST_NOTE), default="", help="a sentence that stands beside it")
    _add_tasks(add)
    show = what.add_parser("show", help="make the page; records that do not hold water are left out", epilog=EXIT_CODES)
    _add_folder(show)
    show.add_argument("--out", type=Path, metavar="FILE", help=f"the page (default: {PAGE} in the folder)")
    check = what.add_parser("check", help="check all records, and runs against theirs", epilog=EXIT_CODES)
    _add_folder(check)
    check.add_argument(
        "--run",
        type=Path,
        action="append",
        default=[],
        metavar="RUN",
        help="this run must give one of the records again; may be repeated",
    )
    _add_tasks(check)
    return parse


def _add_folder(parse: argparse.ArgumentParser) -> None:
    parse.add_argument(
        "--folder", type=Path, default=FOLDER, metavar="DIR", help="of the records (default: %(default)s)"
    )


def _add_tasks(parse: argparse.ArgumentParser) -> None:
    which = parse.add_mutually_exclusive_group()
    which.add_argument(
        "--tasks-dir",
        type=Path,
        metavar="DIR",
        help="folder of the task folders, whose files are compared (default: the run's, if it is there)",
    )
    which.add_argument(
        "--dataset", dest="tasks_dir", type=_fetched, metavar="NAME", help=f"a fetched task set: {', '.join(DATASETS)}"
    )
    parse.add_argument(
        "--overlay", type=overlay_file, metavar="FILE", help="further facts about these tasks, as for the run"
    )


def _fetched(name: str) -> Path:
    try:
        return tasks_folder(name)
    except DatasetError as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def _words(most: int) -> Any:
    """An argument of one line with so many characters at most."""

    def words(text: str) -> str:
        if len(text) > most or not text.isprintable():
            raise argparse.ArgumentTypeError(f"one line of at most {most} characters is needed")
        return text

    return words


def read_records(folder: Path) -> tuple[dict[str, dict[str, Any]], list[Refused]]:
    """The records of a folder.

    Args:
        folder: Of the leaderboard.

    Returns:
        File name -> record, of those without problems; and the other files that end in ``.json``. Of two records of
        one result the later one by name is refused.
    """
    found: dict[str, dict[str, Any]] = {}
    refused: list[Refused] = []
    seen: dict[str, str] = {}
    for file in sorted(folder.glob("*.json")):
        entry, wrong = _read(file)
        if not wrong and entry:
            result = result_of(entry)
            if result in seen:
                wrong = [f"it is the same result as {seen[result]}"]
            else:
                seen[result] = file.name
                found[file.name] = dict(entry)
        if wrong:
            refused.append(Refused(file.name, wrong))
    return found, refused


def _read(file: Path) -> tuple[Mapping[str, Any] | None, list[str]]:
    try:
        if file.stat().st_size > MOST_BYTES:
            return None, [f"it is larger than {MOST_BYTES:,} bytes, which no record is"]
        entry = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        return None, [f"it cannot be read: {error}"]
    return entry, problems(entry, file)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code."""
    arguments = parser().parse_args(argv)
    try:
        return {"add": _add, "show": _show, "check": _check}[arguments.what](arguments)
    except DoesNotFit as error:
        print(f"refused: {error}", file=sys.stderr)
        return REFUSED
    except (NotARun, CatalogError) as error:
        return wrong_use(str(error))
    except OSError as error:
        return wrong_use(f"{error.filename or arguments.folder}: {error.strerror or error}")


def _entry_of(run: Path, arguments: argparse.Namespace, name: str = "", note: str = "") -> dict[str, Any]:
    if arguments.overlay and not arguments.tasks_dir:
        raise CatalogError("--overlay is for tasks that are given: add --tasks-dir or --dataset")
    return make_entry(check_run(run, arguments.tasks_dir, arguments.overlay), name=name, note=note)


def _add(arguments: argparse.Namespace) -> int:
    entry = _entry_of(arguments.run, arguments, arguments.name, arguments.note)
    records, _ = read_records(arguments.folder)
    for name, other in records.items():
        if result_of(other) == result_of(entry):
            raise DoesNotFit(f"{arguments.run} is in {arguments.folder} already: {name} ({other['name']})")
    file = arguments.folder / file_name(entry)
    if wrong := problems(json.loads(json.dumps(entry)), file):
        raise DoesNotFit(f"{arguments.run} makes no record: {'; '.join(wrong)}")
    write_json(file, entry)
    for profile, scores in entry["profiles"].items():
        value = scores["score"]["value"]
        shown = "no score" if value is None else f"{100 * value:.1f}"
        print(f"{profile}: {shown}, comparability id {scores['comparability_id']}")
    if not entry["task_files_checked"]:
        print("The task files were not compared: they are not where the run found them; give --tasks-dir or --dataset")
    print(f"Record: {file}")
    return DONE


def _show(arguments: argparse.Namespace) -> int:
    _there(arguments.folder)
    records, refused = read_records(arguments.folder)
    out = arguments.out or arguments.folder / PAGE
    write_bytes(out, render(records, refused).encode("utf-8", "replace"))
    print(f"Page: {out}, {len(records)} records")
    return _tell(refused)


def _check(arguments: argparse.Namespace) -> int:
    _there(arguments.folder)
    records, refused = read_records(arguments.folder)
    for run in arguments.run:
        result = result_of(_entry_of(run, arguments))
        name = next((name for name, entry in records.items() if result_of(entry) == result), None)
        if name is None:
            raise DoesNotFit(f"{run} gives none of the records of {arguments.folder}")
        print(f"{name}: {run} gives it again")
    print(f"{len(records)} records are in order")
    return _tell(refused)


def _there(folder: Path) -> None:
    if not folder.is_dir():
        raise NotADirectoryError(20, "there is no such folder; python -m harness.leaderboard add RUN makes it", folder)


def _tell(refused: Sequence[Refused]) -> int:
    for file in refused:
        print(f"refused: {file.name}: {'; '.join(file.problems)}", file=sys.stderr)
    return REFUSED if refused else DONE


if __name__ == "__main__":
    sys.exit(main())
