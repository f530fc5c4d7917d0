"""Say whether an agent may take workers' places, and at what cost: in which fields, on which items, how wrong it is.

Writes one page, the numbers as JSON, and the items that the agent and people should do. Runs are not changed.
"""

from __future__ import annotations

import argparse
import csv
import io
import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from harness.cli.boundary import COMPLETE, INCOMPLETE, error_boundary, naming_the_file, print_out, program
from harness.cli.command_line import CommandLine
from harness.cli.solver_arguments import add_other_profile
from harness.kit.arguments import share
from harness.kit.errors import UserError

if TYPE_CHECKING:
    from harness.analysis.replacement.answers import AnsweredItem, Answers
    from harness.analysis.replacement.replacement import Replacement

EXIT_CODES = "exit codes: 0 every field is decided; 1 some are not yet known; 2 wrong use, or nothing to weigh"


def parser() -> argparse.ArgumentParser:
    """The command line."""
    parse = CommandLine(prog=program("replace"), description=__doc__, epilog=EXIT_CODES)
    parse.add_argument(
        "runs",
        type=Path,
        nargs="+",
        metavar="RUN",
        help="run directories; where several runs have an item, the first run's answer counts, and "
        "the agreement of the others says how certain it is",
    )
    add_weighing(parse)
    parse.add_argument(
        "--out", type=Path, metavar="DIR", help="output folder (default: RUN_replacement, beside the first run)"
    )
    parse.add_argument(
        "--tasks-dir",
        type=Path,
        metavar="DIR",
        help="the task folder of the run, for worker ids, work times and texts (default: the bundled "
        "tasks, if the run used them)",
    )
    parse.add_argument("--json", action="store_true", help="print JSON instead of text")
    add_other_profile(parse)
    return parse


def add_weighing(parse: argparse.ArgumentParser) -> None:
    """Add how an agent is weighed."""
    parse.add_argument("--pay", type=_dollars, metavar="DOLLARS", help="pay of a worker for one item")
    parse.add_argument(
        "--epsilon",
        type=share,
        default=0.1,
        metavar="X",
        help="how much lower than a worker the agent may score; 0.1 is 10 points (default: %(default)s)",
    )
    parse.add_argument(
        "--error",
        type=share,
        default=0.05,
        metavar="X",
        help="mean loss of score that is allowed after people do their share (default: %(default)s)",
    )
    parse.add_argument(
        "--results",
        type=Path,
        nargs="+",
        default=(),
        metavar="FILE",
        help="the results files from which the labels were made, for worker ids and work times",
    )
    parse.add_argument(
        "--task", metavar="NAME", help="the task of results files that name none, such as those of AMT and Turkle"
    )


def _dollars(text: str) -> float:
    try:
        found = float(text)
    except ValueError:
        found = -1.0
    if not 0 <= found < float("inf"):
        raise argparse.ArgumentTypeError(f"{text!r} is no amount of dollars")
    return found


