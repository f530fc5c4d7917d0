"""What a judge is asked for, before it is asked."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.scoring.judges.judgements import JudgeOptions
from harness.scoring.judges.judging_job import JudgingJob
from tests.scoring.judges.made import made
from tests.scoring.judges.trials import picture


@pytest.fixture
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> JudgingJob:
    """One result folder with two pictures."""
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test")
    made(tmp_path / "agent", "t1", content=picture(0))
    return JudgingJob.of(tmp_path / "agent", "autonomous", JudgeOptions(model="gpt-4o"))


def test_the_cost_of_repeats_is_that_of_one_so_often(work: JudgingJob) -> None:
    one, two = work.cost(1), work.cost(2)
    assert (one.questions, two.questions) == (1, 2)
    assert two.usage.input_tokens == 2 * one.usage.input_tokens > 0
    assert one.cost is not None
    assert two.cost == 2 * one.cost > 0
