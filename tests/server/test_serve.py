"""The server as a process of its own, over real HTTP."""

from __future__ import annotations

import contextlib
import http.client
import json
import signal
import socket
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest

from harness.catalog.template import render
from tests.checkout import PROJECT
from tests.server.pages import HARD_NAMES
from tests.server.serving import SECONDS, Server, refused, serving
from tests.task_folders import make_task


@pytest.fixture(scope="module")
def tasks_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tasks")
    for name in HARD_NAMES:
        make_task(folder, name, table=f'text,Answer.a\n"This is {name.replace(chr(34), chr(34) * 2)}",x\n')
    return folder


@pytest.fixture(scope="module")
def agent_server(tasks_dir: Path) -> Iterator[Server]:
    with serving("--tasks-dir", tasks_dir, "--agent") as server:
        yield server


@pytest.fixture(scope="module")
def browse_server(tasks_dir: Path) -> Iterator[Server]:
    with serving(TURKLE_TASKS_DIR=str(tasks_dir)) as server:
        yield server


def test_the_line_tells_count_address_and_mode(agent_server: Server, browse_server: Server) -> None:
    count = len(HARD_NAMES)
    address = f"http://127.0.0.1:{agent_server.port}/"
    assert agent_server.line == f"Serving {count} tasks at {address} (agent mode)\n"
    assert browse_server.line.endswith(f"(browse mode, pages from port {browse_server.pages})\n")


@pytest.mark.parametrize("name", HARD_NAMES)
def test_any_name_works_percent_encoded(agent_server: Server, browse_server: Server, name: str) -> None:
    path = f"/page/{quote(name, safe='')}/0/"
    expected = render("<p>${text}</p><input name=a>", {"text": f"This is {name}"}).encode()
    for server in (agent_server, browse_server):
        response, body = server.get(path)
        assert (response.status, body) == (200, expected)
    assert browse_server.get(f"/task/{quote(name, safe='')}/0/")[0].status == 200
    assert agent_server.get(f"/task/{quote(name, safe='')}/0/")[0].status == 404


def test_an_empty_folder_is_served_and_said_to_be_empty(tmp_path: Path) -> None:
    with serving("--tasks-dir", tmp_path) as server:
        assert server.line.startswith("Serving 0 tasks at ")
        assert server.process.stderr is not None
        assert server.process.stderr.readline().startswith(f"{tmp_path} holds no tasks. A task is a folder with ")


def test_a_page_comes_without_cookies_and_without_the_name_of_the_server(agent_server: Server) -> None:
    response, _ = agent_server.get("/page/two%20words/0/")
    assert set(response.headers) == {"Cache-Control", "Content-Length", "Content-Type", "Date", "X-Frame-Options"}


def test_a_connection_is_kept_for_the_next_page(agent_server: Server) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", agent_server.port, timeout=SECONDS)
    with contextlib.closing(connection):
        statuses = []
        for method, path in (("GET", "/page/two%20words/0/"), ("HEAD", "/page/two%20words/0/"), ("GET", "/nowhere/")):
            connection.request(method, path)
            response = connection.getresponse()
            response.read()
            statuses.append((response.status, response.will_close))
    assert statuses == [(200, False), (200, False), (404, False)]


def test_a_form_posted_to_an_agent_page_is_taken_and_dropped(agent_server: Server) -> None:
    response, body = agent_server.get("/page/two%20words/0/", "POST")
    assert (response.status, body) == (204, b"")


