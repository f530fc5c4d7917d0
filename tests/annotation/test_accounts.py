"""Logging in, how often one may fail, and links by which passwords are chosen."""

from __future__ import annotations

import io
import re
from datetime import timedelta
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.test import Client, override_settings
from django.utils import timezone

from tests.annotation.conftest import client_of
from tests.annotation.people import worker
from tests.server.pages import soup, text
from turkle_app.annotation.login_limits import MOST_BY_ADDRESS, MOST_BY_NAME, WINDOW
from turkle_app.annotation.models import FailedLogin
from turkle_app.annotation.password_links import password_path

pytestmark = pytest.mark.usefixtures("accounts")

PASSWORD = "quite a long password"  # noqa: S105


@pytest.fixture
def wanda(accounts: Path) -> User:
    del accounts
    user = worker("Wanda")
    user.set_password(PASSWORD)
    user.save()
    return user


def try_once(client: Client, password: str, name: str = "Wanda", **headers: str) -> int:
    return client.post("/account/login/", {"username": name, "password": password}, headers=headers).status_code


@pytest.mark.usefixtures("wanda")
def test_name_and_password_let_in_and_lead_where_one_wanted_to_go() -> None:
    form = {"username": "Wanda", "password": PASSWORD}
    for wanted, expected in {
        "/work/done/": "/work/done/",
        "": "/work/",
        "/": "/work/",
        "https://evil.example/": "/work/",
        "//evil.example/": "/work/",
        "javascript:alert(1)": "/work/",
    }.items():
        client = client_of()
        assert client.post("/account/login/", form | {"next": wanted})["Location"] == expected
        assert client.get("/work/").status_code == 200


@pytest.mark.usefixtures("wanda")
def test_what_is_wrong_is_not_told_apart() -> None:
    worker("closed", staff=True)
    User.objects.filter(username="closed").update(is_active=False)
    pages = []
    for name in ("Wanda", "nobody", "closed"):
        answer = client_of().post("/account/login/", {"username": name, "password": "wrong"})
        assert answer.status_code == 403
        pages.append(re.sub(r'value="[^"]*"', "", answer.content.decode()))
    assert pages[0] == pages[1] == pages[2]


@pytest.mark.usefixtures("wanda")
def test_after_too_many_failures_even_the_right_password_waits_and_then_works_again() -> None:
    client = client_of()
    assert {try_once(client, "wrong") for _ in range(MOST_BY_NAME)} == {403}
    assert try_once(client, PASSWORD) == 429
    assert try_once(client, PASSWORD, name="WANDA") == 429
    FailedLogin.objects.update(at=timezone.now() - WINDOW - timedelta(seconds=1))
    assert try_once(client, PASSWORD) == 302
    assert FailedLogin.objects.count() == 0


@pytest.mark.claim("log-in-stranger")
@pytest.mark.usefixtures("wanda")
def test_failures_of_a_stranger_keep_the_owner_out_of_no_account_that_is_used_from_elsewhere() -> None:
    stranger, owner = (Client(SERVER_NAME="localhost", REMOTE_ADDR=address) for address in ("10.0.0.1", "10.0.0.2"))
    assert {try_once(stranger, "wrong") for _ in range(MOST_BY_NAME)} == {403}
    assert try_once(stranger, PASSWORD) == 429
    assert try_once(owner, PASSWORD) == 302
    # That the owner came in gives the stranger no further tries.
    assert try_once(stranger, PASSWORD) == 429


@pytest.mark.claim("log-in-stranger")
@pytest.mark.usefixtures("wanda")
def test_addresses_of_one_network_of_ipv6_give_no_further_tries() -> None:
    tries = [Client(SERVER_NAME="localhost", REMOTE_ADDR=f"2001:db8:1:2::{place:x}") for place in range(MOST_BY_NAME)]
    assert {try_once(each, "wrong") for each in tries} == {403}
    assert try_once(Client(SERVER_NAME="localhost", REMOTE_ADDR="2001:db8:1:2:ffff::1"), PASSWORD) == 429
    assert try_once(Client(SERVER_NAME="localhost", REMOTE_ADDR="2001:db8:1:3::1"), PASSWORD) == 302


@pytest.mark.usefixtures("wanda")
def test_trying_on_does_not_prolong_the_wait() -> None:
    client = client_of()
    for _ in range(MOST_BY_NAME + 5):
        try_once(client, "wrong")
    assert FailedLogin.objects.count() == MOST_BY_NAME


@pytest.mark.usefixtures("wanda")
def test_one_address_cannot_try_one_password_with_all_names() -> None:
    FailedLogin.objects.bulk_create(
        FailedLogin(name=f"n{number}", address="127.0.0.1", at=timezone.now()) for number in range(MOST_BY_ADDRESS)
    )
    assert try_once(client_of(), PASSWORD) == 429
    assert Client(SERVER_NAME="localhost", REMOTE_ADDR="10.0.0.1").get("/account/login/").status_code == 200
    other = Client(SERVER_NAME="localhost", REMOTE_ADDR="10.0.0.1")
    assert other.post("/account/login/", {"username": "Wanda", "password": PASSWORD}).status_code == 302


