"""Django's admin: the same people are let in as on staff's pages, and may change the same."""

from __future__ import annotations

from pathlib import Path

import pytest
from bs4 import BeautifulSoup
from django.contrib.auth.models import Group, User
from django.http import HttpResponse

from tests.annotation.conftest import TASK, client_of
from tests.annotation.people import batch, group, worker
from tests.annotation.served import PASSWORD, annotating, fill, press
from tests.person import person_browser
from tests.server.pages import soup, text
from tests.task_folders import make_task
from turkle_app.annotation.claims import claim, submit
from turkle_app.annotation.models import Assignment, Project

PARTS = ("annotation/project", "annotation/batch", "annotation/assignment", "auth/user", "auth/group")


@pytest.mark.usefixtures("accounts")
def test_staff_alone_are_let_in_and_log_in_where_everybody_does() -> None:
    for path in ("/admin/", "/admin/login/", "/admin/auth/user/add/", "/admin/nothing/", "/admin/jsi18n/"):
        led = client_of().get(path)
        assert (led.status_code, led["Location"]) == (302, f"/account/login/?next={path}")
        assert client_of(worker(f"wanda{path.count('/')}{len(path)}")).get(path).status_code == 403
    staff = worker("stan", staff=True)
    assert client_of(staff).get("/admin/").status_code == 200
    staff.is_active = False
    staff.save()
    assert client_of(staff).get("/admin/").status_code == 302


@pytest.mark.usefixtures("accounts")
def test_all_parts_are_there_for_staff_who_are_no_superusers_and_nothing_is_deleted() -> None:
    made = batch()
    submit(claim(made.pk, worker("wanda")).pk, {"a": ["<b>its answer</b>"]})
    client = client_of(worker("stan", staff=True))
    for part in PARTS:
        listed = soup(client, f"/admin/{part}/")
        assert "delete_selected" not in str(listed), part
        link = listed.select_one("#result_list tbody th a")
        assert client.get(link["href"]).status_code == 200, part
        for refused in (link["href"].replace("/change/", "/delete/"), f"{link['href']}../delete/"):
            assert client.post(refused, {"post": "yes"}).status_code in {302, 403, 404}, part
    assert (Project.objects.count(), Assignment.objects.count(), User.objects.count()) == (1, 1, 2)


@pytest.mark.usefixtures("accounts")
def test_answers_claims_and_times_stay_what_they_were() -> None:
    made = batch()
    done = submit(claim(made.pk, worker("wanda")).pk, {"a": ["<b>its answer</b>"]})
    client = client_of(worker("stan", staff=True))
    page = soup(client, f"/admin/annotation/assignment/{done.pk}/change/")
    assert '"<b>its answer</b>"' in page.select_one(".field-sent pre").get_text()
    assert page.select("#assignment_form input:not([type=hidden]), #assignment_form select") == []
    assert f"/manage/assignment/{done.pk}/" in {link["href"] for link in page.select("a")}
    before = Assignment.objects.values().get()
    for path in (f"{done.pk}/change/", "add/"):
        answer = client.post(f"/admin/annotation/assignment/{path}", {"state": "claimed", "answers": "{}"})
        assert answer.status_code == 403
    assert Assignment.objects.values().get() == before


@pytest.mark.usefixtures("accounts")
def test_a_project_is_made_and_changed_by_the_rules_of_staffs_pages() -> None:
    stan, chosen = worker("stan", staff=True), group()
    client = client_of(stan)
    wanted = {"task": TASK, "groups": [chosen.pk], "assignments_per_instance": "2", "minutes": "5", "publish": "on"}
    assert client.post("/admin/annotation/project/add/", wanted).status_code == 302
    made = Project.objects.get()
    first = made.batches.get()
    assert (made.title, made.created_by, first.created_by) == ("Which one?", stan, stan)
    assert (first.task, first.state, first.expiry_seconds, len(first.fingerprint)) == (TASK, "published", 300, 64)
    assert list(made.groups.all()) == [chosen]
    address = f"/admin/annotation/project/{made.pk}/change/"
    assert client.post(address, wanted | {"title": "New", "task": "another"}).status_code == 302
    made.refresh_from_db()
    assert (made.title, made.batches.get().task) == ("New", TASK)
    refused = soup(client, "/admin/annotation/project/add/")
    assert [option["value"] for option in refused.select("[name=task] option")] == [TASK]
    assert client.post("/admin/annotation/project/add/", wanted | {"minutes": "0"}).status_code == 200
    assert Project.objects.count() == 1


