"""Any program as a solver: it drives the episode's page over DevTools, and exits (``--solver command``)."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, replace
from typing import Any, Literal, TypeVar

from harness.browser.box.box import NO_BOX, Box, Needs
from harness.browser.box.program_options import BoxOptions, Command, McpServer, Passed, Programs
from harness.browser.devtools import Devtools
from harness.browser.live_page import PageLost
from harness.episode.assignment import Page
from harness.episode.library import Actions
from harness.episode.site_actions import SiteActions
from harness.episode.solver import Setup, WrongOptions
from harness.episode.trajectory import Trajectory
from harness.kit.files.installation import by_both_names
from harness.kit.options import filled, flag, given, view
from harness.models.client import RequestRefused
from harness.models.keys import KEY_NAMES, optional_key, redact, setting
from harness.records.agent_report import AgentReport
from harness.records.texts import packed
from harness.records.turn import Turn
from harness.solvers.outside.agent_reports import read_answer, read_report
from harness.solvers.outside.outside_program import Program, box_of, box_options, reach_of
from harness.solvers.solver_options import AssistantOptions

A = TypeVar("A", bound=AssistantOptions)
P = TypeVar("P", bound=Passed)

VERSION = 1
"""Of what a program is told. A new key leaves it as it is; it grows when a key goes or comes to mean something else."""
LAST_LINES, LAST_CHARACTERS = 5, 500
"""How much of a program's last words the outcome of an episode repeats."""
_FRAME = re.compile(r"\s+at .*:\d+:\d+\)?$|\s+at .* \{$")
"""A line of a stack as Node.js prints it."""


class ProgramFailed(Exception):
    """The program did not end as it should; the episode is an ``agent_error``."""


class CommandSolver:
    """Starts a program for each page, and waits until it exits."""

    waits = True
    options = AssistantOptions

    def __init__(
        self, command: list[str], environment: Mapping[str, str], *, tell_fields: bool, box: Box = NO_BOX
    ) -> None:
        """Prepare it.

        Args:
            command: The program and its arguments.
            environment: Variables that it is given beside the usual ones.
            tell_fields: Whether it is told which fields there are.
            box: How it is shut in.
        """
        self._box = box
        self._command = command
        self._environment = environment
        self._tell_fields = tell_fields

    @classmethod
    def check(cls, name: str, options: AssistantOptions) -> AssistantOptions:  # noqa: ARG003 - as of all solvers
        """Make sure that there is such a program; see ``harness.episode.solver``.

        Raises:
            WrongOptions: there is none, or the command holds a key, or there can be no such box.
        """
        return checked_assistant(options)

    @classmethod
    def set_up(cls, setup: Setup) -> CommandSolver:
        """A new solver; see ``harness.episode.solver``.

        Raises:
            WrongOptions: as for ``check``.
        """
        options: AssistantOptions = setup.options
        command, environment = program_of(options, "command"), passed_on(options)
        return cls(command, environment, tell_fields=options.field_names is not False, box=box_of(setup))

    def solve_over_devtools(self, page: Page, act: Actions, devtools: Devtools) -> None:
        """Let the program work on the page.

        Raises:
            ProgramFailed: it exited with another status than 0, or did away with the page.
            harness.solvers.outside.outside_program.CannotStart: it cannot be started.
            harness.episode.trajectory.LimitReached: it was ended because its time was up.
        """
        told = what_is_told(page, devtools, seconds=act.trajectory.seconds_left(), tell_fields=self._tell_fields)
        needs = Needs(reach_of(devtools.http, devtools.page))
        program = Program(self._command, {**variables(told), **self._environment}, self._box, needs)
        attend(program, told, act, devtools)


