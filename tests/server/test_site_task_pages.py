"""What the pages for people say of tasks on websites, and that agents get none of it."""

from __future__ import annotations

from pathlib import Path

import pytest
from bs4 import BeautifulSoup
from django.test import Client

from tests.server.pages import text
from tests.site_tasks import ACCOUNT, START, make_site_task
from tests.task_folders import csv_text

WORDS = "a-word-that-only-the-evaluator-knows"


@pytest.fixture
def task(tasks_dir: Path) -> None:
    judged = {"answer": {"match": "include", "reference": WORDS}}
    table = csv_text(["who"], ["Ann"], ["Ben"])
    make_site_task(tasks_dir, "a task", goal="Find the account of ${who}.", table=table, evaluators=judged)


def shown(client: Client, address: str) -> str:
    response = client.get(address)
    assert response.status_code == 200
    return text(BeautifulSoup(response.content, "html.parser"))


@pytest.mark.usefixtures("task")
def test_the_list_of_tasks_has_it_and_it_is_not_said_to_be_for_browsing_only(browse: Client) -> None:
    said = shown(browse, "/")
    assert "a task" in said
    assert "browse only" not in said


@pytest.mark.usefixtures("task")
def test_the_page_of_the_task_says_goal_start_and_by_what_it_is_judged(browse: Client) -> None:
    said = shown(browse, "/task/a%20task/")
    for words in ("Find the account of ${who}.", START, "http://travel.test", "easy", "answer", "2 instances"):
        assert words in said


@pytest.mark.usefixtures("task")
def test_the_page_of_an_instance_shows_people_what_is_to_be_done_and_how_it_was_done(browse: Client) -> None:
    said = shown(browse, "/task/a%20task/1/")
    for words in ("Find the account of Ben.", WORDS, "The reference, 2 steps", ACCOUNT, "← Previous"):
        assert words in said
    assert "Next →" not in said


@pytest.mark.usefixtures("task")
@pytest.mark.parametrize("mode", ["browse", "agent"])
def test_it_has_no_page_of_a_form(mode: str, request: pytest.FixtureRequest) -> None:
    response = request.getfixturevalue(mode).get("/page/a%20task/0/")
    assert response.status_code == 404
    assert WORDS not in response.content.decode()


@pytest.mark.usefixtures("task")
@pytest.mark.parametrize("address", ["/", "/task/a%20task/", "/task/a%20task/0/", "/sites/"])
def test_agents_are_shown_nothing_of_it(agent: Client, address: str) -> None:
    response = agent.get(address)
    assert response.status_code == 404
    assert WORDS not in response.content.decode()
