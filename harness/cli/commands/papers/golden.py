"""Have a model write golden references of tasks, for --reference written: ``turkbench papers webcanvas golden DIR``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from harness.cli.boundary import COMPLETE, INCOMPLETE, error_boundary, print_out, program
from harness.cli.command_line import CommandLine
from harness.kit.arguments import money
from harness.kit.errors import UserError
from harness.kit.text import counted


def parser() -> argparse.ArgumentParser:
    """The command line."""
    parse = CommandLine(
        prog=program("papers webcanvas golden"),
        description="Have a model write a reference for each website task, for --reference written. "
        "It is written from a person's steps and the task's conditions, and saved in the "
        "task's folder; a task that has one is skipped.",
        epilog="exit codes: 0 done; 1 some could not be written; 2 wrong use",
    )
    parse.add_argument("tasks_dir", type=Path, metavar="DIR", help="a folder of website tasks")
    parse.add_argument("--preset", required=True, metavar="NAME", help="preset of the model that writes")
    parse.add_argument("--model", metavar="ID", help="another model of the preset's provider")
    parse.add_argument("--base-url", metavar="URL", help="address of a server that speaks the provider's protocol")
    parse.add_argument("--task", action="append", default=[], metavar="NAME", help="only this task; may be repeated")
    parse.add_argument("--max-cost", type=money, metavar="USD", help="the most that all calls together may cost")
    return parse


@error_boundary(interrupted="interrupted: what was written is kept, and the same command goes on")
def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code."""
    arguments = parser().parse_args(argv)
    # What is slow to import is imported for work, not for help.
    from harness.catalog import Catalog  # noqa: PLC0415
    from harness.models.client import ModelError, today  # noqa: PLC0415
    from harness.models.no_episode import NoEpisode  # noqa: PLC0415
    from harness.models.presets import UnknownPreset, WrongPreset, resolve  # noqa: PLC0415
    from harness.models.service import open_service  # noqa: PLC0415
    from harness.papers.webcanvas.golden_writer import unwritten, write  # noqa: PLC0415

    catalog = Catalog(arguments.tasks_dir)
    tasks = [catalog.task(name) for name in catalog.select(None, arguments.task)]
    wanted = [each for task in tasks if task.kind == "site" for each in unwritten(task)]
    options = {name: getattr(arguments, name) for name in ("model", "base_url", "max_cost")}
    problems = 0
    try:
        preset = resolve(arguments.preset, options)
        if said := preset.news(today(), agreed=True):
            print(said, file=sys.stderr)
        service = open_service(preset, options, arguments.tasks_dir.with_name(f"{arguments.tasks_dir.name}-golden"))
        for each in wanted:
            name = each.task.name
            problem = write(
                each,
                lambda request: service.complete(request, NoEpisode(), where="golden").reply,
                preset.model,
                preset.temperature,
            )
            problems += bool(problem)
            print_out(f"{name}: {problem or 'written'}")
    except (UnknownPreset, WrongPreset, ModelError, ValueError) as error:
        raise UserError(str(error)) from None
    print_out(f"{counted(len(wanted) - problems, 'golden reference')} written")
    return INCOMPLETE if problems else COMPLETE
