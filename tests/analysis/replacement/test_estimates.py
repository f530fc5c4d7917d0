from __future__ import annotations

import pytest

from harness.analysis.replacement.estimates import quantities
from harness.analysis.replacement.sequential import looks_up_to, spent_levels
from harness.analysis.replacement.slices import worst_slices
from tests.analysis.made import instance_id
from tests.analysis.replacement.made_answers import answers_of, asked
from tests.samples import episode, record


def test_the_share_of_an_answer_is_corrected_by_what_people_said_of_some(tmp_path):
    """The agent says yes to all; people say yes to two thirds of those that they answered."""
    played = [asked(index, "yes", ["yes" if index % 3 else "no"] if index < 30 else [""]) for index in range(90)]
    found = {each.answer: each for each in quantities(answers_of(tmp_path, played).items)}["yes"]
    assert (found.agent, found.labelled, found.items) == (1.0, 30, 90)
    assert found.people.value == pytest.approx(2 / 3)
    assert found.both.value == pytest.approx(2 / 3)


def test_an_agent_that_is_right_narrows_the_interval(tmp_path):
    played = [
        asked(index, "yes" if index % 3 else "no", ["yes" if index % 3 else "no"] if index < 40 else [""])
        for index in range(400)
    ]
    found = quantities(answers_of(tmp_path, played).items)[0]
    assert found.both.high - found.both.low < (found.people.high - found.people.low) / 2
    assert found.worth > 100


def test_numbers_have_a_mean_and_texts_have_none(tmp_path):
    played = [
        episode(
            record("age", "range", labels=(str(20 + index), str(22 + index)), sent=(str(21 + index),)),
            record("why", "text", labels=("because", "so"), sent=("so",)),
            index=index,
            id=instance_id("T", index),
        )
        for index in range(12)
    ]
    (found,) = quantities(answers_of(tmp_path, played).items)
    assert (found.field, found.answer, found.agent) == ("age", "", pytest.approx(26.5))
    assert found.people.value == pytest.approx(26.5)


def test_a_word_with_which_answers_go_wrong_is_found(tmp_path):
    played = [asked(index, "no" if index % 5 == 0 else "yes", ["yes", "yes"]) for index in range(100)]
    items = answers_of(tmp_path, played).items
    words = {
        each.key: f"number {each.index} {'negation here' if each.index % 5 == 0 else 'plain words'}" for each in items
    }
    found = worst_slices(items, words)
    assert found.found[0].what in {"input with the word “negation”", "input with the word “here”"}
    assert (found.found[0].items, found.found[0].lost, found.found[0].elsewhere) == (20, 1.0, 0.0)
    assert all(each.index % 5 == 0 for each in found.found[0].examples)


def test_groups_that_are_bad_by_chance_are_not_told_of(tmp_path):
    played = [asked(index, "no" if index % 7 == 0 else "yes", ["yes", "yes"]) for index in range(100)]
    items = answers_of(tmp_path, played).items
    words = {each.key: " ".join(f"word{chr(97 + bit)}" for bit in range(8) if each.index >> bit & 1) for each in items}
    found = worst_slices(items, words)
    assert found.looked_at >= 6
    assert found.found == ()


def test_looks_double_and_share_the_level():
    assert looks_up_to(100, 10) == [10, 20, 40, 80, 100]
    assert looks_up_to(7, 10) == [7]
    levels = spent_levels([10, 20, 40, 80, 100], 0.05)
    assert sum(levels) == pytest.approx(0.05)
    assert levels[0] < 1e-6
