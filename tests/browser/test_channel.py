"""The DevTools connection, against a scripted browser and a real page."""

from __future__ import annotations

import json
import os
import select
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from harness.browser.channel import Channel, CommandFailed
from harness.browser.wire import BrowserGone, PipeEnds, Wire
from tests.conftest import Show

Reply = Callable[["Server", dict[str, Any]], None]


class Server:
    """A browser's side of the pipe, that answers each command as ``reply`` says."""

    def __init__(self, reply: Reply) -> None:
        (self._commands, theirs), (ours, self._answers) = os.pipe(), os.pipe()
        self.ends = PipeEnds(answers=ours, commands=theirs)
        self._reply = reply
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def _serve(self) -> None:
        waiting = b""
        with os.fdopen(self._commands, "rb", buffering=0) as commands:
            while data := commands.read(1 << 20):
                *whole, waiting = (waiting + data).split(b"\0")
                for text in filter(None, whole):
                    self._reply(self, json.loads(text))

    def say(self, message: dict[str, Any]) -> None:
        """Send a message to the harness's side."""
        self.say_raw(json.dumps(message).encode() + b"\0")

    def say_raw(self, data: bytes) -> None:
        """Send bytes."""
        os.write(self._answers, data)

    def hang_up(self) -> None:
        """Close the pipe, as a browser that ends."""
        if self._answers >= 0:
            os.close(self._answers)
        self._answers = -1

    def close(self) -> None:
        self._thread.join(10)
        self.hang_up()


def echo(server: Server, message: dict[str, Any]) -> None:
    server.say({"id": message["id"], "result": {"method": message["method"]}})


@pytest.fixture
def serve() -> Iterator[Callable[..., Channel]]:
    """``serve(reply)`` gives a channel to a browser that answers by ``reply``."""
    opened: list[tuple[Server, Wire]] = []

    def start(reply: Reply, timeout: float = 10.0) -> Channel:
        server = Server(reply)
        wire = Wire(server.ends)
        opened.append((server, wire))
        return Channel(wire, timeout=timeout)

    yield start
    for server, wire in opened:
        wire.close()
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
    channel = serve(lambda server, _: server.hang_up())
    with pytest.raises(BrowserGone, match="closed the DevTools connection"):
        channel.call("A.a")
    with pytest.raises(BrowserGone):
        channel.call("B.b")


def test_what_is_left_of_a_message_that_another_process_began_to_read_is_skipped(
    serve: Callable[..., Channel],
) -> None:
    def after_a_rest(server: Server, message: dict[str, Any]) -> None:
        server.say_raw(b'est of it"}}\0')
        echo(server, message)

    assert serve(after_a_rest).call("A.a") == {"method": "A.a"}


def test_a_session_hears_its_own_events_alone(serve: Callable[..., Channel]) -> None:
    def attach(server: Server, message: dict[str, Any]) -> None:
        if message["method"] == "Target.attachToTarget":
            server.say({"id": message["id"], "result": {"sessionId": f"of {message['params']['targetId']}"}})
            return
        server.say({"method": "Page.loaded", "params": {"of": 1}, "sessionId": "of one"})
        server.say({"method": "Page.loaded", "params": {"of": 2}, "sessionId": "of two"})
        echo(server, message)

    root = serve(attach)
    one, two = root.page("one"), root.page("two")
    heard: list[dict[str, Any]] = []
    two.on("Page.loaded", heard.append)
    assert one.call("A.a") == {"method": "A.a"}
    assert heard == [{"of": 2}]


def test_while_a_thread_attends_the_wire_another_is_told_its_answers(serve: Callable[..., Channel]) -> None:
    channel = serve(echo)
    wire = channel._wire
    ready, over = threading.Event(), threading.Event()

    def attend() -> None:
        descriptor = wire.attend()
        ready.set()
        while not over.is_set():
            if select.select([descriptor], [], [], 0.01)[0]:
                wire.hand_on_all()
        wire.leave()

    thread = threading.Thread(target=attend)
    thread.start()
    assert ready.wait(10)
    assert channel.call("A.a") == {"method": "A.a"}
    over.set()
    thread.join(10)
    assert channel.call("B.b") == {"method": "B.b"}


def test_text_of_every_plane_and_of_megabytes_passes_both_ways(show: Show) -> None:
    channel = show().browser.channel
    text = "🦊é\n\"'\\ \u2028 עברית" * 50_000
    answer = channel.call("Runtime.evaluate", expression=json.dumps(text) + ".split('').join('')", returnByValue=True)
    assert answer["result"]["value"] == text
