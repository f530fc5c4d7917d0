"""An assistant as others build them: it is told of MCP servers by a file, and knows nothing of the harness.

It speaks the protocol by hand, in its older form, since importing the library takes longer than all that it does.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any


class Server:
    def __init__(self, command: list[str], environment: Mapping[str, str], **more: Any) -> None:
        self.process = subprocess.Popen(
            command,
            env={**os.environ, **environment},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            **more,
        )
        self._count = 0
        client = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}}
        self.told = self._ask("initialize", client)
        self._say({"method": "notifications/initialized"})

    def _say(self, message: dict[str, Any]) -> None:
        assert self.process.stdin
        self.process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
        self.process.stdin.flush()

    def _ask(self, method: str, params: dict[str, Any]) -> Any:
        self._count += 1
        self._say({"id": self._count, "method": method, "params": params})
        assert self.process.stdout
        return json.loads(self.process.stdout.readline())["result"]

    def tools(self) -> list[dict[str, Any]]:
        return self._ask("tools/list", {})["tools"]

    def call(self, tool: str, /, **arguments: Any) -> str:
        return self.report_and_call({}, tool, **arguments)

    def report_and_call(self, meta: Mapping[str, Any], tool: str, /, **arguments: Any) -> str:
        asked = {"name": tool, "arguments": arguments, **({"_meta": meta} if meta else {})}
        return self._ask("tools/call", asked)["content"][-1]["text"]

    def leave(self) -> None:
        self.process.communicate(timeout=30)


def main(config: str, what: str) -> None:
    print(sys.stdin.read(), file=sys.stderr)
    told = json.loads(Path(config).read_text(encoding="utf-8"))["mcpServers"]["page"]
    server = Server([told["command"], *told["args"]], told["env"])
    print(server.call("observe", encoding="text"), flush=True)
    match what:
        case "fill":
            server.call("modify_text", name="a", value="yes")
            server.call("finish")
        case "report":
            spent = {"input_tokens": 70, "output_tokens": 8, "cost": 0.25, "model": "m-1"}
            server.report_and_call({"agent_report": {"steps": 1}}, "modify_text", name="a", value="yes")
            server.report_and_call({"agent_report": spent}, "finish")
        case "report-nonsense":
            server.report_and_call(
                {"agent_report": {"cost": -1}, "progressToken": 7}, "modify_text", name="a", value=""
            )
            server.call("finish")
        case "report-twice":
            server.report_and_call({"agent_report": {"steps": 1}}, "finish")
            print(json.dumps({"agent_report": {"steps": 2}}))
        case "steps":
            for text in ("one", "two", "three"):
                print(server.call("modify_text", name="a", value=text))
        case "fail":
            sys.exit(4)
        case "hang":
            time.sleep(600)
    server.leave()


if __name__ == "__main__":
    main(*sys.argv[1:])
