"""The process of a stage: ``python -m harness.cli.commands.stage_process``, which ``Stage`` starts.

Settings and then requests come in on standard input, a line of JSON each; each request gets one line of standard
output. Browser and task server stay from episode to episode. Labels stay in this process.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from harness.catalog import Catalog
from harness.cli.boundary import COMPLETE, error_boundary
from harness.integrations.adapters.stage.messages import (
    OF_EPISODE,
    Acted,
    Ended,
    Instances,
    Refused,
    Request,
    Requests,
    StageSettings,
)
from harness.integrations.adapters.stage.staged_episodes import EPISODE_LOST, StagedEpisodes
from harness.integrations.adapters.stage.staged_solver import StagedProgram, StagedSolver, pictures
from harness.kit.errors import UserError
from harness.kit.files import codec
from harness.run.selection import Selection, choose
from harness.solvers.outside.page_tools import OVER, ToolAnswer

NO_PAGE = "no page is open: open one first"


@error_boundary()
def main(argv: Sequence[str] | None = None) -> int:  # noqa: ARG001 - all it is told stands on its standard input
    """Do what is asked for until there is nothing more; returns the exit code."""
    # Not sys.stdin: its lock, which the thread that waits for requests holds, would be wanted when Python ends.
    stream = Path("/dev/stdin").open("rb")  # noqa: SIM115 - it is read as long as this process lives
    settings = codec.decode(stream.readline(), StageSettings)
    requests = Requests(stream)
    config = settings.config
    catalog = Catalog(config.tasks_dir, config.overlay, seeds=config.seeds)
    ended: Ended | None = None
    with StagedEpisodes(config, catalog, _note) as episodes:
        while (request := requests.next()) and request.do != "leave":
            if request.do in OF_EPISODE:
                # One that came too late: the time was up while nobody asked for anything.
                _say(Acted(OVER, ok=False, ended=ended) if ended else Refused(NO_PAGE))
                continue
            try:
                if request.do == "list":
                    _say(_instances(catalog, settings))
                    continue
                ended = _play(episodes, request, requests, tell_worth=settings.tell_worth)
            except EPISODE_LOST as error:
                _say(Refused(f"the browser was lost: {error}"))
            except UserError as error:
                _say(Refused(str(error)))
    return COMPLETE


def _play(episodes: StagedEpisodes, request: Request, requests: Requests, *, tell_worth: bool) -> Ended:
    """Play the episode that was asked for, and answer the last request of it."""
    solver: StagedProgram | StagedSolver
    if request.over_devtools:
        solver = StagedProgram(requests, _say)
    else:
        solver = StagedSolver(requests, _say, episodes.worth if tell_worth else None)
    ended = episodes.play(request.task, request.row, solver)
    if answer := solver.owed:
        _say(_last(answer, ended))
    return ended


def _last(answer: ToolAnswer, ended: Ended) -> Acted:
    return Acted(answer.text, answer.ok, pictures(answer), ended=ended)


def _instances(catalog: Catalog, settings: StageSettings) -> Instances:
    """Those that the settings' configuration chooses."""
    chosen = choose(catalog, settings.config, Selection())
    return {task.name: tuple(instance.index for instance in instances) for task, instances in chosen}


def _say(record: object) -> None:
    sys.stdout.buffer.write(codec.line(record))
    sys.stdout.buffer.flush()


def _note(words: str) -> None:
    print(words, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
