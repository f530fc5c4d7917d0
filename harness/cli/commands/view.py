"""Look at a run in a browser, or write one of its episodes as an HTML file.

The run is only read. The pages show workers' labels, and so does the file.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import webbrowser
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO
from urllib.parse import quote, unquote

from harness.cli.boundary import COMPLETE, error_boundary, naming_the_file, print_out, program
from harness.cli.command_line import CommandLine
from harness.cli.replay_arguments import add_page_source
from harness.cli.solver_arguments import add_other_profile
from harness.kit.arguments import whole
from harness.kit.errors import UserError
from harness.kit.files.installation import BASIC, IMPORT_ROOT, PYTHON, allowed, without_caller
from harness.kit.files.writing import path_name
from harness.kit.text import close_names

EXIT_CODES = "exit codes: 0 the file is written, or the server was ended; 2 wrong use, or what cannot be read"
SERVED_RUN = "~"
"""What the server calls a run whose folder it is given (``turkle_app.viewer.slugs``)."""
_BELOW_A_RUN = 3
"""Parts of the path of an episode's file below its run."""
_NAMED = 10
"""Instances that are named where another was asked for."""
_DISPLAYS = ("DISPLAY", "WAYLAND_DISPLAY")


@dataclass(frozen=True)
class ViewedPlace:
    """What is to be looked at.

    Attributes:
        run: The run directory.
        task: The name of the task's folder in it; empty for the run itself.
        index: Of the instance.
    """

    run: Path
    task: str = ""
    index: int = 0

    @property
    def address(self) -> str:
        """Where the server shows it, behind its origin."""
        run = f"/runs/{quote(SERVED_RUN)}/"
        return f"{run}episode/{quote(self.task, safe='')}/{self.index}/" if self.task else run


def parser() -> argparse.ArgumentParser:
    """The command line."""
    parse = CommandLine(prog=program("view"), description=__doc__, epilog=EXIT_CODES)
    parse.add_argument("place", type=Path, metavar="RUN", help="a run directory, or the file of one of its episodes")
    parse.add_argument("task", nargs="?", metavar="TASK", help="task of the episode")
    parse.add_argument(
        "index", nargs="?", type=whole, metavar="INDEX", help="number of the instance in its table, from 0"
    )
    parse.add_argument("--html", type=Path, metavar="FILE", help="write the episode as one HTML file, and stop")
    add_other_profile(parse, "with --html, scoring profile (default: the run's own)")
    served = parse.add_argument_group("server")
    served.add_argument("--no-browser", action="store_true", help="print the address, and open no browser")
    served.add_argument("--port", type=whole, default=0, metavar="N", help="port to listen at (default: a free one)")
    add_page_source(served)
    return parse


@error_boundary()
def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code."""
    arguments = parser().parse_args(argv)
    place = _place(arguments)
    if not arguments.html:
        return _serve(place, arguments)
    if not place.task:
        raise UserError("--html writes one episode: name its file, or its task and index behind the run")
    with naming_the_file(arguments.html):
        _write(place, arguments.html, arguments.metrics)
    print_out(f"{arguments.html}")
    return COMPLETE


def _place(arguments: argparse.Namespace) -> ViewedPlace:
    given = arguments.place
    if given.suffix == ".json" and not given.is_dir():
        if arguments.task is not None:
            raise UserError(f"{given} is an episode already: leave out its task and index, or name its run")
        file = given.resolve()
        if len(file.parents) < _BELOW_A_RUN or file.parents[1].name != "episodes" or not file.stem.isdecimal():
            raise UserError(f"{given} is no episode of a run: these are RUN/episodes/TASK/INDEX.json")
        return ViewedPlace(file.parents[2], file.parent.name, int(file.stem))
    if not (given / "run.json").exists():
        raise UserError(f"{given} is no run directory: it has no run.json")
    if arguments.task is None:
        return ViewedPlace(given)
    if arguments.index is None:
        raise UserError(f"which instance of {arguments.task!r}? Name its place in its table, too")
    place = ViewedPlace(given, _folder(given, arguments.task), arguments.index)
    played = sorted(
        int(file.stem) for file in (given / "episodes" / place.task).glob("*.json") if file.stem.isdecimal()
    )
    if place.index not in played:
        of_them = ", ".join(map(str, played[:_NAMED])) + (" ..." if len(played) > _NAMED else "")
        raise UserError(f"{given} has no episode of instance {place.index} of {arguments.task!r}; it has {of_them}")
    return place


def _folder(run: Path, task: str) -> str:
    folders = {unquote(each.name): each.name for each in (run / "episodes").glob("*") if each.is_dir()}
    found = path_name(task) if task else ""
    if found in folders.values():
        return found
    close = close_names(task, sorted(folders))
    hint = f" Did you mean {close}?" if close else ""
    raise UserError(f"{run} has no episode of the task {task!r}.{hint}")


def _write(place: ViewedPlace, file: Path, profile: str | None) -> None:
    from harness.kit.files.writing import write_bytes  # noqa: PLC0415 - slow to import, and for work only
    from harness.records.directory import RunDirectory  # noqa: PLC0415
    from harness.reports.watch.episode_addresses import EpisodeLinks  # noqa: PLC0415
    from harness.reports.watch.episode_files import EpisodeFiles  # noqa: PLC0415
    from harness.reports.watch.episode_html import EmbeddedAddresses, episode_file  # noqa: PLC0415
    from harness.reports.watch.episode_view import episode_view  # noqa: PLC0415
    from harness.scoring.metrics import PROFILES  # noqa: PLC0415

    files = EpisodeFiles(place.run)
    episode = files.episode(place.task, place.index)
    rules = PROFILES[profile or RunDirectory(place.run).read().config.metrics]
    addresses = EmbeddedAddresses(files)
    name = place.run.resolve().name
    page = episode_view(files, episode, rules, run=name, addresses=addresses, links=EpisodeLinks())
    write_bytes(file, episode_file(page, addresses).encode("utf-8", "replace"))


def _serve(place: ViewedPlace, arguments: argparse.Namespace) -> int:
    command = [sys.executable, *without_caller("serve"), "--exit-with-parent", "--port", str(arguments.port)]
    command += ["--runs", str(place.run.resolve()), "--network", arguments.network]
    for option in ("tasks_dir", "overlay", "media"):
        if value := getattr(arguments, option):
            command += [f"--{option.replace('_', '-')}", str(value.resolve())]
    with subprocess.Popen(
        command,
        cwd=IMPORT_ROOT,
        env=allowed((*BASIC, *PYTHON)),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as server:
        try:
            _open(f"{_origin(server.stdout)}{place.address}", silent=arguments.no_browser)
            server.wait()
        except KeyboardInterrupt:
            return COMPLETE
        finally:
            server.kill()
    raise UserError("the server has ended by itself; what it said stands above")


def _origin(output: IO[str] | None) -> str:
    for line in output or ():
        if address := next((word for word in line.split() if word.startswith("http://")), None):
            return address.rstrip("/")
    raise UserError("the server does not start; what it said stands above")


def _open(address: str, *, silent: bool) -> None:
    print_out(f"{address}\nCtrl-C ends the server.")
    # Without a screen, a browser for the terminal would be taken.
    on_screen = sys.platform == "darwin" or bool(allowed(_DISPLAYS))
    if on_screen and not silent:
        webbrowser.open(address)
