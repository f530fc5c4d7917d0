"""Answers that people have given so far: side by side, and how far they agree, field by field."""

from __future__ import annotations

import pytest

from harness.analysis.people.collected_answers import agreement_so_far, asked_field, compared

FIELDS = [
    asked_field("choice", "radio", ("x", "y")),
    asked_field("boxes", "checkbox", ("1", "2")),
    asked_field("text", "textarea"),
    asked_field("number", "range"),
]


def by_name(found):
    return {each.name: each for each in found}


def test_the_answer_that_most_gave_is_marked_in_whatever_way_it_is_written():
    given = [{"choice": ["x"], "text": ["yes "]}, {"choice": ["X"], "text": ["yes"]}, {"choice": ["y"], "text": ["no"]}]
    found = by_name(compared(FIELDS, given))
    assert found["choice"].cells == ("x", "X", "y")
    assert found["choice"].majority == found["text"].majority == {0, 1}
    assert found["choice"].agreement == pytest.approx(1 / 3)
    assert not found["choice"].tied


def test_answers_that_share_the_first_place_make_no_majority_and_neither_does_one_person_alone():
    found = by_name(compared(FIELDS, [{"choice": ["x"], "text": ["only one"]}, {"choice": ["y"]}]))
    assert (found["choice"].majority, found["choice"].tied, found["choice"].agreement) == (frozenset(), True, 0.0)
    assert (found["text"].majority, found["text"].tied, found["text"].agreement) == (frozenset(), False, None)


def test_boxes_agree_box_by_box_and_who_ticks_none_has_answered_if_they_answered_anything():
    found = by_name(compared(FIELDS, [{"boxes": ["1", "2"]}, {"boxes": ["1"]}, {"choice": ["x"]}, {}]))
    assert found["boxes"].cells == ("1|2", "1", "", "")
    # Box 1: one pair of three alike; box 2 the same; who sent nothing at all is in no pair.
    assert found["boxes"].agreement == pytest.approx(1 / 3)


def test_names_that_the_page_does_not_declare_come_behind_its_fields():
    assert [each.name for each in compared(FIELDS, [{"later": ["a"]}, {"later": ["a"], "choice": ["x"]}])] == [
        *(field.name for field in FIELDS),
        "later",
    ]


def test_agreement_is_the_mean_over_instances_with_an_interval_once_two_have_pairs():
    alike, apart, alone = [{"choice": ["x"]}] * 2, [{"choice": ["x"]}, {"choice": ["y"]}], [{"choice": ["x"]}]
    one = by_name(agreement_so_far(FIELDS, [alike, alone]))["choice"]
    assert (one.instances, one.agreement.value, one.agreement.low) == (1, 1.0, None)
    several = by_name(agreement_so_far(FIELDS, [alike, alike, apart, alone, alike]))["choice"]
    assert (several.instances, several.agreement.value) == (4, 0.75)
    assert several.agreement.low is not None
    assert several.agreement.low < 0.75 < several.agreement.high
    assert several.votes.unanimous == 0.75


def test_what_no_two_people_answered_is_unknown_and_not_zero():
    found = by_name(agreement_so_far(FIELDS, [[{"choice": ["x"]}], []]))
    assert list(found) == [field.name for field in FIELDS]
    assert {each.agreement.value for each in found.values()} == {None}
    assert {each.votes.alpha for each in found.values()} == {None}
