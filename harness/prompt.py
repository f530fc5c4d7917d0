"""Print what a model would be sent about an instance: ``python -m harness.prompt --task T --row R --solver S``."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from harness.browser.launch import NoBrowser
from harness.catalog import Catalog
from harness.catalog.problems import CatalogError, MalformedTask
from harness.catalog.task import Instance
from harness.episode.registry import UnknownSolver
from harness.episode.solver import WrongOptions
from harness.evaluate import COMPLETE, add_task_arguments, config_of, wrong_use
from harness.mirror.store import MirrorError
from harness.models.messages import Image, Part, Request, Text, ToolCall, ToolResult
from harness.run.server import ServerRefused
from harness.runlog.config import RunConfig
from harness.solvers.models.dry_run import planning, reading
from harness.solvers.models.model import ModelSolver
from harness.solvers.models.planned import Planned
from harness.solvers.options import add_solver_arguments, options_of
from harness.text.closest import close_names

EPILOG = "Nothing is sent. Demonstrations are made if they are not in the cache. Exit codes: 0; 2 wrong use"


class _WrongUse(Exception):
    """The arguments cannot be meant so; the message says why."""


def parser() -> argparse.ArgumentParser:
    """The command line."""
    parse = argparse.ArgumentParser(prog="python -m harness.prompt", description=__doc__, epilog=EPILOG)
    parse.add_argument("--solver", required=True, metavar="NAME", help="a preset (harness.evaluate --list-solvers)")
    parse.add_argument(
        "--row", type=int, default=0, metavar="R", help="the instance, by its place in its table (default: %(default)s)"
    )
    parse.add_argument("--field", metavar="NAME", help="protocol field: what is asked about this field (default: all)")
    parse.add_argument("--json", action="store_true", help="one JSON object a request, a line each")
    parse.add_argument("--images", type=Path, metavar="DIR", help="write the pictures there, named by their SHA-256")
    add_task_arguments(parse)
    add_solver_arguments(parse)
    return parse


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code."""
    arguments = parser().parse_args(argv)
    try:
        config = config_of(arguments, arguments.solver, "standard", options_of(arguments))
        instance = _instance(config, arguments.row)
        with planning(config) as solver, reading(config) as reader:
            opened = reader.open(instance)
            for planned in _wanted(list(solver.first_requests(opened.page, opened.act)), arguments.field):
                print(_json(planned) if arguments.json else _text(planned, solver))
                _keep_images(planned.request, arguments.images)
    except (
        _WrongUse,
        CatalogError,
        MalformedTask,
        UnknownSolver,
        WrongOptions,
        ServerRefused,
        NoBrowser,
        MirrorError,
    ) as error:
        return wrong_use(str(error))
    return COMPLETE


def _wanted(planned: list[Planned], field: str | None) -> list[Planned]:
    names = ", ".join(each.field for each in planned if each.field) or "none"
    if field is not None:
        planned = [each for each in planned if each.field == field]
    if not planned:
        raise _WrongUse(f"nothing would be asked; fields that can be asked about: {names}")
    return planned


def _instance(config: RunConfig, row: int) -> Instance:
    catalog = Catalog(config.tasks_dir, config.overlay)
    names = catalog.select(config.split, config.tasks)
    if len(names) != 1:
        raise _WrongUse(f"give --task with the name of one task; {len(names)} are meant: {close_names('', names)}")
    instances = catalog.task(names[0]).instances
    if not 0 <= row < len(instances):
        raise _WrongUse(f"--row {row}: {names[0]!r} has the rows 0 to {len(instances) - 1}")
    return instances[row]


def _json(planned: Planned) -> str:
    record: dict[str, Any] = {"field": planned.field, "tokens": planned.tokens, "left_out": list(planned.shrunk)}
    return json.dumps({**record, "request": planned.request.to_json()}, ensure_ascii=False)


def _text(planned: Planned, solver: ModelSolver) -> str:
    request = planned.request
    about = f"field {planned.field!r}" if planned.field else "the form"
    head = f"==== {request.model}, {about}: {planned.tokens:,} tokens ({solver.tokens.name})"
    left_out = [f"left out of the page: {', '.join(planned.shrunk)}"] if planned.shrunk else []
    messages = [
        f"---- {message.role}\n" + "\n".join(_part(part) for part in message.parts) for message in request.messages
    ]
    tools = [f"---- tools\n{json.dumps([dict(tool) for tool in request.tools], ensure_ascii=False, indent=1)}"]
    grammar = [f"---- grammar\n{request.grammar}"] if request.grammar else []
    return "\n".join([head, *left_out, *messages, *(tools if request.tools else []), *grammar])


def _part(part: Part) -> str:
    match part:
        case Text():
            return part.text
        case Image():
            return f"[picture {part.sha256}, {len(part.png):,} bytes]"
        case ToolCall():
            return f"[call {part.id}: {part.name}({json.dumps(dict(part.arguments), ensure_ascii=False)})]"
        case ToolResult():
            return f"[result of {part.id}: {part.text}]"


def _keep_images(request: Request, folder: Path | None) -> None:
    if folder is None:
        return
    folder.mkdir(parents=True, exist_ok=True)
    for message in request.messages:
        for part in message.parts:
            if isinstance(part, Image):
                (folder / f"{part.sha256}.png").write_bytes(part.png)


if __name__ == "__main__":
    sys.exit(main())
