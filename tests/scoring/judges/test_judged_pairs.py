import pytest

from harness.scoring.judges.judged_pairs import NOT_KNOWN, JudgedPair, agreement_groups, length_of, level_of


def test_levels_are_those_of_the_paper():
    assert [level_of(steps) for steps in (1, 5, 6, 10, 11, 40, None)] == [
        "easy", "easy", "medium", "medium", "hard", "hard", None,
    ]  # fmt: skip


def test_trajectories_are_put_together_by_their_length():
    assert [length_of(steps) for steps in (0, 10)] == ["0 to 10 steps"] * 2
    assert [length_of(steps) for steps in (11, 20)] == ["11 to 20 steps"] * 2
    assert [length_of(steps) for steps in (21, 40)] == ["21 to 40 steps"] * 2
    assert [length_of(steps) for steps in (41, 80)] == ["41 to 80 steps"] * 2
    assert [length_of(steps) for steps in (81, 500)] == ["81 steps and more"] * 2
    assert length_of(None) == NOT_KNOWN


def test_groups_come_from_easy_to_hard_and_from_short_to_long_and_hold_their_own_pairs():
    pairs = [
        JudgedPair("t1", "B", True, True, 3, 100),
        JudgedPair("t1", "A", True, False, 3, 5),
        JudgedPair("t2", "A", False, False, 12, 15),
        JudgedPair("t3", "A", False, None, None, None),
        JudgedPair("t4", "B", False, True, 7, 15),
    ]
    found = {(each.by, each.name): each.agreement for each in agreement_groups(pairs, draws=50)}
    assert list(found) == [
        ("all", "all"),
        ("level", "easy"), ("level", "medium"), ("level", "hard"), ("level", NOT_KNOWN),
        ("length", "0 to 10 steps"), ("length", "11 to 20 steps"), ("length", "81 steps and more"),
        ("length", NOT_KNOWN),
        ("agent", "A"), ("agent", "B"),
    ]  # fmt: skip
    assert found["all", "all"].agreement.value == pytest.approx(2 / 5)
    assert found["all", "all"].agreement.clusters == 4
    assert found["all", "all"].counts.unread == 1
    assert found["level", "easy"].agreement.value == 0.5
    assert found["length", "11 to 20 steps"].counts.false_positives == 1
    assert found["agent", "A"].counts.items == 3


def test_what_nothing_is_known_of_is_no_way_to_group():
    found = agreement_groups([JudgedPair("t", "A", True, True)], draws=50)
    assert [each.by for each in found] == ["all", "agent"]
