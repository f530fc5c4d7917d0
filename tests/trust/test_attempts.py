"""Whoever works on a page cannot get out of being scored on it: what dies under a solver counts for it."""

from __future__ import annotations

import functools
import os
import shutil
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from harness.browser.browser import PageFailed
from harness.browser.form.inventory import inspect_page
from harness.browser.launch import BrowserSettings
from harness.cli.boundary import COMPLETE, INCOMPLETE, WRONG_USE
from harness.cli.commands.evaluate import main
from harness.episode import clock, work
from harness.episode.play import play_page
from harness.forms import form_player
from harness.records.config import Limits, RunConfig
from harness.records.directory import RunDirectory
from harness.records.episode import Episode
from harness.run import browsers, engine
from harness.run.progress import QuietProgress
from harness.run.runner import Run
from tests.run.processes import children, evaluating, needs_proc, nothing_is_left, until
from tests.run_solvers import OUTAGES
from tests.task_folders import csv_text, make_task

TABLE = csv_text(["text", "Answer.a"], ["one", "yes"])
UNTOUCHED = "as it was"
TEMPLATE = f'<p>${{text}}</p><input name=a value="{UNTOUCHED}">'
PATIENCE = 1.5
"""Seconds that an answer is waited for which never comes."""
GIVE_UP = ("KillsTheBrowser", "KillsTheBrowserAtTheEnd", "CrashesTheRenderer", "KillsTheWorker")
GO_ON = ("KillsTheBrowserOnce", "KillsTheWorkerOnce", "SpeaksAndKillsTheBrowserOnce", "ActsUntilItsPageDies", "Fills")
NAME_AN_OUTAGE = tuple(f"SaysThatItsProviderFailed_{outage}" for outage in OUTAGES)
Episodes = dict[str, Episode]


