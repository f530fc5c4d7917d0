"""Tools of a page over the Model Context Protocol (https://modelcontextprotocol.io), with the official library."""

from __future__ import annotations

import base64
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harness.kit.files.installation import own_version
from harness.models.client import MissingExtra
from harness.solvers.outside.agent_reports import KEY
from harness.solvers.outside.page_tools import ToolAnswer, ToolBox, ToolEffects

try:
    import anyio
    import anyio.to_thread
    import mcp_types as types
    from anyio.abc import ByteStream
    from anyio.streams.buffered import BufferedByteReceiveStream
    from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
    from mcp import Client, StdioServerParameters, stdio_client
    from mcp.server import Server
    from mcp.shared.exceptions import MCPError
    from mcp.shared.message import SessionMessage
except ImportError as error:
    if (error.name or "").partition(".")[0] in ("anyio", "mcp", "mcp_types"):
        raise MissingExtra("mcp", "mcp") from None
    raise

__all__ = [
    "BufferedByteReceiveStream",
    "ByteStream",
    "Client",
    "MCPError",
    "MemoryObjectReceiveStream",
    "MemoryObjectSendStream",
    "Server",
    "SessionMessage",
    "StdioServerParameters",
    "anyio",
    "stdio_client",
    "tools_of",
    "types",
]


async def tools_of(client: Client) -> list[dict[str, Any]]:
    """All tools of a server, each as models are told of it."""
    page = await client.list_tools()
    tools = list(page.tools)
    while page.next_cursor:
        page = await client.list_tools(cursor=page.next_cursor)
        tools += page.tools
    return [
        {"name": tool.name, "description": tool.description or "", "parameters": tool.input_schema} for tool in tools
    ]


NAME = "page"
LONGEST_LINE = 16 * 1024 * 1024
"""Bytes of one message of a client; a longer one ends the connection."""


Hear = Callable[[object], None]
"""Is given what a client reports of its own work."""


def make_server(tools: ToolBox, hear: Hear | None = None) -> Server[Any]:
    """A server that offers tools and resources to one client, and hears what it reports with a call of a tool.

    Args:
        tools: What is offered.
        hear: Hears the report; None for a client that is the harness itself.
    """

    async def list_tools(_context: object, _params: object) -> types.ListToolsResult:
        offered = [
            types.Tool(
                name=tool["name"],
                description=tool["description"],
                input_schema=tool["parameters"],
                annotations=_annotations(tool["effects"]),
            )
            for tool in tools.tools()
        ]
        return types.ListToolsResult(tools=offered)

    async def call_tool(_context: object, params: types.CallToolRequestParams) -> types.CallToolResult:
        answer = tools.call(params.name, params.arguments or {})
        meta: Mapping[str, Any] = params.meta or {}
        if hear and KEY in meta:
            hear(meta[KEY])
        return _content(answer)

    async def list_resources(_context: object, _params: object) -> types.ListResourcesResult:
        known = [
            types.Resource(uri=uri, name=uri.rpartition("/")[2], mime_type="application/json")
            for uri in tools.resources()
        ]
        return types.ListResourcesResult(resources=known)

    async def read_resource(_context: object, params: types.ReadResourceRequestParams) -> types.ReadResourceResult:
        text = tools.resources().get(params.uri)
        if text is None:
            raise MCPError(types.INVALID_PARAMS, f"there is no resource {params.uri}")
        contents = types.TextResourceContents(uri=params.uri, text=text, mime_type="application/json")
        return types.ReadResourceResult(contents=[contents])

    return Server(
        NAME,
        version=own_version(),
        instructions=tools.instructions,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
        on_list_resources=list_resources,
        on_read_resource=read_resource,
    )


def _annotations(effects: ToolEffects) -> types.ToolAnnotations:
    return types.ToolAnnotations(
        read_only_hint=effects.read_only,
        destructive_hint=effects.destructive,
        idempotent_hint=effects.idempotent,
        open_world_hint=False,
    )


def _content(answer: ToolAnswer) -> types.CallToolResult:
    content: list[types.ContentBlock] = [
        types.ImageContent(data=base64.b64encode(image.png).decode(), mime_type=image.media_type)
        for image in answer.images
    ]
    if answer.text or not content:
        content.append(types.TextContent(text=answer.text))
    return types.CallToolResult(content=content, is_error=not answer.ok)


async def serve(tools: ToolBox, stream: ByteStream, hear: Hear | None = None) -> None:
    """Serve one client, one JSON-RPC message a line as over standard input and output, until it hangs up."""
    heard, incoming = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    outgoing, said = anyio.create_memory_object_stream[SessionMessage](0)
    server = make_server(tools, hear)
    async with stream, anyio.create_task_group() as group:
        group.start_soon(_hear, stream, heard)
        group.start_soon(_say, said, stream)
        await server.run(incoming, outgoing, server.create_initialization_options())
        group.cancel_scope.cancel()


async def _hear(stream: ByteStream, heard: MemoryObjectSendStream[SessionMessage | Exception]) -> None:
    lines = BufferedByteReceiveStream(stream)
    async with heard:
        while True:
            try:
                line = await lines.receive_until(b"\n", LONGEST_LINE)
            except (anyio.IncompleteRead, anyio.DelimiterNotFound, anyio.BrokenResourceError):
                return
            try:
                message = types.jsonrpc_message_adapter.validate_json(line, by_name=False)
            except ValueError as error:
                await heard.send(error)
            else:
                await heard.send(SessionMessage(message))


async def _say(said: MemoryObjectReceiveStream[SessionMessage], stream: ByteStream) -> None:
    async with said:
        async for each in said:
            text = each.message.model_dump_json(by_alias=True, exclude_unset=True)
            try:
                await stream.send(f"{text}\n".encode())
            except (anyio.BrokenResourceError, anyio.ClosedResourceError):
                return  # nobody listens any more; `_hear` comes to the end, too


@dataclass(frozen=True)
class Connections:
    """What has happened at a socket.

    Attributes:
        came: A client has connected.
        left: One has hung up.
    """

    came: anyio.Event
    left: anyio.Event


async def serve_at(
    path: Path, tools: ToolBox, until: Callable[[Connections], Awaitable[None]], hear: Hear | None = None
) -> Connections:
    """Serve every client that connects to a socket.

    Args:
        path: The socket, which is made; no longer than 100 bytes.
        tools: What is offered to each of them.
        until: When this comes to its end, so does serving.
        hear: As for ``make_server``.

    Returns:
        Who was there.
    """
    connections = Connections(anyio.Event(), anyio.Event())

    async def attend(stream: ByteStream) -> None:
        connections.came.set()
        await serve(tools, stream, hear)
        connections.left.set()

    async with await anyio.create_unix_listener(path, mode=0o600) as listener, anyio.create_task_group() as group:
        group.start_soon(listener.serve, attend)
        await until(connections)
        group.cancel_scope.cancel()
    return connections
