"""The sheet: the one address where answers are taken, and what stands in it."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import override_settings
from django.utils import timezone

from tests.annotation.conftest import TASK, client_of
from tests.annotation.people import batch, worker
from tests.server.pages import soup, text
from tests.task_folders import csv_text
from turkle_app.annotation.claims import claim, give_back
from turkle_app.annotation.models import Assignment, State
from turkle_app.annotation.sheet_token import sheet_of, sheet_token

pytestmark = [pytest.mark.usefixtures("accounts"), pytest.mark.sqlite]


@pytest.fixture
def own(accounts: Path) -> Assignment:
    del accounts
    return claim(batch().pk, worker("wanda"))


def path(own: Assignment) -> str:
    return f"/sheet/{sheet_token(own.pk)}/"


def test_a_sheet_is_the_task_page_with_a_form_that_comes_back(own: Assignment) -> None:
    bare = client_of().get(f"/page/{TASK}/0/").content.decode()
    page = client_of().get(path(own)).content.decode()
    script = page.index("<script>", page.index("turkSetAssignmentID"))
    end = page.index("</script>", script) + len("</script>")
    assert page[:script] + page[end:] == bare
    assert "setAttribute" in page[script:end]


def test_a_sheet_stands_in_a_sandbox_gives_no_cookie_and_is_never_stored(own: Assignment) -> None:
    client = client_of(own.worker)
    for answer in (client.get(path(own)), client.post(path(own), {"a": "x"})):
        policy = answer.headers["Content-Security-Policy"]
        assert policy.startswith("sandbox allow-scripts allow-forms allow-modals; form-action 'self'")
        assert "allow-same-origin" not in policy
        assert not answer.cookies
        assert answer.headers["Cache-Control"] == "no-store"
        assert answer.headers["Referrer-Policy"] == "no-referrer"


def test_answers_are_kept_as_the_browser_sent_them_and_of_files_the_names(own: Assignment) -> None:
    file = SimpleUploadedFile("picture.png", b"bytes")
    answer = client_of(strict=True).post(path(own), {"a": ["2", "1", ""], "b": " x \r\ny", "file": file})
    assert answer.status_code == 200
    assert "Your answers have arrived" in answer.content.decode()
    own.refresh_from_db()
    assert own.answers == {"a": ["2", "1", ""], "b": [" x \r\ny"], "file": ["picture.png"]}


def test_a_sheet_is_submitted_once(own: Assignment) -> None:
    client = client_of()
    assert client.post(path(own), {"a": "first"}).status_code == 200
    refused = client.post(path(own), {"a": "second"})
    assert refused.status_code == 409
    assert "first answers count" in refused.content.decode()
    assert client.get(path(own)).status_code == 410
    own.refresh_from_db()
    assert own.answers == {"a": ["first"]}


def test_what_was_given_back_is_neither_shown_nor_taken(own: Assignment) -> None:
    give_back(own, State.RETURNED)
    assert client_of().get(path(own)).status_code == 410
    assert client_of().post(path(own), {"a": "x"}).status_code == 409


@pytest.mark.parametrize(
    "token", ["1", "1.", "1.x", "x.y", "2.SIGNATURE", "1.SIGNATUREx", "01.SIGNATURE", "1.SIGNATURE.1", "%00", "9" * 400]
)
def test_a_token_that_was_not_made_here_is_nothing(own: Assignment, token: str) -> None:
    signature = sheet_token(own.pk).partition(".")[2]
    made_up = token.replace("SIGNATURE", signature)
    assert sheet_of(made_up) is None
    for answer in (client_of().get(f"/sheet/{made_up}/"), client_of().post(f"/sheet/{made_up}/", {"a": "x"})):
        assert answer.status_code == 404
    own.refresh_from_db()
    assert own.state == State.CLAIMED


def test_another_key_makes_other_tokens(own: Assignment) -> None:
    token = sheet_token(own.pk)
    with override_settings(SECRET_KEY="another key of some length, which nobody knows"):  # noqa: S106
        assert sheet_of(token) is None


def test_an_instance_that_has_left_the_table_is_not_shown_as_another(own: Assignment, accounts: Path) -> None:
    (accounts / TASK / "batch.csv").write_text(csv_text(["text", "Answer.a", "Answer.b"], ["new", "", ""]))
    gone = client_of().get(path(own))
    assert gone.status_code == 410
    assert "no longer in it" in gone.content.decode()
    page = text(soup(client_of(own.worker), f"/work/assignment/{own.pk}/"))
    assert "no longer in it. Return it" in page
    assert client_of().post(path(own), {"a": "typed before"}).status_code == 200
    staff = client_of(worker("stan", staff=True))
    assert "no longer in the task’s table" in text(soup(staff, f"/manage/assignment/{own.pk}/"))
    assert "1 submitted assignment belongs to instances" in text(soup(staff, f"/manage/batch/{own.batch_id}/"))


def test_rows_that_move_take_their_assignment_along(own: Assignment, accounts: Path) -> None:
    rows = [["new", "", ""], ["text 0", "", ""]]
    (accounts / TASK / "batch.csv").write_text(csv_text(["text", "Answer.a", "Answer.b"], *rows))
    assert "<p>text 0</p>" in client_of().get(path(own)).content.decode()


def test_a_page_around_a_sheet_says_how_much_time_is_left(own: Assignment) -> None:
    Assignment.objects.filter(pk=own.pk).update(expires_at=timezone.now() + timedelta(seconds=3599.5))
    page = soup(client_of(own.worker), f"/work/assignment/{own.pk}/")
    assert page.find(id="time-left").get_text() in {"1:00:00", "59:59", "59:58", "59:57"}
    assert 3500 < float(page.find(id="assignment")["data-seconds-left"]) < 3600


@pytest.mark.claim("web-sheet")
def test_a_name_that_no_database_holds_is_kept_without_what_it_cannot(own: Assignment) -> None:
    assert client_of().post(path(own), {"a\0b": "c\0d"}).status_code == 200
    own.refresh_from_db()
    assert own.answers == {"a\N{REPLACEMENT CHARACTER}b": ["c\N{REPLACEMENT CHARACTER}d"]}
