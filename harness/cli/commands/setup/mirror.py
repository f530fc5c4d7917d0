"""The mirror of outside scripts, styles and fonts: ``turkbench setup mirror``.

    build [--tasks-dir DIR | --dataset NAME]    collect what the pages of task sets ask for
    list [--json]                               what is mirrored, how sure that is, and under which licence
    verify                                      compare every mirrored file with its hash

Without options, build takes the listed assets and all that the bundled and the fetched task sets ask for. It may be
repeated, and goes on where it was interrupted. docs/how-to/mirror.md has the details.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path

from harness.catalog.mirror.building.build import BuildOutcome
from harness.catalog.mirror.building.collecting import collect, lacking, summary, wanted_by
from harness.catalog.mirror.store import BUILD, MirrorError, Store
from harness.cli.boundary import COMPLETE, INCOMPLETE, error_boundary, naming_the_file, program
from harness.cli.command_line import CommandLine
from harness.datasets.tasksets import DATASETS, tasks_folder
from harness.kit.files.installation import BUNDLED_TASKS
from harness.kit.text import counted, noun

EXIT_CODES = (
    "exit codes: 0 all that can be had is there and whole; 1 something could not be had or is damaged, or interrupted; "
    "2 wrong use, or the cache cannot be used"
)


def parser() -> argparse.ArgumentParser:
    """The command line."""
    about, _, _ = (__doc__ or "").partition("\n")
    parse = CommandLine(prog=program("setup mirror"), description=about, epilog=EXIT_CODES)
    commands = parse.add_subparsers(dest="command", required=True, metavar="COMMAND")
    build = commands.add_parser("build", help="collect the files that the pages of task sets load", epilog=EXIT_CODES)
    which = build.add_mutually_exclusive_group()
    which.add_argument("--tasks-dir", type=Path, metavar="DIR", help="a folder of task folders")
    which.add_argument("--dataset", metavar="NAME", help=f"a fetched task set: {', '.join(DATASETS)}")
    shown = commands.add_parser("list", help="print what is mirrored, how certain it is, and its licence")
    shown.add_argument("--json", action="store_true", help="print one JSON object")
    commands.add_parser("verify", help="compare every mirrored file with its hash", epilog=EXIT_CODES)
    return parse


@error_boundary(interrupted="interrupted; what was mirrored so far is kept, and the next build goes on from there")
def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code."""
    arguments = parser().parse_args(argv)
    with naming_the_file(otherwise=Store.default().folder):
        return _COMMANDS[arguments.command](arguments)


def _build(arguments: argparse.Namespace) -> int:
    wanted = wanted_by(_folders(arguments))
    count = 0

    def say(outcome: BuildOutcome) -> None:
        nonlocal count
        count += 1
        print(f"[{count}/{len(wanted)}] {_line(outcome)}", flush=True)

    outcomes = collect(wanted, say)
    print(summary(outcomes))
    return INCOMPLETE if lacking(outcomes) else COMPLETE


def _folders(arguments: argparse.Namespace) -> list[Path]:
    if arguments.dataset:
        return [tasks_folder(arguments.dataset)]
    if arguments.tasks_dir:
        if not arguments.tasks_dir.is_dir():
            raise MirrorError(f"{arguments.tasks_dir} is not a folder")
        return [arguments.tasks_dir]
    fetched = [dataset.folder / "tasks" for dataset in DATASETS.values()]
    return [BUNDLED_TASKS, *(folder for folder in fetched if folder.is_dir())]


def _line(outcome: BuildOutcome) -> str:
    """Say what became of an address: the state, how sure it is, the address, and where from or why not."""
    record = outcome.record
    if record:
        gaps = f"; without {counted(len(record.missing), 'file')} of those that it refers to" if record.missing else ""
        return f"{outcome.state}, {record.status}: {record.url} from {record.origin}{gaps}"
    sure = "" if outcome.wanted.sure else " (in a script, which may not use it)"
    return f"{outcome.state}: {outcome.wanted.url}{sure} - {outcome.why}"


def _list(arguments: argparse.Namespace) -> int:
    index = Store.default().read()
    if arguments.json:
        print(json.dumps([asdict(record) for _, record in sorted(index.assets.items())], indent=1))
        return COMPLETE
    for _, record in sorted(index.assets.items()):
        licence = f"{record.licence or 'unknown licence'}{', proprietary' if record.proprietary else ''}"
        print(f"{record.status:<13} {record.url}  [{record.origin}; {licence}]")
    size = sum(stored.size for stored in index.files.values())
    numbers = f"{counted(len(index.assets), 'address', 'addresses')}, {counted(len(index.files), 'file')}"
    print(f"{numbers}, {size / 1e6:.1f} MB, in {Store.default().folder}")
    return COMPLETE


def _verify(_: argparse.Namespace) -> int:
    store = Store.default()
    index = store.read()
    wrong = store.verify()
    for sha256, why in wrong.items():
        print(f"{why}: {store.file(sha256)} ({index.files[sha256].name})")
    whole = len(index.files) - len(wrong)
    print(f"{whole} of {counted(len(index.files), 'file')} {noun(whole, 'is', 'are')} whole, in {store.folder}")
    if wrong:
        print(f"Remove the changed ones, and run: {BUILD}")
    return INCOMPLETE if wrong else COMPLETE


_COMMANDS: dict[str, Callable[[argparse.Namespace], int]] = {"build": _build, "list": _list, "verify": _verify}
