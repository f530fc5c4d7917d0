"""The API: tokens, and what it does with accounts and groups."""

from __future__ import annotations

import pytest
from bs4 import BeautifulSoup
from django.contrib.auth.models import Group, User
from django.test import Client

from tests.annotation.conftest import client_of
from tests.annotation.people import group, worker
from tests.annotation.programs import Program
from tests.server.pages import soup, text
from turkle_app.annotation.login_limits import MOST_BY_NAME
from turkle_app.annotation.models import Token
from turkle_app.annotation.people import let_make_projects
from turkle_app.annotation.tokens import PREFIX, make_token, user_of_token

pytestmark = pytest.mark.usefixtures("accounts")


@pytest.fixture
def staff(accounts: object) -> Program:
    del accounts
    return Program(worker("stan", staff=True))


def test_a_token_is_shown_once_kept_as_a_hash_and_works_until_it_is_revoked() -> None:
    user = worker("stan", staff=True)
    client = client_of(user)
    page = BeautifulSoup(client.post("/account/tokens/", {"name": "my script"}).content, "html.parser")
    token = page.select_one("#token").get_text()
    assert token.startswith(PREFIX)
    assert token not in client.get("/account/tokens/").content.decode()
    kept = Token.objects.get()
    assert token not in str(Token.objects.values())
    assert Program(None, token=token).ask("GET", "users/")["count"] == 1
    kept.refresh_from_db()
    assert kept.last_used is not None
    client.post(f"/account/tokens/{kept.pk}/revoke/")
    Program(None, token=token).ask("GET", "users/", status=401)


def test_nobody_revokes_anothers_token() -> None:
    owner = worker("stan", staff=True)
    make_token(owner, "mine")
    other = client_of(worker("sue", staff=True))
    assert other.post(f"/account/tokens/{Token.objects.get().pk}/revoke/").status_code == 404
    assert Token.objects.count() == 1


def test_a_token_of_an_account_that_is_closed_does_not_work() -> None:
    user = worker("stan", staff=True)
    token = make_token(user, "x")
    User.objects.update(is_active=False)
    assert user_of_token(token) is None
    Program(None, token=token).ask("GET", "users/", status=401)


def test_without_a_token_a_session_does_not_help_and_workers_and_requesters_see_no_accounts() -> None:
    staff = worker("stan", staff=True)
    client = client_of(staff)
    assert client.get("/api/users/").status_code == 401
    assert client.post("/api/groups/", {"name": "x"}, content_type="application/json").status_code == 401
    Program(worker("wanda")).ask("GET", "users/", status=403)
    requester = worker("rita")
    let_make_projects(requester, True)
    Program(requester).ask("GET", "users/", status=403)
    assert Group.objects.filter(name="x").count() == 0


def test_who_tries_tokens_waits_and_who_has_one_does_not() -> None:
    guesser = Program(None, token="guess")  # noqa: S106
    for _ in range(MOST_BY_NAME):
        guesser.ask("GET", "users/", status=401)
    guesser.ask("GET", "users/", status=429)
    Program(worker("stan", staff=True)).ask("GET", "users/")


@pytest.mark.parametrize("scheme", ["Bearer", "Token"])
def test_an_account_is_opened_with_a_link_or_a_password(scheme: str) -> None:
    staff = Program(worker("stan", staff=True), scheme)
    group("film")
    opened = staff.ask("POST", "users/", {"username": "anna", "email": "a@example.org", "groups": [2]}, 201)
    assert not opened["has_password"]
    assert (
        Client(SERVER_NAME="localhost").get(opened["password_link"].removeprefix("http://localhost")).status_code == 200
    )
    ben = staff.ask("POST", "users/", {"username": "ben", "password": "quite a long password"}, 201)
    assert ben["password_link"] is None
    assert User.objects.get(username="ben").check_password("quite a long password")
    assert staff.ask("GET", "users/username/anna/")["groups"] == [2]
    assert [each["username"] for each in staff.ask("GET", "users/")["results"]] == ["stan", "anna", "ben"]


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ({"username": "stan"}, "already exists"),
        ({"username": "a b"}, "username"),
        ({"username": "anna", "password": "short"}, "too short"),
        ({"username": "anna", "groups": [77]}, "There is no group 77."),
        ({"username": "anna", "emial": "x"}, "emial: Extra inputs are not permitted"),
        ({}, "username: Field required"),
    ],
)
def test_an_account_that_cannot_be_opened_is_refused_in_a_sentence(staff: Program, body: object, told: str) -> None:
    assert told in staff.ask("POST", "users/", body, 422)["detail"]
    assert User.objects.count() == 1


def test_an_account_is_changed_and_nobody_takes_their_own_rights(staff: Program) -> None:
    anna = worker("anna")
    changed = staff.ask("PATCH", f"users/{anna.pk}/", {"id": anna.pk, "email": "n@example.org", "requester": True})
    assert (changed["email"], changed["requester"], changed["username"]) == ("n@example.org", True, "anna")
    assert staff.ask("PATCH", f"users/{anna.pk}/", {"is_active": False})["requester"]
    stan = User.objects.get(username="stan")
    staff.ask("PATCH", f"users/{stan.pk}/", {"is_staff": False}, 422)
    staff.ask("PATCH", f"users/{anna.pk}/", {"is_superuser": True}, 422)
    staff.ask("PATCH", "users/99/", {"email": ""}, 404)


def test_the_accounts_of_a_table_are_opened_all_or_none(staff: Program) -> None:
    problem = staff.ask("POST", "users/table/", {"csv_text": "username\nanna\nstan\n"}, 422)
    assert "Line 3" in problem["detail"]
    assert User.objects.count() == 1
    links = staff.ask("POST", "users/table/", {"csv_text": "username,groups\nanna,film;books\nben,\n"}, 201)
    assert [each["username"] for each in links] == ["anna", "ben"]
    assert sorted(each.name for each in User.objects.get(username="anna").groups.all()) == ["books", "film"]


def test_groups_are_made_found_by_name_and_given_members(staff: Program) -> None:
    anna = worker("anna", "others")
    made = staff.ask("POST", "groups/", {"name": "my film group", "users": []}, 201)
    staff.ask("POST", f"groups/{made['id']}/users/", {"users": [anna.pk]})
    assert staff.ask("GET", "groups/name/my film group/")["results"][0]["users"] == [anna.pk]
    staff.ask("POST", f"groups/{made['id']}/users/", {"users": [99]}, 422)
    staff.ask("GET", "groups/name/none/", status=404)


def test_a_list_is_told_page_by_page(staff: Program) -> None:
    Group.objects.bulk_create(Group(name=f"group {number}") for number in range(150))
    first = staff.ask("GET", "groups/")
    second = staff.ask("GET", first["next"].removeprefix("http://localhost/api/"))
    assert (len(first["results"]), second["next"]) == (100, None)
    assert first["count"] == 151 == len(first["results"]) + len(second["results"])
    staff.ask("GET", "groups/?page=9", status=404)


def test_the_page_of_tokens_is_for_requesters_and_staff() -> None:
    assert client_of(worker("wanda")).get("/account/tokens/").status_code == 403
    requester = worker("rita")
    let_make_projects(requester, True)
    page = soup(client_of(requester), "/account/tokens/")
    assert "You have no token." in text(page)
