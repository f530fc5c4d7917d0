from __future__ import annotations

from pathlib import Path

import pytest
from django.test import Client

from tests.server.pages import soup, text
from tests.task_folders import csv_text, make_task
from turkle_app import tasks, views


def test_an_unknown_task_names_those_that_are_near(browse: Client, tasks_dir: Path) -> None:
    for name in ("Sentiment [1]", "Sentiments of reviews", "Other"):
        make_task(tasks_dir, name)
    page = soup(browse, "/task/sentiment%201/", 404)
    assert page.h1.get_text() == "There is no task named “sentiment 1”."
    assert page.select_one("main li a")["href"] == "/task/Sentiment%20%5B1%5D/"
    partly = soup(browse, "/task/REVIEWS/", 404)
    assert [link.get_text() for link in partly.select("main li a")] == ["Sentiments of reviews"]


def test_an_unknown_instance_names_the_first_and_the_last(browse: Client, tasks_dir: Path) -> None:
    make_task(tasks_dir, "t", table=csv_text(["text", "Answer.a"], *([str(number), "x"] for number in range(5))))
    for address in ("/task/t/5/", "/page/t/5/", f"/task/t/{'9' * 5000}/"):
        page = browse.get(address)
        assert page.status_code == 404
    links = soup(browse, "/task/t/5/", 404).select("main li a")
    assert [link["href"] for link in links] == ["/task/t/0/", "/task/t/4/"]


def test_any_other_address_says_that_it_is_not_there(browse: Client) -> None:
    assert "There is no page at /nowhere/" in text(soup(browse, "/nowhere/", 404))


@pytest.mark.parametrize(
    "wrong", ["/task/..%2Ft/", "/task/T/", "/task/t%20/", "/task/splits/", "/task/_x/", "/task/.x/", "/task/%00/"]
)
def test_only_the_exact_name_of_a_task_opens_it(browse: Client, tasks_dir: Path, wrong: str) -> None:
    for name in ("t", "splits", "_x", ".x"):
        make_task(tasks_dir, name)
    assert browse.get(wrong).status_code == 404


@pytest.mark.parametrize("mode", ["browse", "agent"])
def test_a_foreign_host_name_is_refused(mode: str, request: pytest.FixtureRequest) -> None:
    client = request.getfixturevalue(mode)
    assert client.get("/agent-mode/", headers={"Host": "evil.example"}).status_code == 400
    for host in ("localhost:8000", "127.0.0.1:8000", "[::1]:8000"):
        assert client.get("/agent-mode/", headers={"Host": host}).status_code == 200


def test_a_foreign_host_name_is_told_what_to_do(browse: Client) -> None:
    assert b"TURKLE_ALLOWED_HOSTS" in browse.get("/", headers={"Host": "evil.example"}).content


@pytest.mark.parametrize(
    ("mode", "place", "address"),
    [("browse", (views, "listings"), "/"), ("agent", (tasks, "render"), "/page/t/0/")],
)
def test_a_defect_shows_no_traceback(
    mode: str,
    place: tuple[object, str],
    address: str,
    request: pytest.FixtureRequest,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("the inside of the server")

    make_task(request.getfixturevalue("tasks_dir"), "t")
    monkeypatch.setattr(*place, fail)
    response = request.getfixturevalue(mode).get(address)
    assert response.status_code == 500
    assert b"The server failed." in response.content
    assert b"the inside" not in response.content
    assert b"Traceback" not in response.content


@pytest.mark.parametrize("address", ["/", "/task/t/", "/task/t/0/", "/problems/", "/agent-mode/"])
def test_pages_for_people_are_read_only(browse: Client, tasks_dir: Path, address: str) -> None:
    make_task(tasks_dir, "t")
    assert browse.post(address).status_code == 405
