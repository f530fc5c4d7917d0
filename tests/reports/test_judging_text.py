"""What came of judging, in words."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from harness.reports.judging_text import judging_text
from harness.scoring.judges.judging import JudgingResult
from harness.scoring.judges.saved_judgements import TrajectoryJudge
from tests.scoring.judges.made import RUN

JUDGE = TrajectoryJudge(name="j", run=RUN, method="rule", prompts="")


@pytest.mark.parametrize(("reasons", "listed", "rest"), [(10, 10, ""), (11, 10, "  and 1 other reasons"), (1, 1, "")])
def test_ten_reasons_are_listed_at_most_and_only_the_others_are_counted(reasons: int, listed: int, rest: str) -> None:
    failed = {("T", number): f"reason {number}" for number in range(reasons)}
    lines = judging_text(JUDGE, JudgingResult(Counter(), 0, {}, failed), Path("verdicts.json")).splitlines()
    assert sum(line.startswith("  1 x reason ") for line in lines) == listed
    assert [line for line in lines if line.startswith("  and ")] == ([rest] if rest else [])


def test_reasons_that_are_alike_are_told_once_with_their_number() -> None:
    failed = dict.fromkeys([("T", 0), ("T", 1)], "no answer")
    text = judging_text(JUDGE, JudgingResult(Counter(), 0, {}, failed), Path("verdicts.json"))
    assert "2 trajectories not judged" in text
    assert "  2 x no answer" in text
