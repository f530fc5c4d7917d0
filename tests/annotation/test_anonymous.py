"""Work without an account, in the projects that allow it."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client

from tests.annotation.conftest import client_of
from tests.annotation.people import batch, worker
from tests.server.pages import soup, text
from turkle_app.annotation.anonymous import MOST_NEW, is_anonymous
from turkle_app.annotation.models import AnonymousWorker, Assignment, Project

pytestmark = pytest.mark.usefixtures("accounts")


def project(*groups: str, anonymous: bool = False, **values: object) -> Project:
    """A project with a published batch."""
    made = batch(*groups, **values).project
    Project.objects.filter(pk=made.pk).update(anonymous=anonymous)
    return made


def begin(client: Client, number: int) -> Assignment:
    """Begin without an account, and accept the first instance."""
    assert client.post(f"/work/open/{number}/")["Location"] == f"/work/{number}/"
    accepted = client.post(f"/work/{number}/accept/")["Location"]
    return Assignment.objects.get(pk=int(accepted.split("/")[-2]))


def test_who_has_no_account_works_where_a_project_allows_it_and_is_known_again_by_the_cookie() -> None:
    open_one = project(anonymous=True, asked=2)
    client = client_of()
    page = soup(client, f"/work/open/{open_one.pk}/")
    assert "without an account" in text(page)
    assert User.objects.count() == 0  # who only looks is nobody
    first = begin(client, open_one.pk)
    cookie = client.cookies["turkle_anonymous"]
    assert (cookie["httponly"], cookie["samesite"]) == (True, "Lax")
    assert first.worker.username not in cookie.value
    client.post("/account/logout/")
    again = begin(client, open_one.pk)
    assert again.worker == first.worker
    assert is_anonymous(first.worker)
    other = begin(client_of(), open_one.pk)
    assert other.worker != first.worker
    assert other.instance_id == first.instance_id


def test_a_cookie_that_was_not_made_here_or_names_an_account_of_a_person_lets_in_nobody() -> None:
    open_one, person = project(anonymous=True), worker("stan", staff=True)
    for forged in (str(person.pk), f"{person.pk}:x", "\0", "9" * 40):
        client = client_of()
        client.cookies["turkle_anonymous"] = forged
        assert begin_only(client, open_one.pk) != person
    from turkle_app.annotation.anonymous import _signer

    client = client_of()
    client.cookies["turkle_anonymous"] = _signer().sign(str(person.pk))
    assert begin_only(client, open_one.pk) != person


def begin_only(client: Client, number: int) -> User:
    client.post(f"/work/open/{number}/")
    return User.objects.get(pk=client.session["_auth_user_id"])


def test_a_project_that_does_not_allow_it_or_offers_nothing_is_not_found() -> None:
    closed = project()
    assert client_of().get(f"/work/open/{closed.pk}/").status_code == 404
    assert client_of().post(f"/work/open/{closed.pk}/").status_code == 404
    assert client_of().post("/work/open/99/").status_code == 404
    assert User.objects.count() == 0


def test_a_worker_without_an_account_sees_open_projects_alone() -> None:
    open_one, closed = project(anonymous=True, title="Open one"), project(title="Closed one")
    client = client_of()
    begin(client, open_one.pk)
    listed = text(soup(client, "/work/"))
    assert "Open one" in listed
    assert "Closed one" not in listed
    assert client.get(f"/work/{closed.pk}/").status_code == 404
    assert client.get("/manage/").status_code == 403
    assert client.post(f"/work/{closed.pk}/accept/").status_code == 404


def test_members_with_an_account_go_on_under_their_own_name() -> None:
    open_one = project("others", anonymous=True)
    wanda = worker("wanda", "strangers")
    client = client_of(wanda)
    assert client.get(f"/work/open/{open_one.pk}/")["Location"] == f"/work/{open_one.pk}/"
    assert client.get(f"/work/{open_one.pk}/").status_code == 200
    assert AnonymousWorker.objects.count() == 0


def test_from_one_address_not_too_many_begin() -> None:
    open_one = project(anonymous=True)
    for _ in range(MOST_NEW):
        assert client_of().post(f"/work/open/{open_one.pk}/").status_code == 302
    assert client_of().post(f"/work/open/{open_one.pk}/").status_code == 429
    assert AnonymousWorker.objects.count() == MOST_NEW
    elsewhere = Client(SERVER_NAME="localhost", REMOTE_ADDR="10.0.0.9")
    assert elsewhere.post(f"/work/open/{open_one.pk}/").status_code == 302


def test_staff_see_them_apart_and_not_among_the_accounts() -> None:
    open_one = project(anonymous=True)
    begin(client_of(), open_one.pk)
    staff = client_of(worker("stan", staff=True))
    assert "anonymous-" not in text(soup(staff, "/manage/people/"))
    shown = text(soup(staff, f"/manage/{open_one.pk}/"))
    assert f"http://localhost/work/open/{open_one.pk}/" in shown
