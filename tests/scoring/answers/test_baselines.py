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


RADIO = ("radio", "1", "2")
ANSWERS = {
    "the most frequent of the other instances": (RADIO, [["2"], ["1", "1"], ["2"], ["1", "2"]], ["1"]),
    "the instance's own labels do not count": (RADIO, [["2", "2", "2"], ["1"]], ["1"]),
    "of equals the first seen": (("radio", "1", "2", "3"), [["3"], ["2", "1"], ["1", "2"]], ["2"]),
    "its own do not decide between equals": (RADIO, [["1"], ["2"], ["1"]], ["2"]),
    "its own do not decide between equals of one other": (RADIO, [["1", "2"], ["2", "1"]], ["2"]),
    "of equals in as many instances the first seen": (
        RADIO,
        [["9"], ["1", "2"], ["1", "2"], ["2"], ["1"]],
        ["1"],
    ),
    "most frequent with its own only": (RADIO, [["1", "1", "1", "2"], ["1", "2", "2"]], ["2"]),
    "of two that it gave itself the others' more frequent": (RADIO, [["1"] * 3 + ["2"] * 3, ["1", "1", "2"]], ["1"]),
    "what a radio does not offer is passed over": (RADIO, [["1"], ["9", "9"], ["2"]], ["2"]),
    "what a list does not offer is passed over": (("select", "1", "2"), [["1"], ["9", "9"], ["2"]], ["2"]),
    "spellings of one option count together": (RADIO, [["1"], ["1", "1.0", "2", "2"], [" 1 "]], ["1"]),
    "boxes count as sets": (("checkbox", "x", "y"), [[""], ["x|y", "y|x", "x"], ["x"], ["y|x"]], ["x", "y"]),
    "a set with a box that is not there": (("checkbox", "x", "y"), [[""], ["x|z", "x|z"], ["y"]], ["y"]),
    "all ways to say not ticked are one": (("checkbox", "on"), [["on"], ["", "False", "off"], ["on", "on"]], []),
    "blanks of instances that nobody answered": (("checkbox", "on"), [["on"], ["on"], ["", ""]], ["on"]),
    "a lone box that most tick": (("checkbox", "yes"), [["False"], ["True", "True", "False"]], ["yes"]),
    "a lone box that most tick in either way": (("checkbox", "yes"), [["False"], ["on", "True", ""]], ["yes"]),
    "texts count as written": (("text",), [["x"], ["cat", "cat ", "dog"], ["dog"]], ["dog"]),
    "numbers of a slider by value": (("range",), [["1"], ["50.0", "50", "40", "40", "nothing"], ["5e1"]], ["50"]),
    "a list that takes several": (("select", "x", "y"), [["x"], ["x|y", "y|x"], ["x"]], ["x", "y"]),
}
"""The field; the labels of each instance, of which the first is asked for; its constant answer."""


@pytest.mark.parametrize(("shown", "labels", "expected"), ANSWERS.values(), ids=ANSWERS)
def test_the_constant_answer_is_the_most_frequent_of_the_other_instances(shown, labels, expected):
    assert constant(task(*({"a": each} for each in labels)), field("a", *shown)) == tuple(expected)


def test_there_is_none_without_other_instances():
    made = task({"a": ["2", "2"]})
    assert constant(made, field("a", "radio", "1", "2")) is None
    assert constant(task({"a": ["on"]}), field("a", "checkbox", "on")) is None


@pytest.mark.parametrize("kind", ["radio", "text"])
def test_there_is_none_if_the_others_left_the_field_blank(kind):
    made = task({"a": ["2"], "b": ["x"]}, {"a": [""], "b": ["x"]}, {"a": ["{}"], "b": ["x"]})
    assert constant(made, field("a", kind, "1", "2"), field("b")) is None


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


def test_the_options_of_one_instance_do_not_stand_for_those_of_another():
    made = task({"a": ["x"]}, {"a": ["9", "9"]}, {"a": ["2"]})
    columns = AnswerColumns(made)
    constants = ConstantAnswers(columns)
    given = []
    for options in (("1", "2"), ("9", "2")):
        (answer,) = columns.answers(made.instances[0], [field("a", "radio", *options)])
        given.append(constants.answer(made.instances[0], answer))
    assert given == [("2",), ("9",)]


def test_an_instance_that_nobody_answered_takes_nothing_from_the_count_of_the_others():
    made = task({"a": ["", ""], "b": ["", ""]}, {"a": ["", ""], "b": ["x", "x"]}, {"a": ["on"], "b": ["x"]})
    assert constant(made, field("a", "checkbox", "on"), field("b")) == ()


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
