"""The section "Labels" of docs/metrics.md, rule by rule."""

from __future__ import annotations

from decimal import Decimal

import pytest

from harness.catalog.labels import clean, is_blank, match_option, number, ticked, winners


@pytest.mark.parametrize("cell", ["", "   ", "\t\r\n", "{}", " {} ", "'{}'", "nan"])
def test_blank_cells_are_blank(cell: str) -> None:
    assert is_blank(cell)


@pytest.mark.parametrize("cell", ["None", "none", "null", "NA", "0", "0.0", "False", "off", "{ }", "[]", "NaN", "."])
def test_everything_else_is_an_answer(cell: str) -> None:
    assert not is_blank(cell)


def test_line_ends_become_newlines() -> None:
    assert clean("a\r\nb\rc\nd") == "a\nb\nc\nd"


def test_text_becomes_normal_form_c() -> None:
    assert clean("cafe\u0301") == "caf\u00e9"


def test_cleaning_keeps_white_space() -> None:
    assert clean("  a  b ") == "  a  b "


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("2", "2"),
        ("2.0", "2"),
        (" -1 ", "-1"),
        ("+.5", "0.5"),
        ("5.", "5"),
        ("1e-05", "0.00001"),
        ("007", "7"),
    ],
)
def test_numbers_are_read_exactly(text: str, value: str) -> None:
    assert number(text) == Decimal(value)


@pytest.mark.parametrize("text", ["", ".", "-", "1,000", "1 000", "2a", "nan", "inf", "٣", "1e99999", "1_0", "0x1"])
def test_other_texts_are_no_numbers(text: str) -> None:
    assert number(text) is None


def test_an_exact_option_comes_before_an_equal_number() -> None:
    assert match_option("2.0", ["2", "2.0"]) == "2.0"


def test_an_equal_number_matches() -> None:
    assert match_option("2.0", ["1", "2"]) == "2"
    assert match_option("2", ["1.0", "2.0"]) == "2.0"


def test_the_sign_of_a_number_counts() -> None:
    assert match_option("-1", ["1", "-1"]) == "-1"
    assert match_option("-1.0", ["1"]) is None


def test_case_and_outer_white_space_are_ignored_last() -> None:
    assert match_option(" YES ", ["yes", "no"]) == "yes"
    assert match_option("Yes", ["yes", "Yes"]) == "Yes"


def test_an_equal_number_comes_before_equal_case() -> None:
    assert match_option("1E2", ["1e2 ", "100"]) == "1e2 "
    assert match_option(" 1e2", ["100", "1E2"]) == "100"


def test_a_decomposed_label_matches_a_composed_option() -> None:
    assert match_option("cafe\u0301", ["caf\u00e9"]) == "caf\u00e9"


def test_a_label_without_option_matches_nothing() -> None:
    assert match_option("maybe", ["yes", "no"]) is None
    assert match_option("maybe", []) is None


def test_inner_white_space_counts() -> None:
    assert match_option("very good", ["very  good"]) is None


def test_a_checkbox_label_is_split_at_bars_in_any_order() -> None:
    assert ticked("b|a", ["a", "b", "c"]) == {"a", "b"}


def test_each_part_of_a_checkbox_label_is_matched_by_itself() -> None:
    assert ticked("2.0| A ", ["a", "2"]) == {"a", "2"}


def test_a_whole_label_that_is_an_option_is_not_split() -> None:
    assert ticked("a|b", ["a", "b", "a|b"]) == {"a|b"}


def test_an_unmatched_part_stays_as_written() -> None:
    assert ticked("a|Zebra", ["a", "b"]) == {"a", "Zebra"}


def test_blank_parts_are_dropped() -> None:
    assert ticked("a||b|", ["a", "b"]) == {"a", "b"}


@pytest.mark.parametrize("label", ["", " ", "{}", "False", "false", "off", "OFF"])
def test_not_ticked_is_written_in_several_ways(label: str) -> None:
    assert ticked(label, ["on"]) == frozenset()
    assert ticked(label, ["a", "b"]) == frozenset()


@pytest.mark.parametrize("label", ["True", "true", "on", "ON"])
def test_ticked_is_written_in_several_ways(label: str) -> None:
    assert ticked(label, ["yes-please"]) == {"yes-please"}


def test_on_among_several_boxes_names_none_of_them() -> None:
    assert ticked("on", ["a", "b"]) == {"on"}


def test_an_option_called_off_can_be_ticked() -> None:
    assert ticked("off", ["on", "off"]) == {"off"}


def test_the_same_value_named_twice_is_one_box() -> None:
    assert ticked("1|1", ["1"]) == {"1"}


def test_winners_are_the_most_voted() -> None:
    assert winners(["a", "b", "b"]) == ("b",)


def test_tied_winners_keep_the_order_in_which_they_were_seen() -> None:
    assert winners(["c", "b", "a", "b", "c"]) == ("c", "b")


def test_without_votes_nobody_wins() -> None:
    assert winners([]) == ()
