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
from tests.annotation.people import another, batch, worker
from tests.task_folders import csv_text
from turkle_app.annotation.claims import (
    AssignmentRefused,
    change_state,
    claim,
    claim_next,
    free_expired,
    give_back,
    next_in_project,
    next_instance,
    open_projects,
    reject,
    skip,
    submit,
)
from turkle_app.annotation.instances import TaskGone
from turkle_app.annotation.models import TAKEN, Assignment, BatchState, Project, State

pytestmark = pytest.mark.usefixtures("accounts")


def do(made, user: User) -> int:
    """Claim and submit; gives the index."""
    return submit(claim(made.pk, user).pk, {"a": ["x"]}).index


def do_next(project: Project, user: User) -> tuple[int, int]:
    """Claim and submit in whichever batch is next; gives the batch and the index."""
    done = submit(claim_next(project, user).pk, {"a": ["x"]})
    return done.batch_id, done.index


def run_out(claimed: Assignment) -> None:
    """Let the time of a claim be over."""
    Assignment.objects.filter(pk=claimed.pk).update(expires_at=timezone.now() - timedelta(seconds=1))


def test_a_worker_gets_each_instance_once_in_the_order_of_the_table() -> None:
    made, anna = batch(asked=3), worker("anna")
    assert [do(made, anna) for _ in range(4)] == [0, 1, 2, 3]
    with pytest.raises(AssignmentRefused, match="nothing left for you"):
        claim(made.pk, anna)


def test_an_instance_is_given_to_as_many_workers_as_are_asked_for_and_no_more() -> None:
    made = batch(asked=2)
    indexes = [claim(made.pk, worker(f"w{number}")).index for number in range(8)]
    assert indexes == [0, 0, 1, 1, 2, 2, 3, 3]
    with pytest.raises(AssignmentRefused):
        claim(made.pk, worker("too late"))


def test_who_has_a_claim_already_gets_that_one_again() -> None:
    made, anna = batch(), worker("anna")
    first = claim(made.pk, anna)
    assert claim(made.pk, anna) == first
    assert Assignment.objects.count() == 1


def test_an_instance_that_was_wanted_and_is_taken_is_refused() -> None:
    made, anna, ben = batch(), worker("anna"), worker("ben")
    wanted = next_instance(made, anna)
    assert wanted == next_instance(made, ben)
    claim(made.pk, anna, wanted[1])
    with pytest.raises(AssignmentRefused, match="taken this instance"):
        claim(made.pk, ben, wanted[1])
    assert claim(made.pk, ben).index == 1


def test_what_was_skipped_or_returned_comes_back_when_all_else_is_done() -> None:
    made, anna = batch(), worker("anna")
    skip(made.pk, anna, next_instance(made, anna)[1])
    give_back(claim(made.pk, anna), State.RETURNED)
    give_back(claim(made.pk, anna), State.SKIPPED)
    assert [do(made, anna) for _ in range(4)] == [3, 0, 1, 2]


def test_what_is_given_back_is_open_to_others_at_once_and_cannot_be_given_back_twice() -> None:
    made, anna, ben = batch(), worker("anna"), worker("ben")
    claimed = claim(made.pk, anna)
    give_back(claimed, State.RETURNED)
    assert claim(made.pk, ben).index == 0
    with pytest.raises(AssignmentRefused, match="over already"):
        give_back(claimed, State.SKIPPED)
    with pytest.raises(AssignmentRefused, match="given back"):
        submit(claimed.pk, {})


def test_an_expired_claim_is_open_to_others_and_noted_as_expired() -> None:
    made, anna, ben = batch(seconds=60), worker("anna"), worker("ben")
    claimed = claim(made.pk, anna)
    assert claimed.expires_at - claimed.claimed_at == timedelta(seconds=60)
    run_out(claimed)
    assert next_instance(made, ben)[0] == 0
    assert claim(made.pk, ben).index == 0
    claimed.refresh_from_db()
    assert claimed.state == State.EXPIRED


@pytest.mark.parametrize("is_freed", [True, False])
def test_answers_that_come_late_are_kept_while_nobody_else_has_the_place(is_freed: bool) -> None:
    made, anna = batch(), worker("anna")
    claimed = claim(made.pk, anna)
    run_out(claimed)
    if is_freed:
        free_expired()
    assert submit(claimed.pk, {"a": ["late"]}).state == State.SUBMITTED


