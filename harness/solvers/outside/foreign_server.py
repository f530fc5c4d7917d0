"""A model in a loop with the tools of another's MCP server, which drives the browser over DevTools."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import TextIO

from harness.browser.box.box import NO_BOX, Box, Needs
from harness.browser.devtools import ANSWER_SECONDS, Devtools
from harness.browser.live_page import PageLost
from harness.episode.assignment import Page
from harness.episode.library import Actions
from harness.models.keys import redact
from harness.solvers.models.prompting import say, say_of_site
from harness.solvers.outside.mcp_server import Client, StdioServerParameters, stdio_client
from harness.solvers.outside.outside_program import inherited, reach_of, told_of
from harness.solvers.outside.tool_loop import ModelSettings, ServerFailed, ToolLoop, converse

PLACES = ("devtools", "page", "url")
"""What ``{...}`` can stand for in ``--mcp-server``: where the browser listens, the page's WebSocket, its address."""
_LAST_BYTES = 10_000
"""Of what a server has complained of: those that are read."""


class ForeignServerSolver:
    """As ``LoopSolver``, with another's MCP server, which drives the browser over DevTools."""

    def __init__(
        self,
        talk: ModelSettings,
        server: list[str],
        environment: Mapping[str, str],
        *,
        tell_fields: bool,
        box: Box = NO_BOX,
    ) -> None:
        """Prepare.

        Args:
            talk: The model.
            server: The command of an MCP server with tools for a browser.
            environment: Variables for that server, beside the usual ones.
            tell_fields: Whether the model is told which fields there are.
            box: How that server is shut in.
        """
        self._talk = talk
        self._box = box
        self._server = server
        self._environment = environment
        self._tell_fields = tell_fields

    def solve_over_devtools(self, page: Page, act: Actions, devtools: Devtools) -> None:
        """Let the model work on the page.

        Raises:
            ServerFailed: the MCP server did not start, or ended.
            NoUsableReply, ModelError, harness.episode.trajectory.LimitReached: as for ``LoopSolver``.
        """
        places = {"devtools": devtools.http, "page": devtools.page, "url": page.url}
        rules = _of_site(page) if page.goal else _of_form(page, tell_fields=self._tell_fields)
        trajectory = act.trajectory

        def hear_out() -> None:
            devtools.listen(ANSWER_SECONDS)

        def is_over() -> bool:
            trajectory.add_to_note(*devtools.take_notes())
            return False

        filled = [_filled(part, places) for part in self._server]
        environment, needs = {**inherited(), **self._environment}, Needs(reach_of(devtools.http, devtools.page))
        with (
            tempfile.TemporaryFile("w+") as complaints,
            tempfile.TemporaryDirectory(prefix="hb-") as scratch,
            self._box.opened(filled, environment, Path(scratch), needs) as boxed,
        ):
            command, *arguments = boxed.command
            parameters = StdioServerParameters(command=command, args=arguments, env=dict(boxed.environment))
            try:
                loop = ToolLoop(self._talk, trajectory, is_over, after_call=hear_out)
                try:
                    converse(Client(stdio_client(parameters, errlog=complaints)), loop, rules)
                finally:
                    devtools.take_back()
            except PageLost as lost:
                trajectory.lost = f"the MCP server did away with the page: {lost}"
                raise ServerFailed(trajectory.lost) from None
            except ServerFailed as error:
                raise ServerFailed(f"{error}: {_last_words(complaints)}") from error
            finally:
                trajectory.add_to_note(*devtools.take_notes(), told_of(boxed.refused))


def _of_form(page: Page, *, tell_fields: bool) -> str:
    """What a model has to know before it fills in a form with tools of its own."""
    names = "\n".join(map(repr, page.names)) or "none"
    fields = say("form_fields", names=names) if tell_fields else say("form_no_fields")
    return "\n\n".join((say("role_with_tools"), say("browser_rules", url=page.url), say("trust"), fields))


def _of_site(page: Page) -> str:
    """What a model has to know before it walks through a website with tools of its own."""
    names = ("site_role_with_tools", "browser_rules", "site_trust", "goal")
    return "\n\n".join(say_of_site(name, url=page.url, goal=page.goal) for name in names)


def _filled(part: str, places: Mapping[str, str]) -> str:
    for name in PLACES:
        part = part.replace(f"{{{name}}}", places[name])
    return part


def _last_words(file: TextIO) -> str:
    said = file.buffer
    said.seek(-min(_LAST_BYTES, said.seek(0, os.SEEK_END)), os.SEEK_END)
    return redact(said.read().decode(errors="replace")).strip()[-500:] or "it said nothing"
