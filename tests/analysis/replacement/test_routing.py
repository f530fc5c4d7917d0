from __future__ import annotations

from dataclasses import replace

import pytest

from harness.analysis.replacement.routing import route
from tests.analysis.replacement.made_answers import answers_of, asked


def items_of(tmp_path, wrong, count, labelled=None):
    """Items of which some are wrong; these have a long input."""
    labelled = range(count) if labelled is None else labelled
    played = [
        asked(
            index,
            "no" if index in wrong else "yes",
            ["yes", "yes"] if index in labelled else ["", ""],
            longest_input="x" * (500 if index in wrong else 20),
        )
        for index in range(count)
    ]
    return answers_of(tmp_path, played).items


def test_items_like_those_that_went_wrong_go_to_people(tmp_path):
    found = route(items_of(tmp_path, set(range(0, 120, 10)), 120), 0.05)
    assert 0.1 <= found.chosen.share <= 0.3
    assert {each.index for each in found.to_people} >= set(range(0, 120, 10))
    assert len(found.to_people) + len(found.to_agent) == 120
    assert found.chosen.error == 0.0
    assert found.chosen.high <= 0.05
    assert found.signals["length of the longest input"] > 0


def test_items_without_labels_follow_the_rule(tmp_path):
    wrong = set(range(0, 200, 8))
    found = route(items_of(tmp_path, wrong, 200, labelled=range(120)), 0.05)
    assert found.labelled == 120
    assert {each.index for each in found.to_people if each.index >= 120} == {each for each in wrong if each >= 120}


def test_few_labels_promise_nothing(tmp_path):
    found = route(items_of(tmp_path, set(), 20), 0.05)
    assert (found.chosen.share, len(found.to_agent)) == (1.0, 0)


def test_an_agent_without_mistakes_may_do_everything_once_enough_labels_say_so(tmp_path):
    found = route(items_of(tmp_path, set(), 80), 0.05)
    assert (found.chosen.share, len(found.to_people)) == (0.0, 0)


def test_without_labels_there_is_no_rule(tmp_path):
    assert route(items_of(tmp_path, set(), 5, labelled=()), 0.05) is None


def test_the_curve_is_no_better_than_chance_where_signals_say_nothing(tmp_path):
    """Each item is judged by the others: its own mistake does not tell on it."""
    alike = [
        replace(each, signals={"noise": float(hash((each.index, 7)) % 97)})
        for each in items_of(tmp_path, set(range(0, 100, 4)), 100)
    ]
    half = next(each for each in route(alike, 0.05).curve if each.share == pytest.approx(0.5))
    assert half.error == pytest.approx(half.at_random, abs=0.06)


def test_signals_that_are_all_alike_or_known_of_no_labelled_item_tell_nothing(tmp_path):
    items = items_of(tmp_path, set(range(0, 60, 6)), 60, labelled=range(50))
    told = [replace(each, signals={**each.signals, "alike": 0.1}) for each in items[:50]]
    told += [replace(each, signals={**each.signals, "alike": 0.1, "of few": 3.0}) for each in items[50:]]
    assert set(route(told, 0.05).signals) == set(route(items, 0.05).signals)


def test_another_run_that_disagrees_tells_how_sure_an_answer_is(tmp_path):
    first = [asked(index, "yes", ["yes", "yes"]) for index in range(4)]
    second = [asked(index, "yes" if index else "no", ["yes", "yes"]) for index in range(4)]
    items = answers_of(tmp_path, first, second).items
    assert [each.signals["other runs disagree"] for each in items] == [1.0, 0.0, 0.0, 0.0]
    assert all(each.fields[0].sent == ("yes",) for each in items)
