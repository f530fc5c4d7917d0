"""The DevTools connection, against a scripted server and a real page."""

from __future__ import annotations

import base64
import hashlib
import json
import socket
import struct
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from harness.browser.channel import BrowserGone, Channel, CommandFailed
from tests.conftest import Show

Reply = Callable[["Server", dict[str, Any]], None]


class Server:
    """A WebSocket server (RFC 6455) for one connection, that answers each command as ``reply`` says."""

    def __init__(self, reply: Reply) -> None:
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.address = f"ws://127.0.0.1:{self._listening.getsockname()[1]}/"
        self._reply = reply
        self.connection: socket.socket | None = None
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def _serve(self) -> None:
        try:
            self.connection, _ = self._listening.accept()
            stream = self.connection.makefile("rb")
            key = ""
            while (line := stream.readline().strip()) != b"":
                name, _, value = line.decode().partition(": ")
                if name.lower() == "sec-websocket-key":
                    key = value
            digest = hashlib.sha1(f"{key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11".encode()).digest()  # noqa: S324 - by the RFC
            accept = base64.b64encode(digest).decode()
            self.connection.sendall(
                f"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                f"Sec-WebSocket-Accept: {accept}\r\n\r\n".encode()
            )
            while head := stream.read(2):
                length = head[1] & 127
                if length == 126:
                    length = struct.unpack(">H", stream.read(2))[0]
                elif length == 127:
                    length = struct.unpack(">Q", stream.read(8))[0]
                mask = stream.read(4)
                data = bytes(byte ^ mask[place % 4] for place, byte in enumerate(stream.read(length)))
                if head[0] & 15 == 8:
                    return
                self._reply(self, json.loads(data))
        except OSError:
            return

    def say(self, message: dict[str, Any]) -> None:
        """Send a message to the browser's side."""
        data = json.dumps(message).encode()
        assert len(data) < 126
        assert self.connection is not None
        self.connection.sendall(bytes([0x81, len(data)]) + data)

    def close(self) -> None:
        self._listening.close()
        if self.connection:
            self.connection.close()
        self._thread.join(10)


def echo(server: Server, message: dict[str, Any]) -> None:
    server.say({"id": message["id"], "result": {"method": message["method"]}})


@pytest.fixture
def serve() -> Iterator[Callable[..., Channel]]:
    """``serve(reply)`` gives a channel to a server that answers by ``reply``."""
    opened: list[tuple[Server, Channel]] = []

    def start(reply: Reply, timeout: float = 10.0) -> Channel:
        server = Server(reply)
        channel = Channel(server.address, timeout=timeout)
        opened.append((server, channel))
        return channel

    yield start
    for server, channel in opened:
        channel.close()
        server.close()


def test_a_command_gives_its_result(serve: Callable[..., Channel]) -> None:
    assert serve(echo).call("Page.enable") == {"method": "Page.enable"}


def test_results_come_in_the_order_of_the_commands_whatever_the_order_of_the_answers(
    serve: Callable[..., Channel],
) -> None:
    kept: list[dict[str, Any]] = []

    def backwards(server: Server, message: dict[str, Any]) -> None:
        kept.append(message)
        if len(kept) == 3:
            for each in reversed(kept):
                echo(server, each)

    channel = serve(backwards)
    numbers = [channel.send(method) for method in ("A.a", "B.b", "C.c")]
    assert [result["method"] for result in channel.results(numbers)] == ["A.a", "B.b", "C.c"]
    assert (channel.messages, channel.waits) == (3, 1)


def test_a_refused_command_is_an_error_and_the_channel_goes_on(serve: Callable[..., Channel]) -> None:
    def refuse_one(server: Server, message: dict[str, Any]) -> None:
        if message["method"] == "No.such":
            server.say({"id": message["id"], "error": {"code": -32601, "message": "no such method"}})
        else:
            echo(server, message)

    channel = serve(refuse_one)
    with pytest.raises(CommandFailed, match="no such method"):
        channel.results([channel.send("Page.enable"), channel.send("No.such"), channel.send("Page.enable")])
    assert channel.call("Page.reload") == {"method": "Page.reload"}


def test_nobody_waits_for_the_answer_of_a_posted_command(serve: Callable[..., Channel]) -> None:
    channel = serve(echo)
    channel.post("A.a")
    assert channel.call("B.b") == {"method": "B.b"}
    assert channel.messages == 1


def test_events_reach_their_listeners_only(serve: Callable[..., Channel]) -> None:
    def with_event(server: Server, message: dict[str, Any]) -> None:
        server.say({"method": "Page.loaded", "params": {"at": 1}})
        server.say({"method": "Page.other", "params": {}})
        echo(server, message)

    channel = serve(with_event)
    heard: list[dict[str, Any]] = []
    channel.on("Page.loaded", heard.append)
    channel.call("A.a")
    assert heard == [{"at": 1}]


def test_a_browser_that_does_not_answer_is_gone(serve: Callable[..., Channel]) -> None:
    channel = serve(lambda *_: None, timeout=0.05)
    with pytest.raises(BrowserGone, match="did not answer within"):
        channel.call("A.a")


def test_a_condition_that_events_never_meet_gives_up_in_its_own_time(serve: Callable[..., Channel]) -> None:
    channel = serve(echo)
    with pytest.raises(BrowserGone, match="did not answer within"):
        channel.wait_until(lambda: False, timeout=0.05)
    assert channel.call("A.a" * 1) == {"method": "A.a"}


def test_a_large_command_after_a_short_wait_has_the_full_time(serve: Callable[..., Channel]) -> None:
    channel = serve(echo)
    with pytest.raises(BrowserGone):
        channel.wait_until(lambda: False, timeout=0.01)
    assert channel.call("A.a", text="x" * 5_000_000) == {"method": "A.a"}


def test_a_closed_connection_is_a_browser_that_is_gone(serve: Callable[..., Channel]) -> None:
    def hang_up(server: Server, _: dict[str, Any]) -> None:
        assert server.connection is not None
        server.connection.shutdown(socket.SHUT_RDWR)

    channel = serve(hang_up)
    with pytest.raises(BrowserGone):
        channel.call("A.a")
    with pytest.raises(BrowserGone):
        channel.call("B.b")
    channel.close()
    channel.close()


def test_no_server_is_a_browser_that_is_gone() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    with pytest.raises(BrowserGone, match="no DevTools connection"):
        Channel(f"ws://127.0.0.1:{port}/")


def test_text_of_every_plane_and_of_megabytes_passes_both_ways(show: Show) -> None:
    channel = show().browser.channel
    text = "🦊é\n\"'\\ \u2028 עברית" * 50_000
    answer = channel.call("Runtime.evaluate", expression=json.dumps(text) + ".split('').join('')", returnByValue=True)
    assert answer["result"]["value"] == text
