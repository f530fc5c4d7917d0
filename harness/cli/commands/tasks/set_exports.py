"""``turkbench tasks export``: task sets, and runs on websites, in the forms of others."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from harness.catalog import Catalog
from harness.catalog.overlay import overlay_file
from harness.cli.boundary import COMPLETE, INCOMPLETE, print_out
from harness.cli.command_line import CommandLine
from harness.cli.task_sets import add_which, chosen_folder
from harness.kit.files.writing import write_json
from harness.kit.text import counted
from harness.papers.webcanvas.mind2web_live import NAME as MIND2WEB_LIVE
from harness.papers.webcanvas.mind2web_live import exported_tasks

WEBCANVAS, DATASETS = "webcanvas", "datasets"


def add_export(commands: argparse._SubParsersAction[CommandLine]) -> None:
    """Add the command."""
    write = commands.add_parser("export", help="write a task set, or a run on sites, in a form of others")
    formats = write.add_subparsers(dest="format", required=True, metavar="FORMAT")
    tasks = formats.add_parser(MIND2WEB_LIVE, help="write a task set of websites in the format of WebCanvas")
    tasks.add_argument("tasks_dir", type=Path, metavar="TASKS", help="the folder of the task set")
    tasks.add_argument("file", type=Path, metavar="FILE.json")
    results = formats.add_parser(WEBCANVAS, help="write a run: one file per episode, out.json and result.json")
    results.add_argument("run", type=Path, metavar="RUN", help="the run directory")
    results.add_argument("out", type=Path, metavar="OUT", help="the folder of the results")
    results.add_argument(
        "--tasks-dir",
        type=Path,
        metavar="DIR",
        help="the imported task set of the run, for the ids of the public file (default: names of tasks)",
    )
    tables = formats.add_parser(DATASETS, help="write a task set as tables for Hugging Face's datasets")
    add_which(tables)
    tables.add_argument("--out", type=Path, required=True, metavar="DIR", help="the folder of the tables")
    tables.add_argument(
        "--overlay",
        type=overlay_file,
        metavar="FILE",
        help="further facts about the tasks: a file, or the name of a known task set",
    )
    tables.add_argument(
        "--without-labels", action="store_true", help="leave out people's labels and the goals of websites"
    )


def run_export(arguments: argparse.Namespace) -> int:
    """Write it; returns the exit code."""
    # What is slow to import is imported for work, not for help.
    if arguments.format == MIND2WEB_LIVE:
        tasks = exported_tasks(arguments.tasks_dir)
        write_json(arguments.file, tasks)
        print_out(f"{arguments.file}: {counted(len(tasks), 'task')}")
        return COMPLETE
    if arguments.format == DATASETS:
        from harness.datasets.set_tables import write_set  # noqa: PLC0415

        catalog = Catalog(chosen_folder(arguments), arguments.overlay)
        rows = write_set(catalog, arguments.out, labels=not arguments.without_labels)
        print_out(f"{arguments.out}: {counted(rows['tasks'], 'task')}, {counted(rows['instances'], 'instance')}")
        return COMPLETE
    from harness.papers.webcanvas.webcanvas_results import export_results  # noqa: PLC0415 - as above

    made = export_results(arguments.run, arguments.out, arguments.tasks_dir)
    for each in made.left_out:
        print(f"left out: {each}", file=sys.stderr)
    unknown = f"; a key node of {made.unknown} could not be judged" if made.unknown else ""
    print_out(f"{arguments.out}: {counted(made.episodes, 'episode')}{unknown}")
    return INCOMPLETE if made.left_out else COMPLETE
