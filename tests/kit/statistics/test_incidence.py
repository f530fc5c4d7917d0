"""How many of what can happen once have happened by each moment."""

from __future__ import annotations

import pytest

from harness.kit.statistics.incidence import cumulative_incidence


def test_with_nothing_cut_off_it_is_the_plain_share():
    points = cumulative_incidence([0, 2, 2], [], never=1)
    assert [(each.at, each.at_risk, each.happened) for each in points] == [(0, 4, 1), (1, 3, 0), (2, 3, 2)]
    assert [each.share for each in points] == pytest.approx([0.25, 0.25, 0.75])


def test_what_was_cut_off_leaves_after_its_last_moment():
    points = cumulative_incidence([1, 3], [1, 2])
    assert [(each.at_risk, each.censored) for each in points] == [(4, 0), (4, 1), (2, 1), (1, 0)]
    # By hand: 1 - 3/4, then the last one that is left.
    assert [each.share for each in points] == pytest.approx([0, 0.25, 0.25, 1])


def test_what_can_no_more_happen_stays_at_risk():
    (*_, last) = cumulative_incidence([5], [], never=9)
    assert (last.at_risk, last.share) == (10, pytest.approx(0.1))


def test_of_nothing_there_is_nothing():
    assert cumulative_incidence([], []) == ()


def test_where_nothing_happens_there_is_one_moment_and_no_share():
    assert [(each.at, each.share) for each in cumulative_incidence([], [], never=3)] == [(0, 0.0)]