def attend(program: Program, told: Mapping[str, Any], act: Actions, devtools: Devtools) -> None:
    """Run a program on the page, keep what it said as a turn, and take the page back.

    Args:
        program: The program.
        told: What it is told on its standard input.
        act: The actions on the page.
        devtools: The way to its page.

    Raises:
        ProgramFailed, harness.solvers.outside.outside_program.CannotStart, harness.episode.trajectory.LimitReached: see
            ``CommandSolver.solve_over_devtools``.
    """
    trajectory = act.trajectory
    seen, start = act.observation.digest(), time.perf_counter()
    notes: list[str] = []
    finish = ""
    try:
        status = program.run(json.dumps(told), trajectory.seconds_left(), devtools.listen)
        finish = "time" if status is None else f"exit {status}"
        devtools.take_back()
    except PageLost as lost:
        notes.append(str(lost))
        trajectory.lost = f"the agent's program did away with the page: {lost}"
        raise ProgramFailed(trajectory.lost) from None
    finally:
        ms = (time.perf_counter() - start) * 1000
        note = "\n".join((*devtools.take_notes(), *notes))
        record_program_turn(trajectory, program, told=told, page=seen, finish=finish, ms=ms, note=note)
        if isinstance(act, SiteActions):
            act.answer = read_answer(program.stdout.text)
    if status is None:
        trajectory.stop_at("time")
    check_status(status, program)


def record_program_turn(
    trajectory: Trajectory,
    program: Program,
    *,
    told: Mapping[str, Any] | None = None,
    page: str = "",
    finish: str,
    ms: float,
    note: str = "",
) -> None:
    """Keep what a program said as a turn, and what it reports of itself; that counts more than what it told before.

    Its output is the turn's reply, its complaints stand in the note.

    Args:
        trajectory: Of the episode.
        program: The program.
        told: What it was told, if that is to be kept with it.
        page: Digest of the page's state when it began.
        finish: How it ended.
        ms: Milliseconds that it took.
        note: What else is to be known.
    """
    sent, texts = packed(told) if told is not None else ("", {})
    complaints = redact(program.stderr.text)
    reported, refusal = read_report(program.stdout.text)
    if trajectory.agent_report is None or reported != AgentReport():
        trajectory.agent_report = reported
    turn = Turn(
        sent=sent,
        reply=redact(program.stdout.text),
        steps=(len(trajectory.steps), len(trajectory.steps)),
        page=page,
        finish=finish,
        ms=round(ms, 2),
        note="\n".join(filter(None, (note, program.refused, refusal, complaints and f"standard error:\n{complaints}"))),
    )
    trajectory.record_turn(turn, texts)


def check_status(status: int | None, program: Program) -> None:
    """Make sure that a program ended well.

    Raises:
        ProgramFailed: it did not; with its last words.
    """
    if status:
        how = f"was ended by signal {-status}" if status < 0 else f"exited with status {status}"
        words = _last_words(redact(program.stderr.text) or redact(program.stdout.text))
        raise ProgramFailed(f"the agent's program {how}: {words}")


def what_is_told(page: Page, devtools: Devtools, *, seconds: float, tell_fields: bool) -> dict[str, Any]:
    """What a program can read from its standard input, as a JSON object (docs/reference/program.md).

    Args:
        page: The page.
        devtools: The way to it.
        seconds: How long the program may take.
        tell_fields: Whether it is told which fields there are.
    """
    site = {"goal": page.goal, "origins": list(page.origins)} if page.goal else {}
    return {
        "version": VERSION,
        "url": page.url,
        **site,
        "devtools": {
            "http": devtools.http,
            "browser": devtools.browser,
            "page": devtools.page,
            "host": devtools.host,
            "target": devtools.target,
        },
        "names": list(page.names) if tell_fields else None,
        "fields": [asdict(field) for field in page.fields] if tell_fields else None,
        "seconds": round(seconds, 1),
        "seed": page.seed,
    }


