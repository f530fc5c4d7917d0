from __future__ import annotations

import pytest

from harness.browser.browser import Browser
from harness.catalog import Catalog
from harness.cli.boundary import COMPLETE, WRONG_USE
from harness.cli.commands.evaluate import main as evaluate
from harness.cli.commands.export.runs import main as export
from harness.cli.commands.replay import main as replay
from harness.episode.registry import METHODS, UnknownSolver, find_solver
from harness.records.directory import RunDirectory
from harness.records.results import Rates
from harness.scoring.metrics import PROFILES
from harness.scoring.scores import score_episode
from oracle.crowd import TOO_FEW, Crowd, workers
from tests.task_folders import csv_text, make_task

PAGE = """<p>${text}</p><input name="a">
<label><input type="radio" name="r" value="1">1</label><label><input type="radio" name="r" value="2">2</label>"""
ROWS = [
    *[["one", "a cat", "1"], ["one", "a cat", "1"], ["one", "a dog", "2"]],
    *[["alone", "cat", "1"], ["alone", "", ""]],
    *[["two", "bird", "2"], ["two", "", "1"]],
]


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    folder = tmp_path_factory.mktemp("crowd")
    make_task(folder / "tasks", "T", template=PAGE, table=csv_text(["text", "Answer.a", "Answer.r"], *ROWS))
    arguments = ["--solver", "crowd", "--tasks-dir", str(folder / "tasks"), "--workers", "1"]
    with pytest.MonkeyPatch.context() as patch:
        assert evaluate([*arguments, "--out", str(folder / "run")]) == COMPLETE
        # The pages are known now: none is opened.
        patch.setattr(Browser, "open", None)
        assert evaluate([*arguments, "--out", str(folder / "again")]) == COMPLETE
    made = RunDirectory(folder / "run")
    assert made.canonical()["episodes"] == RunDirectory(folder / "again").canonical()["episodes"]
    return made


@pytest.mark.slow
def test_nobody_works_on_a_page(run):
    for episode in run.episodes():
        assert (episode.outcome, episode.answered_by) == ("scored", "workers")
        assert (episode.submission, episode.steps, episode.turns) == (None, (), ())
        assert all(field.sent == () for field in episode.fields)


def test_each_worker_is_scored_against_the_others(run):
    first, second = (score_episode(each, PROFILES["standard"]) for each in run.episodes())
    by_name = {field.record.name: field.score.score for field in first.fields}
    # The two cats find each other's label, the dog finds "a cat", of which it shares one of two words.
    assert by_name == {"a": pytest.approx((1 + 1 + 0.5) / 3), "r": pytest.approx(2 / 3)}
    # Of the text the second worker left blank, who finds "bird"; nobody is left to compare "bird" with.
    assert {field.record.name: field.score.score for field in second.fields} == {"a": 0.0, "r": 0.0}
    assert run.read().results.overall.instances == 2


def test_instances_with_one_worker_are_left_out_and_counted(run):
    assert run.read().left_out == {TOO_FEW: 1}
    assert [episode.index for episode in run.episodes()] == [0, 2]


def test_rates_of_forms_say_nothing_of_workers(run):
    assert run.read().results.rates == Rates(accepted_submissions=None, filled_where_every_worker_left_blank=None)


def test_a_run_of_workers_has_nothing_to_replay_and_can_be_exported(run, tmp_path, capsys):
    assert replay([str(run.folder)]) == COMPLETE
    assert "nothing to replay" in capsys.readouterr().out
    assert export([str(run.folder), "--format", "jsonl", "--out", str(tmp_path / "tables")]) == COMPLETE
    assert "2 rows of episodes" in capsys.readouterr().err


@pytest.mark.slow
def test_a_task_on_which_nobody_has_company_is_nothing_to_do(tmp_path, capsys):
    make_task(tmp_path / "tasks", "T", template=PAGE, table=csv_text(["text", "Answer.a", "Answer.r"], *ROWS[3:5]))
    arguments = ["--solver", "crowd", "--tasks-dir", str(tmp_path / "tasks"), "--out", str(tmp_path / "run")]
    assert evaluate(arguments) == WRONG_USE
    assert "nothing to evaluate" in capsys.readouterr().err


def test_workers_are_those_who_answered_anything(tmp_path):
    make_task(tmp_path, "T", template=PAGE, table=csv_text(["text", "Answer.a", "Answer.r"], *ROWS))
    assert [workers(instance) for instance in Catalog(tmp_path).task("T").instances] == [3, 1, 2]


def test_the_workers_are_no_solver_that_could_be_asked_about_a_page():
    found = find_solver("crowd")
    assert (found.kind, found.answered_by) == (Crowd, "workers")
    assert not any(hasattr(Crowd, method) for method in METHODS)
    with pytest.raises(UnknownSolver, match="stand in the labels"):
        found.make()
