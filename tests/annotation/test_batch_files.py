"""A further batch of a project is handed over as a table, and one that nobody has begun is changed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from bs4 import BeautifulSoup
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from tests.annotation.conftest import TASK, TEMPLATE, client_of
from tests.annotation.people import another, batch, worker
from tests.annotation.uploading import names
from tests.server.pages import soup, text
from turkle_app.annotation.claims import claim, claim_next, submit
from turkle_app.annotation.instances import instance_ids
from turkle_app.annotation.models import Batch, BatchState, Project

pytestmark = pytest.mark.sqlite

TABLE = "text\r\nnew one\r\nnew two\r\n"


@pytest.fixture
def staff(accounts: Path, own_cache: Path) -> Iterator[Client]:
    del accounts, own_cache
    return client_of(worker("stan", staff=True))


def typed(page: BeautifulSoup) -> str:
    """What stands in the text area of a page, as a browser reads it."""
    return page.select_one("textarea").get_text().replace("\r\n", "\n").removeprefix("\n")


def hand_over(staff: Client, address: str, table: str | None = TABLE, template: str | None = None):
    """Send the form of a page with a template and a table; the template that is in it unless said otherwise."""
    shown = typed(soup(staff, address))
    form: dict[str, object] = {"template": (shown if template is None else template).replace("\n", "\r\n")}
    if table is not None:
        form["table"] = SimpleUploadedFile("../rows.csv", table.encode())
    return staff.post(address, form)


def asked(**changed: object) -> dict[str, object]:
    return {"how": "add", "name": "Second", "assignments_per_instance": 2, "minutes": 5, "publish": "on"} | changed


def test_a_table_becomes_a_batch_of_the_projects_template_after_a_look_at_its_pages(
    staff: Client, accounts: Path
) -> None:
    first = batch()
    (accounts / TASK / "media").mkdir()
    (accounts / TASK / "media" / "a.png").write_bytes(b"a picture")
    (accounts / TASK / "template.html").write_text(TEMPLATE + '<img src="media/a.png">\n')
    preview = hand_over(staff, f"/manage/{first.project_id}/new/").url
    page = soup(staff, preview)
    assert "not added yet" in text(page)
    frame = client_of().get(page.iframe["src"]).content.decode()
    assert "new one" in frame
    assert '"/page/which%20one/media/a.png"' in frame
    assert names(accounts) == [TASK]

    added = staff.post(preview, asked())
    made = Batch.objects.get(name="Second")
    assert added.url == f"/manage/batch/{made.pk}/"
    assert (made.project, made.task, made.state, made.created_by.username) == (
        first.project, f"{TASK} 2", "published", "stan"
    )  # fmt: skip
    assert (made.assignments_per_instance, made.expiry_seconds, len(made.fingerprint)) == (2, 300, 64)
    for file in ("template.html", "task.json", "media/a.png"):
        assert (accounts / made.task / file).read_bytes() == (accounts / TASK / file).read_bytes(), file
    assert (accounts / made.task / "batch.csv").read_bytes() == TABLE.encode()
    assert len(instance_ids(made.task)) == 2
    assert staff.get(preview).status_code == 404


def test_a_new_version_of_the_template_keeps_the_answers_to_the_old_one_apart(staff: Client, accounts: Path) -> None:
    first, anna = batch(), worker("anna")
    submit(claim(first.pk, anna).pk, {"a": ["old"]})
    newer = "<h1>${text}</h1><input name=c>"
    preview = hand_over(staff, f"/manage/{first.project_id}/new/", "text\ntext 0\n", newer).url
    staff.post(preview, asked())
    made = Batch.objects.get(name="Second")
    assert (accounts / made.task / "template.html").read_text() == newer
    assert (accounts / TASK / "template.html").read_text() == TEMPLATE
    for _ in range(4):
        submit(claim_next(first.project, anna).pk, {"c": ["new"]})
    olds = staff.get(f"/manage/batch/{first.pk}/results.csv").content.decode()
    news = staff.get(f"/manage/batch/{made.pk}/results.csv").content.decode()
    assert ("Answer.a" in olds, "Answer.a" in news, "Answer.c" in news) == (True, False, True)
    assert typed(soup(staff, f"/manage/{first.project_id}/new/")) == newer


@pytest.mark.parametrize(
    ("table", "template", "said"),
    [
        ("text\na,b\n", None, "the row has 2 cells where the header has 1"),
        ("other\na\n", None, "the variable ${text}"),
        (TABLE, "${missing}", "the variable ${missing}"),
    ],
)
def test_what_is_wrong_is_told_with_what_was_typed_and_nothing_is_added(
    staff: Client, accounts: Path, table: str, template: str | None, said: str
) -> None:
    first = batch()
    refused = hand_over(staff, f"/manage/{first.project_id}/new/", table, template)
    assert refused.status_code == 422
    assert said in text(BeautifulSoup(refused.content, "html.parser"))
    assert typed(BeautifulSoup(refused.content, "html.parser")) == (template or TEMPLATE)
    assert hand_over(staff, f"/manage/{first.project_id}/new/", None).status_code == 422
    assert names(accounts) == [TASK]
    assert Batch.objects.count() == 1


def test_what_is_asked_for_is_checked_and_what_is_thrown_away_adds_nothing(staff: Client, accounts: Path) -> None:
    first = batch()
    preview = hand_over(staff, f"/manage/{first.project_id}/new/").url
    for wrong in ({"name": "Batch 1"}, {"minutes": 0}, {"assignments_per_instance": 0}, {"name": ""}):
        assert 'role="alert"' in staff.post(preview, asked(**wrong)).content.decode()
    assert staff.post(preview, {"how": "discard"}).url == f"/manage/{first.project_id}/"
    assert staff.get(preview).status_code == 404
    assert (names(accounts), Batch.objects.count()) == ([TASK], 1)


def test_a_project_without_a_batch_gets_its_first_one_with_a_template(staff: Client, accounts: Path) -> None:
    empty = Project.objects.create(title="../ a title / of two")
    preview = hand_over(staff, f"/manage/{empty.pk}/new/", template=TEMPLATE).url
    staff.post(preview, asked())
    assert empty.batches.get().task in names(accounts)


@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
def test_template_and_table_are_changed_while_nobody_has_begun(staff: Client, accounts: Path, end: bytes) -> None:
    made = batch(state=BatchState.DRAFT)
    before = b"\n<p>${text}</p>\n<input name=a>\n".replace(b"\n", end)
    (accounts / TASK / "template.html").write_bytes(before)
    address = f"/manage/batch/{made.pk}/files/"
    assert address in {link["href"] for link in soup(staff, f"/manage/batch/{made.pk}/").select("a")}

    preview = hand_over(staff, address).url  # with another table alone
    assert len(instance_ids(TASK)) == 4
    staff.post(preview, {"how": "keep"})
    assert (accounts / TASK / "template.html").read_bytes() == before
    assert len(instance_ids(TASK)) == 2

    changed = "\n<p>${text}</p>\n<input name=b>\n"
    staff.post(hand_over(staff, address, None, changed).url, {"how": "keep"})
    assert (accounts / TASK / "template.html").read_bytes() == changed.encode().replace(b"\n", end)
    assert "has changed since" not in text(soup(staff, f"/manage/batch/{made.pk}/"))
    assert names(accounts / TASK) == ["batch.csv", "task.json", "template.html"]


def test_changes_that_are_wrong_or_thrown_away_change_nothing(staff: Client, accounts: Path) -> None:
    made = batch()
    address = f"/manage/batch/{made.pk}/files/"
    before = {file: (accounts / TASK / file).read_bytes() for file in ("template.html", "batch.csv")}
    assert hand_over(staff, address, None, "${missing}").status_code == 422
    preview = hand_over(staff, address).url
    assert staff.post(preview, {"how": "discard"}).url == f"/manage/batch/{made.pk}/"
    assert {file: (accounts / TASK / file).read_bytes() for file in before} == before


def test_what_workers_have_begun_or_two_batches_share_stays(staff: Client, accounts: Path) -> None:
    made = batch()
    preview = hand_over(staff, f"/manage/batch/{made.pk}/files/").url
    before = (accounts / TASK / "batch.csv").read_bytes()
    sharing = another(made.project, name="Sharing")
    assert "is made of the same task" in text(soup(staff, f"/manage/batch/{made.pk}/files/"))
    sharing.delete()
    claim(made.pk, worker("anna"))
    assert "Workers have begun" in staff.post(preview, {"how": "keep"}).content.decode()
    assert "Workers have begun" in text(soup(staff, f"/manage/batch/{made.pk}/files/"))
    assert (accounts / TASK / "batch.csv").read_bytes() == before


def test_a_task_that_is_gone_is_said(staff: Client, accounts: Path) -> None:
    made = batch()
    (accounts / TASK).rename(accounts / "elsewhere")
    assert "no longer in the served folder" in text(soup(staff, f"/manage/batch/{made.pk}/files/"))
    shown = text(soup(staff, f"/manage/{made.project_id}/new/"))
    assert re.search("no longer in the served folder.*Paste the template", shown)