@pytest.mark.parametrize("path", ["/page/two%20words/0/", "/nowhere/"])
def test_head_gives_the_headers_of_get_without_the_body(agent_server: Server, path: str) -> None:
    full, body = agent_server.get(path)
    with socket.create_connection(("127.0.0.1", agent_server.port), SECONDS) as connection:
        connection.sendall(f"HEAD {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode())
        with connection.makefile("rb") as received:
            head, _, rest = received.read().partition(b"\r\n\r\n")
    assert head.startswith(f"HTTP/1.1 {full.status} ".encode())
    assert f"\r\nContent-Length: {len(body)}\r\n".encode() in head
    assert rest == b""


def test_options_win_over_the_environment(tmp_path: Path) -> None:
    make_task(tmp_path / "tasks", "a", facts={"title": "Of the task"})
    overlay = tmp_path / "overlay.json"
    overlay.write_text('{"tasks": {"a": {"title": "Of the overlay"}}}')
    options = ("--tasks-dir", tmp_path / "tasks", "--overlay", overlay)
    with serving(*options, TURKLE_TASKS_DIR=str(tmp_path / "none"), TURKLE_OVERLAY="none") as server:
        assert b"Of the overlay" in server.get("/")[1]


def test_agent_mode_can_come_from_the_environment(tasks_dir: Path) -> None:
    with serving("--tasks-dir", tasks_dir, TURKLE_AGENT_MODE="1") as server:
        assert json.loads(server.get("/agent-mode/")[1])["agent_mode"] is True
        assert server.get("/")[0].status == 404


def test_nothing_is_written_by_serving(tmp_path: Path) -> None:
    tasks = tmp_path / "tasks"
    make_task(tasks, "a")
    before = sorted(tmp_path.rglob("*"))
    with serving("--tasks-dir", tasks) as server:
        assert server.get("/")[0].status == 200
        assert server.get("/page/a/0/")[0].status == 200
    assert sorted(tmp_path.rglob("*")) == before
    assert not list(PROJECT.glob("*.sqlite3"))


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_the_server_with_status_0(tasks_dir: Path, number: signal.Signals) -> None:
    with serving("--tasks-dir", tasks_dir) as server:
        server.process.send_signal(number)
        assert server.process.wait(SECONDS) == 0


def test_the_server_ends_when_the_pipe_from_its_parent_closes(tasks_dir: Path) -> None:
    with serving("--tasks-dir", tasks_dir, "--exit-with-parent") as server:
        server.process.stdin.close()
        assert server.process.wait(SECONDS) == 0


def test_the_server_outlives_a_closed_input_unless_told_otherwise(tasks_dir: Path) -> None:
    with serving("--tasks-dir", tasks_dir) as server:
        server.process.stdin.close()
        assert server.get("/")[0].status == 200


def test_a_port_that_is_taken_is_one_clear_line(tasks_dir: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        message = refused("--tasks-dir", tasks_dir, "--port", str(port))
    assert message.splitlines() == [
        f"CommandError: Cannot listen at 127.0.0.1, port {port}: Address already in use. "
        "Choose another --port or --host."
    ]


def test_a_missing_folder_or_overlay_is_one_clear_line(tmp_path: Path, tasks_dir: Path) -> None:
    for options in (
        ("--tasks-dir", tmp_path / "none"),
        ("--tasks-dir", tasks_dir, "--overlay", tmp_path / "none.json"),
    ):
        (line,) = refused("--port", "0", *options).splitlines()
        assert str(tmp_path / "none") in line


def test_a_task_and_a_folder_above_the_tasks_are_one_clear_line(tmp_path: Path) -> None:
    task = make_task(tmp_path / "tasks", "T")
    (line,) = refused("--port", "0", "--tasks-dir", task).splitlines()
    assert line.startswith(f"CommandError: {task} is a task, not a folder of tasks.")
    (line,) = refused("--port", "0", "--tasks-dir", tmp_path).splitlines()
    assert line.endswith(f"its folder 'tasks' does. Give {tmp_path / 'tasks'}.")


@pytest.mark.parametrize("port", ["x", "-1", "65536"])
def test_what_is_no_port_is_wrong_use(port: str) -> None:
    assert "a port is a number from 0 to 65535" in refused("--port", port)


def test_an_unknown_host_is_one_clear_line(tasks_dir: Path) -> None:
    (line,) = refused("--tasks-dir", tasks_dir, "--port", "0", "--host", "300.0.0.1").splitlines()
    assert line.startswith("CommandError: Cannot listen at 300.0.0.1, port 0: ")
