"""An episode whose agent is an assistant that comes in over the Model Context Protocol, at a socket."""

from __future__ import annotations

from pathlib import Path

from harness.browser.wire import BrowserGone
from harness.episode.assignment import Page
from harness.episode.library import Actions
from harness.episode.solver import Setup, WrongOptions
from harness.solvers.outside.agent_reports import ReportHearer
from harness.solvers.outside.mcp_server import Connections, anyio, serve_at
from harness.solvers.outside.page_tools import PageTools, RecordedTools
from harness.solvers.solver_options import SocketOptions

FAREWELL_SECONDS = 1.0
"""How long an assistant that has finished is given to read the last answer and to hang up."""
CONNECT_SECONDS = 60.0
"""How long it is waited for one; ``python -m harness page mcp`` connects as soon as the page is open."""
LOOK_SECONDS = 0.05


class NobodyCame(Exception):
    """No assistant has connected; it was ended before the page was open."""


class SocketSolver:
    """Waits at a socket for one assistant, which works on one page (``python -m harness page mcp``)."""

    options = SocketOptions

    def __init__(self, path: Path, *, tell_fields: bool) -> None:
        """Prepare.

        Args:
            path: The socket.
            tell_fields: Whether the assistant is told which fields there are.
        """
        self._path = path
        self._tell_fields = tell_fields
        self._is_used = False

    @classmethod
    def check(cls, name: str, options: SocketOptions) -> SocketOptions:
        """See ``harness.episode.solver``; ``python -m harness page mcp`` gives the options.

        Raises:
            WrongOptions: it was asked for by somebody else.
        """
        if options.socket is None:
            raise WrongOptions(f"the solver {name!r} is for one page: turkbench page mcp starts it")
        return options

    @classmethod
    def set_up(cls, setup: Setup) -> SocketSolver:
        """A new solver."""
        return cls(Path(setup.options.socket), tell_fields=setup.options.field_names is not False)

    def solve(self, page: Page, act: Actions) -> None:
        """Let the assistant work on the page, until it finishes, hangs up, or its time is up.

        Raises:
            harness.episode.trajectory.LimitReached: a limit of the episode.
            BrowserGone: the browser died; the assistant, which has begun, cannot begin anew.
        """
        if self._is_used:
            raise BrowserGone("the browser was lost while the assistant worked, which cannot begin anew")
        self._is_used = True
        tools = RecordedTools(PageTools(page, act, tell_fields=self._tell_fields), act.trajectory)

        async def until(connections: Connections) -> None:
            with anyio.move_on_after(CONNECT_SECONDS) as patience:
                await connections.came.wait()
            if patience.cancelled_caught:
                return
            with anyio.move_on_after(act.trajectory.seconds_left()):
                while not (tools.is_over or connections.left.is_set()):
                    await anyio.sleep(LOOK_SECONDS)  # several things can end the work, and none of them tells
            if tools.is_over:
                with anyio.move_on_after(FAREWELL_SECONDS):
                    await connections.left.wait()

        connections = anyio.run(serve_at, self._path, tools, until, ReportHearer(act.trajectory).hear)
        if not connections.came.is_set():
            raise NobodyCame("no assistant connected: the program that speaks for it was ended")
        tools.settle()
        if not tools.is_over:
            # Silence is no look at the clock.
            act.trajectory.check_limits()
