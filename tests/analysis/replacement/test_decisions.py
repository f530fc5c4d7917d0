from __future__ import annotations

from dataclasses import replace

import pytest

from harness.analysis.replacement.answers import NothingToWeigh
from harness.analysis.replacement.decisions import decision_over_tasks, field_decisions, task_decision
from tests.analysis.replacement.made_answers import answers_of, asked, with_one_odd

EPSILON = 0.1


def decided(tmp_path, played, names=None, **how):
    return field_decisions(answers_of(tmp_path, played).items, names or {}, EPSILON, **how)


def test_an_agent_that_agrees_with_most_workers_may_replace_one(tmp_path):
    (found,) = decided(tmp_path, [asked(index, "yes", with_one_odd(index)) for index in range(30)])
    assert (found.answer, found.items, found.kind, found.further) == ("yes", 30, "radio", None)
    # A worker is right unless it is the odd one; against the odd one the other two agree.
    assert found.crowd.agent == 1.0
    assert found.crowd.crowd == pytest.approx(2 / 3)


def test_a_yes_that_a_constant_answer_would_get_says_so(tmp_path):
    alike = [asked(index, "yes", ["yes"] * 3) for index in range(40)]
    constant = [
        replace(each, fields=tuple(replace(field, constant=("yes",)) for field in each.fields)) for each in alike
    ]
    (without,), (found,) = decided(tmp_path / "a", alike), decided(tmp_path / "b", constant)
    assert (without.answer, without.constant_too) == ("yes", False)
    assert (found.answer, found.constant_too) == ("yes", True)
    assert found.why.endswith("so would always giving the most frequent answer")


def test_an_agent_that_is_wrong_may_not(tmp_path):
    (found,) = decided(tmp_path, [asked(index, "no", ["yes"] * 3) for index in range(30)])
    assert (found.answer, found.crowd.difference) == ("no", -1.0)


def test_what_is_not_known_says_how_many_more_items_would_tell(tmp_path):
    played = [asked(index, "yes", ["yes"] * 3) for index in range(40)]
    (few,), (many,) = (decided(tmp_path / str(size), played[:size]) for size in (10, 40))
    assert few.answer == "not yet known"
    assert 10 < few.further + 10 <= 40
    assert few.why == f"about {few.further} more items with two workers or more would tell"
    assert many.answer == "yes"


@pytest.mark.parametrize("level", [1e-45, 0.0])
def test_at_the_first_of_many_looks_it_is_not_known_either(tmp_path, level):
    (found,) = decided(tmp_path, [asked(index, "yes", ["yes"] * 3) for index in range(10)], level=level)
    assert found.answer == "not yet known"
    assert found.further > 30


def test_without_a_second_worker_it_cannot_be_told(tmp_path):
    (found,) = decided(tmp_path, [asked(index, "yes", ["yes"]) for index in range(50)])
    assert (found.answer, found.items, found.p, found.crowd) == ("not yet known", 0, None, None)
    assert "two workers" in found.why


def test_the_more_fields_are_tested_the_more_items_a_yes_takes(tmp_path):
    def made(fields):
        return [asked(index, "yes", ["yes"] * 3, fields) for index in range(32)]

    assert [each.answer for each in decided(tmp_path / "1", made(1))] == ["yes"]
    assert {each.answer for each in decided(tmp_path / "5", made(5))} == {"not yet known"}


def named(played, workers):
    return {(each.task, each.id): workers for each in played}


def test_with_ids_the_agent_is_held_against_each_worker(tmp_path):
    played = [asked(index, "yes", ["yes", "yes", "yes", "no"]) for index in range(60)]
    (found,) = decided(tmp_path, played, named(played, ["ann", "bob", "cem", "dee"]))
    assert [each.worker for each in found.annotators.workers] == ["ann", "bob", "cem", "dee"]
    odd = found.annotators.workers[-1]
    assert (odd.items, odd.agent, odd.worker_wins) == (60, 1.0, 0.0)
    assert odd.p < found.annotators.workers[0].p
    assert found.answer == "yes"
    assert found.annotators.winning_rate == 1.0


def test_an_agent_worse_than_the_workers_wins_over_none(tmp_path):
    played = [asked(index, "no", ["yes", "yes", "yes"]) for index in range(40)]
    (found,) = decided(tmp_path, played, named(played, ["ann", "bob", "cem"]))
    assert (found.answer, found.annotators.winning_rate, found.annotators.advantage) == ("no", 0.0, 0.0)
    assert found.annotators.winning_rate_student == 0.0


@pytest.mark.parametrize(("items", "workers"), [(29, ["ann", "bob", "cem"]), (40, ["ann", "bob", ""])])
def test_too_few_workers_with_enough_items_leave_the_crowd(tmp_path, items, workers):
    played = [asked(index, "yes", ["yes", "yes", "no"]) for index in range(items)]
    (found,) = decided(tmp_path, played, named(played, workers))
    assert found.annotators is None
    assert found.crowd is not None


def test_all_fields_of_an_item_are_one_observation_of_its_task(tmp_path):
    items = answers_of(tmp_path, [asked(index, "yes", ["yes"] * 3, fields=4) for index in range(35)]).items
    found = task_decision("T", items, {}, EPSILON)
    assert (found.answer, found.items, found.kind) == ("yes", 35, "")


def test_over_tasks_each_task_is_one_observation(tmp_path):
    played = [asked(index, "yes", ["yes"] * 3, task=task) for task in "ABC" for index in range(30)]
    of_task = {
        task: [each for item in items for each in item.fields]
        for task, items in answers_of(tmp_path, played).by_task().items()
    }
    found = decision_over_tasks("radio", of_task, EPSILON)
    assert (found.items, found.unit, found.answer) == (3, "task", "not yet known")


def test_what_the_harness_broke_is_left_out_and_counted(tmp_path):
    played = [asked(0, "yes", ["yes", "yes"]), asked(1, "yes", ["yes", "yes"], outcome="harness_error")]
    found = answers_of(tmp_path, played)
    assert (len(found.items), dict(found.left_out)) == (1, {"turkbench failed": 1})


def test_an_agent_that_never_replied_is_not_weighed(tmp_path):
    with pytest.raises(NothingToWeigh, match="never gave a reply of use"):
        answers_of(tmp_path, [asked(0, "", ["yes", "yes"], outcome="agent_error", detail="HTTP 400")], solver="gpt-4o")
