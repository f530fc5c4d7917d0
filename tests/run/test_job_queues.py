"""Which jobs a worker is given, without processes."""

from __future__ import annotations

import pytest

from harness.browser.browser_choice import FORM, NavigationPolicy
from harness.run.pool_state import JobQueues

SHOP = NavigationPolicy(origins=("http://shop.test",))


@pytest.fixture
def queues() -> JobQueues[str]:
    """A long group and a short one for a form's browser, and one for a shop's."""
    made: JobQueues[str] = JobQueues()
    made.add("short", ["s1", "s2"], 1.0, FORM)
    made.add("long", ["l1", "l2"], 5.0, FORM)
    made.add("shop", ["w1"], 1.0, SHOP)
    return made


def test_jobs_are_numbered_in_the_order_in_which_they_came(queues):
    assert (len(queues), queues.take("long", 9), len(queues)) == (5, [(2, "l1"), (3, "l2")], 3)


def test_a_worker_stays_with_its_group_while_that_has_jobs(queues):
    assert queues.choose("short", FORM, taken={"short"}) == "short"
    queues.take("short", 2)
    assert queues.choose("short", FORM, taken=()) == "long"


@pytest.mark.parametrize(
    ("policy", "taken", "chosen"),
    [
        pytest.param(FORM, (), "long", id="what takes longest"),
        pytest.param(FORM, {"long"}, "short", id="what nobody has"),
        pytest.param(FORM, {"long", "short"}, "long", id="helping out"),
        pytest.param(SHOP, {"shop"}, "shop", id="the same browser"),
    ],
)
def test_what_comes_first_is_for_the_same_browser_then_what_nobody_has_then_what_takes_longest(
    queues, policy, taken, chosen
):
    assert queues.choose("", policy, taken) == chosen


def test_jobs_that_are_put_back_come_first_and_in_their_order_and_one_that_is_to_wait_comes_last(queues):
    first, second = queues.take("long", 2)
    queues.add("long", ["l3"], 5.0, FORM)
    queues.put_last("long", *first)
    queues.put_back("long", [second])
    assert [job for _, job in queues.take("long", 9)] == ["l2", "l3", "l1"]


def test_a_group_whose_last_job_is_put_back_is_what_it_was(queues):
    queues.put_back("shop", queues.take("shop", 1))
    assert (queues.policy("shop"), queues.choose("", SHOP, ())) == (SHOP, "shop")
