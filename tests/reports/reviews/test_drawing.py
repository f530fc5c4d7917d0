from __future__ import annotations

from collections import Counter

from harness.reports.reviews.drawing import draw

STRATA = {
    "many": {"radio": [f"many radio {n}" for n in range(50)], "text": [f"many text {n}" for n in range(2)]},
    "few": {"radio": ["few radio 0", "few radio 1"]},
    "one": {"text": ["one text 0"]},
}


def tasks(drawn):
    return Counter(each.split()[0] for each in drawn)


def test_tasks_take_turns_however_many_fields_they_have():
    assert tasks(draw(STRATA, 3, 0)) == {"many": 1, "few": 1, "one": 1}
    assert tasks(draw(STRATA, 6, 0)) == {"many": 3, "few": 2, "one": 1}


def test_kinds_take_turns_within_a_task():
    found = [each for each in draw(STRATA, 8, 0) if each.startswith("many")]
    assert Counter(each.split()[1] for each in found[:4]) == {"radio": 2, "text": 2}


def test_no_field_is_drawn_twice_and_no_more_than_there_are():
    found = draw(STRATA, 1_000, 0)
    assert len(found) == len(set(found)) == 55


def test_equal_seeds_draw_the_same_and_others_do_not():
    assert draw(STRATA, 9, 1) == draw(STRATA, 9, 1)
    assert draw(STRATA, 9, 1) != draw(STRATA, 9, 2)


def test_a_larger_draw_goes_on_from_a_smaller_one():
    assert draw(STRATA, 20, 3)[:7] == draw(STRATA, 7, 3)


def test_of_nothing_nothing_is_drawn():
    assert draw({}, 5, 0) == []
