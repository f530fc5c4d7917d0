from __future__ import annotations

import argparse

import pytest

from harness.kit.arguments import (
    correlation,
    existing,
    money,
    one_line,
    points_of_difference,
    positive,
    seconds,
    share,
    tasks_by_instances,
    whole,
)


@pytest.mark.parametrize(
    ("kind", "text", "value"),
    [
        (whole, "0", 0),
        (positive, "1", 1),
        (seconds, "0.5", 0.5),
        (points_of_difference, "100", 100.0),
        (share, "0.05", 0.05),
        (correlation, "-1", -1.0),
        (tasks_by_instances, "20x3", (20, 3)),
        (money, "0", 0.0),
        (one_line(3), "abc", "abc"),
    ],
)
def test_a_text_that_fits_is_read(kind, text, value):
    assert kind(text) == value


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        (whole, "-1"),
        (whole, "1.0"),
        (positive, "0"),
        (seconds, "0"),
        (seconds, "inf"),
        (seconds, "soon"),
        (points_of_difference, "0"),
        (points_of_difference, "101"),
        (share, "1"),
        (share, "nan"),
        (correlation, "1"),
        (tasks_by_instances, "0x3"),
        (tasks_by_instances, "20"),
        (money, "-1"),
        (money, "nan"),
        (money, "much"),
        (one_line(3), "abcd"),
        (one_line(3), "a\nb"),
        (existing, "/there/is/no/such/file"),
    ],
)
def test_a_text_that_does_not_fit_is_refused(kind, text):
    with pytest.raises(argparse.ArgumentTypeError):
        kind(text)
