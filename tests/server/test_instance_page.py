from __future__ import annotations

from pathlib import Path

import pytest
from django.test import Client

from harness.catalog.template.wrapping import ACCEPTED
from tests.server.pages import soup, text
from tests.task_folders import csv_text, make_task

TABLE = csv_text(
    ["text", "Answer.a", "Answer.b", "Answer.started"],
    ["one <b>", "yes", "", "10:01"],
    ["one <b>", "no", "", "10:02"],
    ["one <b>", "yes", " ", ""],
    ["two", "no", "", ""],
    ["three", "", "", ""],
)


@pytest.fixture
def task(tasks_dir: Path) -> None:
    make_task(tasks_dir, "a task", table=TABLE, facts={"not_answers": {"started": "a timestamp"}})


def step(client: Client, index: int, label: str) -> str | None:
    return soup(client, f"/task/a%20task/{index}/").find("a", string=label).get("href")


@pytest.mark.usefixtures("task")
def test_previous_and_next_lead_on_and_stop_at_the_ends(browse: Client) -> None:
    assert (step(browse, 0, "← Previous"), step(browse, 0, "Next →")) == (None, "/task/a%20task/1/")
    assert (step(browse, 1, "← Previous"), step(browse, 1, "Next →")) == ("/task/a%20task/0/", "/task/a%20task/2/")
    assert (step(browse, 2, "← Previous"), step(browse, 2, "Next →")) == ("/task/a%20task/1/", None)


@pytest.mark.usefixtures("task")
def test_a_step_beyond_the_end_is_said_to_be_disabled(browse: Client) -> None:
    assert soup(browse, "/task/a%20task/0/").find("a", string="← Previous")["aria-disabled"] == "true"


@pytest.mark.usefixtures("task")
def test_the_frame_holds_the_bare_page_in_an_origin_of_its_own(browse: Client) -> None:
    frame = soup(browse, "/task/a%20task/1/").iframe
    assert frame["src"] == f"/page/a%20task/1/?{ACCEPTED}"
    allowed = set(frame["sandbox"].split() if isinstance(frame["sandbox"], str) else frame["sandbox"])
    assert {"allow-scripts", "allow-forms", "allow-modals"} <= allowed
    assert not allowed & {"allow-same-origin", "allow-top-navigation", "allow-top-navigation-by-user-activation"}


@pytest.mark.usefixtures("task")
def test_jump_takes_an_index_or_an_id(browse: Client) -> None:
    identifier = soup(browse, "/task/a%20task/").select("tbody code")[2].get_text()
    assert browse.get("/task/a%20task/0/?jump= 2 ").headers["Location"] == "/task/a%20task/2/"
    assert browse.get(f"/task/a%20task/0/?jump={identifier}").headers["Location"] == "/task/a%20task/1/"


@pytest.mark.usefixtures("task")
@pytest.mark.parametrize("wanted", ["3", "-1", "x", "", "9" * 5000, "²"])
def test_a_jump_to_nowhere_links_both_ends(browse: Client, wanted: str) -> None:
    page = soup(browse, f"/task/a%20task/0/?jump={wanted}", 404)
    assert [link["href"] for link in page.select("main li a")] == ["/task/a%20task/0/", "/task/a%20task/2/"]


@pytest.mark.usefixtures("task")
def test_inputs_and_counted_labels_stand_in_a_closed_panel(browse: Client) -> None:
    panel = soup(browse, "/task/a%20task/0/").details
    assert "open" not in panel.attrs
    shown = text(panel)
    assert "text one <b>" in shown
    assert "a yes × 2 no" in shown
    assert "started not an answer: a timestamp 10:01 10:02 blank" in shown
    assert "Blank for every worker: b" in shown
    assert "Rows of batch.csv : 2, 3, 4" in shown


@pytest.mark.usefixtures("task")
def test_an_instance_without_labels_says_so(browse: Client) -> None:
    assert "No worker answered anything here." in text(soup(browse, "/task/a%20task/2/"))


def test_a_task_without_a_table_has_one_page_with_empty_inputs(browse: Client, tasks_dir: Path) -> None:
    make_task(tasks_dir, "t", template="<p>[${text}]</p>", table=None)
    assert "there is no table" in text(soup(browse, "/task/t/0/").details)
    assert "<p>[]</p>" in browse.get("/page/t/0/").content.decode()
    assert browse.get("/task/t/1/").status_code == 404


def test_a_form_that_wants_to_go_elsewhere_is_announced(browse: Client, tasks_dir: Path) -> None:
    make_task(tasks_dir, "away", template='${text}<form id=f action="https://example.org/submit"><input name=a></form>')
    make_task(tasks_dir, "here", template='${text}<form data-action="x" action="#"><input name=a></form>')
    assert "goes to https://example.org/submit" in text(soup(browse, "/task/away/0/"))
    assert "goes to" not in text(soup(browse, "/task/here/0/"))


def test_a_form_in_a_comment_or_a_script_goes_nowhere(browse: Client, tasks_dir: Path) -> None:
    unreal = """<!-- <form action="/old"> --><script>"<form action='/made'>"</script>"""
    make_task(tasks_dir, "t", template=f'${{text}}{unreal}<form action=""><input name=a></form>')
    assert "goes to" not in text(soup(browse, "/task/t/0/"))
