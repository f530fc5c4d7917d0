import pytest

from harness.kit.text import NOTHING, percent, points, spread


@pytest.mark.parametrize(("share", "text"), [(None, NOTHING), (0.0, "0.0"), (0.1234, "12.3"), (1.0, "100.0")])
def test_a_share_is_shown_in_per_cent(share, text):
    assert percent(share) == text


@pytest.mark.parametrize(("difference", "text"), [(None, NOTHING), (0.0, "+0.0"), (0.1234, "+12.3"), (-0.5, "-50.0")])
def test_a_difference_is_shown_in_points_with_its_sign(difference, text):
    assert points(difference) == text


def test_points_have_as_many_decimals_as_are_asked_for():
    assert points(0.12345, digits=2) == "+12.35"


@pytest.mark.parametrize(
    ("counts", "words"),
    [
        ({}, NOTHING),
        ({3: 7}, "3"),
        ({1: 1, 2: 1, 9: 1}, "1–2–9"),
        ({1: 2, 9: 2}, "1–1–9"),
        ({9: 3, 1: 1}, "1–9–9"),
        ({1: 1, 1097: 1}, "1–1–1,097"),
    ],
)
def test_the_least_the_median_and_the_most_of_numbers(counts: dict[int, int], words: str) -> None:
    assert spread(counts) == words