def variables(told: Mapping[str, Any]) -> dict[str, str]:
    """The same in environment variables, without the fields' details."""
    known = {
        "TURKBENCH_URL": told["url"],
        "TURKBENCH_DEVTOOLS": told["devtools"]["http"],
        "TURKBENCH_DEVTOOLS_BROWSER": told["devtools"]["browser"],
        "TURKBENCH_DEVTOOLS_PAGE": told["devtools"]["page"],
        "TURKBENCH_DEVTOOLS_HOST": told["devtools"]["host"],
        "TURKBENCH_TARGET": told["devtools"]["target"],
        "TURKBENCH_SECONDS": str(told["seconds"]),
        "TURKBENCH_SEED": str(told["seed"]),
    }
    if "goal" in told:
        known |= {"TURKBENCH_GOAL": told["goal"], "TURKBENCH_ORIGINS": " ".join(told["origins"])}
    if told["names"] is not None:
        known["TURKBENCH_FIELDS"] = json.dumps(told["names"])
    return by_both_names(known)


def checked_assistant(options: A) -> A:
    """The options of a program that works on pages itself, looked over and filled in.

    Raises:
        WrongOptions: there is none, or the command holds a key, or there can be no such box.
    """
    passed_on(options)
    boxed = filled(options, given(box_options(view(BoxOptions, options))))
    program_of(boxed, "command")
    return replace(told_by_name(boxed), field_names=boxed.field_names is not False)


def program_of(options: Programs | Command | McpServer, name: Literal["command", "mcp_server"]) -> list[str]:
    """A program and its arguments, parted as a shell would.

    Args:
        options: The solver's.
        name: The option: ``command`` or ``mcp_server``.

    Raises:
        WrongOptions: no such program, or the option holds a key, which would be written to the run directory.
    """
    text = getattr(options, name) or ""
    _learn_keys()
    if redact(text) != text:
        raise WrongOptions(f"{flag(name)} holds a key, which would be written down; hand it over with --pass-env NAME")
    try:
        command = shlex.split(text)
    except ValueError as error:
        raise WrongOptions(f"{flag(name)} {text!r} cannot be read: {error}") from error
    if not command:
        raise WrongOptions(f'give the program: {flag(name)} "python my_agent.py"')
    # What an image holds is not known here.
    if view(BoxOptions, options).isolate != "container" and shutil.which(command[0]) is None:
        raise WrongOptions(f"{flag(name)}: there is no program {command[0]!r} on PATH that can be executed")
    return command


def server_of(options: McpServer) -> list[str] | None:
    """The command of ``--mcp-server``; None if it was not given.

    Raises:
        WrongOptions: there is no such program.
    """
    return None if options.mcp_server is None else program_of(options, "mcp_server")


def passed_on(options: Passed) -> dict[str, str]:
    """The variables of our environment (or of ``.env``) that the user wants the program to have.

    Raises:
        WrongOptions: one of them is not set.
    """
    values = {}
    # What the second hands over is a key whatever it looks like.
    asked = (("--pass-env", options.pass_env, setting), ("--pass-secret", options.pass_secret, optional_key))
    for argument, names, read in asked:
        for name in names or ():
            try:
                value = read(name)
            except RequestRefused as error:
                raise WrongOptions(f"{argument} {name}: {error}") from error
            if value is None:
                raise WrongOptions(f"{argument} {name}: it is neither in the environment nor in .env")
            values[name] = value
    return values


def told_by_name(options: P) -> P:
    """The same options with these names as they are kept with a run: sorted, each once."""
    secrets = tuple(sorted(set(options.pass_secret or ()))) or None
    return replace(options, pass_env=tuple(sorted(set(options.pass_env or ()))), pass_secret=secrets)


def _learn_keys() -> None:
    """Let ``redact`` know what looks like a key in our environment."""
    for name in os.environ:
        if name.endswith(KEY_NAMES):
            with suppress(RequestRefused):
                optional_key(name)


def _last_words(text: str) -> str:
    # Where JavaScript was when it failed would push out why.
    lines = [line for line in text.strip().splitlines() if line.strip() and not _FRAME.match(line)]
    return "\n".join(lines[-LAST_LINES:])[-LAST_CHARACTERS:] or "it said nothing"
