"""Who gets which instance, for how long, and what may still be submitted: the same on both databases."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.db import IntegrityError, connections, transaction
from django.utils import timezone

from tests.annotation.conftest import TASK, TEMPLATE
from tests.annotation.people import project, worker
from tests.task_folders import csv_text
from turkle_app.annotation.claims import (
    AssignmentRefused,
    claim,
    free_expired,
    give_back,
    next_instance,
    open_projects,
    reject,
    skip,
    submit,
)
from turkle_app.annotation.instances import TaskGone
from turkle_app.annotation.models import TAKEN, Assignment, State

pytestmark = pytest.mark.usefixtures("accounts")


def do(made, user: User) -> int:
    """Claim and submit; gives the index."""
    return submit(claim(made.pk, user).pk, {"a": ["x"]}).index


def run_out(claimed: Assignment) -> None:
    """Let the time of a claim be over."""
    Assignment.objects.filter(pk=claimed.pk).update(expires_at=timezone.now() - timedelta(seconds=1))


def test_a_worker_gets_each_instance_once_in_the_order_of_the_table() -> None:
    made, anna = project(asked=3), worker("anna")
    assert [do(made, anna) for _ in range(4)] == [0, 1, 2, 3]
    with pytest.raises(AssignmentRefused, match="nothing left for you"):
        claim(made.pk, anna)


def test_an_instance_is_given_to_as_many_workers_as_are_asked_for_and_no_more() -> None:
    made = project(asked=2)
    indexes = [claim(made.pk, worker(f"w{number}")).index for number in range(8)]
    assert indexes == [0, 0, 1, 1, 2, 2, 3, 3]
    with pytest.raises(AssignmentRefused):
        claim(made.pk, worker("too late"))


def test_who_has_a_claim_already_gets_that_one_again() -> None:
    made, anna = project(), worker("anna")
    first = claim(made.pk, anna)
    assert claim(made.pk, anna) == first
    assert Assignment.objects.count() == 1


def test_an_instance_that_was_wanted_and_is_taken_is_refused() -> None:
    made, anna, ben = project(), worker("anna"), worker("ben")
    wanted = next_instance(made, anna)
    assert wanted == next_instance(made, ben)
    claim(made.pk, anna, wanted[1])
    with pytest.raises(AssignmentRefused, match="taken this instance"):
        claim(made.pk, ben, wanted[1])
    assert claim(made.pk, ben).index == 1


def test_what_was_skipped_or_returned_comes_back_when_all_else_is_done() -> None:
    made, anna = project(), worker("anna")
    skip(made.pk, anna, next_instance(made, anna)[1])
    give_back(claim(made.pk, anna), State.RETURNED)
    give_back(claim(made.pk, anna), State.SKIPPED)
    assert [do(made, anna) for _ in range(4)] == [3, 0, 1, 2]


def test_what_is_given_back_is_open_to_others_at_once_and_cannot_be_given_back_twice() -> None:
    made, anna, ben = project(), worker("anna"), worker("ben")
    claimed = claim(made.pk, anna)
    give_back(claimed, State.RETURNED)
    assert claim(made.pk, ben).index == 0
    with pytest.raises(AssignmentRefused, match="over already"):
        give_back(claimed, State.SKIPPED)
    with pytest.raises(AssignmentRefused, match="given back"):
        submit(claimed.pk, {})


def test_an_expired_claim_is_open_to_others_and_noted_as_expired() -> None:
    made, anna, ben = project(seconds=60), worker("anna"), worker("ben")
    claimed = claim(made.pk, anna)
    assert claimed.expires_at - claimed.claimed_at == timedelta(seconds=60)
    run_out(claimed)
    assert next_instance(made, ben)[0] == 0
    assert claim(made.pk, ben).index == 0
    claimed.refresh_from_db()
    assert claimed.state == State.EXPIRED


@pytest.mark.parametrize("is_freed", [True, False])
def test_answers_that_come_late_are_kept_while_nobody_else_has_the_place(is_freed: bool) -> None:
    made, anna = project(), worker("anna")
    claimed = claim(made.pk, anna)
    run_out(claimed)
    if is_freed:
        free_expired()
    assert submit(claimed.pk, {"a": ["late"]}).state == State.SUBMITTED


def test_answers_that_come_late_are_refused_once_another_has_the_place() -> None:
    made, anna, ben = project(), worker("anna"), worker("ben")
    claimed = claim(made.pk, anna)
    run_out(claimed)
    claim(made.pk, ben)
    with pytest.raises(AssignmentRefused, match="another worker has its place"):
        submit(claimed.pk, {"a": ["late"]})
    claimed.refresh_from_db()
    assert claimed.answers is None


def test_late_answers_do_not_give_a_worker_two_assignments_of_an_instance() -> None:
    made, anna = project(asked=2), worker("anna")
    first = claim(made.pk, anna)
    run_out(first)
    second = claim(made.pk, anna)
    assert (second.index, second.pk) != (first.index, first.pk)
    assert second.index == 0
    with pytest.raises(AssignmentRefused):
        submit(first.pk, {"a": ["late"]})


def test_the_first_answers_count_and_the_time_is_kept() -> None:
    made, anna = project(), worker("anna")
    claimed = claim(made.pk, anna)
    Assignment.objects.filter(pk=claimed.pk).update(claimed_at=timezone.now() - timedelta(seconds=90))
    kept = submit(claimed.pk, {"a": ["first", "second"], "b": [""]})
    assert kept.answers == {"a": ["first", "second"], "b": [""]}
    assert kept.seconds is not None
    assert 90 <= kept.seconds < 3600
    with pytest.raises(AssignmentRefused, match="first answers count"):
        submit(claimed.pk, {"a": ["again"]})
    kept.refresh_from_db()
    assert kept.answers["a"] == ["first", "second"]


def test_what_a_database_cannot_hold_is_replaced_and_all_other_text_is_kept() -> None:
    made, anna = project(), worker("anna")
    text = "a\0b 😀 \n \u202e ' \" \\"
    claimed = claim(made.pk, anna)
    submit(claimed.pk, {"a": [text]})
    claimed.refresh_from_db()
    assert claimed.answers == {"a": [text.replace("\0", "�")]}


def test_a_rejected_assignment_keeps_its_answers_and_frees_its_place_for_another_worker() -> None:
    made, anna, ben, staff = project(), worker("anna"), worker("ben"), worker("staff", staff=True)
    done = submit(claim(made.pk, anna).pk, {"a": ["x"]})
    reject(done, staff, "too fast")
    done.refresh_from_db()
    assert (done.state, done.reason, done.rejected_by, done.answers) == ("rejected", "too fast", staff, {"a": ["x"]})
    assert next_instance(made, anna)[0] == 1
    assert next_instance(made, ben)[0] == 0
    with pytest.raises(AssignmentRefused, match="Only an assignment that is submitted"):
        reject(done, staff, "again")


def test_a_paused_project_gives_nothing_new_but_takes_what_was_claimed() -> None:
    made, anna = project(), worker("anna")
    claimed = claim(made.pk, anna)
    made.active = False
    made.save()
    assert submit(claimed.pk, {}).state == State.SUBMITTED
    with pytest.raises(AssignmentRefused, match="paused"):
        claim(made.pk, anna)


def test_only_members_of_its_groups_see_a_project_and_each_once() -> None:
    made = project("a", "b")
    project("a", active=False)
    project("other")
    assert list(open_projects(worker("both", "a", "b"))) == [made]
    assert list(open_projects(worker("none", "c"))) == []
    made.groups.clear()
    assert list(open_projects(worker("one", "a"))) == []


def test_instances_are_known_by_their_id_when_the_table_changes(accounts: Path) -> None:
    made, anna = project(), worker("anna")
    done = submit(claim(made.pk, anna).pk, {})
    rows = [["new 1", "", ""], ["text 0", "", ""], ["new 2", "", ""]]
    (accounts / TASK / "batch.csv").write_text(csv_text(["text", "Answer.a", "Answer.b"], *rows))
    assert (done.index, next_instance(made, anna)[0]) == (0, 0)
    assert [do(made, anna) for _ in range(2)] == [0, 2]
    assert next_instance(made, anna) is None


def test_a_task_that_is_gone_or_broken_is_said_to_be(accounts: Path) -> None:
    made, anna = project(), worker("anna")
    (accounts / TASK / "template.html").write_text(TEMPLATE + "${missing}")
    with pytest.raises(TaskGone, match="cannot be used"):
        claim(made.pk, anna)
    (accounts / TASK).rename(accounts / "elsewhere")
    with pytest.raises(TaskGone, match="no longer in the served folder"):
        claim(made.pk, anna)


@pytest.mark.parametrize("states", [(State.CLAIMED, State.SUBMITTED), (State.SUBMITTED, State.SUBMITTED)])
def test_the_database_itself_refuses_two_assignments_of_an_instance_to_a_worker(states: tuple[State, State]) -> None:
    made, anna, now = project(), worker("anna"), timezone.now()
    row = {"project": made, "worker": anna, "index": 0, "instance_id": "0" * 12, "claimed_at": now, "expires_at": now}
    Assignment.objects.create(state=states[0], **row)
    with pytest.raises(IntegrityError), transaction.atomic():
        Assignment.objects.create(state=states[1], **row)
    Assignment.objects.create(state=State.EXPIRED, **row)


def at_once(count: int, act: Callable[[int], object]) -> list[object]:
    """Let as many threads do something at the same time; each has a connection of its own."""
    gate = threading.Barrier(count)

    def one(number: int) -> object:
        gate.wait()
        try:
            return act(number)
        except AssignmentRefused as refusal:
            return refusal
        finally:
            connections.close_all()

    with ThreadPoolExecutor(count) as threads:
        return list(threads.map(one, range(count)))


def test_however_many_claim_at_once_no_instance_gets_more_than_are_asked_for() -> None:
    made = project(asked=3)
    users = [worker(f"w{number}") for number in range(20)]
    given = at_once(len(users), lambda number: claim(made.pk, users[number]))
    claimed = [each for each in given if isinstance(each, Assignment)]
    assert Counter(each.index for each in claimed) == dict.fromkeys(range(4), 3)
    assert Assignment.objects.filter(state__in=TAKEN).count() == 12


def test_workers_at_once_lose_nothing_and_each_keeps_their_own_answers() -> None:
    made = project(asked=10)  # there is always an instance that a worker has not done
    users = [worker(f"w{number}") for number in range(10)]

    def work(number: int) -> list[int]:
        done = []
        for _ in range(2):
            claimed = claim(made.pk, users[number])
            submit(claimed.pk, {"a": [users[number].username], "b": [claimed.instance_id]})
            done.append(claimed.pk)
        return done

    done = at_once(len(users), work)
    assert Assignment.objects.count() == 20
    assert sorted(key for keys in done for key in keys) == sorted(Assignment.objects.values_list("pk", flat=True))
    for row in Assignment.objects.select_related("worker"):
        assert (row.state, row.answers) == ("submitted", {"a": [row.worker.username], "b": [row.instance_id]})


def test_of_many_submissions_of_one_assignment_at_once_exactly_one_is_kept() -> None:
    made, anna = project(), worker("anna")
    claimed = claim(made.pk, anna)
    given = at_once(8, lambda number: submit(claimed.pk, {"a": [str(number)]}))
    (kept,) = [each for each in given if isinstance(each, Assignment)]
    claimed.refresh_from_db()
    assert claimed.answers == kept.answers


def test_one_worker_who_claims_many_times_at_once_has_one_claim() -> None:
    made, anna = project(asked=5), worker("anna")
    given = at_once(8, lambda _number: claim(made.pk, anna))
    assert len({each.pk for each in given if isinstance(each, Assignment)}) == 1
    assert Assignment.objects.count() == 1