@pytest.mark.usefixtures("accounts")
def test_a_batch_says_how_far_it_is_and_a_new_one_is_added_on_the_projects_page() -> None:
    made = batch(asked=2)
    submit(claim(made.pk, worker("wanda")).pk, {"a": ["x"]})
    claim(made.pk, worker("olga"))
    client = client_of(worker("stan", staff=True))
    row = soup(client, "/admin/annotation/batch/").select_one("#result_list tbody tr")
    assert text(row) == f"Batch 1 Which one? {TASK} Published 4 0 1 of 8 1 results.csv"
    assert client.get(row.select_one(".field-results a")["href"])["Content-Type"].startswith("text/csv")
    assert client.get("/admin/annotation/batch/add/")["Location"] == "/manage/"


def test_a_batch_whose_task_is_gone_is_unknown_and_not_empty(accounts: Path) -> None:
    batch()
    (accounts / TASK / "template.html").unlink()
    row = soup(client_of(worker("stan", staff=True)), "/admin/annotation/batch/").select_one("#result_list tbody tr")
    assert text(row.select_one(".field-instances")) == "unknown: the task cannot be used"


@pytest.mark.usefixtures("accounts")
def test_a_new_account_gets_a_link_and_no_password_and_no_further_rights() -> None:
    client = client_of(worker("stan", staff=True))
    wanted = {"username": "nora", "is_superuser": "on", "password": "chosen by stan"}
    assert "/account/password/" in text(soup_of(client.post("/admin/auth/user/add/", wanted)))
    nora = User.objects.get(username="nora")
    assert (nora.has_usable_password(), nora.is_superuser, nora.is_staff) == (False, False, False)
    again = client.post("/admin/auth/user/", {"action": "make_link", "_selected_action": [nora.pk]})
    assert "/account/password/" in text(soup_of(again))
    several = {"action": "make_link", "_selected_action": [user.pk for user in User.objects.all()]}
    assert client.post("/admin/auth/user/", several).status_code == 302


@pytest.mark.usefixtures("accounts")
def test_nobody_takes_their_own_rights_and_groups_have_names_alone() -> None:
    stan = worker("stan", staff=True)
    client = client_of(stan)
    assert client.post(f"/admin/auth/user/{stan.pk}/change/", {"groups": []}).status_code == 302
    stan.refresh_from_db()
    assert (stan.is_staff, stan.is_active) == (True, True)
    assert client.post("/admin/auth/group/add/", {"name": "readers", "permissions": ["1"]}).status_code == 302
    assert Group.objects.get(name="readers").permissions.count() == 0


@pytest.mark.sqlite
def test_in_a_browser_staff_log_in_make_a_project_and_log_out_without_a_script_being_stopped(tmp_path: Path) -> None:
    make_task(tmp_path / "tasks", "a")
    with annotating(tmp_path / "tasks", tmp_path) as at, person_browser() as live:
        live.get(at.link("add", "stan", "--staff"))
        fill(live, new_password1=PASSWORD, new_password2=PASSWORD)
        press(live, "Set the password")
        live.get(f"{at.people}/admin/")
        assert live.current_url == f"{at.people}/account/login/?next=/admin/"
        fill(live, username="stan", password=PASSWORD)
        press(live, "Log in")
        assert live.current_url == f"{at.people}/admin/"
        header = live.find_element("id", "header")
        assert header.value_of_css_property("background-color") != "rgba(0, 0, 0, 0)"
        live.get(f"{at.people}/admin/annotation/project/add/")
        live.find_element("name", "_save").click()
        live.find_element("link text", "a").click()
        press(live, "Log out")
        assert live.current_url == f"{at.people}/account/login/"
        said = [entry["message"] for entry in live.get_log("browser") if "favicon" not in entry["message"]]
        assert said == []


def soup_of(answer: HttpResponse) -> BeautifulSoup:
    """What a form was answered."""
    return BeautifulSoup(answer.content, "html.parser")