def test_answers_that_come_late_are_refused_once_another_has_the_place() -> None:
    made, anna, ben = batch(), worker("anna"), worker("ben")
    claimed = claim(made.pk, anna)
    run_out(claimed)
    claim(made.pk, ben)
    with pytest.raises(AssignmentRefused, match="another worker has its place"):
        submit(claimed.pk, {"a": ["late"]})
    claimed.refresh_from_db()
    assert claimed.answers is None


def test_late_answers_do_not_give_a_worker_two_assignments_of_an_instance() -> None:
    made, anna = batch(asked=2), worker("anna")
    first = claim(made.pk, anna)
    run_out(first)
    second = claim(made.pk, anna)
    assert (second.index, second.pk) != (first.index, first.pk)
    assert second.index == 0
    with pytest.raises(AssignmentRefused):
        submit(first.pk, {"a": ["late"]})


def test_the_first_answers_count_and_the_time_is_kept() -> None:
    made, anna = batch(), worker("anna")
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
    made, anna = batch(), worker("anna")
    text = "a\0b 😀 \n \u202e ' \" \\"
    claimed = claim(made.pk, anna)
    submit(claimed.pk, {"a": [text]})
    claimed.refresh_from_db()
    assert claimed.answers == {"a": [text.replace("\0", "�")]}


def test_a_rejected_assignment_keeps_its_answers_and_frees_its_place_for_another_worker() -> None:
    made, anna, ben, staff = batch(), worker("anna"), worker("ben"), worker("staff", staff=True)
    done = submit(claim(made.pk, anna).pk, {"a": ["x"]})
    reject(done, staff, "too fast")
    done.refresh_from_db()
    assert (done.state, done.reason, done.rejected_by, done.answers) == ("rejected", "too fast", staff, {"a": ["x"]})
    assert next_instance(made, anna)[0] == 1
    assert next_instance(made, ben)[0] == 0
    with pytest.raises(AssignmentRefused, match="Only an assignment that is submitted"):
        reject(done, staff, "again")


def test_a_paused_project_gives_nothing_new_but_takes_what_was_claimed() -> None:
    made, anna = batch(), worker("anna")
    claimed = claim(made.pk, anna)
    change_state(made, BatchState.PAUSED)
    assert submit(claimed.pk, {}).state == State.SUBMITTED
    with pytest.raises(AssignmentRefused, match="paused"):
        claim(made.pk, anna)


def test_only_members_of_its_groups_see_a_project_and_each_once() -> None:
    made = batch("a", "b")
    another(made.project, name="Batch 2", state=BatchState.PUBLISHED)
    for state in (BatchState.DRAFT, BatchState.PAUSED, BatchState.CLOSED):
        batch("a", state=state)
    batch("other")
    assert list(open_projects(worker("both", "a", "b"))) == [made.project]
    assert list(open_projects(worker("none", "c"))) == []
    made.project.groups.clear()
    assert list(open_projects(worker("one", "a"))) == []


def test_a_worker_gets_the_batches_of_a_project_one_after_the_other() -> None:
    first, anna = batch(), worker("anna")
    another(first.project, name="draft")
    last = another(first.project, name="last", state=BatchState.PUBLISHED)
    got = [do_next(first.project, anna) for _ in range(8)]
    assert got == [(made.pk, index) for made in (first, last) for index in range(4)]
    assert next_in_project(first.project, anna) is None
    with pytest.raises(AssignmentRefused, match="nothing left for you"):
        claim_next(first.project, anna)


def test_the_same_instance_in_two_batches_is_answered_in_each() -> None:
    first, anna = batch(), worker("anna")
    later = another(first.project, name="again", state=BatchState.PUBLISHED)
    assert do(first, anna) == do(later, anna) == 0
    assert Assignment.objects.filter(state=State.SUBMITTED).count() == 2


def test_who_has_a_claim_in_one_batch_of_a_project_gets_that_one_again() -> None:
    first, anna = batch(), worker("anna")
    later = another(first.project, name="later", state=BatchState.PUBLISHED)
    held = claim(later.pk, anna)
    assert claim_next(first.project, anna) == held


def test_a_batch_whose_task_is_gone_keeps_nobody_from_the_next() -> None:
    gone, anna = batch(task="no such task", fingerprint=""), worker("anna")
    usable = another(gone.project, name="usable", state=BatchState.PUBLISHED)
    assert [do_next(gone.project, anna)[0] for _ in range(4)] == [usable.pk] * 4
    with pytest.raises(TaskGone, match="no such task"):
        claim_next(gone.project, anna)


