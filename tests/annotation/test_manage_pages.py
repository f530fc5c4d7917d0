"""What staff see and do: projects, progress, answers, people."""

from __future__ import annotations

import re
from datetime import timedelta
from pathlib import Path

import pytest
from django.contrib.auth.models import Group, User
from django.test import Client
from django.utils import timezone

from tests.annotation.conftest import TASK, TEMPLATE, client_of
from tests.annotation.people import another, batch, group, worker
from tests.server.pages import soup, text
from turkle_app.annotation.claims import claim, give_back, submit
from turkle_app.annotation.models import Assignment, Batch, BatchState, Project, State

pytestmark = pytest.mark.usefixtures("accounts")


@pytest.fixture
def staff(accounts: Path) -> Client:
    del accounts
    return client_of(worker("stan", staff=True))


def made_of(**changed: object) -> dict[str, object]:
    form = {"task": TASK, "assignments_per_instance": 3, "minutes": 90, "publish": "on", "groups": [group().pk]}
    return form | changed


def test_a_project_is_made_of_a_task_and_takes_its_title(staff: Client) -> None:
    answer = staff.post("/manage/new/", made_of())
    made = Project.objects.get()
    assert answer["Location"] == f"/manage/{made.pk}/"
    first = made.batches.get()
    assert (made.title, first.name, first.task, first.state) == ("Which one?", "Batch 1", TASK, "published")
    assert (first.assignments_per_instance, first.expiry_seconds) == (3, 5400)
    assert (made.created_by.username, first.created_by.username) == ("stan", "stan")
    assert len(first.fingerprint) == 64
    assert "0 of 12" in text(soup(staff, "/manage/"))


@pytest.mark.parametrize(
    "wrong", [{"task": "none"}, {"assignments_per_instance": 0}, {"minutes": 0.5}, {"minutes": "x"}, {"minutes": 1e9},
              {"assignments_per_instance": 1001}, {"groups": [99]}, {"title": "x" * 201}],
)  # fmt: skip
def test_a_project_that_cannot_be_is_refused_beside_the_field(staff: Client, wrong: dict[str, object]) -> None:
    page = staff.post("/manage/new/", made_of(**wrong))
    assert page.status_code == 200
    assert 'role="alert"' in page.content.decode()
    assert Project.objects.count() == 0


def test_a_task_whose_files_are_wrong_makes_no_project(staff: Client, accounts: Path) -> None:
    (accounts / TASK / "template.html").write_text("${missing}")
    assert "cannot be used until its files are mended" in staff.post("/manage/new/", made_of()).content.decode()
    assert Project.objects.count() == 0


def test_a_project_is_published_to_others_and_its_batch_asks_for_more_later(staff: Client) -> None:
    made = batch("a")
    another(made.project, name="taken")
    change = {"title": "New", "groups": [group("b").pk]}
    assert staff.post(f"/manage/{made.project_id}/change/", change).status_code == 302
    more = {"name": "First", "assignments_per_instance": 2, "minutes": 1.5}
    assert (
        "is called taken" in staff.post(f"/manage/batch/{made.pk}/change/", more | {"name": "taken"}).content.decode()
    )
    assert staff.post(f"/manage/batch/{made.pk}/change/", more).status_code == 302
    made = Batch.objects.get(pk=made.pk)
    assert (made.project.title, made.name, made.assignments_per_instance, made.expiry_seconds) == (
        "New",
        "First",
        2,
        90,
    )
    assert list(made.project.groups.values_list("name", flat=True)) == ["b"]
    assert (made.task, made.state) == (TASK, "published")


def test_a_batch_is_published_paused_and_closed_by_its_buttons(staff: Client) -> None:
    made = batch(state=BatchState.DRAFT)
    place = f"/manage/batch/{made.pk}/"
    for button, state in (("Publish", "published"), ("Pause", "paused"), ("Publish", "published"), ("Close", "closed")):
        (found,) = [each for each in soup(staff, place).select("button") if text(each) == button]
        staff.post(f"{place}state/", {"state": found["value"]})
        made.refresh_from_db()
        assert made.state == state
    assert "can be paused" in staff.post(f"{place}state/", {"state": "paused"}, follow=True).content.decode()
    assert staff.post(f"{place}state/", {"state": "draft"}).status_code == 302
    made.refresh_from_db()
    assert made.state == "closed"


def test_a_project_counts_what_its_batches_have(staff: Client) -> None:
    first, anna = batch(asked=2), worker("anna")
    later = another(first.project, name="Later", state=BatchState.PUBLISHED)
    for each in (first, first, later):
        submit(claim(each.pk, anna).pk, {})
    page = soup(staff, f"/manage/{first.project_id}/")
    assert "Submitted 3 of 12 Instances complete 1 of 8 In work now 0" in text(page.find("dl"))
    rows = [text(row) for row in page.select("#batches ~ div tbody tr")]
    assert [row.partition(" of ")[0] for row in rows] == [f"Batch 1 {TASK} published 2", f"Later {TASK} published 1"]
    assert text(page.select_one("#workers ~ div tbody tr")).startswith("anna 3")


