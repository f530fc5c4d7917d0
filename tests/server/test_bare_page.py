"""The bare page, in both modes, and what agent mode leaves out."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from bs4 import BeautifulSoup
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import URLPattern

from harness.catalog import Catalog
from harness.catalog.mirror import Mirror
from harness.catalog.template import render
from tests.server.pages import text
from tests.task_folders import csv_text, make_task
from turkle_app import agent_urls, urls

TEMPLATE = "<p>${text} ${other} $${text}</p><input name=a>"
INPUTS = {"text": "<b>“x” & 日本 ${other}\n", "other": "y"}
TABLE = csv_text([*INPUTS, "Answer.a"], [*INPUTS.values(), "a-worker-said-this"])


@pytest.fixture
def task(tasks_dir: Path) -> None:
    make_task(tasks_dir, "a task", template=TEMPLATE, table=TABLE, facts={"title": "A secret title"})


@pytest.mark.usefixtures("task")
@pytest.mark.parametrize("mode", ["browse", "agent"])
def test_the_page_is_byte_for_byte_what_the_template_makes(mode: str, request: pytest.FixtureRequest) -> None:
    response = request.getfixturevalue(mode).get("/page/a%20task/0/")
    assert response.content == render(TEMPLATE, INPUTS).encode()
    assert response.headers["Content-Type"] == "text/html; charset=utf-8"


@pytest.mark.usefixtures("task")
def test_an_agent_page_has_no_cookie_and_no_header_about_the_server(agent: Client) -> None:
    response = agent.get("/page/a%20task/0/")
    assert not response.cookies
    assert dict(response.headers) == {
        "Cache-Control": "no-store",
        "Content-Length": str(len(response.content)),
        "Content-Type": "text/html; charset=utf-8",
        "X-Frame-Options": "SAMEORIGIN",
    }


@pytest.mark.usefixtures("task")
def test_in_browse_mode_the_page_is_framed_by_its_own_server_only_and_its_form_stays(browse: Client) -> None:
    headers = browse.get("/page/a%20task/0/").headers
    sandbox, form, frame = headers["Content-Security-Policy"].split("; ")
    assert set(sandbox.split()) == {"sandbox", "allow-scripts", "allow-forms", "allow-modals"}
    assert (form, frame) == ("form-action 'self'", "frame-ancestors 'self'")
    assert headers["Cache-Control"] == "no-store"


@pytest.mark.usefixtures("task")
def test_a_tried_form_shows_what_it_sent(browse: Client) -> None:
    data = {"a": ["1", "<i>2"], "empty": "", "file": SimpleUploadedFile("cat.png", b"12345")}
    response = browse.post("/page/a%20task/0/", data, headers={"Origin": "null"})
    assert response.status_code == 200
    shown = text(soup_of(response.content))
    assert "a 1 <i>2 empty empty file file cat.png, 5 bytes" in shown


@pytest.mark.usefixtures("task")
def test_a_tried_form_that_sends_plain_text_shows_it(browse: Client) -> None:
    response = browse.post("/page/a%20task/0/", "a=1\r\nb=2", content_type="text/plain")
    assert "a=1 b=2" in text(soup_of(response.content))


@pytest.mark.usefixtures("task")
def test_a_tried_form_that_sends_nothing_says_so(browse: Client) -> None:
    assert "The form sent nothing" in text(soup_of(browse.post("/page/a%20task/0/").content))


@pytest.mark.usefixtures("task")
def test_a_form_posted_in_agent_mode_is_dropped(agent: Client, tasks_dir: Path) -> None:
    before = files_under(tasks_dir)
    response = agent.post("/page/a%20task/0/", {"a": "x"})
    assert (response.status_code, response.content) == (204, b"")
    assert files_under(tasks_dir) == before


@pytest.mark.usefixtures("task")
def test_no_route_of_browse_mode_is_left_in_agent_mode(agent: Client) -> None:
    left = {"/page/a%20task/0/": 200, "/agent-mode/": 200}
    found = {}
    for pattern in urls.urlpatterns:
        assert isinstance(pattern, URLPattern)
        address = "/" + str(pattern.pattern).replace("<str:name>", "a%20task").replace("<int:index>", "0")
        address = address.replace("<str:sha256>", "0" * 64).replace("<str:kind>", "image").replace("<str:file>", "x")
        found[address] = agent.get(address).status_code
    assert len(found) == 12
    assert found == dict.fromkeys(found, 404) | left
    assert [pattern.name for pattern in agent_urls.urlpatterns] == [
        "page",
        "task-media",
        "asset",
        "media",
        "agent-mode",
    ]


@pytest.mark.usefixtures("task")
@pytest.mark.parametrize(
    "address",
    [
        "/",
        "/task/a%20task/",
        "/task/a%20task/0/",
        "/problems/",
        "/page/a%20task/1/",
        "/page/a%20tasks/0/",
        "/page/..%2Fa%20task/0/",
        "/page/a%20task/0/../../",
        "/page/",
        "/static/style.css",
        "/batch.csv",
        "/a%20task/batch.csv",
        "/favicon.ico",
        "/admin/",
    ],
)
def test_in_agent_mode_any_other_address_says_the_same_words(agent: Client, address: str) -> None:
    response = agent.get(address)
    assert (response.status_code, response.content) == (404, b"There is no such page.\n")


@pytest.mark.claim("agent-mode")
@pytest.mark.usefixtures("task")
def test_nothing_in_agent_mode_holds_a_label_a_title_or_a_path(agent: Client, tasks_dir: Path) -> None:
    make_task(tasks_dir, "broken", table="text\n1,2\n")
    answers = [
        agent.get(address, headers={"Host": host})
        for address in (
            "/page/a%20task/0/",
            "/page/broken/0/",
            "/page/other/0/",
            "/agent-mode/",
            "/",
            "/page/a%20task/0",
        )
        for host in ("localhost", "evil.example")
    ]
    seen = "".join(answer.content.decode() + str(answer.headers) for answer in answers)
    assert "“x”" in seen
    assert "a-worker-said-this" not in seen
    assert "A secret title" not in seen
    assert str(tasks_dir) not in seen


@pytest.mark.parametrize(("mode", "agent_mode"), [("browse", False), ("agent", True)])
def test_the_marker_tells_mode_and_task_set(
    mode: str, agent_mode: bool, tasks_dir: Path, request: pytest.FixtureRequest
) -> None:
    make_task(tasks_dir, "a")
    make_task(tasks_dir, "b")
    catalog = Catalog(tasks_dir)
    response = request.getfixturevalue(mode).get("/agent-mode/")
    assert json.loads(response.content) == {
        "agent_mode": agent_mode,
        "assets": Mirror.load().fingerprint(),
        "count": 2,
        "network": "mirror",
        "tasks": catalog.set_fingerprint(catalog.names()),
        "version": 3,
    }
    assert response.headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize(("mode", "told"), [("browse", b"3 cells"), ("agent", b"Browse mode shows what is wrong")])
def test_the_page_of_a_malformed_task_is_an_error(
    mode: str, told: bytes, tasks_dir: Path, request: pytest.FixtureRequest
) -> None:
    make_task(tasks_dir, "bad", table="text,Answer.a\n1,2,3\n")
    response = request.getfixturevalue(mode).get("/page/bad/0/")
    assert response.status_code == 500
    assert told in response.content


def soup_of(content: bytes) -> BeautifulSoup:
    return BeautifulSoup(content, "html.parser")


def files_under(folder: Path) -> dict[Path, int]:
    return {file: file.stat().st_mtime_ns for file in folder.parent.rglob("*")}
