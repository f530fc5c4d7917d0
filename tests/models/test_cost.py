"""Money is exact, and what is not known has no cost."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.models.cost import Price, TokenRates, dollars
from harness.models.messages import Usage

SOL = Price.from_record(
    {
        "input": Decimal(2),
        "output": Decimal(10),
        "cached": Decimal("0.2"),
        "written": Decimal("2.5"),
        "long": {"from": 272_000, "input": 4, "output": 15, "cached": Decimal("0.4"), "written": 5},
    }
)
tokens = st.integers(0, 2_000_000)


def test_a_call_costs_its_tokens_times_the_rates_per_million() -> None:
    assert SOL.cost(Usage(input_tokens=12_345, output_tokens=678)) == Decimal("0.03147")


def test_cached_input_costs_its_own_rate() -> None:
    assert SOL.cost(Usage(100_000, 0, cached_input_tokens=40_000)) == Decimal("0.128")


def test_input_that_is_put_into_the_cache_costs_its_own_rate() -> None:
    assert SOL.cost(Usage(100_000, 0, cached_input_tokens=20_000, written_input_tokens=40_000)) == Decimal("0.184")


def test_cached_input_costs_as_much_as_other_input_if_it_has_no_rate() -> None:
    price = Price(TokenRates(Decimal(10), Decimal(30)))
    assert price.cost(Usage(500, 20, 400)) == price.cost(Usage(500, 20))


def test_a_long_call_has_the_long_rates_for_all_of_its_tokens() -> None:
    assert SOL.cost(Usage(272_000, 1_000)) == Decimal("0.554")
    assert SOL.cost(Usage(272_001, 1_000)) == Decimal("1.103004")


def test_a_million_small_calls_sum_up_to_the_cent() -> None:
    price = Price(TokenRates(Decimal("0.1"), Decimal("0.5"), Decimal("0.01")))
    once = price.cost(Usage(7, 3, 1))
    assert sum([once] * 100_000, Decimal(0)) == Decimal("0.211")


@given(tokens, tokens, st.floats(0, 1))
def test_no_call_costs_more_than_the_most_that_is_claimed_for_it(sent: int, written: int, share: float) -> None:
    usage = Usage(sent, written, int(sent * share))
    assert SOL.cost(usage) <= SOL.most(usage)


def test_what_is_claimed_reckons_with_writing_to_the_providers_cache() -> None:
    assert SOL.most(Usage(100_000, 1_000)) == Decimal("0.26")


def test_a_price_survives_the_run_directory() -> None:
    assert Price.from_record(SOL.to_json()) == SOL


@pytest.mark.parametrize(
    ("record", "complaint"),
    [
        ({"input": 1}, "output"),
        ({"input": 1, "output": -2}, "-2"),
        ({"input": 1, "output": "two"}, "two"),
        ({"input": 1, "output": "nan"}, "nan"),
        ({"input": 1, "output": 2, "inptu": 3}, "inptu"),
        ({"input": 1, "output": 2, "long": {"input": 2, "output": 4}}, "from"),
    ],
)
def test_a_mistake_in_a_price_is_named(record: dict[str, object], complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        Price.from_record(record)


@pytest.mark.parametrize(
    ("cost", "text"),
    [
        (None, "unknown"),
        (Decimal(0), "$0.00"),
        (Decimal("0.00314"), "$0.0031"),
        (Decimal("0.0000125"), "$0.000013"),
        (Decimal("12.345"), "$12.35"),
        (Decimal("1234567.891"), "$1234567.89"),
    ],
)
def test_amounts_are_shown_to_the_cent_and_small_ones_finer(cost: Decimal | None, text: str) -> None:
    assert dollars(cost) == text
