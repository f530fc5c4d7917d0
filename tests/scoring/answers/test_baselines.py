from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.scoring.answers.baselines import MOST_COPIED, ConstantAnswers, longest_input
from harness.scoring.answers.columns import AnswerColumns
from tests.samples import field, task


def constant(made, *fields, index=0, name="a"):
    columns = AnswerColumns(made)
    instance = made.instances[index]
    answer = next(each for each in columns.answers(instance, fields) if each.name == name)
    return ConstantAnswers(columns).answer(instance, answer)


def test_the_most_frequent_answer_of_the_other_instances():
    made = task({"a": ["2"]}, {"a": ["1", "1"]}, {"a": ["2"]}, {"a": ["1", "2"]})
    assert constant(made, field("a", "radio", "1", "2")) == ("1",)


def test_the_instances_own_labels_do_not_count():
    made = task({"a": ["2", "2", "2"]}, {"a": ["1"]})
    assert constant(made, field("a", "radio", "1", "2")) == ("1",)


def test_there_is_none_without_other_instances():
    made = task({"a": ["2", "2"]})
    assert constant(made, field("a", "radio", "1", "2")) is None
    assert constant(task({"a": ["on"]}), field("a", "checkbox", "on")) is None


@pytest.mark.parametrize("kind", ["radio", "text"])
def test_there_is_none_if_the_others_left_the_field_blank(kind):
    made = task({"a": ["2"], "b": ["x"]}, {"a": [""], "b": ["x"]}, {"a": ["{}"], "b": ["x"]})
    assert constant(made, field("a", kind, "1", "2"), field("b")) is None


def test_of_equals_the_first_seen_wins():
    made = task({"a": ["3"]}, {"a": ["2", "1"]}, {"a": ["1", "2"]})
    assert constant(made, field("a", "radio", "1", "2", "3")) == ("2",)


def test_the_instances_own_labels_do_not_decide_between_equals():
    made = task({"a": ["1"]}, {"a": ["2"]}, {"a": ["1"]})
    assert constant(made, field("a", "radio", "1", "2")) == ("2",)


def test_the_instances_own_labels_do_not_decide_between_equals_of_one_other_instance():
    made = task({"a": ["1", "2"]}, {"a": ["2", "1"]})
    assert constant(made, field("a", "radio", "1", "2")) == ("2",)


def test_of_equals_that_stand_in_the_same_instances_first_the_first_seen_wins():
    made = task({"a": ["9"]}, {"a": ["1", "2"]}, {"a": ["1", "2"]}, {"a": ["2"]}, {"a": ["1"]})
    assert constant(made, field("a", "radio", "1", "2")) == ("1",)


def test_an_answer_that_is_most_frequent_with_the_instances_own_labels_only_is_passed_over():
    made = task({"a": ["1", "1", "1", "2"]}, {"a": ["1", "2", "2"]})
    assert constant(made, field("a", "radio", "1", "2")) == ("2",)


def test_of_two_answers_that_the_instance_gave_itself_the_others_more_frequent_one_stays():
    made = task({"a": ["1"] * 3 + ["2"] * 3}, {"a": ["1", "1", "2"]})
    assert constant(made, field("a", "radio", "1", "2")) == ("1",)


@settings(deadline=None)
@given(st.lists(st.lists(st.sampled_from("123"), min_size=1, max_size=4), min_size=2, max_size=6))
def test_every_instance_gets_the_answer_that_counting_the_others_gives(cells):
    made = task(*({"a": each} for each in cells))
    columns = AnswerColumns(made)
    constants = ConstantAnswers(columns)
    shown = [field("a", "radio", "1", "2", "3")]
    for instance in made.instances:
        others = [cell for index, each in enumerate(cells) if index != instance.index for cell in each]
        most = max(map(others.count, others))
        expected = next(cell for cell in others if others.count(cell) == most)
        (answer,) = columns.answers(instance, shown)
        assert constants.answer(instance, answer) == (expected,)


@pytest.mark.parametrize("kind", ["radio", "select"])
def test_an_answer_that_the_field_does_not_offer_is_passed_over(kind):
    made = task({"a": ["1"]}, {"a": ["9", "9"]}, {"a": ["2"]})
    assert constant(made, field("a", kind, "1", "2")) == ("2",)


