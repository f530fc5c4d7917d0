import pytest

from harness.papers.mind2web.mindact.answers import eliminate


def choosing(*liked):
    """Chooses the first of a group that it likes."""
    asked = []

    def choose(group):
        asked.append(list(group))
        found = [place for place, each in enumerate(group) if each in liked]
        return (found[0], f"take {group[found[0]]}") if found else None

    return choose, asked


def test_one_that_is_left_after_the_first_round_is_not_asked_about_again():
    choose, asked = choosing(7)
    found = eliminate(range(12), choose)
    assert (found.winner, found.answer) == (7, "take 7")
    assert asked == [[0, 1, 2, 3, 4], [5, 6, 7, 8, 9], [10, 11]]
    assert found.rounds == [[5, 5, 2]]


def test_those_that_were_chosen_are_asked_about_together_until_one_is_left():
    choose, asked = choosing(*range(50))
    found = eliminate(range(50), choose)
    assert found.winner == 0
    assert found.rounds == [[5] * 10, [5, 5], [2]]
    assert asked[-1] == [0, 25]


def test_the_last_answer_counts():
    answers = iter(["first", "second", "last"])
    found = eliminate([1, 2, 3], lambda _: (0, next(answers)), size=2)
    assert (found.winner, found.answer) == (1, "last")


def test_all_can_be_rejected_at_once_or_later():
    found = eliminate(range(7), lambda _: None)
    assert (found.winner, found.answer, found.rounds) == (None, None, [[5, 2]])
    rounds = iter([(0, "a"), (0, "b"), None])
    later = eliminate(range(7), lambda _: next(rounds))
    assert (later.winner, later.rounds) == (None, [[5, 2], [2]])


def test_without_candidates_nothing_is_asked():
    assert eliminate([], pytest.fail).winner is None


def test_a_single_candidate_is_asked_about():
    choose, asked = choosing()
    assert eliminate([3], choose).winner is None
    assert asked == [[3]]
