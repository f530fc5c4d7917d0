"""Pages, browsers and solvers that would stop a run: each costs its own score at most, and is told why."""

from __future__ import annotations

import functools
import os
import signal
from pathlib import Path

import pytest

from harness.browser.launch import BrowserSettings
from harness.cli.boundary import COMPLETE, INCOMPLETE, WRONG_USE
from harness.cli.commands.evaluate import main
from harness.episode import work
from harness.records.config import Limits, RunConfig
from harness.records.directory import RunDirectory
from harness.records.episode import Episode
from harness.run import browsers, engine, worker
from harness.run.label_store import LocalLabelStore
from harness.run.progress import QuietProgress
from harness.run.rpc import LabelProcessGone
from harness.run.runner import Run
from tests.run.processes import children
from tests.site import PAGES
from tests.task_folders import csv_text, make_task

HOSTILE = {file.stem for file in (PAGES / "hostile").glob("*.html")}
NEVER_ANSWER = {"endless_loop", "never_finishes_loading", "eats_memory"}
STOP_ANSWERING = {"endless_loop_later", "endless_loop_at_submit"}
"""Once somebody works on them."""
PATIENCE = 1.5
TABLE = csv_text(["text", "Answer.a"], ["one", "yes"])


def play(folder: Path, solver: str = "oracle", *, workers: int = 1, **limits: float) -> tuple[str, dict[str, Episode]]:
    """A run of the tasks in ``folder``: its status, and its episodes by task."""
    config = RunConfig(solver, folder / "tasks", workers=workers, limits=Limits(**limits))  # type: ignore[arg-type]
    result = Run(config, folder / "run", QuietProgress()).execute()
    return result.status, {made.task: made for made in RunDirectory(folder / "run").episodes()}


@pytest.fixture(autouse=True)
def _nothing_is_left():
    """Every run here has to end all that it has started; browsers of other tests may be there."""
    before = set(children(os.getpid()))
    yield
    assert set(children(os.getpid())) <= before


def hostile(folder: Path, *names: str) -> tuple[str, dict[str, Episode]]:
    """A run of hostile pages and, at last, a good one."""
    for name in names:
        template = (PAGES / "hostile" / f"{name}.html").read_text(encoding="utf-8")
        make_task(folder / "tasks", name, template=template, table=TABLE)
    make_task(folder / "tasks", "zz good", table=TABLE)
    return play(folder, workers=2)


@pytest.mark.slow
@pytest.mark.claim("page-cost")
def test_every_hostile_page_costs_at_most_its_own_score(tmp_path):
    status, made = hostile(tmp_path, *HOSTILE - NEVER_ANSWER - STOP_ANSWERING)
    assert status == "complete"
    for name, each in made.items():
        assert [field.sent for field in each.fields] == [("yes",)], name
    assert len(made["dialogs"].submission.dialogs) == 100  # type: ignore[union-attr]
    assert "http://127.0.0.1:9/elsewhere" in made["navigates_away"].submission.refused  # type: ignore[union-attr]
    assert any("broken" in error for error in made["throws"].script_errors)


@pytest.mark.slow
@pytest.mark.claim("page-cost", "attempt-killed-page")
def test_a_page_that_does_not_answer_costs_at_most_its_own_score(tmp_path, monkeypatch):
    """Who waits for it does so for a short time here. The workers are forked and know of it."""
    monkeypatch.setattr(worker, "ATTEMPTS", 2)
    monkeypatch.setattr(browsers, "BrowserSettings", functools.partial(BrowserSettings, timeout=PATIENCE))
    status, made = hostile(tmp_path, *NEVER_ANSWER, *STOP_ANSWERING)
    assert status == "incomplete"
    assert made["zz good"].outcome == "scored"
    for name in NEVER_ANSWER | STOP_ANSWERING:
        assert f"did not answer within {PATIENCE:g} s" in made[name].detail or "crashed" in made[name].detail
    for name in NEVER_ANSWER:
        assert (made[name].outcome, made[name].submission) == ("harness_error", None)
    for name in STOP_ANSWERING:
        assert (made[name].outcome, made[name].attempts) == ("agent_error", 2)
        assert [field.sent for field in made[name].fields] == [("",)]


