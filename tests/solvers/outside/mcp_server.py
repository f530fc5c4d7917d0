"""An MCP server with tools for a browser, as others build them. Its arguments: the page's WebSocket, and what to do.

It speaks the protocol by hand, in its older form, since importing the library takes longer than all that it does.
"""

from __future__ import annotations

import json
import os
import socket
import sys
from typing import Any

import websocket

PAGE, WHAT = sys.argv[1:3]
PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
SCHEMA = {"type": "object", "properties": {}}
METHOD_NOT_FOUND = {"code": -32601, "message": "Method not found"}


def command(method: str, **params: Any) -> None:
    connection = websocket.create_connection(PAGE, suppress_origin=True, timeout=20)
    connection.send(json.dumps({"id": 1, "method": method, "params": params}))
    while json.loads(connection.recv()).get("id") != 1:
        pass
    connection.close()


def knock(address: str) -> None:
    host, _, port = os.environ["HTTPS_PROXY"].rpartition("/")[2].partition(":")
    with socket.create_connection((host, int(port)), timeout=20) as wire:
        wire.sendall(f"CONNECT {address} HTTP/1.1\r\n\r\n".encode())
        wire.recv(100)


def result_of(method: str, params: dict[str, Any]) -> dict[str, Any] | None:
    match method:
        case "initialize":
            server = {"name": "other", "version": "1"}
            return {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}, "serverInfo": server}
        case "tools/list" if "cursor" in params:
            return {"tools": [{"name": "look", "description": "A picture.", "inputSchema": SCHEMA}]}
        case "tools/list":
            tools = [{"name": "run", "inputSchema": SCHEMA}, {"name": "go", "inputSchema": SCHEMA}]
            return {"tools": tools, "nextCursor": "more"}
        case "tools/call":
            return {"content": [call(params["name"], params.get("arguments", {}))]}
    return None


def call(name: str, arguments: dict[str, Any]) -> dict[str, Any]:
    if WHAT == "die":
        os._exit(1)
    if name == "look":
        return {"type": "image", "data": PIXEL, "mimeType": "image/png"}
    if WHAT == "wander":
        knock(arguments["url"])
    elif name == "go":
        command("Page.navigate", url=arguments["url"])
    else:
        command("Runtime.evaluate", expression=arguments["script"])
    return {"type": "text", "text": "done"}


if WHAT == "refuse":
    sys.exit("it needs a licence")
for line in sys.stdin:
    asked = json.loads(line)
    if "id" in asked:
        result = result_of(asked["method"], asked.get("params") or {})
        answer = {"error": METHOD_NOT_FOUND} if result is None else {"result": result}
        print(json.dumps({"jsonrpc": "2.0", "id": asked["id"], **answer}), flush=True)
