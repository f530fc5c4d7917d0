"""A worker corrects an answer until it is reviewed; instances and batches that are for named workers."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.test import Client

from tests.annotation.conftest import client_of
from tests.annotation.people import another, batch, worker
from tests.server.pages import soup, text
from turkle_app.annotation.claims import (
    AssignmentRefused,
    approve,
    change_state,
    claim,
    claim_next,
    correct,
    next_instance,
    open_projects,
    reject,
    submit,
)
from turkle_app.annotation.gold import add_labelled, set_up_gold
from turkle_app.annotation.instance_answers import adjudicate_as
from turkle_app.annotation.models import Assignment, Batch, BatchState
from turkle_app.annotation.project_results import results_of
from turkle_app.annotation.reservations import ReservationRefused, read_reservations, reserve
from turkle_app.annotation.sheet_token import sheet_token

pytestmark = pytest.mark.usefixtures("accounts")


@pytest.fixture
def stan(accounts: Path) -> User:
    del accounts
    return worker("stan", staff=True)


def done(made: Batch, user: User, **answers: list[str]) -> Assignment:
    return submit(claim(made.pk, user).pk, answers or {"a": ["first"]})


def correcting(client: Client, own: Assignment) -> str:
    """The address of the sheet in which an assignment is corrected."""
    page = client.get(f"/work/assignment/{own.pk}/correct/").content.decode()
    found = re.search(r'src="(/sheet/[^"?]+)', page)
    assert found is not None
    return found[1]


def test_a_worker_corrects_an_answer_and_the_earlier_one_is_kept(stan: User) -> None:
    made, ann = batch(), worker("ann")
    own, client = done(made, ann, a=["first"], b=["</script>"]), client_of(ann)
    assert f"/work/assignment/{own.pk}/correct/" in client.get("/work/done/").content.decode()
    sheet = correcting(client, own)
    filled = client_of().get(sheet).content.decode()
    assert '"first"' in filled
    assert "</script>" not in filled.split('"b": ["', 1)[1].split('"]', 1)[0]
    assert client_of().post(sheet, {"a": "second"}).status_code == 200
    own.refresh_from_db()
    assert (own.answers, own.state) == ({"a": ["second"]}, "submitted")
    assert own.corrected_at is not None
    assert [each.answers for each in own.earlier.all()] == [{"a": ["first"], "b": ["</script>"]}]
    assert "first" in text(soup(client_of(stan), f"/manage/assignment/{own.pk}/"))
    (row,) = results_of([made]).batches[0].handed_in
    assert (row.answers, row.corrections) == ({"a": ["second"]}, 1)


def test_the_sheet_of_a_correction_takes_one_and_the_first_sheet_none() -> None:
    made, ann = batch(), worker("ann")
    own, client = done(made, ann), client_of(ann)
    sheet = correcting(client, own)
    assert client_of().post(f"/sheet/{sheet_token(own.pk)}/", {"a": "again"}).status_code == 409
    assert client_of().post(sheet, {"a": "second"}).status_code == 200
    assert client_of().post(sheet, {"a": "third"}).status_code == 409
    assert client_of().get(sheet).status_code == 410
    own.refresh_from_db()
    assert own.answers == {"a": ["second"]}
    assert own.earlier.count() == 1


def close(own: Assignment, _: User) -> None:
    change_state(own.batch, BatchState.CLOSED)


@pytest.mark.parametrize(
    "review",
    [approve, lambda own, stan: reject(own, stan, "no"), adjudicate_as, close],
    ids=["approved", "rejected", "adjudicated", "closed"],
)
def test_what_is_reviewed_cannot_be_corrected(stan: User, review: Callable[[Assignment, User], object]) -> None:
    made, ann = batch(), worker("ann")
    own, client = done(made, ann), client_of(ann)
    sheet = correcting(client, own)
    review(own, stan)
    with pytest.raises(AssignmentRefused, match="cannot be changed any more"):
        correct(own.pk, 0, {"a": ["second"]})
    assert client_of().post(sheet, {"a": "second"}).status_code == 409
    assert client.get(f"/work/assignment/{own.pk}/correct/").status_code == 302
    assert "/correct/" not in client.get("/work/done/").content.decode()
    own.refresh_from_db()
    assert own.answers == {"a": ["first"]}


def test_what_was_told_with_feedback_cannot_be_corrected_and_what_was_in_secret_can(stan: User) -> None:
    made, ann = batch(asked=1), worker("ann")
    for feedback in (True, False):
        set_up_gold(made, 1.0, feedback=feedback, seed=1)
        add_labelled(made, 2, stan, 1)
        own = done(made, ann)
        assert own.gold == ("feedback" if feedback else "secret")
        answer = client_of(ann).get(f"/work/assignment/{own.pk}/correct/")
        assert answer.status_code == (302 if feedback else 200)


def test_nobody_corrects_what_is_anothers() -> None:
    made = batch()
    own = done(made, worker("ann"))
    assert client_of(worker("ben")).get(f"/work/assignment/{own.pk}/correct/").status_code == 404


def test_an_instance_that_is_reserved_is_given_to_those_who_are_named_and_nobody_else(stan: User) -> None:
    made, ann, ben, cat = batch(asked=2), worker("ann"), worker("ben"), worker("cat", "others")
    reserve(made, read_reservations(made, "", "0: ann, cat\n2 ben"), stan)

    def indexes(user: User) -> list[int]:
        found = []
        while next_instance(made, user):
            found.append(done(made, user).index)
        return found

    assert [indexes(ann), indexes(ben), indexes(cat)] == [[0, 1, 3], [1, 2, 3], [0]]
    assert made.project in open_projects(cat)


def test_a_reserved_batch_is_passed_over_for_those_who_are_not_named(stan: User) -> None:
    made, ann, ben = batch(), worker("ann"), worker("ben")
    second = another(made.project, name="Batch 2", state=BatchState.PUBLISHED)
    reserve(made, read_reservations(made, "ann", ""), stan)
    assert claim_next(made.project, ben).batch == second
    assert claim_next(made.project, ann).batch == made
    reserve(made, {}, stan)
    assert next_instance(made, worker("dan")) is not None


def test_a_named_worker_without_the_group_sees_nothing_of_a_draft(stan: User) -> None:
    made, cat = batch(state=BatchState.DRAFT), worker("cat", "others")
    reserve(made, {"": ["cat"]}, stan)
    assert list(open_projects(cat)) == []


@pytest.mark.parametrize(
    ("whole", "lines", "why"),
    [("nobody", "", "No account is called"), ("", "9: ann", "no instance '9'"), ("", "0:", "names nobody"),
     ("gone", "", "is closed")],
)  # fmt: skip
def test_what_cannot_be_reserved_is_said_and_nothing_is_changed(stan: User, whole: str, lines: str, why: str) -> None:
    made, ann, gone = batch(), worker("ann"), worker("gone")
    reserve(made, {"": ["ann"]}, stan)
    User.objects.filter(pk=gone.pk).update(is_active=False)
    with pytest.raises(ReservationRefused, match=why):
        reserve(made, read_reservations(made, whole, lines), stan)
    page = client_of(stan).post(f"/manage/batch/{made.pk}/reserved/", {"whole": whole, "instances": lines})
    assert page.status_code == 200
    assert 'role="alert"' in page.content.decode()
    assert list(made.reservations.values_list("worker", flat=True)) == [ann.pk]


def test_the_page_shows_what_is_reserved_and_changes_it(stan: User) -> None:
    made, staff = batch(), client_of(stan)
    worker("ann")
    worker("ben")
    staff.post(f"/manage/batch/{made.pk}/reserved/", {"whole": "ann", "instances": "3 ben, ann\n\n1: ben"})
    page = soup(staff, f"/manage/batch/{made.pk}/reserved/")
    assert page.find("input", {"name": "whole"})["value"] == "ann"
    assert page.find("textarea", {"name": "instances"}).text.strip() == "1: ben\n3: ann, ben"
    assert "ann" in text(soup(staff, f"/manage/batch/{made.pk}/"))
