"""What the project uses of the Model Context Protocol's official library, which is an extra."""

from __future__ import annotations

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
        raise MissingExtra("mcp", "requirements-mcp.txt") from None
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
    "types",
]
