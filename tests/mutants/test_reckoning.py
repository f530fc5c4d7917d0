"""What ``make mutants`` counts, and what it changes in the copy."""

from __future__ import annotations

import pytest

from tests.mutants.checkout import undecorated
from tests.mutants.reckoning import Change, Mutant, as_text, is_wording, read_listed, reckon


def change(number: int) -> Change:
    return Change("harness.metrics.rouge.load", f"- return {number}\n+ return {number + 1}")


def test_the_share_is_of_the_mutants_that_are_not_listed():
    mutants = [Mutant(change(number), killed=number < 6) for number in range(9)]
    found = reckon(mutants, [change(6), change(7)])
    assert (found.killed, found.survivors, found.listed) == (6, [change(8)], 2)
    assert found.share == pytest.approx(6 / 7)


def test_a_listed_change_that_a_test_notices_or_that_is_gone_is_stale():
    found = reckon([Mutant(change(1), killed=True), Mutant(change(2), killed=False)], [change(1), change(2), change(3)])
    assert found.stale == [change(1), change(3)]
    assert "return 3\n    + return 4" in as_text({"all": found})


def test_survivors_are_named():
    assert "harness.metrics.rouge.load\n    - return 5\n    + return 6" in as_text(
        {"all": reckon([Mutant(change(5), killed=False)], [])}
    )


@pytest.mark.parametrize(
    ("before", "after", "wording"),
    [
        ('return 0.0, "no number was sent"', 'return 0.0, "XXno number was sentXX"', True),
        ('return 0.0, "no number was sent"', 'return 0.0, "NO NUMBER WAS SENT"', True),
        ('return 0.0, "no number was sent"', 'return 1.0, "no number was sent"', False),
        ('kind == "checkbox"', 'kind == "XXcheckboxXX"', False),
        ('" ".join(words)', '"XX XX".join(words)', False),
        ('say("not on the page", name.lower())', 'say("not on the page", name.upper())', False),
        ('return "text", "nothing was sent"', 'return "TEXT", "nothing was sent"', False),
    ],
)
def test_words_for_people_are_left_out_and_logic_is_not(before: str, after: str, wording: bool):
    made = Change("harness.metrics.l1.score", f"- {before}\n+ {after}")
    assert is_wording(made) == wording
    assert reckon([Mutant(made, killed=False)], []).wording == wording


def test_nothing_to_kill_is_all_killed():
    assert reckon([], []).share == 1.0


def test_every_listed_change_has_a_reason():
    assert all(reason.strip() for reason in read_listed().values())


def test_functions_without_their_decorators_do_the_same():
    source = """
from functools import cached_property, lru_cache

@lru_cache(maxsize=4)
def twice(number):
    return 2 * number

class Basket:
    count = 3

    @property
    def double(self):
        return twice(self.count)

    @cached_property
    def parts(self):
        return ["part"] * self.count
"""
    plain = undecorated(source)
    assert "@" not in plain
    assert "lru_cache(" not in plain
    made = {}
    exec(plain, made)  # noqa: S102 - the text above
    basket = made["Basket"]()
    assert basket.double == 6
    assert basket.parts is basket.parts