@error_boundary()
def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code."""
    arguments = parser().parse_args(argv)
    from harness.reports.replacement_page import PAGE, text_of  # noqa: PLC0415 - slow to import, and for work only

    out = arguments.out or arguments.runs[0].with_name(f"{arguments.runs[0].resolve().name}_replacement")
    answers, found = weighed(arguments.runs, arguments)
    with naming_the_file(otherwise=out):
        write(found, folder_of(answers, arguments), out)
    print_out(json.dumps(found.to_json(), ensure_ascii=False, indent=1) if arguments.json else text_of(found))
    if not arguments.json:
        print_out(f"\n{out / PAGE}")
    return INCOMPLETE if found.counts["not yet known"] else COMPLETE


def weighed(
    runs: Sequence[Path], arguments: argparse.Namespace, level: float | None = None
) -> tuple[Answers, Replacement]:
    """Weigh runs as the arguments of ``add_weighing`` and the profile say.

    Args:
        runs: Run directories.
        arguments: The arguments.
        level: The chance of a false yes; None for the usual one.
    """
    from harness.analysis.replacement.answers import read_answers  # noqa: PLC0415
    from harness.analysis.replacement.decisions import LEVEL  # noqa: PLC0415
    from harness.analysis.replacement.replacement import weigh  # noqa: PLC0415
    from harness.analysis.replacement.workers import known_workers  # noqa: PLC0415
    from harness.kit.files.installation import BUNDLED_TASKS  # noqa: PLC0415
    from harness.run.forked import processes_for  # noqa: PLC0415

    with processes_for(runs) as pool:
        answers = read_answers(runs, arguments.metrics, pool)
    bundled = any(record.config.tasks_dir == BUNDLED_TASKS for record in answers.runs.values())
    folder = folder_of(answers, arguments)
    if folder is None and arguments.results:
        raise UserError("--results: give --tasks-dir, too: no folder is opened because a run names it")
    found = weigh(
        answers,
        known_workers(answers, folder, arguments.results, arguments.task),
        epsilon=arguments.epsilon,
        pay=arguments.pay,
        wanted_error=arguments.error,
        level=level or LEVEL,
        constructed=frozenset(each.task for each in answers.items) if bundled else frozenset(),
    )
    return answers, found


def folder_of(answers: Answers, arguments: argparse.Namespace) -> Path | None:
    """The folder of the tasks: the one that the user gives, or the bundled one; no other, whatever a run names."""
    from harness.kit.files.installation import BUNDLED_TASKS  # noqa: PLC0415

    if arguments.tasks_dir:
        given: Path = arguments.tasks_dir
        return given
    return BUNDLED_TASKS if all(each.config.tasks_dir == BUNDLED_TASKS for each in answers.runs.values()) else None


def write(found: Replacement, tasks_dir: Path | None, out: Path) -> None:
    """Write the page, the numbers, and who should do what.

    Raises:
        OSError: it cannot be written.
    """
    from harness.kit.files.writing import write_bytes, write_json  # noqa: PLC0415
    from harness.reports.html.rendering import write as write_page  # noqa: PLC0415
    from harness.reports.replacement_page import (  # noqa: PLC0415
        AGENT_ITEMS,
        DATA,
        PAGE,
        PEOPLE_ITEMS,
        episodes_from,
        page_of,
    )

    out.mkdir(parents=True, exist_ok=True)
    write_page(page_of(found, episodes_from(out)), out / PAGE)
    write_json(out / DATA, found.to_json())
    if found.routing:
        for name, items in ((AGENT_ITEMS, found.routing.to_agent), (PEOPLE_ITEMS, found.routing.to_people)):
            write_bytes(out / name, _table(items).encode())
        if tasks_dir:
            _write_tasks(out / PEOPLE_ITEMS.removesuffix(".csv"), found.routing.to_people, tasks_dir)


def _table(items: Sequence[AnsweredItem]) -> str:
    text = io.StringIO(newline="")
    table = csv.writer(text)
    table.writerow(("task", "index", "id"))
    table.writerows((each.task, each.index, each.id) for each in items)
    return text.getvalue()


def _write_tasks(folder: Path, items: Sequence[AnsweredItem], tasks_dir: Path) -> None:
    """Write what people should do as tasks without labels, to be served with ``--annotate`` or uploaded."""
    from harness.catalog import Catalog  # noqa: PLC0415
    from harness.catalog.problems import MalformedTask  # noqa: PLC0415
    from harness.catalog.task import TABLE, TEMPLATE  # noqa: PLC0415
    from harness.datasets.collecting import unanswered_table  # noqa: PLC0415
    from harness.kit.files.inside import read_inside  # noqa: PLC0415
    from harness.kit.files.writing import write_bytes  # noqa: PLC0415

    catalog = Catalog(tasks_dir)
    for name in sorted({each.task for each in items}):
        try:
            task = catalog.task(name)
        except (MalformedTask, KeyError):
            continue  # it is not here (any more): the list of items says all that is known
        places = {page.id: page.index for page in task.pages}
        chosen = [places[each.id] for each in items if each.task == name and each.id in places]
        write_bytes(folder / name / TEMPLATE, read_inside(task.folder, TEMPLATE))
        write_bytes(folder / name / TABLE, unanswered_table(task, chosen).encode())
