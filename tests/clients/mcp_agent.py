"""An assistant that is built on the official library of the Model Context Protocol, whichever version it is.

    python mcp_agent.py CONFIG TEXT

It is told of the server as assistants are, by a file; writes TEXT into the field ``a``; and prints what it was told on
its way as one JSON object.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from pathlib import Path
from typing import Any

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

CALLS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("observe", {"encoding": "text", "picture": "viewport"}),
    ("observe", {"encoding": "pictures"}),
    ("modify_text", {"name": "no such field", "value": "x"}),
    ("modify_text", {"name": "a"}),
    ("finish", {}),
    ("observe", {}),
)
SPENT = {"input_tokens": 70, "output_tokens": 8, "cost": 0.25, "steps": 3, "model": "m-1"}


def plain(record: Any) -> Any:
    """As the protocol has it, whatever the library's own names are."""
    return record.model_dump(by_alias=True, mode="json", exclude_none=True)


async def main(config: str, text: str) -> None:
    """Work on the page."""
    told = json.loads(Path(config).read_text(encoding="utf-8"))["mcpServers"]["page"]
    environment = {**os.environ, **told.get("env", {})}
    server = StdioServerParameters(command=told["command"], args=told["args"], env=environment)
    async with stdio_client(server) as (reading, writing), ClientSession(reading, writing) as session:
        said = plain(await session.initialize())
        said["tools"] = plain(await session.list_tools())["tools"]
        said["resources"] = plain(await session.list_resources())["resources"]
        said["calls"] = []
        for name, arguments in CALLS:
            given = {**arguments, "value": text} if arguments.get("name") == "a" else arguments
            said["calls"].append(plain(await session.call_tool(name, given, meta={"agent_report": SPENT})))
    print(json.dumps(said))


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