@pytest.mark.usefixtures("wanda")
def test_what_a_proxy_says_of_the_address_counts_only_where_one_is_configured() -> None:
    assert try_once(client_of(), "wrong", **{"X-Forwarded-For": "1.2.3.4"}) == 403
    origins = ("https://work.example", "https://pages.example")
    with override_settings(TURKLE_ORIGINS=origins):
        assert try_once(client_of(), "wrong", **{"X-Forwarded-For": "6.6.6.6, 1.2.3.5"}) == 403
    assert list(FailedLogin.objects.order_by("id").values_list("address", flat=True)) == ["127.0.0.1", "1.2.3.5"]


def test_logging_out_takes_a_form_and_ends_the_session(wanda: User) -> None:
    client = client_of(wanda)
    assert client.get("/account/logout/").status_code == 405
    assert client.get("/work/").status_code == 200
    client.post("/account/logout/")
    assert client.get("/work/").status_code == 302


def test_a_link_works_once_and_no_account_has_a_password_before() -> None:
    user = worker("new")
    user.set_unusable_password()
    user.save()
    assert try_once(client_of(), "", name="new") == 403
    link = password_path(user)
    client = client_of()
    assert "new" in text(soup(client, link))
    for weak in ("short", "password12", "1234567890123"):
        refused = client.post(link, {"new_password1": weak, "new_password2": weak})
        assert refused.status_code == 200
        assert "errors" in refused.content.decode()
    chosen = {"new_password1": PASSWORD, "new_password2": PASSWORD}
    assert client.post(link, chosen)["Location"] == "/account/login/"
    for answer in (client.get(link), client.post(link, chosen)):
        assert answer.status_code == 410
    assert try_once(client, PASSWORD, name="new") == 302


@pytest.mark.parametrize("change", [{"is_active": False}, {"password": "!changed"}])
def test_a_link_of_a_closed_or_changed_account_is_void(change: dict[str, object]) -> None:
    user = worker("new")
    link = password_path(user)
    User.objects.filter(pk=user.pk).update(**change)
    assert client_of().get(link).status_code == 410


@pytest.mark.parametrize("link", ["/account/password/x/y/", "/account/password/%00/y/", "/account/password/OTk5/a-b/"])
def test_a_link_that_was_not_made_here_does_not_work(link: str) -> None:
    assert client_of().get(link).status_code == 410


def test_a_password_is_changed_with_the_old_one_and_ends_other_sessions(wanda: User) -> None:
    here, there = client_of(wanda), client_of(wanda)
    new = {"new_password1": "another long password", "new_password2": "another long password"}
    assert here.post("/account/password/", {"old_password": "wrong", **new}).status_code == 200
    assert here.post("/account/password/", {"old_password": PASSWORD, **new}).status_code == 302
    assert here.get("/work/").status_code == 200
    assert there.get("/work/").status_code == 302


def test_cookies_are_out_of_the_reach_of_scripts_and_of_other_sites(wanda: User) -> None:
    client = client_of()
    client.get("/account/login/")
    client.post("/account/login/", {"username": wanda.username, "password": PASSWORD})
    assert set(client.cookies) == {"turkle_session", "turkle_csrf"}
    for cookie in client.cookies.values():
        assert cookie["httponly"]
        assert cookie["samesite"] in {"Lax", "Strict"}


def said(*words: str) -> str:
    out = io.StringIO()
    call_command("annotators", *words, stdout=out)
    return out.getvalue()


def test_the_command_opens_an_account_and_prints_its_link_once() -> None:
    out = said("add", "anna", "--staff", "--group", "a", "--group", "b", "--origin", "https://work.example/")
    user = User.objects.get(username="anna")
    assert user.is_staff
    assert not user.has_usable_password()
    assert sorted(user.groups.values_list("name", flat=True)) == ["a", "b"]
    found = re.search(r"https://work\.example(/account/password/\S+)", out)
    assert found is not None
    assert client_of().get(found[1]).status_code == 200


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("add", "Wanda"), "already exists"),
        (("add", "two words"), "Enter a valid username"),
        (("link", "nobody"), "There is no account nobody"),
        (("add", "x", "--password"), "there is no terminal"),
    ],
)
@pytest.mark.usefixtures("wanda")
def test_the_command_says_in_a_line_why_it_cannot(words: tuple[str, ...], why: str) -> None:
    with pytest.raises(CommandError, match=why):
        said(*words)
    assert User.objects.count() == 1


def test_a_new_link_is_printed_for_an_account_that_has_a_password(wanda: User) -> None:
    found = re.search(r"/account/password/\S+", said("link", wanda.username))
    assert found is not None
    assert client_of().get(found[0]).status_code == 200


@pytest.mark.claim("log-in-names")
@pytest.mark.usefixtures("wanda")
def test_a_name_that_is_written_otherwise_gives_no_further_tries() -> None:
    client = client_of()
    ways = ["Wanda", " Wanda", "Wanda\t", "\N{FULLWIDTH LATIN CAPITAL LETTER W}anda", "\N{NO-BREAK SPACE}Wanda"]
    for attempt in range(MOST_BY_NAME):
        assert try_once(client, "wrong", name=ways[attempt % len(ways)]) == 403
    assert {try_once(client, "wrong", name=way) for way in ways} == {429}