def test_the_options_of_one_instance_do_not_stand_for_those_of_another():
    made = task({"a": ["x"]}, {"a": ["9", "9"]}, {"a": ["2"]})
    columns = AnswerColumns(made)
    constants = ConstantAnswers(columns)
    given = []
    for options in (("1", "2"), ("9", "2")):
        (answer,) = columns.answers(made.instances[0], [field("a", "radio", *options)])
        given.append(constants.answer(made.instances[0], answer))
    assert given == [("2",), ("9",)]


def test_spellings_of_one_option_are_counted_together():
    made = task({"a": ["1"]}, {"a": ["1", "1.0", "2", "2"]}, {"a": [" 1 "]})
    assert constant(made, field("a", "radio", "1", "2")) == ("1",)


def test_boxes_are_counted_as_sets():
    made = task({"a": [""]}, {"a": ["x|y", "y|x", "x"]}, {"a": ["x"]}, {"a": ["y|x"]})
    assert constant(made, field("a", "checkbox", "x", "y")) == ("x", "y")


def test_a_set_with_a_box_that_is_not_there_is_passed_over():
    made = task({"a": [""]}, {"a": ["x|z", "x|z"]}, {"a": ["y"]})
    assert constant(made, field("a", "checkbox", "x", "y")) == ("y",)


def test_all_ways_to_say_not_ticked_are_one_answer():
    made = task({"a": ["on"]}, {"a": ["", "False", "off"]}, {"a": ["on", "on"]})
    assert constant(made, field("a", "checkbox", "on")) == ()


def test_blanks_of_instances_that_nobody_answered_say_nothing_about_boxes():
    made = task({"a": ["on"]}, {"a": ["on"]}, {"a": ["", ""]})
    assert constant(made, field("a", "checkbox", "on")) == ("on",)


def test_an_instance_that_nobody_answered_takes_nothing_from_the_count_of_the_others():
    made = task({"a": ["", ""], "b": ["", ""]}, {"a": ["", ""], "b": ["x", "x"]}, {"a": ["on"], "b": ["x"]})
    assert constant(made, field("a", "checkbox", "on"), field("b")) == ()


def test_texts_are_counted_as_written():
    made = task({"a": ["x"]}, {"a": ["cat", "cat ", "dog"]}, {"a": ["dog"]})
    assert constant(made, field("a", "text")) == ("dog",)


def test_numbers_of_a_slider_are_counted_by_value():
    made = task({"a": ["1"]}, {"a": ["50.0", "50", "40", "40", "nothing"]}, {"a": ["5e1"]})
    assert constant(made, field("a", "range")) == ("50",)


def test_a_list_that_takes_several_gets_the_most_frequent_set():
    made = task({"a": ["x"]}, {"a": ["x|y", "y|x"]}, {"a": ["x"]})
    assert constant(made, field("a", "select", "x", "y")) == ("x", "y")


@pytest.mark.parametrize("cells", [["True", "True", "False"], ["on", "True", ""]])
def test_a_lone_box_that_most_tick_is_ticked(cells):
    made = task({"a": ["False"]}, {"a": cells})
    assert constant(made, field("a", "checkbox", "yes")) == ("yes",)


@pytest.mark.parametrize(
    ("inputs", "text"),
    [
        ({"a": "zzz", "b": "the longer one", "c": "as long, later"}, "the longer one"),
        ({"a": "<p class='very-long-attribute'>x &amp; y</p><script>long()</script>", "b": "x & y, z"}, "x & y, z"),
        ({"a": " two \n\n words "}, "two words"),
        ({"a": "<b>two</b><i>words</i>"}, "two words"),
        ({}, ""),
    ],
)
def test_the_longest_input_is_the_one_that_says_most(inputs, text):
    (instance,) = task({"q": ["x"]}, inputs=[inputs]).instances
    assert longest_input(instance) == text


def test_a_very_long_input_is_cut():
    (instance,) = task({"q": ["x"]}, inputs=[{"a": "word " * 10_000}]).instances
    assert len(longest_input(instance)) == MOST_COPIED
