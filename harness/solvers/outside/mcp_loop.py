"""A model that works with the tools of an MCP server, in a loop (``--solver mcp``): ours for the page, or another's."""

from __future__ import annotations

import base64
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from msgspec import structs

from harness.actions.call import ActionCall
from harness.box.box import NO_BOX, Box, Needs
from harness.box.isolation import OPTIONS as BOX_OPTIONS
from harness.browser.devtools import Devtools, PageLost
from harness.episode.assignment import Page
from harness.episode.library import Actions
from harness.episode.solver import DevtoolsSolver, Setup, Solver, WrongOptions
from harness.episode.trajectory import Trajectory
from harness.models.client import ModelError
from harness.models.keys import redact
from harness.models.messages import LENGTH, Image, Message, Reply, Request, Text, ToolCall, ToolResult
from harness.models.presets import Preset, UnknownPreset, WrongPreset, resolve
from harness.models.service import open_service
from harness.models.tokens.counting import tokens_for
from harness.runlog.turn_recording import ERROR, OpenTurn, turn_of
from harness.solvers.models.asking import ModelCaller, NoUsableReply
from harness.solvers.models.prompting import prompts_hash, reminded, say
from harness.solvers.models.view import Counter
from harness.solvers.outside.assistant import AssistantSolver
from harness.solvers.outside.command import passed_on, program_of, refuse_others, server_of
from harness.solvers.outside.mcp_extra import (
    Client,
    MCPError,
    StdioServerParameters,
    anyio,
    stdio_client,
    tools_of,
    types,
)
from harness.solvers.outside.mcp_server import make_server
from harness.solvers.outside.outside_program import inherited
from harness.solvers.outside.page_tools import MOST_CHARACTERS, PageTools
from harness.solvers.outside.program_box import box_of, box_options, reach_of
from harness.text.shortening import shorten

PLACES = ("devtools", "page", "url")
"""What ``{...}`` can stand for in ``--mcp-server``: where the browser listens, the page's WebSocket, its address."""
LEFT_OUT = "(left out to keep within the budget)"
MOST_WRITTEN = 1_000
"""Characters of a call of another server's tool in the record."""
MOST_CUT_OFF = 2
"""Replies in a row that may be cut off before they call a tool."""
_OF_ASSISTANTS = ("command", "pass_env", "field_names", *BOX_OPTIONS)
_OF_LOOPS = (
    "model", "mcp_server", "pass_env", "field_names", "base_url", "temperature", "max_input_tokens",
    "max_output_tokens", "max_cost", "max_tokens", "concurrency", "tokens_per_minute", "call_timeout", "cache",
)  # fmt: skip


class ServerFailed(Exception):
    """An MCP server of the user's could not be started, or ended before its time."""


class McpSolver:
    """Makes the solver that the options ask for: an assistant with ``--command``, else a model in a loop."""

    waits = True

    @classmethod
    def check(cls, name: str, options: Mapping[str, Any]) -> Mapping[str, Any]:
        """Look the options over; see ``harness.episode.solver``.

        Raises:
            WrongOptions: they cannot be meant so.
        """
        given = {**options, "field_names": options.get("field_names", True), "pass_env": sorted(passed_on(options))}
        if "command" in options:
            refuse_others(f"{name} with --command", options, _OF_ASSISTANTS)
            boxed = box_options(options)
            program_of({**options, **boxed}, "command")
            return {**given, **boxed}
        refuse_others(name, options, (*_OF_LOOPS, *BOX_OPTIONS) if "mcp_server" in options else _OF_LOOPS)
        if "model" not in options:
            raise WrongOptions(
                f"--solver {name} needs --command, the program of an assistant, or --model, the preset of a model that "
                "can call tools (--list-solvers prints them)"
            )
        preset = cls.find_preset(options)
        if "mcp_server" in options:
            given |= box_options(options)
        server_of(given)
        return {**given, "max_input_tokens": preset.max_input_tokens, "max_output_tokens": preset.max_output_tokens}

    @classmethod
    def prepare(cls, setup: Setup) -> Mapping[str, Any]:
        """What decides a run; see ``harness.episode.solver``."""
        if "command" in setup.options:
            return {"prompts": prompts_hash()}
        preset = cls.find_preset(setup.options)
        price = preset.price.to_json() if preset.price else None
        return {"provider": preset.provider, "model": preset.model, "prompts": prompts_hash(), "price": price}

    @classmethod
    def set_up(cls, setup: Setup) -> Solver | DevtoolsSolver:
        """A new solver; see ``harness.episode.solver``.

        Raises:
            WrongOptions: as for ``check``.
        """
        options = setup.options
        tell_fields, environment = options["field_names"], passed_on(options)
        if "command" in options:
            command, box = program_of(options, "command"), box_of(setup)
            return AssistantSolver(command, environment, tell_fields=tell_fields, box=box)
        preset = cls.find_preset(options)
        try:
            service = cls.make_service(setup, preset)
        except (ModelError, ValueError) as error:
            raise WrongOptions(str(error)) from None
        talk = ModelSettings(preset, service, tokens_for(preset.model, preset.provider), setup.seed)
        if server := server_of(options):
            return ForeignServerSolver(talk, server, environment, tell_fields=tell_fields, box=box_of(setup))
        return LoopSolver(talk, tell_fields=tell_fields)

    @classmethod
    def find_preset(cls, options: Mapping[str, Any]) -> Preset:
        """The model: ``--model PRESET``, or ``PRESET:MODEL`` for another model of its provider.

        Raises:
            WrongOptions: there is no such preset, or its models cannot call tools.
        """
        name, _, model = options["model"].partition(":")
        try:
            preset = resolve(name, {**options, "model": model or None, "output": "tools", "vision": None})
        except (UnknownPreset, WrongPreset) as error:
            raise WrongOptions(f"--model: {error}") from None
        if preset.provider == "local":
            raise WrongOptions("--model: a model in the process writes text and calls no tools; take another")
        return preset

    @classmethod
    def make_service(cls, setup: Setup, preset: Preset) -> ModelCaller:
        """What asks the model."""
        return open_service(preset, setup.options, setup.folder, seed=setup.seed)


