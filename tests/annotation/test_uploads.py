"""A task is handed over: errors, a look at its pages, and the task among the others."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.test import Client, override_settings

from harness.catalog.template.wrapping import ACCEPTED
from harness.kit.files.installation import BUNDLED_TASKS
from tests.annotation.conftest import TASK, client_of
from tests.annotation.people import worker
from tests.annotation.uploading import names, send, token
from tests.server.pages import soup, text

pytestmark = pytest.mark.sqlite

BAD = "title\r\nfirst,one\r\n"


@pytest.fixture
def staff(accounts: Path, own_cache: Path) -> Iterator[Client]:
    del accounts, own_cache
    return client_of(worker("stan", staff=True))


def test_a_bad_task_is_told_by_row_and_nothing_is_kept(staff: Client, accounts: Path, tmp_path: Path) -> None:
    response = send(staff, table=BAD)
    assert response.status_code == 422
    shown = response.content.decode()
    assert "This task cannot be used yet" in shown
    assert "the row has 2 cells where the header has 1" in shown
    assert 'value="new one"' in shown
    assert names(accounts) == [TASK]
    assert names(tmp_path / "cache" / "turkbench" / "uploads") == []


@pytest.mark.slow
def test_a_variable_without_a_column_is_told_with_its_name(staff: Client) -> None:
    shown = send(staff, page="${titel}").content.decode()
    assert "the variable ${titel} (line 1 of template.html) has no column; there is &#x27;title&#x27;" in shown


@pytest.mark.claim("uploads-staff")
def test_a_good_task_is_looked_at_before_anything_is_added_and_then_is_one_of_all(staff: Client, accounts) -> None:
    key = token(send(staff))
    assert names(accounts) == [TASK]
    page = soup(staff, f"/manage/upload/{key}/?instance=1")
    assert "not added yet" in text(page)
    frame = page.find("iframe")
    assert frame["src"].endswith(f"/page/uploaded/{key}/1/?{ACCEPTED}")
    assert frame["sandbox"] == ["allow-scripts", "allow-forms", "allow-modals"]
    framed = client_of().get(frame["src"])  # the frame has no cookies
    assert "<h1>second one</h1>" in framed.content.decode()
    assert framed["Content-Security-Policy"].startswith("sandbox allow-scripts allow-forms allow-modals;")
    assert names(accounts) == [TASK]

    added = staff.post(f"/manage/upload/{key}/add/", {"how": "add"})
    assert added.url == "/task/new%20one/"
    assert names(accounts) == ["new one", TASK]
    assert names(accounts / "new one") == ["batch.csv", "template.html"]
    assert "2 instances" in text(soup(staff, added.url))
    assert staff.get(f"/manage/upload/{key}/").status_code == 404  # kept no longer


def test_what_is_thrown_away_is_gone_and_was_never_added(staff: Client, accounts: Path) -> None:
    key = token(send(staff))
    assert staff.post(f"/manage/upload/{key}/add/", {"how": "discard"}).url == "/manage/upload/"
    assert names(accounts) == [TASK]
    assert client_of().get(f"/page/uploaded/{key}/0/").status_code == 404


@pytest.mark.claim("uploads-staff")
@pytest.mark.parametrize(
    "name", ["../out", "a/b", "..", ".hidden", "_x", "splits", "", "  ", TASK, TASK.upper(), "a\\b"]
)
def test_names_that_lead_elsewhere_or_are_taken_are_refused(staff: Client, accounts: Path, name: str) -> None:
    assert send(staff, name=name).status_code == 422
    assert names(accounts) == [TASK]
    assert names(accounts.parent) == ["tasks"]


def test_a_name_that_was_taken_between_the_look_and_the_adding_is_refused(staff: Client, accounts: Path) -> None:
    key = token(send(staff))
    (accounts / "New One").mkdir()
    (accounts / "New One" / "template.html").write_text("theirs")
    response = staff.post(f"/manage/upload/{key}/add/", {"how": "add"}, follow=True)
    assert "There is a task called &#x27;New One&#x27; already" in response.content.decode()
    assert (accounts / "New One" / "template.html").read_text() == "theirs"
    assert names(accounts) == ["New One", TASK]


def test_without_one_of_the_files_it_is_asked_for(staff: Client) -> None:
    response = staff.post("/manage/upload/", {"name": "new one"})
    assert response.status_code == 422
    shown = response.content.decode()
    assert "Choose the template." in shown
    assert "Choose the table." in shown


def test_what_a_form_of_an_uploaded_page_sends_is_dropped(staff: Client) -> None:
    key = token(send(staff))
    response = client_of(strict=True).post(f"/page/uploaded/{key}/0/", {"a": "x"})
    assert (response.status_code, response.content) == (204, b"")


def test_an_upload_that_nobody_added_is_forgotten_after_a_day(staff: Client, tmp_path: Path) -> None:
    old, new = token(send(staff)), token(send(staff, name="newer"))
    folder = tmp_path / "cache" / "turkbench" / "uploads"
    yesterday = time.time() - 25 * 3600
    os.utime(folder / old, (yesterday, yesterday))
    send(staff, name="newest")
    assert old not in names(folder)
    assert new in names(folder)


@pytest.mark.parametrize("key", ["0" * 32, "..", "x", "%2e%2e"])
def test_other_tokens_lead_nowhere(staff: Client, key: str) -> None:
    assert staff.get(f"/manage/upload/{key}/").status_code in {301, 404}
    assert staff.get(f"/page/uploaded/{key}/0/").status_code in {301, 404}


def test_tasks_that_come_with_the_project_are_not_added_to(staff: Client) -> None:
    before = names(BUNDLED_TASKS)
    key = token(send(staff))
    with override_settings(TURKLE_TASKS_DIR=BUNDLED_TASKS):
        assert "Start it with --tasks-dir" in staff.get("/manage/upload/").content.decode()
        send(staff)
        staff.post(f"/manage/upload/{key}/add/", {"how": "add"})
    assert names(BUNDLED_TASKS) == before


@pytest.mark.claim("uploads-staff")
def test_only_staff_hand_over_tasks_and_only_from_our_own_pages(staff: Client, accounts: Path) -> None:
    key = token(send(staff))
    for client, status in ((client_of(), 302), (client_of(worker("wanda")), 403)):
        assert send(client, name="theirs").status_code == status
        assert client.get(f"/manage/upload/{key}/").status_code == status
        assert client.post(f"/manage/upload/{key}/add/", {"how": "add"}).status_code == status
    forged = client_of(worker("sue", staff=True), strict=True)
    assert send(forged, name="forged").status_code == 403
    assert forged.post(f"/manage/upload/{key}/add/", {"how": "add"}).status_code == 403
    assert names(accounts) == [TASK]


def test_a_task_without_labels_is_not_shown_as_faulty(staff: Client) -> None:
    added = staff.post(f"/manage/upload/{token(send(staff))}/add/", {"how": "add"})
    page = soup(staff, added.url)
    assert [text(badge) for badge in page.select(".badge")] == ["train", "no labels yet"]
    assert [text(row.select_one("td:nth-of-type(2)")) for row in page.select("#instances ~ div tbody tr")] == ["0", "0"]
    assert "problem" not in text(page)
    assert "no labels yet" in text(soup(staff, f"{added.url}0/"))
    assert "problem" not in text(soup(staff, "/").select_one("main"))
    shown = text(soup(staff, "/problems/"))
    assert "Nothing is wrong" in shown
    assert "To be known" in shown
    assert "no column holds labels" in shown