@pytest.mark.slow
def test_a_run_whose_keeper_of_the_labels_dies_ends_and_can_be_gone_on_with(tmp_path, monkeypatch):
    make_task(tmp_path / "tasks", "A", table=csv_text(["text", "Answer.a"], ["one", "yes"], ["two", "yes"]))
    write = LocalLabelStore.write

    def writes_one(store, job, *more):
        if job.index == 1:
            os.kill(os.getpid(), signal.SIGKILL)
        return write(store, job, *more)

    with monkeypatch.context() as patch:
        patch.setattr(LocalLabelStore, "write", writes_one)
        with pytest.raises(LabelProcessGone, match="the process that keeps the labels has ended"):
            play(tmp_path, "do-nothing")
    assert main(["--resume", str(tmp_path / "run"), "--progress", "quiet"]) == COMPLETE


def test_an_error_in_the_middle_of_a_run_leaves_no_process(tmp_path, monkeypatch):
    def broken(*_):
        raise ZeroDivisionError("a defect")

    monkeypatch.setattr(Run, "_done", broken)
    make_task(tmp_path / "tasks", "A", table=TABLE)
    with pytest.raises(ZeroDivisionError):
        play(tmp_path)


# Disks.


def evaluate(folder: Path, *more: str) -> int:
    arguments = ["--tasks-dir", str(folder / "tasks"), "--workers", "1", "--progress", "quiet"]
    return main([*arguments, "--solver", "oracle", "--out", str(folder / "run"), *more])


@pytest.mark.slow
def test_a_disk_that_fills_up_ends_the_run_with_one_line_and_it_can_be_gone_on_with(tmp_path, monkeypatch, capsys):
    rows = [[f"t{number}", "yes"] for number in range(6)]
    make_task(tmp_path / "tasks", "A", table=csv_text(["text", "Answer.a"], *rows))
    write = Path.open

    def full(path: Path, *arguments, **values):
        if path.suffix == ".part" and len(list((tmp_path / "run").glob("episodes/*/*.json"))) >= 3:
            raise OSError(28, os.strerror(28))
        return write(path, *arguments, **values)

    with monkeypatch.context() as patch:
        patch.setattr(Path, "open", full)
        assert evaluate(tmp_path) == INCOMPLETE
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(f"error: {tmp_path / 'run'} cannot be written: No space left on device; make room, then")
    assert "--resume" in line
    assert not list((tmp_path / "run").rglob(".*.part"))
    run = RunDirectory.open(tmp_path / "run")
    assert [made.outcome for made in run.episodes()] == ["scored"] * 3
    assert main(["--resume", str(run.folder), "--yes", "--progress", "quiet"]) == COMPLETE
    assert len(list(run.episodes())) == 6


def test_an_output_folder_that_cannot_be_made_is_wrong_use(tmp_path, capsys):
    make_task(tmp_path / "tasks", "A", table=TABLE)
    (tmp_path / "file").write_text("x", encoding="utf-8")
    assert evaluate(tmp_path, "--out", str(tmp_path / "file" / "run")) == WRONG_USE
    (line,) = capsys.readouterr().err.splitlines()
    assert "cannot be written" in line
    assert "give another --out" in line


@pytest.mark.slow
def test_a_cache_that_cannot_be_written_is_told_once_and_costs_no_score(tmp_path, own_cache, capsys):
    make_task(tmp_path / "tasks", "A", table=csv_text(["text", "Answer.a"], ["one", "yes"], ["two", "yes"]))
    (own_cache / "turkbench").mkdir(parents=True)
    (own_cache / "turkbench" / "inventory").write_text("a file where the folder should be", encoding="utf-8")
    assert evaluate(tmp_path) == COMPLETE
    (line,) = capsys.readouterr().err.splitlines()
    assert "the next run has to look at these pages again" in line


@pytest.mark.slow
def test_a_solver_that_waits_for_its_provider_longer_than_its_limits_goes_on(tmp_path, monkeypatch):
    monkeypatch.setattr(work, "GRACE_SECONDS", 0.0)
    monkeypatch.setattr(engine, "GRACE_SECONDS", 0.0)
    monkeypatch.setattr(engine, "THROWS", 0)
    monkeypatch.setattr(engine, "HARNESS_SECONDS", 2.5)
    monkeypatch.setenv("WAIT_SECONDS", "5")
    make_task(tmp_path / "tasks", "A", table=TABLE)
    status, made = play(tmp_path, "tests.run_solvers:WaitsForItsProvider", max_seconds=1.0)
    assert (status, made["A"].outcome) == ("complete", "scored")
    assert [field.sent for field in made["A"].fields] == [("yes",)]
    assert made["A"].timing["wait"] > 0
