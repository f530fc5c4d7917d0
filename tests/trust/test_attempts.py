"""Whoever works on a page cannot get out of being scored on it: what dies under a solver counts for it."""

from __future__ import annotations

import functools
import os
import signal
from pathlib import Path

import pytest

from harness.browser.browser import PageFailed
from harness.browser.launch import BrowserSettings
from harness.cli.exit_codes import COMPLETE, INCOMPLETE, WRONG_USE
from harness.episode.play import play_page
from harness.evaluate import main
from harness.page.inventory import inspect_page
from harness.run.progress import QuietProgress
from harness.run.runner import Run
from harness.runlog.config import Limits, RunConfig
from harness.runlog.directory import RunDirectory
from harness.runlog.episode import Episode
from tests.run.processes import evaluating, needs_proc, nothing_is_left, until
from tests.run_solvers import OUTAGES
from tests.task_folders import csv_text, make_task

TABLE = csv_text(["text", "Answer.a"], ["one", "yes"])
UNTOUCHED = "as it was"
TEMPLATE = f'<p>${{text}}</p><input name=a value="{UNTOUCHED}">'
PATIENCE = 6.0


@pytest.fixture(autouse=True)
def _quickly(monkeypatch, tmp_path):
    """Wait less long for what never comes. The workers are forked and know of it."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("ONCE_SIGN", str(tmp_path / "sign"))
    monkeypatch.setenv("TRIES", str(tmp_path / "tries"))
    monkeypatch.setattr("harness.run.sessions.BrowserSettings", functools.partial(BrowserSettings, timeout=PATIENCE))


def play(folder: Path, solver: str, **limits: float) -> Episode:
    """The episode of a run with one instance."""
    if not (folder / "tasks").exists():
        make_task(folder / "tasks", "A", template=TEMPLATE, table=TABLE)
    name = solver if solver == "oracle" else f"tests.run_solvers:{solver}"
    config = RunConfig(name, folder / "tasks", limits=Limits(**limits))  # type: ignore[arg-type]
    Run(config, folder / "run", QuietProgress()).execute()
    (made,) = RunDirectory(folder / "run").episodes()
    return made


def assert_given_up(made: Episode, attempts: int = 2) -> None:
    """Its solver is scored on the untouched form."""
    assert (made.outcome, made.attempts) == ("agent_error", attempts)
    assert [field.sent for field in made.fields] == [(UNTOUCHED,)]
    assert made.submission is not None
    assert (made.submission.via, made.steps) == ("untouched", ())
    assert made.effort_in_steps is None


@pytest.mark.claim("attempt-killed-page")
@pytest.mark.parametrize(
    "solver", ["KillsTheBrowser", "KillsTheBrowserAtTheEnd", "CrashesTheRenderer", "NeverAnswersAgain"]
)
def test_a_page_or_browser_that_dies_twice_under_a_solver_is_scored_as_nobody_touched_it(tmp_path, solver):
    made = play(tmp_path, solver)
    assert_given_up(made)
    assert made.detail.startswith("died twice while the solver worked: ")


@pytest.mark.claim("attempt-killed-page")
def test_a_page_that_stops_answering_when_it_is_worked_on_is_the_solvers(tmp_path):
    loops = f'{TEMPLATE}<script>document.querySelector("[name=a]").oninput = () => {{ for (;;) {{}} }};</script>'
    make_task(tmp_path / "tasks", "A", template=loops, table=TABLE)
    assert_given_up(play(tmp_path, "oracle"))


@pytest.mark.claim("attempt-killed-process")
def test_a_solver_that_kills_its_process_twice_is_scored_on_the_untouched_form(tmp_path):
    made = play(tmp_path, "KillsTheWorker")
    assert_given_up(made)
    assert made.detail.endswith("its worker process ended by signal 9")
    assert (tmp_path / "tries").read_text(encoding="utf-8").splitlines() == ["try"] * 2
    # What it said meanwhile went with its process: not known is not the same as nothing.
    assert (made.lost_turns, made.cost, made.usage) == (None, None, None)


@pytest.mark.claim("attempt-killed-process")
def test_a_solver_that_hangs_and_whose_page_cannot_be_read_is_scored_on_the_untouched_form(tmp_path, monkeypatch):
    for module in ("harness.episode.work", "harness.run.engine"):
        monkeypatch.setattr(f"{module}.GRACE_SECONDS", 0.0)
    for module in ("harness.episode.watchdog", "harness.run.engine"):
        monkeypatch.setattr(f"{module}.THROW_SECONDS", 0.1)
    monkeypatch.setattr("harness.run.engine.HARNESS_SECONDS", 8.0)
    made = play(tmp_path, "HoldsTheProcessWithoutABrowser", max_seconds=1.0)
    assert_given_up(made, attempts=1)
    assert made.detail.startswith("died with no time left to try again while the solver worked: ")


@pytest.mark.claim("attempt-killed-page")
def test_whoever_kills_the_browser_over_devtools_twice_is_scored_on_the_untouched_form(tmp_path):
    made = play(tmp_path, "KillsTheBrowserOverDevtools")
    assert_given_up(made)
    # It may have asked models past the harness.
    assert (made.lost_turns, made.cost) == (None, None)


@pytest.mark.claim("attempt-second")
def test_a_solver_that_loses_its_page_once_is_tried_again_and_the_record_says_so(tmp_path):
    made = play(tmp_path, "KillsTheBrowserOnce")
    assert (made.outcome, made.attempts, made.detail) == ("scored", 2, "")
    assert [field.sent for field in made.fields] == [("yes",)]


def test_an_episode_without_trouble_had_one_attempt(tmp_path):
    made = play(tmp_path, "Fills")
    assert (made.outcome, made.attempts, made.lost_turns) == ("scored", 1, ())


@pytest.mark.claim("attempt-cost")
def test_what_a_model_cost_in_an_attempt_that_was_lost_stays_counted(tmp_path):
    made = play(tmp_path, "SpeaksAndKillsTheBrowserOnce")
    assert (made.outcome, made.attempts) == ("scored", 2)
    assert (len(made.turns), len(made.lost_turns or ())) == (1, 1)
    assert made.cost == 1.0
    assert made.usage is not None
    assert (made.usage.input_tokens, made.usage.output_tokens) == (14, 6)
    assert all((tmp_path / "run" / "texts" / f"{turn.sent}.json").is_file() for turn in made.lost_turns or ())


@pytest.mark.claim("attempt-second")
def test_a_second_attempt_has_the_actions_that_the_first_one_left(tmp_path):
    made = play(tmp_path, "ActsUntilItsPageDies", max_steps=10)
    assert (made.outcome, made.limit, made.attempts) == ("limit", "steps", 2)
    assert len(made.steps) == 4


@pytest.mark.claim("attempt-second")
def test_a_second_attempt_has_the_time_that_the_first_one_left(tmp_path):
    made = play(tmp_path, "NeverAnswersAgain", max_seconds=1.0)
    # The page was waited for longer than the solver had time: there is no second attempt.
    assert_given_up(made, attempts=1)


@pytest.mark.claim("attempt-resume")
def test_resuming_does_not_play_again_what_a_solver_got_out_of(tmp_path, capsys):
    play(tmp_path, "KillsTheWorker")
    before = (tmp_path / "tries").read_text(encoding="utf-8")
    assert main(["--resume", str(tmp_path / "run"), "--progress", "quiet", "--yes"]) == COMPLETE
    capsys.readouterr()
    assert (tmp_path / "tries").read_text(encoding="utf-8") == before
    (made,) = RunDirectory(tmp_path / "run").episodes()
    assert_given_up(made)


@pytest.mark.claim("attempt-counted")
@needs_proc
@pytest.mark.parametrize(
    # Of one that lost its process nobody knows what it said; the other is known to have said nothing at all.
    ("solver", "code"),
    [("LosesItsPageAndWaits", INCOMPLETE), ("LosesItsProcessAndWaits", COMPLETE)],
)
def test_an_attempt_that_was_lost_counts_after_a_run_that_was_killed_in_the_second(tmp_path, capsys, solver, code):
    make_task(tmp_path / "tasks", "A", template=TEMPLATE, table=TABLE)
    new = ["--tasks-dir", str(tmp_path / "tasks"), "--out", str(tmp_path / "run"), "--progress", "quiet"]
    sign = tmp_path / "waits"
    with evaluating(["--solver", f"tests.run_solvers:{solver}", *new], tmp_path, WAITS_SIGN=str(sign)) as process:
        until(sign.exists)
        os.killpg(process.pid, signal.SIGKILL)
        until(lambda: nothing_is_left(tmp_path))
    assert main(["--resume", str(tmp_path / "run"), "--progress", "quiet", "--yes"]) == code
    capsys.readouterr()
    (made,) = RunDirectory(tmp_path / "run").episodes()
    assert_given_up(made)
    # The second, which the kill ended, and no more.
    assert (tmp_path / "tries").read_text(encoding="utf-8").splitlines() == ["try"] * 3
    assert not list((tmp_path / "run" / "attempts").rglob("*.json"))


@pytest.mark.claim("attempt-counted")
def test_a_lost_attempt_counts_after_failures_of_the_harness(tmp_path, monkeypatch):
    handed: list[object] = []

    def opens_no_page_again(*arguments, **more):
        handed.append(arguments)
        if len(handed) > 1:
            raise PageFailed("no page")
        return play_page(*arguments, **more)

    with monkeypatch.context() as patch:
        patch.setattr("harness.run.player.play_page", opens_no_page_again)
        made = play(tmp_path, "LosesItsPageAndWaits")
    assert (made.outcome, made.attempts) == ("harness_error", 1)
    (tmp_path / "tries").write_text("", encoding="utf-8")
    Run.resume(tmp_path / "run", QuietProgress(), allow=lambda _: None).execute()
    (made,) = RunDirectory(tmp_path / "run").episodes()
    assert_given_up(made)
    assert (tmp_path / "tries").read_text(encoding="utf-8").splitlines() == ["try"]


def test_an_account_of_lost_attempts_that_cannot_be_read_is_named(tmp_path, capsys):
    play(tmp_path, "KillsTheWorker")
    run = RunDirectory(tmp_path / "run")
    run.episode_file("A", 0).unlink()
    file = tmp_path / "run" / "attempts" / "A" / "0.json"
    file.write_text('{"count": "many"}', encoding="utf-8")
    assert main(["--resume", str(run.folder), "--progress", "quiet", "--yes"]) == WRONG_USE
    (line,) = [line for line in capsys.readouterr().err.splitlines() if line.startswith("error: ")]
    assert f"{file} cannot be read: " in line


@pytest.mark.claim("attempt-outage")
@pytest.mark.parametrize("outage", OUTAGES)
def test_an_outage_that_the_harness_has_not_seen_itself_is_the_solvers(tmp_path, monkeypatch, outage):
    monkeypatch.setenv("OUTAGE", outage)
    made = play(tmp_path, "SaysThatItsProviderFailed")
    assert (made.outcome, made.attempts) == ("agent_error", 1)
    assert made.detail.startswith(f"{outage}: ")
    assert [field.sent for field in made.fields] == [("yes",)]


@pytest.mark.claim("attempt-before")
def test_what_dies_before_a_solver_is_handed_its_page_is_the_harnesss_and_tried_three_times(tmp_path, monkeypatch):
    looks = tmp_path / "looks"

    def fails(_browser, _url):
        with looks.open("a", encoding="utf-8") as log:
            log.write("look\n")
        raise PageFailed("no page")

    monkeypatch.setattr("harness.run.player.inspect_page", fails)
    made = play(tmp_path, "Fills")
    assert (made.outcome, made.attempts, made.detail) == ("harness_error", 0, "no page")
    assert looks.read_text(encoding="utf-8").splitlines() == ["look"] * 3


@pytest.mark.claim("attempt-before")
def test_failures_of_the_harness_in_a_second_attempt_do_not_count_for_the_solver(tmp_path, monkeypatch):
    def fails_once(browser, url):
        if not (tmp_path / "failed").exists():
            (tmp_path / "failed").touch()
            raise PageFailed("no page")
        return inspect_page(browser, url)

    monkeypatch.setattr("harness.run.player.inspect_page", fails_once)
    made = play(tmp_path, "KillsTheBrowserOnce")
    assert (made.outcome, made.attempts) == ("scored", 2)
