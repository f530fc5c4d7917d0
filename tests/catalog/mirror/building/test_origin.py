"""Files from the web, which is a small server on this machine."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from harness.catalog.mirror.building import collecting
from harness.catalog.mirror.building.collecting import Origin
from harness.catalog.mirror.building.packages import Unavailable


class Web(ThreadingHTTPServer):
    """Says its path at every address but /gone; notes what was asked for."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        super().__init__(("127.0.0.1", 0), Answer)


class Answer(BaseHTTPRequestHandler):
    server: Web

    def do_GET(self) -> None:
        self.server.asked.append(self.path)
        self.send_response(404 if self.path == "/gone" else 200)
        self.end_headers()
        self.wfile.write(self.path.encode())

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def web(monkeypatch: pytest.MonkeyPatch) -> Iterator[Web]:
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    with Web() as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()


def _url(web: Web, path: str) -> str:
    return f"http://127.0.0.1:{web.server_port}{path}"


def test_a_file_comes_from_its_address(web: Web) -> None:
    assert Origin().fetch(_url(web, "/a.js?b#c")) == b"/a.js?b"


def test_a_file_that_is_not_there_does_not_speak_against_its_host(web: Web) -> None:
    source = Origin()
    with pytest.raises(Unavailable, match=r"127\.0\.0\.1: status 404"):
        source.fetch(_url(web, "/gone"))
    assert source.fetch(_url(web, "/a.js")) == b"/a.js"


def test_a_file_that_is_too_large_is_not_taken(web: Web, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(collecting, "_LARGEST", 3)
    assert Origin().fetch(_url(web, "/ab")) == b"/ab"
    with pytest.raises(Unavailable, match="more than 3 bytes"):
        Origin().fetch(_url(web, "/abc"))


def test_hosts_are_tried_with_one_address_each_which_is_not_asked_for_again(web: Web) -> None:
    source = Origin()
    source.try_hosts([_url(web, "/a.js"), _url(web, "/b.js")])
    assert web.asked == ["/a.js"]
    assert source.fetch(_url(web, "/a.js")) == b"/a.js"
    assert source.fetch(_url(web, "/b.js")) == b"/b.js"
    assert web.asked == ["/a.js", "/b.js"]


def test_a_host_that_does_not_answer_is_not_asked_again(web: Web) -> None:
    with socket.create_server(("127.0.0.1", 0)) as closed:
        dead = f"http://127.0.0.1:{closed.getsockname()[1]}"
    source = Origin()
    source.try_hosts([f"{dead}/a.js"])
    for url in (f"{dead}/a.js", f"{dead}/b.js", _url(web, "/a.js")):  # a host is silent at all its ports
        with pytest.raises(Unavailable, match=r"127\.0\.0\.1: "):
            source.fetch(url)
    assert web.asked == []
