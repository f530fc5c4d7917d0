"""The section "Labels" of docs/reference/metrics.md, rule by rule."""

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


@pytest.mark.parametrize(
    ("label", "options", "matched"),
    [
        ("2.0", ["2", "2.0"], "2.0"),
        ("Yes", ["yes", "Yes"], "Yes"),
        # An equal number is next; its sign counts.
        ("2.0", ["1", "2"], "2"),
        ("2", ["1.0", "2.0"], "2.0"),
        (" 1e2", ["100", "1E2"], "100"),
        ("-1", ["1", "-1"], "-1"),
        ("-1.0", ["1"], None),
        # Case and outer white space are ignored last, and inner white space is not.
        (" YES ", ["yes", "no"], "yes"),
        ("1E2", ["1e2 ", "100"], "1e2 "),
        ("very good", ["very  good"], None),
        ("cafe\u0301", ["caf\u00e9"], "caf\u00e9"),
        ("maybe", ["yes", "no"], None),
        ("maybe", [], None),
    ],
)
def test_a_label_matches_the_option_that_it_is_nearest_to_and_no_other(
    label: str, options: list[str], matched: str | None
) -> None:
    assert match_option(label, options) == matched


@pytest.mark.parametrize(
    ("label", "options", "boxes"),
    [
        ("b|a", ["a", "b", "c"], {"a", "b"}),
        ("2.0| A ", ["a", "2"], {"a", "2"}),
        ("a|b", ["a", "b", "a|b"], {"a|b"}),
        ("a|Zebra", ["a", "b"], {"a", "Zebra"}),
        ("a||b|", ["a", "b"], {"a", "b"}),
        ("1|1", ["1"], {"1"}),
        ("on", ["a", "b"], {"on"}),
        ("off", ["on", "off"], {"off"}),
    ],
)
def test_each_part_of_a_checkbox_label_names_a_box_unless_the_whole_is_an_option(
    label: str, options: list[str], boxes: set[str]
) -> None:
    assert ticked(label, options) == boxes


@pytest.mark.parametrize("label", ["", " ", "{}", "False", "false", "off", "OFF"])
def test_not_ticked_is_written_in_several_ways(label: str) -> None:
    assert ticked(label, ["on"]) == frozenset()
    assert ticked(label, ["a", "b"]) == frozenset()


@pytest.mark.parametrize("label", ["True", "true", "on", "ON"])
def test_ticked_is_written_in_several_ways(label: str) -> None:
    assert ticked(label, ["yes-please"]) == {"yes-please"}


def test_winners_are_the_most_voted() -> None:
    assert winners(["a", "b", "b"]) == ("b",)


def test_tied_winners_keep_the_order_in_which_they_were_seen() -> None:
    assert winners(["c", "b", "a", "b", "c"]) == ("c", "b")


def test_without_votes_nobody_wins() -> None:
    assert winners([]) == ()