def test_a_batch_is_published_paused_closed_and_opened_again() -> None:
    made = batch(state=BatchState.DRAFT)
    with pytest.raises(AssignmentRefused, match="can be paused"):
        change_state(made, BatchState.PAUSED)
    published = change_state(made, BatchState.PUBLISHED)
    assert published.published_at is not None
    with pytest.raises(AssignmentRefused, match="published already"):
        change_state(made, BatchState.PUBLISHED)
    assert change_state(made, BatchState.CLOSED).closed_at is not None
    with pytest.raises(AssignmentRefused, match="can be paused"):
        change_state(made, BatchState.PAUSED)
    again = change_state(made, BatchState.PUBLISHED)
    assert (again.closed_at, again.published_at) == (None, published.published_at)
    with pytest.raises(AssignmentRefused, match="draft again"):
        change_state(made, BatchState.DRAFT)


def test_a_closed_batch_takes_what_was_claimed_but_nothing_late() -> None:
    made, anna, ben = batch(asked=2), worker("anna"), worker("ben")
    kept, late = claim(made.pk, anna), claim(made.pk, ben)
    run_out(late)
    change_state(made, BatchState.CLOSED)
    assert submit(kept.pk, {"a": ["x"]}).state == State.SUBMITTED
    with pytest.raises(AssignmentRefused, match="no more answers are taken"):
        submit(late.pk, {"a": ["x"]})


def test_instances_are_known_by_their_id_when_the_table_changes(accounts: Path) -> None:
    made, anna = batch(), worker("anna")
    done = submit(claim(made.pk, anna).pk, {})
    rows = [["new 1", "", ""], ["text 0", "", ""], ["new 2", "", ""]]
    (accounts / TASK / "batch.csv").write_text(csv_text(["text", "Answer.a", "Answer.b"], *rows))
    assert (done.index, next_instance(made, anna)[0]) == (0, 0)
    assert [do(made, anna) for _ in range(2)] == [0, 2]
    assert next_instance(made, anna) is None


def test_a_task_that_is_gone_or_broken_is_said_to_be(accounts: Path) -> None:
    made, anna = batch(), worker("anna")
    (accounts / TASK / "template.html").write_text(TEMPLATE + "${missing}")
    with pytest.raises(TaskGone, match="cannot be used"):
        claim(made.pk, anna)
    (accounts / TASK).rename(accounts / "elsewhere")
    with pytest.raises(TaskGone, match="no longer in the served folder"):
        claim(made.pk, anna)


@pytest.mark.parametrize("states", [(State.CLAIMED, State.SUBMITTED), (State.SUBMITTED, State.SUBMITTED)])
def test_the_database_itself_refuses_two_assignments_of_an_instance_to_a_worker(states: tuple[State, State]) -> None:
    made, anna, now = batch(), worker("anna"), timezone.now()
    row = {"batch": made, "worker": anna, "index": 0, "instance_id": "0" * 12, "claimed_at": now, "expires_at": now}
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
    made = batch(asked=3)
    users = [worker(f"w{number}") for number in range(20)]
    given = at_once(len(users), lambda number: claim(made.pk, users[number]))
    claimed = [each for each in given if isinstance(each, Assignment)]
    assert Counter(each.index for each in claimed) == dict.fromkeys(range(4), 3)
    assert Assignment.objects.filter(state__in=TAKEN).count() == 12


def test_however_many_claim_at_once_in_a_project_each_batch_keeps_its_rules() -> None:
    first = batch(asked=2)
    later = another(first.project, name="later", state=BatchState.PUBLISHED, assignments_per_instance=1)
    users = [worker(f"w{number}") for number in range(20)]
    given = at_once(len(users), lambda number: claim_next(first.project, users[number]))
    claimed = Counter((each.batch_id, each.index) for each in given if isinstance(each, Assignment))
    assert claimed == {(first.pk, index): 2 for index in range(4)} | {(later.pk, index): 1 for index in range(4)}


def test_workers_at_once_lose_nothing_and_each_keeps_their_own_answers() -> None:
    made = batch(asked=10)  # there is always an instance that a worker has not done
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
    made, anna = batch(), worker("anna")
    claimed = claim(made.pk, anna)
    given = at_once(8, lambda number: submit(claimed.pk, {"a": [str(number)]}))
    (kept,) = [each for each in given if isinstance(each, Assignment)]
    claimed.refresh_from_db()
    assert claimed.answers == kept.answers


def test_one_worker_who_claims_many_times_at_once_has_one_claim() -> None:
    made, anna = batch(asked=5), worker("anna")
    given = at_once(8, lambda _number: claim(made.pk, anna))
    assert len({each.pk for each in given if isinstance(each, Assignment)}) == 1
    assert Assignment.objects.count() == 1
