"""Runs whose solver never replied, or never did anything: what has a score, and what is said of it. No browser."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from harness.analysis.aggregation import bounds
from harness.analysis.rescoring import score_run
from harness.analysis.scored_run import read_scored
from harness.cli.boundary import COMPLETE, INCOMPLETE, WRONG_USE
from harness.cli.commands import compare
from harness.cli.commands.papers.parity import main as parity
from harness.cli.commands.score import main as score
from harness.integrations.tracking.run_metrics import summary_metrics
from harness.records.directory import RunDirectory
from harness.records.episode import Episode
from harness.records.results import Work
from harness.records.turn import Turn
from tests.analysis.made import episodes, write

TASKS = {name: [{"s": 0.5, "r": 0.0}, {"s": 0.25}] for name in "AB"}
ENDED = Turn(calls=("finish()",))


def silent() -> list[Episode]:
    """Of a solver whose every request was refused; the pages would score all the same."""
    untouched = [tuple(replace(each, untouched=each.sent) for each in made.fields) for made in episodes(TASKS)]
    return [
        replace(made, outcome="agent_error", detail="HTTP 400", fields=fields)
        for made, fields in zip(episodes(TASKS), untouched, strict=True)
    ]


def test_whoever_never_replied_has_no_score_and_keeps_what_it_is_held_against(tmp_path):
    # As in runs that were written before this was counted: ``run.json`` has a score, and no ``work``.
    results = score_run(RunDirectory(write(tmp_path / "run", silent(), {"solver": "gpt"}))).record.results
    assert results.work == Work(played=4, replied=0, acted=0)
    everything = [results.overall, *results.splits.values(), *results.tasks.values(), *results.kinds.values()]
    for each in everything:
        assert (each.score, each.untied, each.of_ceiling) == (None, None, None)
        assert (each.skill_over_do_nothing, each.skill_over_constant) == (None, None)
        assert (each.ceiling, each.do_nothing is None) == (1, False)
    overall = results.overall
    assert (overall.mean_over_instances, overall.mean_over_fields, overall.bounds) == (None, None, None)
    assert (overall.instances, overall.tasks) == (0, 0)


def test_one_reply_of_use_is_enough_for_a_score_that_all_errors_are_part_of(tmp_path):
    one, *others = silent()
    run = write(tmp_path / "run", [replace(one, turns=(ENDED,)), *others], {"solver": "gpt"})
    results = score_run(RunDirectory(run)).record.results
    assert (results.work.replied, results.work.acted) == (1, 0)
    assert results.overall.score == results.overall.do_nothing > 0


@pytest.mark.parametrize("config", [{"solver": "do-nothing"}, {"solver": "random"}, {"solver": "crowd"}])
def test_bounds_and_baselines_are_not_asked_and_keep_their_scores(tmp_path, config):
    record = score_run(RunDirectory(write(tmp_path / "run", silent(), config))).record
    assert record.results.overall.score is not None
    assert record.asked_work is None


def test_a_solver_of_ones_own_that_is_handed_the_labels_is_not_asked_either(tmp_path):
    run = write(tmp_path / "run", silent(), {"solver": "own:Keyed"}, keyed=True)
    assert score_run(RunDirectory(run)).record.results.overall.score is not None


def test_errors_of_the_harness_alone_are_no_silence(tmp_path):
    failed = [replace(each, outcome="harness_error", fields=(), submission=None) for each in silent()]
    record = score_run(RunDirectory(write(tmp_path / "run", failed, {"solver": "gpt"}))).record
    assert record.results.work == Work(played=0, replied=0, acted=0)
    assert not record.asked_work.never_replied
    assert record.results.overall.bounds == (0, 1)


def test_a_run_without_a_score_has_no_bounds_whatever_the_missing_instances_would_have_scored(tmp_path):
    one, *others = silent()
    missing = replace(one, outcome="harness_error", fields=(), submission=None)
    assert bounds(read_scored(write(tmp_path / "run", [missing, *others], {"solver": "gpt"})).instances) is None


def test_the_workers_own_score_stays(tmp_path):
    run = read_scored(write(tmp_path / "run", silent(), {"solver": "gpt"}), people=True)
    assert run.instances["crowd"].notna().all()
    assert run.instances["own_left_out"].isna().all()


@pytest.fixture
def pair(tmp_path) -> tuple[Path, Path]:
    return (
        write(tmp_path / "silent", silent(), {"solver": "gpt"}),
        write(tmp_path / "other", episodes(TASKS), {"solver": "other"}),
    )


def test_a_comparison_says_which_run_has_no_score(pair, capsys):
    assert compare.main([*map(str, pair), "--draws", "10"]) == WRONG_USE
    assert "4 no score of gpt, which never gave a reply of use" in capsys.readouterr().err


def test_a_tracker_is_told_no_score(pair):
    metrics = summary_metrics(pair[0])
    assert metrics["ceiling"] == 1
    assert not [name for name in metrics if name == "score" or name.endswith("/score")]


def test_the_rules_of_the_original_code_are_not_measured_on_a_run_without_a_score(pair, capsys):
    assert parity([str(pair[0])]) == WRONG_USE
    assert "has no score: the solver never gave a reply of use" in capsys.readouterr().err
    assert parity([str(pair[1])]) == COMPLETE


def test_scoring_again_says_that_there_is_no_score_and_why(pair, capsys):
    RunDirectory(pair[0]).write(replace(RunDirectory(pair[0]).read(), status="incomplete"))
    assert score([str(pair[0])]) == INCOMPLETE
    out = capsys.readouterr().out
    assert "NO SCORE: the solver never gave a reply of use." in out
    assert "4 of 4 episodes ended by an error." in out
    assert "HTTP 400" in out
