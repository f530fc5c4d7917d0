"""Gold questions: who gets one when, what a worker is told, and how good workers are on them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.test import Client

from tests.annotation.conftest import client_of
from tests.annotation.people import batch, worker
from tests.server.pages import soup, text
from tests.task_folders import csv_text, make_task
from turkle_app.annotation.claims import AssignmentRefused, claim, give_back, next_instance, places_left, submit
from turkle_app.annotation.gold import add_labelled, set_up_gold, worker_accuracy
from turkle_app.annotation.models import Assignment, Batch, State
from turkle_app.annotation.progress import batch_progress
from turkle_app.annotation.sheet_token import sheet_token

pytestmark = pytest.mark.usefixtures("accounts")

TEMPLATE = "<p>${text}</p><input type=radio name=mood value=good><input type=radio name=mood value=bad>"
LABELLED = 4
HIDDEN = "never-before-submission"


@pytest.fixture
def staff(accounts: Path) -> Client:
    rows = ([f"text {n}", "good" if n < LABELLED else "", HIDDEN if n < LABELLED else ""] for n in range(16))
    table = csv_text(["text", "Answer.mood", "Answer.why"], *rows)
    make_task(accounts, "moods", template=TEMPLATE + "<textarea name=why></textarea>", table=table)
    return client_of(worker("stan", staff=True))


@pytest.fixture
def made(staff: Client) -> Batch:
    """A batch with four gold questions, of which a worker gets one at about every third assignment."""
    del staff
    found = batch(asked=1, task="moods")
    set_up_gold(found, 0.3, feedback=False, seed=1)
    assert add_labelled(found, 99, User.objects.get(username="stan"), 1) == LABELLED
    return found


def all_of(made: Batch, user: User, mood: str = "good") -> Iterator[Assignment]:
    """Answer all that there is for somebody."""
    while next_instance(made, user):
        yield submit(claim(made.pk, user).pk, {"mood": [mood]})


def test_a_worker_gets_gold_questions_among_the_others_and_the_draw_is_the_same_each_time(made: Batch) -> None:
    ann = worker("ann")
    given = [each.gold for each in all_of(made, ann)]
    assert set(given) == {"", "secret"}
    assert given.count("") == 12
    Assignment.objects.all().delete()
    assert [each.gold for each in all_of(made, ann)] == given


def test_a_gold_question_is_given_to_all_workers_and_takes_no_place(made: Batch) -> None:
    for name in ("ann", "ben"):
        list(all_of(made, worker(name)))
    gold = Assignment.objects.exclude(gold="")
    assert gold.filter(worker__username="ann").exists()
    progress = batch_progress(made)
    assert (progress.asked, progress.submitted, progress.complete, progress.instances) == (12, 12, 12, 12)
    assert progress.gold == gold.count()


def test_in_secret_nothing_tells_a_worker_which_one_was_gold(made: Batch) -> None:
    """Neither the number of what is left, nor the order of instances, nor any page that they can see."""
    ann = worker("ann")
    client = client_of(ann)
    left, indexes, golds = [places_left(made, ann)], [], []
    for done in all_of(made, ann, "bad"):
        left.append(places_left(made, ann))
        indexes.append(done.index)
        golds.append(bool(done.gold))
        seen = (f"/work/assignment/{done.pk}/", "/work/", "/work/done/", f"/work/{made.project_id}/")
        for path in seen if done.gold else ():
            page = client.get(path).content.decode()
            assert "gold" not in page.lower()
            assert HIDDEN not in page
    assert left == list(range(len(indexes), -1, -1))
    ordinary = [index for index, gold in zip(indexes, golds, strict=True) if not gold]
    assert ordinary != sorted(ordinary)
    assert "change" in client.get(f"/work/assignment/{done.pk}/").content.decode().lower()


def test_skipping_a_gold_question_puts_it_off_as_any_other(made: Batch) -> None:
    ann = worker("ann")
    set_up_gold(made, 1.0, feedback=False, seed=1)
    first = claim(made.pk, ann)
    assert first.gold
    give_back(first, State.SKIPPED)
    assert next_instance(made, ann)[1] != first.instance_id


def test_with_feedback_a_worker_is_told_after_the_submission_and_never_before(made: Batch) -> None:
    set_up_gold(made, 1.0, feedback=True, seed=1)
    ann = worker("ann")
    client = client_of(ann)
    own = claim(made.pk, ann)
    before = client.get(f"/work/assignment/{own.pk}/").content.decode()
    before += client.get(f"/sheet/{sheet_token(own.pk)}/").content.decode()
    assert HIDDEN not in before
    submit(own.pk, {"mood": ["bad"], "why": [HIDDEN]})
    page = soup(client, f"/work/assignment/{own.pk}/")
    rows = {text(row.th): text(row) for row in page.select("#feedback ~ div tbody tr")}
    assert rows["mood"] == "mood bad good 0.0"
    assert rows["why"].endswith("100.0")
    assert not page.find("a", string="Change your answers")


def test_a_question_given_in_secret_stays_so_when_the_batch_turns_to_feedback(made: Batch) -> None:
    set_up_gold(made, 1.0, feedback=False, seed=1)
    ann = worker("ann")
    own = submit(claim(made.pk, ann).pk, {"mood": ["bad"]})
    set_up_gold(made, 1.0, feedback=True, seed=1)
    assert "feedback" not in client_of(ann).get(f"/work/assignment/{own.pk}/").content.decode()


def test_accuracy_has_an_interval_and_what_cannot_be_scored_is_counted(made: Batch, accounts: Path) -> None:
    set_up_gold(made, 1.0, feedback=False, seed=1)
    ann, ben = worker("ann"), worker("ben")
    for place in range(LABELLED):
        submit(claim(made.pk, ann).pk, {"mood": ["good" if place else "bad"], "why": [HIDDEN]})
    submit(claim(made.pk, ben).pk, {"mood": ["good"], "why": [HIDDEN]})
    of_ann, of_ben = worker_accuracy(made)
    assert (of_ann.answered, of_ann.unknown, of_ann.accuracy.value) == (4, 0, 0.875)
    assert of_ann.accuracy.low < 0.875 < of_ann.accuracy.high
    assert (of_ben.accuracy.value, of_ben.accuracy.low) == (1.0, None)
    table = csv_text(["text", "Answer.mood", "Answer.why"], *([f"other {n}", "good", ""] for n in range(3)))
    (accounts / "moods" / "batch.csv").write_text(table, newline="")
    of_ann, _ = worker_accuracy(made)
    assert (of_ann.answered, of_ann.unknown, of_ann.accuracy.value) == (4, 4, None)


def test_staff_set_gold_questions_up_and_make_one_of_an_answer_that_they_wrote(staff: Client) -> None:
    made = batch(asked=1, task="moods")
    place = f"/manage/batch/{made.pk}/gold/"
    assert staff.post(place, {"percent": 101, "seed": 0, "labelled": 0}).status_code == 200
    answer = staff.post(place, {"percent": 50, "seed": 3, "labelled": 2, "feedback": "on"}, follow=True)
    assert "Added 2 gold questions" in answer.content.decode()
    ann = worker("ann")
    unlabelled = next(
        each for each in soup(staff, f"/manage/batch/{made.pk}/instances/").select("th a") if text(each) == "9"
    )
    staff.post(unlabelled["href"], {"how": "gold"})
    assert made.gold_questions.count() == 2
    staff.post(unlabelled["href"], {"how": "decide", "choice-0": "written", "written-0": "bad"})
    staff.post(unlabelled["href"], {"how": "gold"})
    assert made.gold_questions.count() == 3
    own = next(each for each in all_of(made, ann) if each.index == 9)
    assert own.gold == "feedback"
    assert "mood good bad 0.0" in text(soup(client_of(ann), f"/work/assignment/{own.pk}/"))
    page = text(soup(staff, place))
    assert "stan, who decided" in page
    assert "the labels of the table" in page
    staff.post(place, {"remove": own.instance_id})
    assert made.gold_questions.count() == 2


def test_without_a_plan_gold_questions_are_instances_like_all_others(made: Batch) -> None:
    made.gold_plan.delete()
    ann = worker("ann")
    assert [each.index for each in all_of(made, ann)] == list(range(16))
    with pytest.raises(AssignmentRefused):
        claim(made.pk, ann)
