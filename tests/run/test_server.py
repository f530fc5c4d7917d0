from __future__ import annotations

import http.server
import json
import os
import socket
import subprocess
import sys
import threading
import urllib.error
import urllib.request
from contextlib import contextmanager
from dataclasses import replace
from urllib.parse import urlsplit

import pytest

from harness.catalog import Catalog
from harness.run.server import ServerRefused, check_agent_mode, own_server, page_url
from tests.checkout import PROJECT
from tests.task_folders import csv_text, make_task

OPENER = urllib.request.build_opener(urllib.request.ProxyHandler({}))


def get(url: str) -> tuple[int, str]:
    try:
        with OPENER.open(url, timeout=30) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read().decode()


@pytest.fixture(scope="module")
def tasks_dir(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tasks")
    table = csv_text(["text", "Answer.a"], ["one", "LABEL-ONE"], ["two", "LABEL-TWO"])
    make_task(folder, "A", table=table, facts={"title": "A title"})
    make_task(folder, "50% [x] 'q' \"q\" +?#/ü".replace("/", "∕"), table=table)
    return folder


@pytest.fixture(scope="module")
def agent_server(tasks_dir):
    with own_server(tasks_dir, None) as origin:
        yield origin


def test_every_instance_has_its_page_whatever_its_task_is_called(agent_server, tasks_dir):
    catalog = Catalog(tasks_dir)
    for name in catalog.names():
        for instance in catalog.task(name).instances:
            status, html = get(page_url(agent_server, instance))
            assert status == 200
            assert f"<p>{instance.inputs['text']}</p>" in html


@pytest.mark.claim("agent-mode")
def test_no_page_of_an_agent_server_shows_a_label(agent_server, tasks_dir):
    catalog = Catalog(tasks_dir)
    urls = [page_url(agent_server, instance) for name in catalog.names() for instance in catalog.task(name).instances]
    paths = ("/", "/agent-mode/", "/task/A/", "/task/A/0/", "/page/A/", "/page/", "/page/A/9/", "/tasks/A/batch.csv")
    for url in (*urls, *(agent_server + path for path in paths)):
        assert "LABEL-" not in get(url)[1]


@pytest.mark.parametrize("path", ["/", "/task/A/", "/task/A/0/"])
def test_an_agent_server_has_no_pages_for_people(agent_server, path):
    assert get(agent_server + path)[0] == 404


def test_a_server_that_this_run_started_is_fit_for_agents(agent_server, tasks_dir):
    catalog = Catalog(tasks_dir)
    check_agent_mode(agent_server, catalog.set_fingerprint(catalog.names()))


def test_a_server_of_other_tasks_is_refused(agent_server):
    with pytest.raises(ServerRefused, match="serves other tasks"):
        check_agent_mode(agent_server, "0" * 64)


def test_an_overlay_makes_another_task_set(agent_server, tasks_dir, tmp_path):
    overlay = tmp_path / "overlay.json"
    overlay.write_text(json.dumps({"tasks": {"A": {"not_answers": {"a": "x"}}}}), encoding="utf-8")
    catalog = Catalog(tasks_dir, overlay)
    with pytest.raises(ServerRefused, match="--overlay"):
        check_agent_mode(agent_server, catalog.set_fingerprint(catalog.names()))


def test_a_server_for_people_is_refused(tasks_dir):
    command = [sys.executable, "manage.py", "serve", "--port", "0", "--exit-with-parent", "--tasks-dir", str(tasks_dir)]
    with subprocess.Popen(command, cwd=PROJECT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        origin = next(word for word in process.stdout.readline().split() if word.startswith("http")).rstrip("/")
        with pytest.raises(ServerRefused, match=r"not in agent mode.*turkle_app --agent"):
            check_agent_mode(origin, None)
        process.communicate()
    assert process.returncode == 0


def test_a_server_leads_addresses_where_it_is_told_to(tasks_dir, tmp_path):
    catalog = Catalog(tasks_dir)
    fingerprint = catalog.set_fingerprint(catalog.names())
    with own_server(tasks_dir, None, network="none", media=tmp_path) as origin:
        check_agent_mode(origin, fingerprint, "none")
        with pytest.raises(ServerRefused, match="--network none"):
            check_agent_mode(origin, fingerprint)


def test_a_folder_of_media_that_is_not_there_is_refused(tasks_dir, tmp_path):
    with (
        pytest.raises(ServerRefused, match=r"--media .* is not a folder"),
        own_server(tasks_dir, None, media=tmp_path / "nothing"),
    ):
        pass


@contextmanager
def answering(answers: dict[str, tuple[int, bytes]]):
    """Some other server, with these answers by path."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            status, body = answers.get(self.path, (404, b""))
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    with http.server.HTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()


MARKER = {"agent_mode": True, "version": 3, "tasks": "x", "count": 1, "network": "mirror", "assets": ""}


@pytest.mark.parametrize(
    ("marker", "root", "said"),
    [
        (MARKER, 200, "not in agent mode"),
        ({**MARKER, "agent_mode": False}, 404, "not in agent mode"),
        ({**MARKER, "version": 1}, 404, "no task server of this version"),
        ({**MARKER, "network": "none"}, 404, "runs with --network none, the run with --network mirror"),
        ([], 404, "no task server of this version"),
        ({}, 404, "no task server of this version"),
    ],
)
def test_a_marker_that_does_not_fit_is_refused(marker, root, said):
    pages = {"/agent-mode/": (200, json.dumps(marker).encode()), "/": (root, b"")}
    with answering(pages) as origin, pytest.raises(ServerRefused, match=said):
        check_agent_mode(origin, None)


@pytest.mark.parametrize("answer", [(200, b"<html>"), (404, b""), (500, b"")])
def test_what_is_no_task_server_is_refused(answer):
    with answering({"/agent-mode/": answer}) as origin, pytest.raises(ServerRefused, match="no task server answers"):
        check_agent_mode(origin, None)


@pytest.mark.parametrize("origin", ["localhost:8000", "nonsense", "http://127.0.0.1:no", "http://a b/"])
def test_an_address_that_is_none_is_refused(origin):
    with pytest.raises(ServerRefused, match="no task server answers"):
        check_agent_mode(origin, None)


def test_a_server_that_is_not_there_is_refused():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    with pytest.raises(ServerRefused, match="no task server answers"):
        check_agent_mode(f"http://127.0.0.1:{port}", None)


def test_a_server_that_does_not_start_is_told_with_its_reason(tmp_path):
    with pytest.raises(ServerRefused, match=r"does not start: .*missing"), own_server(tmp_path / "missing", None):
        pass


@pytest.mark.usefixtures("real_servers")
def test_complaints_of_the_server_do_not_stop_it(tasks_dir, monkeypatch, tmp_path):
    """More of them than a pipe holds."""
    noisy = tmp_path / "sitecustomize.py"
    noisy.write_text("import sys\nsys.stderr.write('x' * 1_000_000)\n", encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path), prepend=os.pathsep)
    with own_server(tasks_dir, None) as origin:
        assert get(f"{origin}/agent-mode/")[0] == 200


@pytest.mark.slow
def test_the_server_ends_with_the_context(tasks_dir):
    with own_server(tasks_dir, None) as origin:
        pass
    with pytest.raises(urllib.error.URLError):
        OPENER.open(f"{origin}/agent-mode/", timeout=30)


def test_the_server_ends_with_a_process_that_is_killed(tasks_dir):
    code = (
        "import os, pathlib, signal, sys; from harness.run.server import own_server\n"
        f"with own_server(pathlib.Path({str(tasks_dir)!r}), None) as origin:\n"
        "    print(origin, flush=True); os.kill(os.getpid(), signal.SIGKILL)"
    )
    ended = subprocess.run([sys.executable, "-c", code], cwd=PROJECT, capture_output=True, text=True, check=False)
    host, port = ended.stdout.strip().removeprefix("http://").split(":")
    # It is gone as soon as its connection is refused or dropped; a listening socket that stays would time out here.
    try:
        with socket.create_connection((host, int(port)), timeout=30) as connection:
            assert connection.recv(1) == b""
    except ConnectionError:
        pass


def test_a_page_address_names_task_and_index(tasks_dir):
    instance = Catalog(tasks_dir).task("A").instances[1]
    assert page_url("http://h", instance).startswith("http://h/page/A/1/?")
    assert page_url("http://h", replace(instance, task="a/b?c")).startswith("http://h/page/a%2Fb%3Fc/1/?")


def test_a_page_address_is_that_of_an_accepted_assignment_and_alike_for_all_instances(tasks_dir):
    instances = Catalog(tasks_dir).task("A").instances
    asked = {urlsplit(page_url("http://h", instance)).query for instance in instances}
    assert asked == {"assignmentId=assignment&hitId=hit&workerId=worker&turkSubmitTo=https%3A%2F%2Fwww.mturk.com"}
