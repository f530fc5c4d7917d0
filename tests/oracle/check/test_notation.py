"""Labels as spreadsheets and locales write them, and what inputs take instead: pure functions."""

from __future__ import annotations

import pytest

from oracle.check.mistakes.notation import as_dates, dates_of, meant, takes


@pytest.mark.parametrize(
    ("kind", "label", "values"),
    [
        ("date", "3/14/2021", ("2021-03-14",)),
        ("date", "14.3.2021", ("2021-03-14",)),
        ("date", "3/4/2021", ("2021-03-04", "2021-04-03")),
        ("date", "44269", ("2021-03-14",)),
        ("date", "20210314", ("2021-03-14",)),
        ("date", "March 14th, 2021", ("2021-03-14",)),
        ("date", "14-Mar-21", ("2021-03-14",)),
        ("date", "2021-03-14 00:00:00", ("2021-03-14",)),
        ("date", "2021-3-14", ("2021-03-14",)),
        ("date", "soon", ()),
        ("time", "7:30 PM", ("19:30",)),
        ("time", "7:30\u202fp.m.", ("19:30",)),
        ("time", "9:05", ("09:05",)),
        ("time", "19.30", ("19:30",)),
        ("time", "7:30:15 PM", ("19:30:15",)),
        ("time", "0.8125", ("19:30",)),
        ("datetime-local", "3/14/2021 7:30 PM", ("2021-03-14T19:30",)),
        ("datetime-local", "2021-03-14 19:30", ("2021-03-14T19:30",)),
        ("datetime-local", "44269.8125", ("2021-03-14T19:30",)),
        ("month", "Mar-21", ("2021-03",)),
        ("week", "2021W11", ("2021-W11",)),
        ("number", "12,50", ("12.50",)),
        ("number", "1.234,56", ("1234.56",)),
        ("number", "1,234.56", ("1234.56",)),
        ("number", "1,234", ("1234", "1.234")),
        ("number", "1,234,567", ("1234567",)),
        ("number", "1\xa0234,5", ("1234.5",)),
        ("number", "$3.20", ("3.20",)),
        ("number", "-\u20ac5", ("-5",)),
        ("number", "(5)", ("-5",)),
        ("number", "\u22123", ("-3",)),
        ("number", "50%", ("50",)),
        ("number", "12 km", ("12",)),
        ("number", "many", ()),
        ("number", "1.2.3", ()),
        ("color", "Red", ("#ff0000",)),
        ("color", "#F00", ("#ff0000",)),
        ("color", "rgb(255, 0, 0)", ("#ff0000",)),
        ("color", "FF0000", ("#ff0000",)),
    ],
)
def test_a_label_that_an_input_does_not_take_is_read_as_what_it_can_mean(kind, label, values):
    assert not takes(kind, label)
    assert meant(kind, label) == values
    assert all(takes(kind, value) for value in values)


@pytest.mark.parametrize(
    ("kind", "label"),
    [
        ("date", "2021-03-14"),
        ("time", "19:30"),
        ("time", "19:30:05"),
        ("datetime-local", "2021-03-14T19:30"),
        ("number", "12.50"),
        ("number", "-1e3"),
        ("color", "#ff0000"),
        ("text", "3/14/2021"),
        ("email", "ann"),
    ],
)
def test_a_label_as_the_input_writes_it_is_taken(kind, label):
    assert takes(kind, label)


@pytest.mark.parametrize(
    ("label", "option", "same"),
    [
        ("1-Feb", "1-2", True),
        ("02-Jan", "1-2", True),
        ("1/2/2021", "1-2", True),
        ("2021-01-02", "1/2", True),
        ("2-Mar", "1-2", False),
        ("18-25", "18-25", False),
    ],
)
def test_a_date_that_a_spreadsheet_made_of_an_option_is_known(label, option, same):
    assert bool(as_dates(label) & dates_of(option)) is same
