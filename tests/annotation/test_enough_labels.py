"""Whether a batch has enough labels: a run's answers weighed against workers', while labels come in."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.test import Client

from harness.records.directory import RunDirectory
from tests import samples
from tests.annotation.conftest import client_of
from tests.annotation.people import batch, worker
from tests.server.pages import soup, text
from tests.task_folders import csv_text, make_task
from turkle_app.annotation import kept_figures
from turkle_app.annotation.enough_labels import enough_labels
from turkle_app.annotation.instances import instance_ids
from turkle_app.annotation.kept_figures import kept
from turkle_app.annotation.models import Assignment, Batch, State
from turkle_app.annotation.suggested_answers import HelpPlan, sent_in, set_up_help

MANY = 80
TEMPLATE = (
    "<p>${text}</p><input type=radio name=mood value=good><input type=radio name=mood value=bad>"
    "<input type=radio name=tone value=soft><input type=radio name=tone value=loud><textarea name=why></textarea>"
)
NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
EVIL = "</script><script>alert(1)</script>"


@pytest.fixture
def made(accounts: Path) -> Batch:
    table = csv_text(["text"], *([f"text {number} {EVIL}"] for number in range(MANY)))
    make_task(accounts, "moods", template=TEMPLATE, table=table)
    return batch(task="moods", asked=3)


@pytest.fixture
def three(accounts: Path) -> list[User]:  # noqa: ARG001 - its database
    return [worker(name) for name in ("ann", "ben", "cat")]


def suggest(made: Batch, mood: str = "good", tone: str = "loud", instances: int = MANY) -> None:
    ids = instance_ids("moods")
    answers = {"mood": (mood,), "tone": (tone,)}
    set_up_help(made, f"model-7 {EVIL}", dict.fromkeys(ids[:instances], answers), HelpPlan(share=0.0))


def answer(made: Batch, people: list[User], instances: range, **values: object) -> None:
    """Let workers answer good and soft; of three the third answers another why."""
    ids = instance_ids("moods")
    Assignment.objects.bulk_create(
        Assignment(
            **{
                "batch": made, "index": index, "instance_id": ids[index], "worker": each, "state": State.SUBMITTED,
                "claimed_at": NOON, "expires_at": NOON, "submitted_at": NOON + timedelta(seconds=index),
                "answers": {"mood": ["good"], "tone": ["soft"], "why": [each.username]}, "seconds": 60.0, **values,
            }
        )
        for index in instances
        for each in people
    )  # fmt: skip


@pytest.fixture
def staff(accounts: Path) -> Client:  # noqa: ARG001 - its database
    return client_of(worker("stan", staff=True))


def rows(client: Client, made: Batch) -> dict[str, list[str]]:
    """Field -> the cells beside its name, of the table of what is decided."""
    found = soup(client, f"/manage/batch/{made.pk}/").select("section[aria-labelledby=enough] tbody tr")
    return {text(each.th): [text(cell) for cell in each.select("td")] for each in found}


def test_what_is_decided_field_by_field_stands_on_the_batchs_page(
    made: Batch, three: list[User], staff: Client
) -> None:
    suggest(made)
    answer(made, three, range(MANY // 2))
    page = soup(staff, f"/manage/batch/{made.pk}/")
    section = page.select_one("section[aria-labelledby=enough]")
    assert "1 of 2 fields: enough labels (1 no). 1 not yet known: about 40 more instances would tell." in text(section)
    assert "40 of 80 instances can be weighed; the next decision is made at 80." in text(section)
    assert EVIL not in str(section)
    found = rows(staff, made)
    assert [found[name][:4] for name in ("mood", "tone")] == [
        ["not yet known", "100.0", "100.0", "0.0"],
        ["no", "0.0", "100.0", "−100.0"],
    ]
    answer(made, three, range(MANY // 2, MANY - 1))
    assert "1 not yet known: about 1 more instance would tell." in text(soup(staff, f"/manage/batch/{made.pk}/"))
    answer(made, three, range(MANY - 1, MANY))
    assert {name: cells[0] for name, cells in rows(staff, made).items()} == {"mood": "yes", "tone": "no"}


def test_a_decision_is_the_same_however_often_and_late_somebody_looks(made: Batch, three: list[User]) -> None:
    suggest(made)
    answer(made, three, range(45))
    first = enough_labels(made)
    assert first is not None
    # Answers since the last look change the numbers, and no answer.
    answer(made, three, range(45, 79), answers={"mood": ["bad"], "tone": ["loud"]})
    later = enough_labels(made)
    assert later is not None
    assert [each.answer for each in later.fields] == [each.answer for each in first.fields] == ["not yet known", "no"]


def test_answers_of_workers_who_saw_the_runs_are_left_out_and_counted(made: Batch, three: list[User]) -> None:
    suggest(made)
    answer(made, three[:2], range(12))
    answer(made, three[2:], range(12), helped=True, answers={"mood": ["bad"]})
    answer(made, three[:1], range(12, 15))
    found = enough_labels(made)
    assert found is not None
    assert found.complete == 12
    assert [each.crowd.crowd for each in found.fields if each.crowd] == [1.0, 1.0]
    assert [each.split()[0] for each in found.notes] == ["3", "12"]
    assert found.notes[-1] == "12 answers are of workers who were shown the run’s."


def test_where_the_run_sent_nothing_of_use_it_is_wrong_and_where_the_harness_failed_unknown(
    made: Batch, three: list[User], tmp_path: Path
) -> None:
    directory = RunDirectory(tmp_path / "run")
    directory.write(samples.run_record())
    for index, instance_id in enumerate(instance_ids("moods")[:20]):
        told = samples.record("mood", "radio", options=("good", "bad"), sent=("good",) if index < 10 else ("",))
        outcome = "harness_error" if index >= 15 else "scored"
        directory.add(samples.episode(told, task="moods", index=index, id=instance_id, outcome=outcome), {})
    set_up_help(made, "run", sent_in(directory, "moods"), HelpPlan(share=0.0))
    answer(made, three, range(20))
    found = enough_labels(made)
    assert found is not None
    (mood,) = found.fields
    assert mood.crowd is not None
    assert (found.complete, round(mood.crowd.agent, 3)) == (15, round(10 / 15, 3))
    assert found.notes == ("5 instances that workers answered have no answer of the run.",)


def test_without_a_runs_answers_it_is_said_how_to_give_them_and_how_closely_agreement_is_known(
    made: Batch, three: list[User], staff: Client
) -> None:
    answer(made, three, range(40))
    page = soup(staff, f"/manage/batch/{made.pk}/")
    section = text(page.select_one("section[aria-labelledby=enough]"))
    assert "3 of 3 fields: agreement is known to within 5 points." in section
    assert f"turkbench manage copilot {made.project_id} --batch {made.pk} --from RUN --share 0" in section
    assert not page.select("a[href$='/replacement/']")
    led = staff.get(f"/manage/batch/{made.pk}/replacement/", follow=True)
    assert "has no answers of a run" in led.content.decode()


def test_the_page_of_the_replacement_runs_no_script_and_links_to_the_instances(
    made: Batch, three: list[User], staff: Client
) -> None:
    ids = instance_ids("moods")
    sent = {each: {"mood": ("good",), "tone": ("soft",)} for each in ids}
    set_up_help(made, "model-7", {**sent, **{key: {"tone": ("soft",)} for key in ids[:24]}}, HelpPlan(share=0.0))
    answer(made, three, range(MANY))
    answered = staff.get(f"/manage/batch/{made.pk}/replacement/")
    page = answered.content.decode()
    assert "default-src 'none'" in answered["Content-Security-Policy"]
    assert "sandbox allow-same-origin" in answered["Content-Security-Policy"]
    assert "<script" not in page
    assert "1 of 2 fields: yes. 1: no." in page
    assert "hours unknown" in page
    assert f"/manage/batch/{made.pk}/instance/" in page


def test_requesters_see_it_for_their_own_batches_and_workers_for_none(made: Batch, three: list[User]) -> None:
    suggest(made)
    answer(made, three, range(12))
    asking = worker("rita")
    made.project.requesters.add(asking)
    other = batch(title="Another", task="moods")
    assert "Enough labels?" in client_of(asking).get(f"/manage/batch/{made.pk}/").content.decode()
    assert client_of(asking).get(f"/manage/batch/{made.pk}/replacement/").status_code == 200
    assert client_of(asking).get(f"/manage/batch/{other.pk}/replacement/").status_code == 404
    assert client_of(three[0]).get(f"/manage/batch/{made.pk}/replacement/").status_code == 403


def test_what_was_computed_is_kept_until_an_answer_comes_changes_or_is_rejected(made: Batch, three: list[User]) -> None:
    counted: list[int] = []

    def figures() -> int:
        counted.append(0)
        return len(counted)

    def now() -> int:
        return kept(Batch.objects.get(pk=made.pk), "test", figures).figures

    assert [now(), now()] == [1, 1]
    answer(made, three, range(2))
    assert [now(), now()] == [2, 2]
    Assignment.objects.filter(index=0).update(corrected_at=NOON)
    assert [now(), now()] == [3, 3]
    Assignment.objects.filter(index=1).update(state=State.REJECTED, rejected_at=NOON)
    assert [now(), now()] == [4, 4]
    suggest(made)
    assert [now(), now()] == [5, 5]


def test_of_many_answers_the_figures_of_before_are_shown_for_a_while(
    made: Batch, three: list[User], staff: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept_figures, "MANY", 5)
    suggest(made)
    answer(made, three, range(12))
    assert rows(staff, made)["mood"][5] == "12"
    answer(made, three, range(12, 14))
    assert rows(staff, made)["mood"][5] == "12"
    assert "As of" in text(soup(staff, f"/manage/batch/{made.pk}/").select_one("section[aria-labelledby=enough]"))
    monkeypatch.setattr(kept_figures, "A_WHILE", timedelta(0))
    monkeypatch.setattr(kept_figures, "TIMES", 0)
    assert rows(staff, made)["mood"][5] == "14"
