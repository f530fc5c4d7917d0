"""Accounts of a table, in the browser and by command; a link by mail; what commands know of the server that runs."""

from __future__ import annotations

import csv
import io
import re
import socket
from pathlib import Path
from unittest.mock import patch

import pytest
from bs4 import BeautifulSoup
from django.contrib.auth.models import User
from django.core import mail
from django.core.exceptions import ImproperlyConfigured
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.test import Client, override_settings

from tests.annotation.conftest import client_of
from tests.annotation.people import worker
from tests.annotation.stores import settings_with_accounts
from tests.server.pages import soup, text
from turkle_app.annotation.account_table import UnusableAccounts, read_accounts
from turkle_app.annotation.login_limits import MOST_BY_NAME
from turkle_app.annotation.models import AnonymousWorker
from turkle_app.annotation.people import makes_projects
from turkle_app.annotation.prepared import note_server

pytestmark = pytest.mark.usefixtures("accounts", "mailbox")

TABLE = (
    "username,email,groups,is_staff,password\r\n"
    "anna,anna@example.org,film; books,,\r\n"
    "ben,,,yes,quite a long password\r\n"
)
MAIL = {"TURKLE_MAIL": True, "EMAIL_BACKEND": "django.core.mail.backends.locmem.EmailBackend"}


@pytest.fixture
def mailbox() -> None:
    """An empty one: Django's is of the whole process."""
    mail.outbox = []


def send(client: Client, table: str) -> object:
    return client.post("/manage/people/table/", {"table": SimpleUploadedFile("people.csv", table.encode())})


def test_staff_open_the_accounts_of_a_table_and_get_a_link_for_each_without_a_password() -> None:
    page = send(client_of(worker("stan", staff=True)), TABLE).content.decode()
    link = re.search(r"http://localhost(/account/password/\S+?/)<", page)[1]
    assert "anna" in page
    assert client_of().get(link).status_code == 200
    anna, ben = (User.objects.get(username=name) for name in ("anna", "ben"))
    assert (anna.email, anna.is_staff, ben.is_staff) == ("anna@example.org", False, True)
    assert sorted(group.name for group in anna.groups.all()) == ["books", "film"]
    assert ben.check_password("quite a long password")


@pytest.mark.parametrize(
    ("table", "told"),
    [
        ("", "names no column 'username'"),
        ("username\n", "The table holds no account."),
        ("name\nanna\n", "no column 'name'"),
        ("username\nanna\nanna\n", "anna stands in the table more than once."),
        ("username\na b\n", "Line 2: Enter a valid username"),
        ("username\nstan\n", "Line 2: A user with that username already exists."),
        ("username,password\nanna,short\n", "Line 2: This password is too short"),
        ("username,is_staff\nanna,maybe\n", "is_staff is 'maybe': write true or false."),
        ("username,email\nanna\n", "Line 2 has 1 cells; there are 2 columns."),
        ('username\n"anna\n', "The table is no CSV"),
    ],
)
def test_of_a_table_with_a_fault_no_account_is_opened_and_the_fault_is_told(table: str, told: str) -> None:
    staff = client_of(worker("stan", staff=True))
    refused = send(staff, table)
    assert refused.status_code == 422
    assert told in " ".join(text_of(refused).split())
    assert User.objects.count() == 1


def text_of(response: object) -> str:
    return text(BeautifulSoup(response.content, "html.parser"))  # type: ignore[attr-defined]


def test_a_table_in_another_encoding_or_of_too_many_rows_is_refused() -> None:
    with pytest.raises(UnusableAccounts, match="UTF-8"):
        read_accounts("username\nJosé\n".encode("latin-1"))
    with pytest.raises(UnusableAccounts, match="more than 5,000"):
        read_accounts(b"username\n" + b"".join(b"u%d\n" % number for number in range(5_001)))


def test_the_command_opens_a_table_and_prints_links_at_the_server_that_runs(tmp_path: Path) -> None:
    (tmp_path / "people.csv").write_text(TABLE)
    out, told = io.StringIO(), io.StringIO()
    with data(tmp_path), socket.create_server(("127.0.0.1", 0)) as server:
        origin = f"http://127.0.0.1:{server.getsockname()[1]}"
        note_server(origin)
        call_command("annotators", "table", str(tmp_path / "people.csv"), stdout=out, stderr=told)
    (row,) = csv.DictReader(io.StringIO(out.getvalue()))
    assert row["username"] == "anna"
    assert row["link"].startswith(f"{origin}/account/password/")
    assert "2 accounts opened" in told.getvalue()
    (tmp_path / "people.csv").write_text("username\nanna\n")
    with pytest.raises(CommandError, match=r"No account was opened\.\nLine 2"):
        call_command("annotators", "table", str(tmp_path / "people.csv"))


