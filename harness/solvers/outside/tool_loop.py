"""One conversation with a model that calls the tools of an MCP server, in a loop."""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from msgspec import structs

from harness.actions.call import ActionCall
from harness.actions.signature import ActionSpec
from harness.episode.trajectory import Trajectory
from harness.kit.text import shorten
from harness.models.messages import LENGTH, Image, Message, Reply, Request, Text, ToolCall, ToolResult
from harness.models.presets import Preset
from harness.records.turn import ERROR, OpenTurn, turn_of
from harness.solvers.models.asking import ModelCaller, NoUsableReply
from harness.solvers.models.prompting import reminded, say
from harness.solvers.models.view import Counter
from harness.solvers.outside.mcp_server import Client, MCPError, anyio, tools_of, types
from harness.solvers.outside.page_tools import FORM_TOOLS, MOST_CHARACTERS, read_call

LEFT_OUT = "(left out to keep within the budget)"
MOST_WRITTEN = 1_000
"""Characters of a call of another server's tool in the record."""
MOST_CUT_OFF = 2
"""Replies in a row that may be cut off before they call a tool."""


class ServerFailed(Exception):
    """An MCP server of the user's could not be started, or ended before its time."""


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


class ToolLoop:
    """One conversation."""

    def __init__(
        self,
        talk: ModelSettings,
        trajectory: Trajectory,
        is_over: Callable[[], bool],
        *,
        digest: Callable[[], str] = lambda: "",
        after_call: Callable[[], None] = lambda: None,
        specs: Mapping[str, ActionSpec] = FORM_TOOLS,
    ) -> None:
        """Prepare.

        Args:
            talk: The model.
            trajectory: Where turns are recorded.
            is_over: Asked before each request whether there is nothing left to do.
            digest: Of the page's state, asked before each request.
            after_call: Called after each call of a tool.
            specs: The tools of ours that there may be, by name: calls of theirs are recorded as action text.
        """
        self._talk = talk
        self._trajectory = trajectory
        self._is_over = is_over
        self._digest = digest
        self._after_call = after_call
        self._specs = specs

    async def run(self, client: Client, rules: str) -> None:
        """Ask the model and call its tools until it calls none, or the work is over.

        Args:
            client: Of the server.
            rules: What the model is told first.

        Raises:
            ServerFailed: the server ended.
            NoUsableReply: too many replies in a row were cut off.
            ModelError: the model gives no answer.
            harness.episode.trajectory.LimitReached: a limit of the episode or the run.
        """
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
        turn.calls.append(_written(call, self._specs))
        try:
            with anyio.fail_after(self._trajectory.seconds_left()):
                result = await client.call_tool(call.name, dict(call.arguments))
        except TimeoutError:
            self._trajectory.stop_at("time")
        except MCPError as error:
            if error.code == types.CONNECTION_CLOSED:
                raise ServerFailed("the MCP server ended") from error
            return ToolResult(call.id, f"error: {shorten(str(error), MOST_CHARACTERS)}")
        finally:
            self._after_call()
        return self._told(call, result)

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


def converse(client: Client, loop: ToolLoop, rules: str) -> None:
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
    thinking = reply.thinking() if kept else ()
    messages = [Message("assistant", (*thinking, *texts, *kept.values()))]
    if kept:
        messages.append(Message("tool", tuple(result for result in results if result.id in kept)))
    rest = [result.text for result in results if result.id not in kept]
    if not results:
        rest.append(say("cut_off", tokens=room))
    if rest:
        messages.append(Message("user", (Text("\n".join(rest)),)))
    return messages


def _written(call: ToolCall, specs: Mapping[str, ActionSpec]) -> str:
    """A call as action text, if it is one of the action library; else as much like one."""
    made = read_call(call.name, call.arguments, specs)
    if isinstance(made, ActionCall):
        return str(made)
    arguments = ", ".join(f"{name}={value!r}" for name, value in call.arguments.items())
    return shorten(f"{call.name}({arguments})", MOST_WRITTEN)
