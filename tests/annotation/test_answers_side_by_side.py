"""Answers side by side, the answer that counts, approval, and agreement while answers are collected."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.test import Client

from harness.catalog import Catalog
from harness.catalog.annotations.results_file import read_results
from harness.datasets.collecting import collect
from tests.annotation.conftest import client_of
from tests.annotation.people import batch, worker
from tests.server.pages import soup, text
from tests.task_folders import csv_text, make_task
from turkle_app.annotation.claims import claim, reject, submit
from turkle_app.annotation.instance_answers import adjudicated
from turkle_app.annotation.models import Assignment, Batch
from turkle_app.annotation.project_results import results_of

pytestmark = pytest.mark.usefixtures("accounts")

CHOICE = (
    "<p>${text}</p><input type=radio name=mood value=good><input type=radio name=mood value=bad><textarea name=why>"
)
KINDS = CHOICE + "</textarea><input type=checkbox name=tags value=a><input type=checkbox name=tags value=b>"


@pytest.fixture
def staff(accounts: Path) -> Client:
    make_task(accounts, "moods", template=KINDS, table=csv_text(["text"], *([f"text {n}"] for n in range(3))))
    return client_of(worker("stan", staff=True))


def answered(made: Batch, **by_worker: dict[str, list[str]]) -> dict[str, Assignment]:
    """Let new workers answer the first instance; gives their assignments by name."""
    return {name: submit(claim(made.pk, worker(name)).pk, given) for name, given in by_worker.items()}


def three(made: Batch) -> dict[str, Assignment]:
    return answered(
        made,
        ann={"mood": ["good"], "why": ["it <b>is</b>"], "tags": ["a", "b"]},
        ben={"mood": ["good"], "why": ["so"], "tags": ["b"]},
        cat={"mood": ["bad"], "why": [""], "later": ["x"]},
    )


def place(made: Batch, instance_id: str) -> str:
    return f"/manage/batch/{made.pk}/instance/{instance_id}/"


def test_answers_stand_in_columns_with_the_majority_marked_and_chosen(staff: Client) -> None:
    made = batch(asked=3, task="moods")
    given = three(made)
    page = soup(staff, place(made, given["ann"].instance_id))
    assert [text(cell).split()[0] for cell in page.select(".sides thead th")][1:4] == ["ann", "ben", "cat"]
    rows = {text(row.th).split()[0]: row for row in page.select(".sides tbody tr")}
    assert list(rows) == ["mood", "why", "tags", "later"]
    mood = rows["mood"].select("td")
    assert ["majority" in (cell.get("class") or []) for cell in mood[:3]] == [True, True, False]
    assert [cell.input.has_attr("checked") for cell in mood[:3]] == [True, False, False]
    assert text(rows["mood"].th) == "mood 33.3 % agree"
    assert not rows["why"].select("input[checked]")
    assert "it <b>is</b>" in text(rows["why"])
    assert page.iframe["src"].split("?")[0].endswith("/page/moods/0/")


def test_the_answer_that_counts_is_put_together_and_kept_with_who_and_when(staff: Client) -> None:
    made = batch(asked=3, task="moods")
    given = three(made)
    here = place(made, given["ann"].instance_id)
    chosen = {"choice-0": given["cat"].pk, "choice-1": "written", "written-1": "my own", "choice-2": given["ann"].pk}
    staff.post(here, {"how": "decide", **chosen})
    page = soup(staff, here)
    kept = adjudicated(made, given["ann"].instance_id)
    assert kept is not None
    assert kept.answers == {"mood": ["bad"], "why": ["my own"], "tags": ["a", "b"]}
    assert (kept.by.username, kept.chosen) == ("stan", None)
    assert "as stan decided on" in text(page)
    assert page.select_one("textarea[name=written-1]").text == "my own"
    staff.post(here, {"how": f"all-{given['ben'].pk}"})
    again = adjudicated(made, given["ann"].instance_id)
    assert (again.answers, again.chosen) == (given["ben"].answers, given["ben"])
    assert made.adjudications.count() == 2


def test_a_decision_without_any_answer_or_with_another_instances_answer_is_refused(staff: Client) -> None:
    made = batch(asked=3, task="moods")
    given = three(made)
    here = place(made, given["ann"].instance_id)
    other = submit(claim(made.pk, given["ann"].worker).pk, {"mood": ["bad"]})
    for wrong in ({"how": "decide"}, {"how": f"all-{other.pk}"}, {"how": "decide", "choice-0": other.pk}):
        staff.post(here, wrong)
        assert made.adjudications.count() == 0
    assert "Choose or write an answer" in staff.post(here, {"how": "decide"}, follow=True).content.decode()


def test_an_approved_assignment_says_who_approved_it_and_one_that_is_not_submitted_cannot_be(staff: Client) -> None:
    made = batch(asked=3, task="moods")
    given = three(made)
    here = place(made, given["ann"].instance_id)
    staff.post(here, {"how": f"approve-{given['ann'].pk}"})
    staff.post(f"/manage/assignment/{given['ben'].pk}/", {"how": "approve"})
    for name in ("ann", "ben"):
        given[name].refresh_from_db()
        assert given[name].approved_by.username == "stan"
        assert given[name].state == "submitted"
    reject(given["cat"], given["ann"].worker, "no")
    staff.post(f"/manage/assignment/{given['cat'].pk}/", {"how": "approve"})
    given["cat"].refresh_from_db()
    assert given["cat"].approved_at is None


def test_instances_are_listed_with_least_agreement_first_and_by_what_is_open(staff: Client) -> None:
    made = batch(asked=3, task="moods")
    given = three(made)
    for name in ("ann", "ben"):
        submit(claim(made.pk, given[name].worker).pk, {"mood": ["bad"]})

    def listed(query: str) -> list[str]:
        rows = soup(staff, f"/manage/batch/{made.pk}/instances/?{query}").select("tbody tr")
        return [text(row.th) for row in rows]

    assert listed("") == ["0", "1", "2"]
    assert listed("show=open&order=agreement") == ["0", "1"]
    staff.post(place(made, given["ann"].instance_id), {"how": f"all-{given['ann'].pk}"})
    assert (listed("show=open"), listed("show=decided"), listed("show=answered")) == (["1"], ["0"], ["0", "1"])


def test_agreement_stands_on_the_batchs_page_and_what_cannot_be_known_is_said(staff: Client) -> None:
    made = batch(asked=3, task="moods")
    assert "cannot be known until two workers" in text(soup(staff, f"/manage/batch/{made.pk}/"))
    given = three(made)
    rows = soup(staff, f"/manage/batch/{made.pk}/").select("#agreement ~ div tbody tr")
    assert text(rows[0]).startswith("mood 1 33.3 – –")
    for name in ("ann", "ben"):
        submit(claim(made.pk, given[name].worker).pk, {"mood": ["bad"]})
    rows = soup(staff, f"/manage/batch/{made.pk}/").select("#agreement ~ div tbody tr")
    assert text(rows[0]).startswith("mood 2 66.7")
    assert " to " in text(rows[0])


def test_what_was_decided_stands_in_the_results_and_becomes_the_label(
    staff: Client, accounts: Path, tmp_path: Path
) -> None:
    made = batch(asked=3, task="moods")
    given = three(made)
    here = place(made, given["ann"].instance_id)
    submit(claim(made.pk, given["ann"].worker).pk, {"mood": ["bad"]})
    staff.post(here, {"how": "decide", "choice-0": "written", "written-0": "bad", "choice-2": given["ann"].pk})
    staff.post(here, {"how": f"approve-{given['ann'].pk}"})
    file = tmp_path / "results.csv"
    file.write_text(results_of([made]).csv, newline="")
    results = read_results([file])
    assert [(each.worker, each.adjudicated) for each in results.given] == [
        ("ann", False), ("ben", False), ("cat", False), ("ann", False), ("stan", True),
    ]  # fmt: skip
    assert results.workers == ("ann", "ben", "cat")
    (made_of,) = collect(results, Catalog(accounts), tmp_path / "new")
    assert (made_of.rows, made_of.adjudicated, made_of.replaced) == (2, 1, 3)
    labels = Catalog(tmp_path / "new").task("moods").instances[0].labels
    assert labels["mood"] == ("bad",)
    assert labels["tags"] == ("a|b",)
