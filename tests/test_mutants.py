"""Which changes of the code are drawn, which tests are asked, and what is counted."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.checkout import PROJECT
from tests.needs import extra
from tools.mutants.reckoning import Change, Mutant, as_text, is_wording, read_listed, reckon, share_wanted
from tools.mutants.trying import asked_about


def change(number: int) -> Change:
    return Change("harness.scoring.metrics.rouge.load", f"- return {number}\n+ return {number + 1}")


def test_the_share_is_of_all_that_were_tried_and_survivors_are_named() -> None:
    found = reckon([Mutant(change(number), killed=number < 6) for number in range(8)])
    assert (found.killed, found.survivors, found.share) == (6, [change(6), change(7)], 0.75)
    assert "harness.scoring.metrics.rouge.load\n    - return 6\n    + return 7" in as_text({"all": found})
    assert reckon([]).share == 1.0


def test_more_is_wanted_of_the_code_that_numbers_come_from() -> None:
    assert share_wanted(["metrics", "scoring"]) > share_wanted(["metrics", "browser"]) == share_wanted([])


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
def test_words_for_people_are_left_out_and_logic_is_not(before: str, after: str, wording: bool) -> None:
    assert is_wording(Change("harness.scoring.metrics.l1.score", f"- {before}\n+ {after}")) == wording


def test_every_listed_change_has_a_reason() -> None:
    assert all(reason.strip() for reason in read_listed().values())


def test_changes_are_drawn_by_their_seed_from_functions_whatever_decorates_them(tmp_path: Path) -> None:
    pytest.importorskip("mutmut", reason=extra("mutants"))
    from tools.mutants.drawing import draw

    file = tmp_path / "harness" / "scoring" / "metrics" / "basket.py"
    file.parent.mkdir(parents=True)
    file.write_text(
        '"""Of a basket."""\nSIZE = 3\n\n\nclass Basket:\n    @property\n    def parts(self) -> int:\n'
        '        """How many."""\n        return SIZE + 1\n'
    )
    drawn = list(draw(tmp_path, 5, 1, ["metrics"]))
    assert {each.change.function for each in drawn} == {"harness.scoring.metrics.basket.Basket.parts"}
    lines = {each.change.lines for each in drawn}
    assert lines == {"- return SIZE + 1\n+ return SIZE - 1", "- return SIZE + 1\n+ return SIZE + 2"}
    assert drawn == list(draw(tmp_path, 5, 1, ["metrics"]))
    assert all(each.source.count("SIZE") == 2 and "How many." in each.source for each in drawn)


def test_the_tests_that_are_asked_name_the_module_or_mirror_its_folder() -> None:
    asked = asked_about(PROJECT, "harness/scoring/metrics/rouge.py")
    assert "tests/scoring/metrics" in asked
    assert any(test.startswith("tests/scoring/metrics/test_rouge") for test in asked)
    assert asked_about(PROJECT, "harness/view.py")[-1] == "tests/test_view.py"
    assert "tests/server" in asked_about(PROJECT, "turkle_app/urls.py")
