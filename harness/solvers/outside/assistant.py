"""An assistant that somebody else has built as the agent of a run: it gets the page's tools as an MCP server."""

from __future__ import annotations

import json
import shutil
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path

from harness.browser.box.box import NO_BOX, Box, Needs
from harness.episode.assignment import Page
from harness.episode.library import Actions
from harness.kit.files.installation import by_both_names
from harness.solvers.outside import mcp_relay
from harness.solvers.outside.agent_reports import ReportHearer
from harness.solvers.outside.command import check_status, record_program_turn
from harness.solvers.outside.mcp_server import NAME, Connections, anyio, serve_at
from harness.solvers.outside.outside_program import CannotStart, Program
from harness.solvers.outside.page_tools import PageTools, RecordedTools

FAREWELL_SECONDS = 10.0
"""How long the assistant's program may go on when its work is over, before it is ended."""
CONFIG = "{config}"
PROMPT = "{prompt}"
"""What stands for the file of the MCP servers, and for the words of the task, in ``--command``."""


class _WorkIsOver(Exception):
    """The program need not go on."""


class AssistantSolver:
    """Starts an assistant's program for each page, and serves it the page's tools (``--solver mcp --command``)."""

    def __init__(
        self, command: list[str], environment: Mapping[str, str], *, tell_fields: bool, box: Box = NO_BOX
    ) -> None:
        """Prepare.

        Args:
            command: The program and its arguments, with ``CONFIG`` and ``PROMPT`` in them.
            environment: Variables that it is given beside the usual ones.
            tell_fields: Whether it is told which fields there are.
            box: How it is shut in.
        """
        self._box = box
        self._command = command
        self._environment = environment
        self._tell_fields = tell_fields

    def solve(self, page: Page, act: Actions) -> None:
        """Let the assistant work on the page until its program ends.

        Raises:
            harness.solvers.outside.command.ProgramFailed: it exited with another status than 0.
            CannotStart: it cannot be started.
            harness.episode.trajectory.LimitReached: a limit of the episode.
            harness.browser.wire.BrowserGone: the browser died.
        """
        trajectory = act.trajectory
        tools = RecordedTools(PageTools(page, act, tell_fields=self._tell_fields), trajectory)
        with tempfile.TemporaryDirectory(prefix="hm-") as folder:
            path, config = Path(folder) / mcp_relay.SOCKET, Path(folder) / "mcp.json"
            config.write_text(json.dumps(servers(path, self._box.python)), encoding="utf-8")
            filled = [part.replace(CONFIG, str(config)).replace(PROMPT, tools.instructions) for part in self._command]
            environment = {**by_both_names({"TURKBENCH_MCP_CONFIG": str(config)}), **self._environment}
            program = Program(filled, environment, self._box, Needs(folder=Path(folder)))
            run = _Run(program, tools, trajectory.seconds_left())
            anyio.run(serve_at, path, tools, run.until, ReportHearer(trajectory).hear)
        record_program_turn(trajectory, program, finish=run.finish, ms=run.ms)
        if run.problem:
            raise run.problem
        tools.settle()
        if run.finish == "time":
            trajectory.stop_at("time")
        check_status(run.status, program)


class _Run:
    """The program's side of an episode, while the page's side is served."""

    def __init__(self, program: Program, tools: RecordedTools, seconds: float) -> None:
        self.status: int | None = 0
        self.finish = ""
        self.ms = 0.0
        self.problem: CannotStart | None = None
        self._program = program
        self._tools = tools
        self._seconds = seconds
        self._over_since: float | None = None

    async def until(self, _visits: Connections) -> None:
        """Wait for the program, in a thread: this one is the page's."""
        await anyio.to_thread.run_sync(self._go)

    def _go(self) -> None:
        start = time.perf_counter()
        try:
            self.status = self._program.run(self._tools.instructions, self._seconds, self._look)
            self.finish = "time" if self.status is None else f"exit {self.status}"
        except _WorkIsOver:
            self.finish = "ended when its work was over"
        except CannotStart as problem:
            self.problem = problem
        self.ms = (time.perf_counter() - start) * 1000

    def _look(self) -> None:
        if self._tools.is_over:
            self._over_since = self._over_since or time.monotonic()
            if time.monotonic() - self._over_since > FAREWELL_SECONDS:
                raise _WorkIsOver


def servers(path: Path, python: str) -> dict[str, object]:
    """The file in which assistants are told of MCP servers, with the one at a socket.

    Args:
        path: The socket. What joins an assistant to it is put beside it, since a box may hold nothing of this project.
        python: What runs that.
    """
    relay = shutil.copy(mcp_relay.__file__, path.parent)
    return {"mcpServers": {NAME: {"type": "stdio", "command": python, "args": [relay, str(path)], "env": {}}}}