def data(folder: Path) -> object:
    return patch.dict("os.environ", {"XDG_DATA_HOME": str(folder)})


def test_where_no_server_runs_the_command_says_so(tmp_path: Path) -> None:
    with data(tmp_path):
        with socket.create_server(("127.0.0.1", 0)) as server:
            note_server(f"http://127.0.0.1:{server.getsockname()[1]}")
        out, told = io.StringIO(), io.StringIO()
        call_command("annotators", "add", "anna", "--requester", stdout=out, stderr=told)
    assert "No server of this database runs here" in told.getvalue()
    assert "at http://127.0.0.1:8000/account/password/" in out.getvalue()
    assert makes_projects(User.objects.get(username="anna"))


def test_the_command_prints_a_token_that_works() -> None:
    worker("stan", staff=True)
    out = io.StringIO()
    call_command("annotators", "token", "stan", stdout=out, stderr=io.StringIO())
    headers = {"Authorization": f"Bearer {out.getvalue().strip()}"}
    assert client_of().get("/api/users/", headers=headers).status_code == 200


@override_settings(**MAIL)
def test_a_link_goes_by_mail_to_the_address_that_is_kept_and_the_answer_is_the_same_for_all() -> None:
    anna = worker("anna")
    User.objects.filter(pk=anna.pk).update(email="Anna@example.org")
    assert soup(client_of(), "/account/login/").select_one("a[href='/account/password/forgotten/']")
    pages = [
        client_of().post("/account/password/forgotten/", {"email": email}).content
        for email in ("anna@EXAMPLE.org", "nobody@example.org", "")
    ]
    assert pages[0] == pages[1] == pages[2]
    (letter,) = mail.outbox
    assert letter.to == ["Anna@example.org"]
    link = re.search(r"http://localhost(/\S+)", letter.body)[1]
    client_of().post(link, {"new_password1": "a rather long one", "new_password2": "a rather long one"})
    anna.refresh_from_db()
    assert anna.check_password("a rather long one")


@override_settings(**MAIL)
def test_nobody_floods_a_mailbox_and_closed_and_anonymous_accounts_get_nothing() -> None:
    for name in ("closed", "anonymous"):
        User.objects.filter(pk=worker(name).pk).update(email="a@example.org", is_active=name != "closed")
    AnonymousWorker.objects.create(user=User.objects.get(username="anonymous"))
    client = client_of()
    answers = [client.post("/account/password/forgotten/", {"email": "a@example.org"}) for _ in range(MOST_BY_NAME + 1)]
    assert [answer.status_code for answer in answers] == [200] * MOST_BY_NAME + [429]
    assert mail.outbox == []


@override_settings(
    TURKLE_MAIL=True, EMAIL_BACKEND="django.core.mail.backends.smtp.EmailBackend", EMAIL_HOST="127.0.0.1"
)
def test_a_server_of_mail_that_is_not_there_is_told() -> None:
    User.objects.filter(pk=worker("anna").pk).update(email="a@example.org")
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with override_settings(EMAIL_PORT=port):
        answer = client_of().post("/account/password/forgotten/", {"email": "a@example.org"})
    assert answer.status_code == 503
    assert "ask whoever runs this server" in text_of(answer)


def test_without_a_server_of_mail_the_page_says_whom_to_ask() -> None:
    assert "This server sends no mail." in text(soup(client_of(), "/account/password/forgotten/"))
    assert not soup(client_of(), "/account/login/").select("a[href*='forgotten']")


@pytest.mark.sqlite
def test_the_server_of_mail_is_read_from_its_address_and_no_secret_is_told(tmp_path: Path) -> None:
    def read(url: str) -> dict[str, object]:
        with patch.dict("os.environ", {"MAIL_URL": url}):
            return settings_with_accounts(f"sqlite:///{tmp_path}/x.sqlite3", tmp_path)

    found = read("smtps://tasks:p%40ss@mail.example.org?from=tasks@example.org")
    assert (found["EMAIL_PORT"], found["EMAIL_HOST_PASSWORD"], found["EMAIL_USE_SSL"]) == (465, "p@ss", True)
    assert read("smtp+starttls://mail.example.org:5870?from=a@b")["EMAIL_PORT"] == 5870
    for wrong in ("mail.example.org", "smtps://u:secret@mail.example.org", "smtps://u:secret@h:x?from=a@b"):
        with pytest.raises(ImproperlyConfigured, match="MAIL_URL cannot be used") as caught:
            read(wrong)
        assert "u:secret" not in str(caught.value)
