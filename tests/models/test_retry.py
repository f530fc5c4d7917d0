"""How long is waited before a call is made again."""

from __future__ import annotations

import pytest

from harness.models.client import Retryable
from harness.models.retry import ProviderDown, RetryPolicy


def waits(policy: RetryPolicy, key: str = "key", hint: float | None = None) -> list[float]:
    """All waits of a call that always fails."""
    each = policy.waits(key)
    return [each.after(Retryable("busy", hint)) for _ in range(policy.attempts - 1)]


def test_waits_lie_between_nothing_and_a_bound_that_doubles_up_to_the_cap() -> None:
    policy = RetryPolicy(attempts=9, base=1.0, cap=20.0)
    drawn = [waits(policy, f"call {number}") for number in range(300)]
    for number, longest in enumerate([1, 2, 4, 8, 16, 20, 20, 20]):
        column = [row[number] for row in drawn]
        assert 0 <= min(column) < longest * 0.1
        assert longest * 0.9 < max(column) <= longest


def test_the_same_call_waits_alike_in_every_run_with_one_seed() -> None:
    assert waits(RetryPolicy(seed=3)) == waits(RetryPolicy(seed=3))
    assert waits(RetryPolicy(seed=3)) != waits(RetryPolicy(seed=4))


def test_calls_that_failed_together_come_back_apart() -> None:
    assert len({waits(RetryPolicy(), f"call {number}")[0] for number in range(100)}) == 100


def test_the_providers_hint_is_waited_at_least_and_hardly_more() -> None:
    assert all(30 <= wait <= 31 for wait in waits(RetryPolicy(attempts=20), hint=30.0))


def test_a_hint_of_no_time_leaves_the_back_off_as_it_is() -> None:
    assert waits(RetryPolicy(), hint=0.0) == waits(RetryPolicy())


def test_a_provider_that_asks_for_hours_is_given_up_at_once() -> None:
    with pytest.raises(ProviderDown, match="asks to wait 7200 seconds, more than 600: daily quota"):
        RetryPolicy().waits("key").after(Retryable("daily quota", 7200.0))


def test_the_last_failure_gives_up_and_names_it() -> None:
    each = RetryPolicy(attempts=3).waits("key")
    each.after(Retryable("overloaded"))
    each.after(Retryable("overloaded"))
    with pytest.raises(ProviderDown, match="no answer after 3 tries: 503 from the server"):
        each.after(Retryable("503 from the server"))


def test_very_many_tries_wait_for_the_cap_at_most() -> None:
    assert max(waits(RetryPolicy(attempts=5_000, cap=60.0))) <= 60


def test_a_policy_without_a_try_is_refused() -> None:
    with pytest.raises(ValueError, match="at least once"):
        RetryPolicy(attempts=0)