def test_progress_and_workers_are_counted(staff: Client) -> None:
    made = batch(asked=2)
    anna, ben = worker("anna"), worker("ben")
    for seconds in (10, 30, 50):
        own = claim(made.pk, anna)
        Assignment.objects.filter(pk=own.pk).update(claimed_at=timezone.now() - timedelta(seconds=seconds))
        submit(own.pk, {})
    submit(claim(made.pk, ben).pk, {})
    give_back(claim(made.pk, ben), State.RETURNED)
    claim(made.pk, ben)
    page = soup(staff, f"/manage/batch/{made.pk}/")
    assert "Submitted 4 of 8 Instances complete 1 of 4 In work now 1" in text(page.find("dl"))
    rows = [text(row) for row in page.select("#workers ~ div tbody tr")]
    assert rows[0].startswith("anna 3 0 0 0 0 0 30 s")
    assert rows[1].startswith("ben 1 1 1 0 0 0 0 s")


def test_a_changed_task_is_noticed(staff: Client, accounts: Path) -> None:
    made = batch()
    assert "has changed since" not in text(soup(staff, f"/manage/batch/{made.pk}/"))
    (accounts / TASK / "template.html").write_text(TEMPLATE + "<p>more</p>")
    assert "A file of the task has changed since" in text(soup(staff, f"/manage/batch/{made.pk}/"))


def test_answers_to_rows_that_are_gone_are_counted_on_the_pages_of_batch_and_project(
    staff: Client, accounts: Path
) -> None:
    made = batch()
    submit(claim(made.pk, worker("anna")).pk, {})
    (accounts / TASK / "batch.csv").write_text("text\nanother\n")
    for page in (f"/manage/batch/{made.pk}/", f"/manage/{made.project_id}/"):
        assert "1 submitted assignment belongs to instances that are no longer in the table" in text(soup(staff, page))


def test_assignments_are_listed_by_state_and_worker(staff: Client) -> None:
    made = batch(asked=2)
    for name in ("anna", "ben"):
        submit(claim(made.pk, worker(name)).pk, {})
    claim(made.pk, User.objects.get(username="ben"))

    def rows(query: str) -> int:
        return len(soup(staff, f"/manage/batch/{made.pk}/assignments/?{query}").select("tbody tr"))

    queries = ("", "state=submitted", "state=claimed", "worker=ben", "state=claimed&worker=anna")
    assert [rows(query) for query in queries] == [3, 2, 1, 2, 0]
    assert "Nothing matches" in text(soup(staff, f"/manage/batch/{made.pk}/assignments/?state=expired"))
    assert rows("state=nonsense&worker=%00") == 0


def test_answers_are_shown_as_text_and_rejected_only_with_a_reason(staff: Client) -> None:
    own = submit(claim(batch().pk, worker("wanda")).pk, {"a": ["<script>alert(1)</script>"], "<b>": [""]})
    place = f"/manage/assignment/{own.pk}/"
    page = staff.get(place).content.decode()
    assert "&lt;script&gt;alert(1)" in page
    assert "<script>alert(1)" not in page
    assert staff.post(place, {"reason": " "}).status_code == 200
    own.refresh_from_db()
    assert own.state == State.SUBMITTED
    assert staff.post(place, {"reason": "no"}, follow=True).status_code == 200
    assert "Only an assignment that is submitted" in staff.post(place, {"reason": "no"}, follow=True).content.decode()
    own.refresh_from_db()
    assert (own.state, own.rejected_by.username) == (State.REJECTED, "stan")
    assert "&lt;script&gt;" in staff.get(place).content.decode()


def test_an_account_is_opened_with_a_link_that_works(staff: Client) -> None:
    page = staff.post("/manage/people/new/", {"username": "eve", "groups": [group().pk]})
    assert page.headers["Cache-Control"].count("no-store") == 1
    found = re.search(r"http://localhost(/account/password/[^<]+)", page.content.decode())
    assert found is not None
    assert client_of().get(found[1]).status_code == 200
    eve = User.objects.get(username="eve")
    assert (eve.is_staff, eve.is_superuser, eve.has_usable_password()) == (False, False, False)
    assert "no password yet" in text(soup(staff, "/manage/people/"))


def test_an_account_is_changed_and_closed_but_nobody_closes_their_own(staff: Client) -> None:
    eve = worker("eve")
    client = client_of(eve)
    assert client.get("/work/").status_code == 200
    staff.post(f"/manage/people/{eve.pk}/", {"groups": []})
    eve.refresh_from_db()
    assert (eve.is_active, eve.groups.count()) == (False, 0)
    assert client.get("/work/").status_code == 302
    stan = User.objects.get(username="stan")
    staff.post(f"/manage/people/{stan.pk}/", {"groups": [group("x").pk]})
    stan.refresh_from_db()
    assert (stan.is_active, stan.is_staff, stan.groups.get().name) == (True, True, "x")


def test_a_new_link_is_made_for_open_accounts_only(staff: Client) -> None:
    eve = worker("eve")
    assert "/account/password/" in staff.post(f"/manage/people/{eve.pk}/link/").content.decode()
    User.objects.filter(pk=eve.pk).update(is_active=False)
    assert staff.post(f"/manage/people/{eve.pk}/link/").status_code == 404


def test_groups_are_made_and_each_name_once(staff: Client) -> None:
    for _ in range(2):
        staff.post("/manage/groups/", {"name": "team"})
    assert list(Group.objects.filter(name="team").values_list("name", flat=True)) == ["team"]
    assert "already exists" in staff.post("/manage/groups/", {"name": "team"}).content.decode()


@pytest.mark.parametrize("path", ["/manage/99/", "/manage/99/change/", "/manage/99/assignments/", "/manage/people/99/",
                                  "/manage/assignment/99/"])  # fmt: skip
def test_what_is_not_there_is_a_page_that_says_so(staff: Client, path: str) -> None:
    assert staff.get(path).status_code == 404
