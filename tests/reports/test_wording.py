from __future__ import annotations

import pytest

from harness.kit.statistics.estimate import Estimate
from harness.reports import wording


@pytest.mark.parametrize(
    ("value", "shown"), [(None, "–"), (0.5, "50.0"), (-0.081, "\N{MINUS SIGN}8.1"), (-0.0001, "0.0"), (1, "100.0")]
)
def test_shares_are_per_cent_with_one_decimal_and_a_real_minus(value, shown):
    assert wording.percent(value) == shown


@pytest.mark.parametrize(
    ("value", "shown"), [(0.021, "+2.1"), (-0.021, "\N{MINUS SIGN}2.1"), (0.0001, "0.0"), (None, "–")]
)
def test_differences_have_a_sign_unless_they_are_zero(value, shown):
    assert wording.points(value) == shown


@pytest.mark.parametrize(("value", "shown"), [(0, "$0.00"), (0.00234, "$0.0023"), (1234.5, "$1,234.50"), (None, "–")])
def test_small_amounts_of_money_keep_their_digits(value, shown):
    assert wording.dollars(value) == shown


def test_an_interval_that_is_not_known_is_no_interval():
    assert wording.interval(Estimate(0.5, None, None, clusters=1, items=1)) == "–"
    assert wording.interval(None) == "–"
    assert wording.interval(Estimate(0.5, 0.25, 0.75, clusters=9, items=9)) == "25.0 to 75.0"


def test_long_names_keep_beginning_and_end():
    name = "a very long name of a task, part 17"
    assert wording.shortened(name, 20) == "a very long n… part 17"[:13] + "…" + name[-6:]
    assert len(wording.shortened(name, 20)) == 20
    assert wording.shortened(name, 100) == name


@pytest.mark.parametrize(
    ("number", "said"), [(1, "1 task"), (0, "0 tasks"), (1234, "1\N{NARROW NO-BREAK SPACE}234 tasks")]
)
def test_nouns_follow_their_number(number, said):
    assert wording.plural(number, "task") == said
