"""The API: projects and batches from the template to the results, and what of it is a requester's."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from django.contrib.auth.models import User

from tests.annotation.conftest import TASK, client_of
from tests.annotation.people import batch, group, worker
from tests.annotation.programs import Program
from tests.server.pages import soup, text
from turkle_app.annotation.claims import claim, open_projects, submit
from turkle_app.annotation.models import Batch, Project
from turkle_app.annotation.people import let_make_projects

pytestmark = pytest.mark.usefixtures("accounts")

TEMPLATE = "<p>${text}</p><input name=a>"
TABLE = "text\nfirst\nsecond\n"


@pytest.fixture
def staff(accounts: Path) -> Program:
    del accounts
    return Program(worker("stan", staff=True))


@pytest.fixture
def requester(accounts: Path) -> Program:
    """One who makes projects of their own, and sees no others."""
    del accounts
    rita = worker("rita")
    let_make_projects(rita, True)
    return Program(rita)


def made(program: Program, **values: object) -> dict:
    """A project with a batch that is published."""
    project = program.ask("POST", "projects/", {"name": "Films", "html_template": TEMPLATE}, 201)
    return program.ask("POST", "batches/", {"name": "First", "project": project["id"], "csv_text": TABLE} | values, 201)


def test_from_a_template_to_results(staff: Program, accounts: Path) -> None:
    first = made(staff, assignments_per_task=2, allotted_assignment_time=2)
    assert (first["state"], first["expiry_seconds"], first["completed"]) == ("published", 7200, False)
    assert (accounts / first["task"] / "batch.csv").is_file()
    project = staff.ask("GET", f"projects/{first['project']}/")
    assert (project["html_template"], project["batches"], project["active"]) == (TEMPLATE, [first["id"]], True)
    anna = worker("anna", "none")
    assert [each.title for each in open_projects(anna)] == ["Films"]  # for all accounts, as Turkle has it
    submit(claim(first["id"], anna).pk, {"a": ["x"]})
    assert staff.ask("GET", f"batches/{first['id']}/progress/") == {
        "total_tasks": 2, "total_task_assignments": 4, "total_finished_tasks": 0, "total_finished_task_assignments": 1
    }  # fmt: skip
    (row,) = csv.DictReader(io.StringIO(staff.ask("GET", f"batches/{first['id']}/results/")))
    assert (row["Input.text"], row["Answer.a"], row["Turkle.Username"]) == ("first", "x", "anna")
    assert staff.ask("GET", f"batches/{first['id']}/input/").split() == ["text", "first", "second"]


def test_a_new_version_of_the_template_is_for_new_batches_alone(staff: Program, accounts: Path) -> None:
    first = made(staff)
    staff.ask("PATCH", f"projects/{first['project']}/", {"html_template": f"<h1>New</h1>{TEMPLATE}"})
    second = staff.ask("POST", "batches/", {"name": "Second", "project": first["project"], "csv_text": TABLE}, 201)
    pages = [(accounts / each["task"] / "template.html").read_text() for each in (first, second)]
    assert ["New" in page for page in pages] == [False, True]


def test_a_batch_is_paused_closed_and_changed(staff: Program) -> None:
    number = made(staff, published=False)["id"]
    assert staff.ask("GET", f"batches/{number}/")["published"] is False
    assert staff.ask("PATCH", f"batches/{number}/", {"active": True})["state"] == "published"
    assert staff.ask("PATCH", f"batches/{number}/", {"active": False, "name": "New"})["state"] == "paused"
    assert staff.ask("PATCH", f"batches/{number}/", {"state": "closed"})["name"] == "New"
    assert "none becomes a draft" in staff.ask("PATCH", f"batches/{number}/", {"state": "draft"}, 422)["detail"]
    assert made_paused(staff)["state"] == "paused"


def made_paused(staff: Program) -> dict:
    project = Project.objects.get()
    body = {"name": "Paused", "project": project.pk, "csv_text": TABLE, "active": False}
    return staff.ask("POST", "batches/", body, 201)


def test_rows_are_added_to_a_batch_that_people_work_on(staff: Program) -> None:
    first = made(staff)
    anna = worker("anna")
    submit(claim(first["id"], anna).pk, {"a": ["x"]})
    added = staff.ask("POST", f"batches/{first['id']}/tasks/", {"csv_text": "text\nthird\nfirst\n"}, 201)
    assert added == {"new_tasks": 1}  # an equal row is the instance that there is
    progress = staff.ask("GET", f"batches/{first['id']}/progress/")
    assert (progress["total_tasks"], progress["total_finished_task_assignments"]) == (3, 1)
    assert "changed since" not in text(soup(client_of(worker("sue", staff=True)), f"/manage/batch/{first['id']}/"))
    wrong = staff.ask("POST", f"batches/{first['id']}/tasks/", {"csv_text": "other\nx\n"}, 422)
    assert "its columns have to be those of the batch: text." in wrong["detail"]


def test_rows_are_added_to_no_task_that_another_batch_has_too(staff: Program) -> None:
    first, _ = batch(), batch()
    refused = staff.ask("POST", f"batches/{first.pk}/tasks/", {"csv_text": "text\nx\n"}, 422)
    assert "Another batch is of the same task" in refused["detail"]


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ({"csv_text": "wrong\nx\n"}, "batch.csv, column text:"),
        ({"csv_text": ""}, "batch.csv:"),
        ({"name": ""}, "name: String should have at least 1 character"),
        ({"assignments_per_task": 0}, "assignments_per_task: Input should be greater than or equal to 1"),
        ({"project": 10**30}, "There is no project"),
        ({"login_required": False}, "are of the project here"),
    ],
)
def test_a_batch_that_cannot_be_made_is_refused_in_a_sentence_without_a_path(
    staff: Program, accounts: Path, body: dict, told: str
) -> None:
    first = made(staff)
    folders = sorted(accounts.iterdir())
    wanted = {"name": "Second", "project": first["project"], "csv_text": TABLE} | body
    detail = staff.ask("POST", "batches/", wanted, 422)["detail"]
    assert told in detail
    assert "/" not in detail.replace("and/or", "")
    assert Batch.objects.count() == 1
    assert sorted(accounts.iterdir()) == folders


def test_a_template_that_is_none_makes_no_project(staff: Program) -> None:
    staff.ask("POST", "projects/", {"name": "x", "html_template": ""}, 422)
    staff.ask("POST", "projects/", {"name": "x", "html_template": "x" * 5 * 2**20}, 422)
    assert Project.objects.count() == 0


def test_a_project_is_published_to_groups(staff: Program) -> None:
    number, films, books = made(staff)["project"], group("films"), group("books")
    assert staff.ask("POST", f"projects/{number}/permissions/", {"users": [], "groups": [films.pk]}, 201)["users"] == []
    assert staff.ask("GET", f"projects/{number}/")["custom_permissions"] is True
    staff.ask("PUT", f"projects/{number}/permissions/", {"users": [], "groups": [books.pk]})
    assert staff.ask("GET", f"projects/{number}/permissions/")["groups"] == [books.pk]
    assert (
        "make one of these accounts"
        in (staff.ask("PUT", f"projects/{number}/permissions/", {"users": [1], "groups": []}, 422)["detail"])
    )


def test_no_label_of_a_task_is_in_the_input_of_its_batch(requester: Program) -> None:
    other = batch()
    other.project.requesters.add(User.objects.get(username="rita"))
    assert "secret" not in requester.ask("GET", f"batches/{other.pk}/input/")


def test_a_requester_manages_their_own_projects_and_no_others(requester: Program, staff: Program) -> None:
    theirs, others = made(requester), batch()
    assert [each["id"] for each in requester.ask("GET", "projects/")["results"]] == [theirs["project"]]
    assert [each["id"] for each in requester.ask("GET", "batches/")["results"]] == [theirs["id"]]
    assert staff.ask("GET", "projects/")["count"] == 2
    for path in ("", "progress/", "results/", "input/", "permissions/"):
        requester.ask("GET", f"batches/{others.pk}/{path}", status=404)
    requester.ask("PATCH", f"batches/{others.pk}/", {"state": "closed"}, 404)
    requester.ask("POST", f"batches/{others.pk}/tasks/", {"csv_text": TABLE}, 404)
    requester.ask("PATCH", f"projects/{others.project_id}/", {"name": "mine"}, 404)
    requester.ask("PUT", f"projects/{others.project_id}/permissions/", {}, 404)
    body = {"name": "x", "project": others.project_id, "csv_text": TABLE}
    assert "not yours" in requester.ask("POST", "batches/", body, 422)["detail"]
    requester.ask("PATCH", f"projects/{theirs['project']}/", {"requesters": []}, 403)
    staff.ask("PATCH", f"projects/{others.project_id}/", {"requesters": ["rita"]})
    requester.ask("GET", f"batches/{others.pk}/")


def test_who_only_manages_a_project_makes_none(staff: Program) -> None:
    number = made(staff)["project"]
    paul = worker("paul")
    Project.objects.get(pk=number).requesters.add(paul)
    program = Program(paul)
    assert program.ask("GET", "projects/")["count"] == 1
    program.ask("POST", "projects/", {"name": "x", "html_template": TEMPLATE}, 403)


def test_a_requester_has_the_pages_of_their_own_projects(requester: Program) -> None:
    theirs, others = made(requester), batch(title="Not theirs")
    client = client_of(User.objects.get(username="rita"))
    listed = text(soup(client, "/manage/"))
    assert "Films" in listed
    assert "Not theirs" not in listed
    for path in (
        f"/manage/{theirs['project']}/",
        f"/manage/batch/{theirs['id']}/",
        f"/manage/{theirs['project']}/change/",
    ):
        assert client.get(path).status_code == 200
    for path in (
        f"/manage/{others.project_id}/",
        f"/manage/batch/{others.pk}/",
        f"/manage/batch/{others.pk}/results.csv",
    ):
        assert client.get(path).status_code == 404
    assert client.post(f"/manage/batch/{others.pk}/state/", {"state": "closed"}).status_code == 404
    for path in ("/manage/people/", "/manage/groups/", "/manage/new/", "/", f"/task/{TASK}/"):
        assert client.get(path).status_code == 403
    change = soup(client, f"/manage/{theirs['project']}/change/")
    assert not change.select("[name=requesters]")
