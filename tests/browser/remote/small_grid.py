"""A program that stands for a Selenium Grid: a driver, whose DevTools it hands on as a Grid does.

    python small_grid.py HOST DRIVER [--bare]

It listens at a free port of HOST, which it prints, and hands every command on to DRIVER. To what the driver says of a
new session it adds ``se:cdp``, a WebSocket at its own port that leads to the browser's; with ``--bare`` it does not. It
ends with its standard input, and the driver with its browsers with it. Commands are told on its standard error.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import sys

END = b"\r\n\r\n"


async def asked(host: str, port: int, head: str, body: bytes = b"") -> tuple[bytes, bytes]:
    """What a server answers: head and body."""
    reader, writer = await asyncio.open_connection(host, port)
    words = f"{head}\r\nHost: {host}:{port}\r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n"
    writer.write(words.encode() + body)
    answer = await reader.readuntil(END)
    content = await reader.readexactly(length_of(answer))
    writer.close()
    return answer, content


def length_of(head: bytes) -> int:
    lines = head.decode().lower().split("\r\n")
    return next((int(line.partition(":")[2]) for line in lines if line.startswith("content-length:")), 0)


async def carry(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with contextlib.suppress(OSError):
        while data := await reader.read(1 << 16):
            writer.write(data)
            await writer.drain()
    writer.close()


class SmallGrid:
    def __init__(self, host: str, driver: int, *, is_bare: bool) -> None:
        self.host, self.driver, self.is_bare = host, driver, is_bare
        self.port = 0
        self.browsers: dict[str, tuple[str, int]] = {}

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError, asyncio.IncompleteReadError):
            head = await reader.readuntil(END)
            method, path = head.decode().split(" ")[:2]
            if path.endswith("/se/cdp"):
                await self.hand_on(path.split("/")[2], head, reader, writer)
                return
            body = await reader.readexactly(length_of(head))
            print(method, "/".join(path.split("/")[3:]), file=sys.stderr, flush=True)
            is_new = (method, path) == ("POST", "/session")
            answer, content = await asked("127.0.0.1", self.driver, f"{method} {path} HTTP/1.1", opened(body, is_new))
            if is_new and b'"sessionId"' in content:
                content = self.told(json.loads(content))
            status = answer.split(b"\r\n")[0]
            writer.write(status + f"\r\nContent-Length: {len(content)}\r\nConnection: close\r\n\r\n".encode() + content)
            await writer.drain()
        writer.close()

    def told(self, answer: dict[str, dict[str, object]]) -> bytes:
        value: dict = answer["value"]
        session, capabilities = value["sessionId"], value["capabilities"]
        host, _, port = capabilities["goog:chromeOptions"]["debuggerAddress"].rpartition(":")
        self.browsers[session] = (host, int(port))
        if not self.is_bare:
            # By a name that leads nowhere, as that of a container may.
            capabilities["se:cdp"] = f"ws://grid.invalid:4444/session/{session}/se/cdp"
        return json.dumps(answer).encode()

    async def hand_on(
        self, session: str, head: bytes, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        host, port = self.browsers[session]
        _, version = await asked(host, port, "GET /json/version HTTP/1.1")
        path = "/" + json.loads(version)["webSocketDebuggerUrl"].split("/", 3)[3]
        kept = [line for line in head.decode().split("\r\n")[1:] if not line.lower().startswith("host:")]
        there, towards = await asyncio.open_connection(host, port)
        towards.write("\r\n".join([f"GET {path} HTTP/1.1", f"Host: {host}:{port}", *kept]).encode())
        await asyncio.gather(carry(reader, towards), carry(there, writer))


def opened(body: bytes, is_new: bool) -> bytes:
    """What is asked of the driver: a browser of root's has no sandbox."""
    if not is_new or os.geteuid() != 0:
        return body
    wanted = json.loads(body)
    wanted["capabilities"]["alwaysMatch"]["goog:chromeOptions"]["args"].append("--no-sandbox")
    return json.dumps(wanted).encode()


async def main() -> None:
    host, program, *options = sys.argv[1:]
    driver = await asyncio.create_subprocess_exec(program, "--port=0", stdout=asyncio.subprocess.PIPE)
    assert driver.stdout
    port = 0
    while not port:
        line = (await driver.stdout.readline()).decode()
        if "started successfully on port" in line:
            port = int(line.strip().rstrip(".").rpartition(" ")[2])
    grid = SmallGrid(host, port, is_bare="--bare" in options)
    server = await asyncio.start_server(grid.serve, host, 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await asyncio.to_thread(sys.stdin.read)
    with contextlib.suppress(OSError, asyncio.IncompleteReadError):
        await asked("127.0.0.1", port, "GET /shutdown HTTP/1.1")
    await driver.wait()
    os._exit(0)


if __name__ == "__main__":
    asyncio.run(main())