@dataclass(frozen=True)
class ModelSettings:
    """How a model is asked.

    Attributes:
        preset: The model.
        service: Asks it.
        tokens: Counts its tokens.
        seed: Of the sampling.
    """

    preset: Preset
    service: ModelCaller
    tokens: Counter
    seed: int = 0

    def request(self, messages: Sequence[Message], tools: Sequence[Mapping[str, Any]]) -> Request:
        """The conversation as a request; results of tools are left out, the oldest first, until it fits."""
        fitted = list(messages)
        for place in range(len(fitted)):
            request = Request(
                model=self.preset.model,
                messages=tuple(fitted),
                tools=tuple(tools),
                temperature=self.preset.temperature,
                seed=self.seed,
                max_tokens=self.preset.max_output_tokens,
            )
            if self.tokens.request(request) <= self.preset.max_input_tokens:
                break
            results = [part for part in fitted[place].parts if isinstance(part, ToolResult)]
            if results and place < len(fitted) - 1:
                fitted[place] = Message("tool", tuple(ToolResult(part.id, LEFT_OUT) for part in results))
        return request


class LoopSolver:
    """Shows a model the action library as an MCP server, calls what it asks for, until it asks for nothing."""

    def __init__(self, talk: ModelSettings, *, tell_fields: bool) -> None:
        """Prepare.

        Args:
            talk: The model.
            tell_fields: Whether the model is told which fields there are.
        """
        self._talk = talk
        self._tell_fields = tell_fields

    def solve(self, page: Page, act: Actions) -> None:
        """Let the model work on the page.

        Raises:
            NoUsableReply: too many replies in a row were cut off.
            ModelError: the model gives no answer.
            harness.episode.limits.LimitReached: a limit of the episode or the run.
        """
        tools = PageTools(page, act, tell_fields=self._tell_fields)
        loop = _Loop(self._talk, act.trajectory, lambda: tools.is_over, act.observation.digest)
        _drive(Client(make_server(tools)), loop, tools.instructions)
        tools.settle()


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
            NoUsableReply, ModelError, harness.episode.limits.LimitReached: as for ``LoopSolver``.
        """
        places = {"devtools": devtools.http, "page": devtools.page, "url": page.url}
        names = "\n".join(map(repr, page.names)) or "none"
        fields = say("form_fields", names=names) if self._tell_fields else say("form_no_fields")
        rules = "\n\n".join((say("assistant_role"), say("browser_rules", url=page.url), say("trust"), fields))

        def listen() -> bool:
            devtools.listen()
            return False

        filled = [_filled(part, places) for part in self._server]
        environment, needs = {**inherited(), **self._environment}, Needs(reach_of(devtools.http, devtools.page))
        with (
            tempfile.TemporaryFile("w+", errors="replace") as complaints,
            tempfile.TemporaryDirectory(prefix="hb-") as scratch,
            self._box.opened(filled, environment, Path(scratch), needs) as boxed,
        ):
            command, *arguments = boxed.command
            parameters = StdioServerParameters(command=command, args=arguments, env=dict(boxed.environment))
            try:
                loop = _Loop(self._talk, act.trajectory, listen, lambda: "")
                _drive(Client(stdio_client(parameters, errlog=complaints)), loop, rules)
                devtools.take_back()
            except PageLost as lost:
                act.trajectory.lost = f"the MCP server did away with the page: {lost}"
                raise ServerFailed(act.trajectory.lost) from None
            except ServerFailed as error:
                raise ServerFailed(f"{error}: {_last_words(complaints)}") from error


class _Loop:
    """One conversation."""

    def __init__(
        self, talk: ModelSettings, trajectory: Trajectory, is_over: Callable[[], bool], digest: Callable[[], str]
    ) -> None:
        self._talk = talk
        self._trajectory = trajectory
        self._is_over = is_over
        self._digest = digest

    async def run(self, client: Client, rules: str) -> None:
        tools = {tool["name"]: tool for tool in await tools_of(client)}
        messages = [Message("system", (Text(rules),)), Message("user", (Text(say("begin")),))]
        cut_off = 0
        while not self._is_over():
            self._trajectory.check_limits()
            request = self._talk.request(messages, tuple(tools.values()))
            digest = self._digest()
            exchange = self._talk.service.complete(request, self._trajectory)
            reply = exchange.reply
            with turn_of(self._trajectory, request, exchange, page=digest) as turn:
                results = [await self._call(client, call, tools, turn) for call in reply.tool_calls]
            cut_off = 0 if results or reply.finish != LENGTH else cut_off + 1
            if cut_off > MOST_CUT_OFF:
                raise NoUsableReply(f"{cut_off} replies in a row were cut off before they called a tool")
            if not results and not cut_off:
                return
            messages += _answered(reply, results, tools, self._talk.preset.max_output_tokens)

    async def _call(self, client: Client, call: ToolCall, tools: Mapping[str, Any], turn: OpenTurn) -> ToolResult:
        """What a call gives; whatever is wrong with it is told to the model."""
        problem = ""
        if call.name not in tools:
            problem = f"there is no tool {shorten(call.name, 60)!r}; there are {', '.join(tools)}"
        elif call.malformed:
            problem = "the arguments are no JSON object"
        if problem:
            turn.calls.append(f"{ERROR}{problem}")
            return ToolResult(call.id, f"error: {problem}")
        turn.calls.append(_written(call))
        try:
            with anyio.fail_after(self._trajectory.seconds_left()):
                return self._told(call, await client.call_tool(call.name, dict(call.arguments)))
        except TimeoutError:
            self._trajectory.stop_at("time")
        except MCPError as error:
            if error.code == types.CONNECTION_CLOSED:
                raise ServerFailed("the MCP server ended") from error
            return ToolResult(call.id, f"error: {shorten(str(error), MOST_CHARACTERS)}")

    def _told(self, call: ToolCall, result: types.CallToolResult) -> ToolResult:
        texts, images = [], []
        for part in result.content:
            if isinstance(part, types.TextContent):
                texts.append(part.text)
            elif isinstance(part, types.ImageContent) and self._talk.preset.pictures is not False:
                images.append(Image(base64.b64decode(part.data), part.mime_type))
            else:
                texts.append(f"({part.type}: not shown)")
        text = "\n".join(texts)
        return ToolResult(
            call.id, shorten(f"error: {text}" if result.is_error else text, MOST_CHARACTERS), tuple(images)
        )


def _drive(client: Client, loop: _Loop, rules: str) -> None:
    """Run a conversation, and raise what it raised as it is: the library wraps what passes through it."""
    raised: list[Exception] = []

    async def main() -> None:
        async with client:
            try:
                await loop.run(client, rules)
            except Exception as error:  # noqa: BLE001 - it is raised again below
                raised.append(error)

    try:
        anyio.run(main)
    except Exception as error:  # of the library or the server, when it is started or ended
        if not raised:
            raise ServerFailed(f"the MCP server cannot be used: {_innermost(error)}") from error
    if raised:
        raise raised[0]


def _innermost(error: BaseException) -> str:
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return f"{type(error).__name__}: {error}"


def _answered(reply: Reply, results: Sequence[ToolResult], tools: Mapping[str, Any], room: int) -> list[Message]:
    """A reply and what became of it, as they stand in the next request; no provider takes calls of unknown tools."""
    kept = {call.id: structs.replace(call, malformed="") for call in reply.tool_calls if call.name in tools}
    texts = (Text(reminded(reply.text)),) if reply.text.strip() or not kept else ()
    messages = [Message("assistant", (*texts, *kept.values()))]
    if kept:
        messages.append(Message("tool", tuple(result for result in results if result.id in kept)))
    rest = [result.text for result in results if result.id not in kept]
    if not results:
        rest.append(say("cut_off", tokens=room))
    if rest:
        messages.append(Message("user", (Text("\n".join(rest)),)))
    return messages


def _written(call: ToolCall) -> str:
    """A call as action text, if it is one of the action library; else as much like one."""
    made = PageTools.read(call.name, call.arguments)
    if isinstance(made, ActionCall):
        return str(made)
    arguments = ", ".join(f"{name}={value!r}" for name, value in call.arguments.items())
    return shorten(f"{call.name}({arguments})", MOST_WRITTEN)


def _filled(part: str, places: Mapping[str, str]) -> str:
    for name in PLACES:
        part = part.replace(f"{{{name}}}", places[name])
    return part


def _last_words(file: IO[str]) -> str:
    file.seek(0)
    return redact(file.read()).strip()[-500:] or "it said nothing"