@pytest.fixture(scope="module", autouse=True)
def _together(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """The runs that many tests look at; their workers are forked and know of what is set and patched."""
    signs = tmp_path_factory.mktemp("signs")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        patch.setenv("SIGNS", str(signs))
        patch.setenv("TRIES", str(signs / "tries"))
        yield


@pytest.fixture(autouse=True)
def _alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A test's own run knows nothing."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("ONCE_SIGN", str(tmp_path / "sign"))
    monkeypatch.setenv("TRIES", str(tmp_path / "tries"))


def play(folder: Path, solver: str, *tasks: str, **limits: float) -> Episodes:
    """The episodes of a run, by task."""
    for task in tasks:
        make_task(folder / "tasks", task, template=TEMPLATE, table=TABLE)
    before = set(children(os.getpid()))
    named = f"tests.run_solvers:{solver}"
    config = RunConfig(named, folder / "tasks", workers=min(2, len(tasks)), limits=Limits(**limits))  # type: ignore[arg-type]
    Run(config, folder / "run", QuietProgress()).execute()
    # Nothing is left of a run, whatever happened in it.
    assert set(children(os.getpid())) <= before
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
    return {made.task: made for made in RunDirectory(folder / "run").episodes()}


def play_one(folder: Path, solver: str) -> Episode:
    """The episode of a run with one instance."""
    return play(folder, solver, "A")["A"]


def impatient(patch: pytest.MonkeyPatch) -> None:
    """Wait less long for what never comes."""
    patch.setattr(browsers, "BrowserSettings", functools.partial(BrowserSettings, timeout=PATIENCE))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Of the run with much trouble."""
    return tmp_path_factory.mktemp("trouble")


@pytest.fixture(scope="module")
def made(folder: Path, _together: None) -> Episodes:
    """A run in which each task has the name of what is done to its page, its browser or its process."""
    return play(folder, "DoesAsItsTaskIsCalled", *GIVE_UP, *GO_ON, *NAME_AN_OUTAGE, max_steps=10)


@pytest.fixture(scope="module")
def silent(tmp_path_factory: pytest.TempPathFactory, _together: None) -> Episodes:
    """The same with what does not answer any more."""
    with pytest.MonkeyPatch.context() as patch:
        impatient(patch)
        return play(tmp_path_factory.mktemp("s"), "DoesAsItsTaskIsCalled", "NeverAnswersAgain", "StopsTheBrowserOnce")


@pytest.fixture(scope="module")
def late(tmp_path_factory: pytest.TempPathFactory, _together: None) -> Episodes:
    """The same with what does not end within its second."""
    tasks = ("HoldsTheProcess", "HoldsTheProcessWithoutABrowser", "NeverAnswersAgain", "Sleeps")
    with pytest.MonkeyPatch.context() as patch:
        impatient(patch)
        for module in (work, engine):
            patch.setattr(module, "GRACE_SECONDS", 1.5)
        for module in (clock, engine):
            patch.setattr(module, "THROW_SECONDS", 0.1)
        patch.setattr(engine, "HARNESS_SECONDS", 4.0)
        return play(tmp_path_factory.mktemp("l"), "DoesAsItsTaskIsCalled", *tasks, max_seconds=1.0)


def assert_given_up(made: Episode, attempts: int = 2) -> None:
    """Its solver is scored on the untouched form."""
    assert (made.outcome, made.attempts) == ("agent_error", attempts)
    assert [field.sent for field in made.fields] == [(UNTOUCHED,)]
    assert made.submission is not None
    assert (made.submission.via, made.steps) == ("untouched", ())
    assert made.effort_in_steps is None


@pytest.mark.slow
@pytest.mark.claim("attempt-killed-page")
@pytest.mark.parametrize("task", [name for name in GIVE_UP if name != "KillsTheWorker"])
def test_a_page_or_browser_that_dies_twice_under_a_solver_is_scored_as_nobody_touched_it(made: Episodes, task: str):
    assert_given_up(made[task])
    assert made[task].detail.startswith("died twice while the solver worked: ")


@pytest.mark.slow
@pytest.mark.claim("attempt-killed-page")
def test_a_page_that_does_not_answer_any_more_is_scored_as_nobody_touched_it(silent: Episodes):
    assert_given_up(silent["NeverAnswersAgain"])
    assert silent["NeverAnswersAgain"].detail.startswith("died twice while the solver worked: ")


@pytest.mark.slow
@pytest.mark.claim("attempt-killed-process")
def test_a_solver_that_kills_its_process_twice_is_scored_on_the_untouched_form(made: Episodes):
    killed = made["KillsTheWorker"]
    assert_given_up(killed)
    assert killed.detail.endswith("its worker process ended by signal 9")
    assert (Path(os.environ["SIGNS"]) / "tries").read_text(encoding="utf-8").splitlines() == ["try"] * 2
    # What it said meanwhile went with its process: not known is not the same as nothing.
    assert (killed.lost_turns, killed.cost, killed.usage) == (None, None, None)


@pytest.mark.slow
@pytest.mark.claim("attempt-killed-process")
def test_a_solver_that_hangs_and_whose_page_cannot_be_read_is_scored_on_the_untouched_form(late: Episodes):
    hung = late["HoldsTheProcessWithoutABrowser"]
    assert_given_up(hung, attempts=1)
    assert hung.detail.startswith("died with no time left to try again while the solver worked: ")


@pytest.mark.slow
@pytest.mark.parametrize(("task", "limit"), [("Sleeps", "time"), ("HoldsTheProcess", "time: nothing but killing")])
def test_a_solver_that_cannot_be_stopped_is_ended_and_what_its_page_holds_is_scored(
    late: Episodes, task: str, limit: str
):
    assert (late[task].outcome, late[task].detail[: len(limit)]) == ("limit", limit)
    assert [field.sent for field in late[task].fields] == [("yes",)]


@pytest.mark.slow
@pytest.mark.claim("attempt-killed-page")
def test_whoever_kills_the_browser_over_devtools_twice_is_scored_on_the_untouched_form(tmp_path):
    made = play_one(tmp_path, "KillsTheBrowserOverDevtools")
    assert_given_up(made)
    # It may have asked models past the harness.
    assert (made.lost_turns, made.cost) == (None, None)


@pytest.mark.slow
@pytest.mark.claim("attempt-second")
def test_a_solver_that_loses_its_page_or_its_process_once_is_tried_again_and_the_record_says_so(
    made: Episodes, silent: Episodes
):
    for each in (made["KillsTheBrowserOnce"], made["KillsTheWorkerOnce"], silent["StopsTheBrowserOnce"]):
        assert (each.outcome, each.attempts, each.detail) == ("scored", 2, "")
        assert [field.sent for field in each.fields] == [("yes",)]


@pytest.mark.slow
def test_an_episode_without_trouble_had_one_attempt_whatever_happens_beside_it(made: Episodes):
    assert (made["Fills"].outcome, made["Fills"].attempts, made["Fills"].lost_turns) == ("scored", 1, ())


@pytest.mark.slow
@pytest.mark.claim("attempt-cost")
def test_what_a_model_cost_in_an_attempt_that_was_lost_stays_counted(folder: Path, made: Episodes):
    spoke = made["SpeaksAndKillsTheBrowserOnce"]
    assert (spoke.outcome, spoke.attempts) == ("scored", 2)
    assert (len(spoke.turns), len(spoke.lost_turns or ())) == (1, 1)
    assert spoke.cost == 1.0
    assert spoke.usage is not None
    assert (spoke.usage.input_tokens, spoke.usage.output_tokens) == (14, 6)
    assert all((folder / "run" / "texts" / f"{turn.sent}.json").is_file() for turn in spoke.lost_turns or ())


@pytest.mark.slow
@pytest.mark.claim("attempt-second")
def test_a_second_attempt_has_the_actions_that_the_first_one_left(made: Episodes):
    acted = made["ActsUntilItsPageDies"]
    assert (acted.outcome, acted.limit, acted.attempts) == ("limit", "steps", 2)
    assert len(acted.steps) == 4


@pytest.mark.slow
@pytest.mark.claim("attempt-second")
def test_a_second_attempt_has_the_time_that_the_first_one_left(late: Episodes):
    # The page was waited for longer than the solver had time: there is no second attempt.
    assert_given_up(late["NeverAnswersAgain"], attempts=1)


@pytest.mark.slow
@pytest.mark.claim("attempt-resume")
def test_resuming_does_not_play_again_what_a_solver_got_out_of(folder: Path, made: Episodes, capsys):
    tries = Path(os.environ["SIGNS"]) / "tries"
    before = tries.read_text(encoding="utf-8")
    assert main(["--resume", str(folder / "run"), "--progress", "quiet", "--yes"]) == COMPLETE
    capsys.readouterr()
    assert tries.read_text(encoding="utf-8") == before
    assert {each.task: each for each in RunDirectory(folder / "run").episodes()} == made


@pytest.mark.slow
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


@pytest.mark.slow
@pytest.mark.claim("attempt-counted")
def test_a_lost_attempt_counts_after_failures_of_the_harness(tmp_path, monkeypatch):
    handed: list[object] = []

    def opens_no_page_again(*arguments, **more):
        handed.append(arguments)
        if len(handed) > 1:
            raise PageFailed("no page")
        return play_page(*arguments, **more)

    with monkeypatch.context() as patch:
        patch.setattr(form_player, "play_page", opens_no_page_again)
        made = play_one(tmp_path, "LosesItsPageAndWaits")
    assert (made.outcome, made.attempts) == ("harness_error", 1)
    (tmp_path / "tries").write_text("", encoding="utf-8")
    Run.resume(tmp_path / "run", QuietProgress(), allow=lambda _: None).execute()
    (made,) = RunDirectory(tmp_path / "run").episodes()
    assert_given_up(made)
    assert (tmp_path / "tries").read_text(encoding="utf-8").splitlines() == ["try"]


@pytest.mark.slow
def test_an_account_of_lost_attempts_that_cannot_be_read_is_named(folder: Path, made: Episodes, tmp_path, capsys):
    assert made
    run = RunDirectory(shutil.copytree(folder / "run", tmp_path / "run"))
    run.episode_file("KillsTheWorker", 0).unlink()
    file = run.folder / "attempts" / "KillsTheWorker" / "0.json"
    file.write_text('{"count": "many"}', encoding="utf-8")
    assert main(["--resume", str(run.folder), "--progress", "quiet", "--yes"]) == WRONG_USE
    (line,) = [line for line in capsys.readouterr().err.splitlines() if line.startswith("error: ")]
    assert f"{file} cannot be read: " in line


@pytest.mark.slow
@pytest.mark.claim("attempt-outage")
@pytest.mark.parametrize("task", NAME_AN_OUTAGE)
def test_an_outage_that_the_harness_has_not_seen_itself_is_the_solvers(made: Episodes, task: str):
    assert (made[task].outcome, made[task].attempts) == ("agent_error", 1)
    assert made[task].detail.startswith(f"{task.partition('_')[2]}: ")
    assert [field.sent for field in made[task].fields] == [("yes",)]


@pytest.mark.slow
@pytest.mark.claim("attempt-before")
def test_what_dies_before_a_solver_is_handed_its_page_is_the_harnesss_and_tried_three_times(tmp_path, monkeypatch):
    looks = tmp_path / "looks"

    def fails(_browser, _url):
        with looks.open("a", encoding="utf-8") as log:
            log.write("look\n")
        raise PageFailed("no page")

    monkeypatch.setattr(form_player, "inspect_page", fails)
    made = play_one(tmp_path, "Fills")
    assert (made.outcome, made.attempts, made.detail) == ("harness_error", 0, "no page")
    assert looks.read_text(encoding="utf-8").splitlines() == ["look"] * 3


@pytest.mark.slow
@pytest.mark.claim("attempt-before")
def test_failures_of_the_harness_in_a_second_attempt_do_not_count_for_the_solver(tmp_path, monkeypatch):
    def fails_once(browser, url):
        if not (tmp_path / "failed").exists():
            (tmp_path / "failed").touch()
            raise PageFailed("no page")
        return inspect_page(browser, url)

    monkeypatch.setattr(form_player, "inspect_page", fails_once)
    made = play_one(tmp_path, "KillsTheBrowserOnce")
    assert (made.outcome, made.attempts) == ("scored", 2)
