from dataclasses import replace

import pytest

from harness.scoring.judges.judged_pairs import JudgedPair
from harness.scoring.judges.verdict_pairs import PeopleVerdict, UnpairedVerdicts, pool, settle, spread_of_repeats
from tests.scoring.judges.made import RUN, made_run, verdicts

OTHER = replace(RUN, solver="other")


@pytest.mark.parametrize(
    ("said", "success", "people"),
    [
        (["correct"], True, 1),
        (["correct", "wrong"], None, 2),
        (["correct", "wrong", "wrong"], False, 3),
        (["correct", "unsure"], True, 1),
        (["unsure", None], None, 0),
        (["placeholder", "parse_error"], False, 2),
        ([], None, 0),
    ],
)
def test_two_people_and_a_third_where_they_differ_make_one_verdict(said, success, people):
    assert settle(said) == PeopleVerdict(success, people)


def test_a_judge_stands_beside_the_people_of_the_same_run_and_instance():
    found = pool(
        [
            verdicts("J", {"a": "correct", "b": "wrong", "c": "unsure", "d": "correct"}),
            verdicts("J", {"a": "wrong"}, run=OTHER),
            verdicts("Ann", {"a": "correct", "b": "correct", "c": "wrong"}, kind="person"),
            verdicts("Bob", {"c": "wrong"}, kind="person"),
            verdicts("Ann", {"a": "correct"}, kind="person", run=OTHER),
        ],
        [],
        "people",
    )
    assert found.names == ("J",)
    assert found.pairs("J") == (
        JudgedPair("a", "random", True, True),
        JudgedPair("b", "random", True, False),
        JudgedPair("c", "random", False, None),
        JudgedPair("a", "other", True, False),
    )
    assert [(each.task, each.truth) for each in found.tries("J")] == [
        ("a", True), ("b", True), ("c", False), ("d", None), ("a", True),
    ]  # fmt: skip


def test_a_trajectory_on_which_people_are_divided_has_no_truth():
    found = pool(
        [
            verdicts("J", {"a": "correct", "b": "correct"}),
            verdicts("Ann", {"a": "correct", "b": "wrong"}, kind="person"),
            verdicts("Bob", {"a": "wrong", "b": "wrong"}, kind="person"),
        ],
        [],
        "people",
    )
    assert [each.task for each in found.pairs("J")] == ["b"]
    assert found.divided == 1


def test_a_run_tells_levels_and_lengths_and_may_be_the_truth(tmp_path):
    run = made_run(tmp_path / "run", {"a": (4, True), "b": (12, False), "c": (None, None)})
    said = [verdicts("J", {"a": "correct", "b": "correct", "c": "wrong"})]
    found = pool(said, [run], "evaluators")
    assert found.pairs("J") == (
        JudgedPair("a", "random", True, True, 4, 0),
        JudgedPair("b", "random", False, True, 12, 0),
    )
    (tries,) = found.stepped().values()
    assert [(each.task, each.success) for each in tries] == [("a", True), ("b", False), ("c", None)]


def test_verdicts_on_single_fields_are_passed_over():
    said = [verdicts("J", {"a": "correct"}), verdicts("Ann", {"a": "wrong"}, kind="person", fields=True)]
    with pytest.raises(UnpairedVerdicts, match="verdict of a person"):
        pool(said, [], "people").pairs("J")


def test_without_the_run_there_is_no_evaluator_beside_a_verdict():
    with pytest.raises(UnpairedVerdicts, match="--run"):
        pool([verdicts("J", {"a": "correct"})], [], "evaluators").pairs("J")


def test_a_run_that_nobody_judged_is_refused(tmp_path):
    run = made_run(tmp_path / "run", {"a": (4, True)}, started="2026-05-05T00:00:00+00:00")
    with pytest.raises(UnpairedVerdicts, match="none of the runs"):
        pool([verdicts("J", {"a": "correct"})], [run], "people")


def test_repeats_of_a_judge_spread():
    people = verdicts("Ann", {"a": "correct", "b": "wrong"}, kind="person")
    repeats = [
        verdicts("J", {"a": "correct", "b": "wrong", "c": "correct"}),
        verdicts("J", {"a": "correct", "b": "correct"}),
        verdicts("J", {"a": "correct", "b": "unsure"}),
        verdicts("K", {"a": "wrong"}),
    ]
    (found,) = spread_of_repeats(pool([people, *repeats], [], "people"), "J")
    assert (found.agent, found.repeats) == ("random", 3)
    assert found.rate == pytest.approx(2 / 3)
    assert found.rate_sd == pytest.approx(0.2887, abs=1e-4)
    assert found.agreement == pytest.approx(2 / 3)
    (once,) = spread_of_repeats(pool([people, *repeats], [], "people"), "K")
    assert (once.rate, once.rate_sd, once.agreement) == (0.0, None, 0.0)
