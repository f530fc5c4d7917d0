"""Who is let in where: all addresses as nobody, worker and staff; forged requests; nothing of others."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.test import Client, override_settings
from django.urls import get_resolver

from tests.annotation.addresses import addresses
from tests.annotation.conftest import TASK, client_of
from tests.annotation.people import batch, worker
from tests.server.addresses import views
from tests.server.pages import soup, text
from turkle_app.access import audience_of
from turkle_app.annotation.claims import claim, submit
from turkle_app.annotation.models import Assignment, Batch, Project
from turkle_app.annotation.sheet_token import sheet_token

pytestmark = pytest.mark.usefixtures("accounts", "own_cache")


@pytest.fixture
def people() -> dict[str, User]:
    return {"worker": worker("wanda"), "staff": worker("stan", staff=True)}


@pytest.mark.slow
def test_each_address_lets_in_its_audience_and_nobody_else(people: dict[str, User]) -> None:
    own = claim(batch().pk, people["worker"])
    audiences = {pattern: audience_of(view) for pattern, view in views(get_resolver().url_patterns)}
    assert {"everybody", "workers", "requesters", "staff", "programs"} == set(audiences.values())
    for pattern, address in addresses(own, people["worker"]).items():
        assert "<" not in address
        nobody = client_of().get(address)
        by_worker = client_of(people["worker"]).get(address)
        by_staff = client_of(people["staff"]).get(address)
        if audiences[pattern] == "everybody":
            continue
        if audiences[pattern] == "programs":  # a log-in is no token
            assert {answer.status_code for answer in (nobody, by_worker, by_staff)} <= {401, 405}, pattern
            continue
        assert nobody.status_code in {302, 405}, pattern
        if nobody.status_code == 302:
            assert nobody["Location"].startswith("/account/login/?next="), pattern
        if audiences[pattern] in {"staff", "requesters"}:
            assert by_worker.status_code in {403, 405}, pattern
            # Nothing is deleted in Django's admin, nobody adds an assignment, and any other address is none.
            refused = {403, 404} if pattern.startswith("admin/") else set()
            assert by_staff.status_code in {200, 302, 405} | refused, pattern
        else:
            # Not another's, even if staff ask: they have pages of their own for that.
            assert by_worker.status_code in {200, 302, 405}, pattern
    assert Assignment.objects.count() == 1


def test_each_view_says_in_its_docstring_who_may_see_it() -> None:
    for pattern, view in views(get_resolver().url_patterns):
        assert audience_of(view) in (view.__doc__ or ""), pattern


def everything() -> tuple[list[object], ...]:
    """All rows but when somebody logged in last."""
    accounts = User.objects.order_by("id").values("id", "username", "password", "is_staff", "is_active")
    tables = [list(table.objects.order_by("id").values()) for table in (Assignment, Project, Batch)]
    return *tables, list(accounts)


def test_nobody_and_workers_change_nothing_that_is_not_theirs(people: dict[str, User]) -> None:
    own = claim(batch().pk, people["worker"])
    before = everything()
    for pattern, address in addresses(own, people["worker"]).items():
        if pattern.startswith(("sheet/", "account/login", "account/password/<")):
            continue
        assert client_of().post(address, {"how": "return", "reason": "x"}).status_code in {
            302,
            401,
            405,
            404,
            200,
            204,
        }, pattern
        if pattern.startswith("manage/"):
            refused = client_of(people["worker"]).post(address, {"reason": "x", "is_staff": "on"})
            assert refused.status_code in {403, 405}, pattern
    assert everything() == before


def test_every_form_of_people_needs_a_token_of_its_page(people: dict[str, User]) -> None:
    own = claim(batch().pk, people["staff"])
    strict = client_of(people["staff"], strict=True)
    for pattern, address in addresses(own, people["staff"]).items():
        if pattern.startswith(("sheet/", "page/", "api/")):
            continue
        answer = strict.post(address, {"how": "return", "reason": "x"})
        assert answer.status_code in {403, 405}, pattern
    own.refresh_from_db()
    assert own.state == "claimed"


def test_a_worker_does_not_reach_anothers_assignment_nor_a_project_of_other_groups(people: dict[str, User]) -> None:
    own = claim(batch().pk, people["worker"])
    hidden = batch("others")
    other = client_of(worker("olga", "strangers"))
    for path in (f"/work/assignment/{own.pk}/", f"/work/assignment/{own.pk}/state/", f"/work/{hidden.project_id}/"):
        assert other.get(path).status_code == 404
    for path in (
        f"/work/assignment/{own.pk}/give-back/",
        f"/work/{hidden.project_id}/accept/",
        f"/work/{hidden.project_id}/skip/",
    ):
        assert other.post(path, {"how": "return"}).status_code == 404
    assert "Which one?" not in text(soup(other, "/work/"))
    own.refresh_from_db()
    assert own.state == "claimed"
    assert Assignment.objects.count() == 1


def test_no_page_of_workers_holds_a_label_or_anothers_answer(people: dict[str, User]) -> None:
    made = batch(asked=2)
    submit(claim(made.pk, worker("olga")).pk, {"a": ["olgas answer"]})
    own = claim(made.pk, people["worker"])
    client = client_of(people["worker"])
    for path in ("/work/", "/work/done/", f"/work/assignment/{own.pk}/", f"/sheet/{sheet_token(own.pk)}/"):
        page = client.get(path).content.decode()
        assert "secret" not in page, path
        assert "olga" not in page, path
    submit(own.pk, {})
    page = client.get(f"/work/{made.project_id}/").content.decode()
    assert "Preview" in page
    assert "secret" not in page
    assert "olga" not in page


def test_what_is_not_there_tells_workers_no_names_of_tasks(people: dict[str, User]) -> None:
    for client in (client_of(), client_of(people["worker"])):
        missing = client.get("/page/which on/0/")
        assert missing.status_code == 404
        assert TASK not in missing.content.decode()
    assert TASK in client_of(people["staff"]).get("/page/which on/0/").content.decode()


def test_a_broken_task_tells_workers_no_paths(people: dict[str, User], accounts: Path) -> None:
    (accounts / TASK / "template.html").write_text("${missing}")
    made = batch(fingerprint="")
    client = client_of(people["worker"])
    assert "cannot be worked on" in text(soup(client, "/work/"))
    pages = [client.get(path) for path in (f"/page/{TASK}/0/", f"/work/{made.project_id}/", "/work/")]
    assert all(str(accounts) not in page.content.decode() for page in pages)


@override_settings(DATA_UPLOAD_MAX_MEMORY_SIZE=2000, DATA_UPLOAD_MAX_NUMBER_FIELDS=20)
def test_a_body_that_is_too_large_is_refused_before_it_is_kept(people: dict[str, User]) -> None:
    own = claim(batch().pk, people["worker"])
    assert (
        Client().post(f"/sheet/{sheet_token(own.pk)}/", {"a": "x" * 3000}, SERVER_NAME="localhost").status_code == 400
    )
    many = {f"f{number}": "" for number in range(30)}
    assert Client().post(f"/sheet/{sheet_token(own.pk)}/", many, SERVER_NAME="localhost").status_code == 400
    own.refresh_from_db()
    assert own.state == "claimed"


def test_pages_of_people_go_by_no_link_of_a_stranger_but_a_followed_one(people: dict[str, User]) -> None:
    client = client_of(people["worker"])
    followed = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}
    assert client.get("/work/", headers=followed).status_code == 200
    for changed in ({"Sec-Fetch-Dest": "iframe"}, {"Sec-Fetch-Mode": "cors"}, {"Sec-Fetch-Mode": "no-cors"}):
        assert client.get("/work/", headers=followed | changed).status_code == 403
    assert client.post("/work/pace/", headers=followed).status_code == 403


def test_who_is_refused_is_led_nowhere_else_that_refuses(people: dict[str, User]) -> None:
    client = client_of(people["worker"])
    refused = soup(client, "/manage/", 403)
    links = {str(link["href"]) for link in refused.select("a[href^='/']")}
    assert "labels" not in text(refused)
    assert {client.get(link).status_code for link in links} == {200}
