"""The script that plays MiniWoB++ as the paper does: seeds, denominators, and going on."""

from __future__ import annotations

from pathlib import Path

import pytest

from examples.miniwob_table6 import PageRow, main, table
from harness.catalog.site_facts import Evaluators, SiteFacts
from harness.cli.boundary import COMPLETE, WRONG_USE
from harness.records.directory import RunDirectory
from harness.records.episode import Episode, Outcome
from harness.records.site_record import Evaluation, SiteRecord
from tests.miniwob_set import fetch_stand_in


def episode(seed: int, outcome: Outcome, *, success: bool = False) -> Episode:
    facts = SiteFacts(goal="", start="", origins=(), evaluators=Evaluators(page_reward=True))
    said = Evaluation(evaluator="page_reward", score=float(success), success=success)
    site = None if outcome == "harness_error" else SiteRecord(task=facts, evaluations=(said,))
    return Episode("click-test", seed, str(seed), "paper", outcome, site=site)


def test_every_planned_episode_is_in_the_denominator_whatever_ended_it() -> None:
    ends = {
        3: episode(3, "scored", success=True),
        4: episode(4, "agent_error"),
        5: episode(5, "harness_error"),
        6: episode(6, "limit", success=True),
    }
    lines = table([PageRow("click-test", range(3, 8), ends), PageRow("b", range(3, 8), {})]).splitlines()
    assert lines[1].split() == ["click-test", "5", "2", "0.400", "–", "1.000", "1", "1", "1", "1", "3-7"]
    assert lines[2].split() == ["b", "5", "0", "0.000", "–", "–", "0", "0", "0", "5", "3-7"]
    assert lines[3] == "mean over 2 pages: 0.200"


@pytest.mark.slow
def test_pages_of_the_paper_are_played_on_the_seeds_that_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    fetch_stand_in(tmp_path)
    out = ["--out", str(tmp_path / "out"), "--progress", "quiet"]
    start = ["--solver", "do-nothing", "--episodes", "2", "--first-seed", "7"]
    assert main([*out, *start]) == COMPLETE
    row = next(line.split() for line in capsys.readouterr().out.splitlines() if line.endswith(" 7-8"))
    assert row == ["click-test", "2", "0", "0.000", "0.000", "1.000", "0", "0", "0", "0", "7-8"]
    starts = [each.site.task.start for each in RunDirectory(tmp_path / "out" / "run").episodes() if each.site]
    assert [start.partition("?")[2] for start in starts] == ["seed=7", "seed=8"]
    assert main([*out, *start]) == WRONG_USE
    assert "is there already" in capsys.readouterr().err
