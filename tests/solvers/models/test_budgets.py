"""Runs that end for lack of money or tokens, and go on under a higher budget."""

from __future__ import annotations

import io
import shutil
from contextlib import redirect_stdout
from dataclasses import replace
from decimal import Decimal

import pytest

from harness.cli.boundary import COMPLETE, INCOMPLETE, WRONG_USE
from harness.cli.commands.evaluate import main
from harness.records.budgets import Budgets
from harness.records.directory import RunDirectory
from tests.solvers.runs import calls, evaluate, make_pages

PAGES = 3


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    folder = tmp_path_factory.mktemp("budgets")
    make_pages(folder / "tasks", PAGES)
    return folder


@pytest.fixture(autouse=True)
def _own_places(home, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(home / "cache"))
    monkeypatch.setenv("SCRIPTED_CALLS", str(tmp_path / "calls"))


@pytest.fixture(scope="module")
def played(home) -> RunDirectory:
    """A run whose money ended on its second page, and what was printed of it."""
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(io.StringIO()) as out:
        patch.setenv("XDG_CACHE_HOME", str(home / "cache"))
        patch.setenv("SCRIPTED_CALLS", str(home / "calls"))
        code, run = evaluate(home / "tasks", home / "run", "--max-cost", "0.045")
    assert code == INCOMPLETE
    (home / "printed").write_text(out.getvalue(), encoding="utf-8")
    return run


@pytest.fixture
def short(home, played, tmp_path) -> RunDirectory:
    """A copy of the run whose money ended on its second page."""
    shutil.copy(home / "calls", tmp_path / "calls")
    return RunDirectory(shutil.copytree(played.folder, tmp_path / "run"))


def resume(run: RunDirectory, *more: str) -> int:
    return main(["--resume", str(run.folder), "--yes", "--progress", "quiet", *more])


def ends(run: RunDirectory) -> list[tuple[str, str]]:
    return [(episode.outcome, episode.limit) for episode in run.episodes()]


@pytest.mark.slow
def test_a_run_whose_money_ended_is_not_complete_and_says_how_to_go_on(home, played):
    record = played.read()
    assert ends(played) == [("scored", ""), ("limit", "cost"), ("limit", "cost")]
    assert (record.status, record.out_of_budget) == ("incomplete", {"cost": 2})
    out = (home / "printed").read_text(encoding="utf-8")
    assert "INCOMPLETE: the run's --max-cost ended 2 instances, scored on what the page held then" in out
    assert "2 × the run's money was used up (--max-cost 0.045)" in out
    assert "$0.0260 of $0.0450 (58%)" in out
    assert out.splitlines()[-1].endswith(f"--resume {played.folder} --max-cost 0.09")


@pytest.mark.slow
def test_under_a_higher_budget_what_it_ended_is_played_again_and_paid_for_once(short):
    first = short.episode_file("Text", 0).stat().st_mtime_ns
    assert resume(short, "--max-cost", "1") == COMPLETE
    record = short.read()
    assert ends(short) == [("scored", "")] * PAGES
    assert short.episode_file("Text", 0).stat().st_mtime_ns == first
    assert record.results.overall.score == 1
    assert len(calls()) == len(set(calls())) == 2 * PAGES
    assert (record.spent.calls, record.spent.cost) == (2 * PAGES, Decimal("0.078"))
    assert (record.config.options["max_cost"], record.out_of_budget) == (1.0, {})
    (earlier,) = record.budgets_before
    assert earlier.budgets == Budgets(max_cost=0.045, max_tokens=None, max_seconds=300.0, concurrency=None)
    assert earlier.until == record.resumed[0]


@pytest.mark.slow
def test_what_a_run_might_use_before_is_kept_of_every_time(short):
    assert resume(short, "--max-cost", "0.06", "--concurrency", "3") == INCOMPLETE
    assert resume(short) == INCOMPLETE
    assert resume(short, "--max-cost", "1", "--max-time", "400") == COMPLETE
    kept = [(each.budgets.max_cost, each.budgets.concurrency) for each in short.read().budgets_before]
    assert kept == [(0.045, None), (0.06, 3)]
    assert short.read().config.limits.max_seconds == 400


@pytest.mark.slow
def test_a_run_that_was_cut_short_under_its_higher_budget_still_plays_them_again(short):
    record = short.read()
    config = replace(Budgets.of(record.config), max_cost=1.0).put_into(record.config)
    short.write(replace(record, config=config, status="interrupted"))
    assert resume(short) == COMPLETE
    assert ends(short) == [("scored", "")] * PAGES


@pytest.mark.slow
def test_under_the_same_budget_nothing_is_played_again_and_the_run_stays_incomplete(short):
    before = {file: file.stat().st_mtime_ns for file in short.folder.glob("episodes/*/*.json")}
    assert resume(short) == INCOMPLETE
    assert {file: file.stat().st_mtime_ns for file in short.folder.glob("episodes/*/*.json")} == before


@pytest.mark.slow
def test_tokens_are_a_budget_as_money_is(home, tmp_path, capsys):
    code, run = evaluate(home / "tasks", tmp_path / "run", "--max-tokens", "3500")
    assert (code, run.read().out_of_budget) == (INCOMPLETE, {"tokens": 2})
    out = capsys.readouterr().out
    assert "of 3,500 tokens (" in out
    assert out.splitlines()[-1].endswith(f"--resume {run.folder} --max-tokens 7000")
    assert resume(run, "--max-tokens", "100000") == COMPLETE
    assert ends(run) == [("scored", "")] * PAGES


@pytest.mark.slow
@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["--max-cost", "0.01"], "--max-cost 0.01: the run has spent $0.0260 already; give more"),
        (["--max-cost", "0"], "--max-cost 0: that leaves room for nothing; give more than 0"),
        (["--max-tokens", "50"], "--max-tokens 50: the run has used 2,200 tokens already; give more"),
        (["--max-time", "10"], "--max-time 10: pages were played with 300 s"),
        (["--concurrency", "0"], "--concurrency 0: that leaves room for nothing"),
        (["--temperature", "0.5"], "--temperature: a run that is resumed goes on as it began"),
        (["--max-steps", "1000"], "--max-steps: a run that is resumed goes on as it began"),
        (["--seed", "0"], "--seed: a run that is resumed goes on as it began"),
    ],
)
def test_what_would_change_numbers_or_is_spent_already_is_refused_in_a_line(short, capsys, more, said):
    before = (short.folder / "run.json").read_bytes()
    assert resume(short, *more) == WRONG_USE
    assert capsys.readouterr().err.startswith(f"error: {said}")
    assert (short.folder / "run.json").read_bytes() == before


@pytest.mark.slow
def test_a_solver_without_a_model_has_no_money_to_spend(home, tmp_path, capsys):
    _, run = evaluate(home / "tasks", tmp_path / "run", solver="do-nothing")
    assert resume(run, "--max-cost", "5") == WRONG_USE
    assert "--max-cost: the solver 'do-nothing' takes no such options" in capsys.readouterr().err
    assert resume(run, "--max-time", "500") == COMPLETE
