"""What the project uses of the Model Context Protocol's official library, which is an extra."""

from __future__ import annotations

from typing import Any

from harness.models.client import MissingExtra

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
