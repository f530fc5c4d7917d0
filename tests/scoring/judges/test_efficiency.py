import pytest

from harness.scoring.judges.agent_rates import SteppedTry, efficiency
from harness.scoring.judges.failure_kinds import FAILURE_KINDS, MEANINGS, failure_shares


def test_efficiency_is_the_mean_ratio_of_successes_alone():
    found = efficiency(
        [
            SteppedTry("a", 6, 3, True),
            SteppedTry("b", 4, 4, True),
            SteppedTry("c", 50, None, True),
            SteppedTry("d", 30, 3, False),
            SteppedTry("e", 10, 3, False),
            SteppedTry("f", 99, 3, None),
        ],
        draws=50,
    )
    assert found.efficiency.value == pytest.approx(1.5)
    assert found.success_steps.value == pytest.approx(20)
    assert found.failure_steps.value == pytest.approx(20)
    assert (found.without_reference, found.unknown) == (1, 1)


def test_without_successes_there_is_no_efficiency():
    found = efficiency([SteppedTry("a", 6, 3, False)])
    assert found.efficiency.value is None
    assert found.failure_steps.value == 6


def test_failures_are_counted_by_kind_and_those_that_nobody_named_apart():
    found = failure_shares(["navigation", "navigation", "other", None, "incomplete_steps"])
    assert found.counts["navigation"] == 2
    assert found.share("navigation") == 0.5
    assert found.share("misunderstanding") == 0
    assert found.unnamed == 1
    assert failure_shares([None]).share("other") is None


def test_every_kind_of_failure_is_explained():
    assert set(MEANINGS) == set(FAILURE_KINDS)
