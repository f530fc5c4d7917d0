"""examples/terminal_kind, installed by pip, adds a kind of task that commands take as they take forms and websites."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.checkout import PROJECT

PACKAGE = PROJECT / "examples" / "terminal_kind"
SECONDS = 60


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the installed package and a task of its kind: of three sums one has a wrong label."""
    folder = tmp_path_factory.mktemp("place")
    options = ["--quiet", "--no-deps", "--no-build-isolation", "--no-index", "--target", folder / "site"]
    subprocess.run([sys.executable, "-m", "pip", "install", *options, PACKAGE], check=True)
    task = folder / "tasks" / "Sums"
    task.mkdir(parents=True)
    (task / "task.json").write_text('{"kind": "terminal"}', encoding="utf-8")
    (task / "template.html").write_text("What is ${a} plus ${b}?\n", encoding="utf-8")
    (task / "batch.csv").write_text("a,b,Answer.answer\n1,2,3\n2,2,4\n5,5,11\n", encoding="utf-8")
    return folder


def environment(place: Path) -> Mapping[str, str]:
    path = f"{place / 'site'}{os.pathsep}{PROJECT}"
    return {**os.environ, "PYTHONPATH": path}


def called(place: Path, *words: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", *words], cwd=place, env=environment(place), capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def episode(place: Path, index: int) -> Path:
    return place / "run" / "episodes" / "Sums" / f"{index}.json"


@pytest.fixture(scope="module")
def run(place: Path) -> str:
    """What evaluate prints of a run."""
    return called(
        place, "harness.evaluate", "--tasks-dir", "tasks", "--solver", "adder", "--workers", "1", "--out", "run"
    )


@pytest.mark.slow
def test_a_run_of_it_is_played_and_scored(place: Path, run: str) -> None:
    assert "Mean over instances 66.7" in run
    assert json.loads((place / "run" / "run.json").read_text())["config"]["kind"] == "terminal"
    made = json.loads(episode(place, 0).read_text())
    assert [step["action"] for step in made["steps"]] == ["answer('3')"]
    assert made["other"] == {
        "kind": "terminal",
        "kept": {"question": "What is 1 plus 2?", "answer": "3", "labels": ["3"]},
    }
    assert "Mean over instances 66.7" in called(place, "harness", "score", "run")


@pytest.mark.slow
@pytest.mark.usefixtures("run")
def test_it_is_reported_and_viewed(place: Path) -> None:
    called(place, "harness", "report", "run", "--out", "report.html")
    assert "66.7" in (place / "report.html").read_text(encoding="utf-8")
    command = [sys.executable, "-m", "harness", "view", "run", "Sums", "2", "--tasks-dir", "tasks", "--no-browser"]
    with subprocess.Popen(command, cwd=place, env=environment(place), stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            with urllib.request.urlopen(process.stdout.readline().strip(), timeout=SECONDS) as answer:  # noqa: S310
                page = answer.read().decode()
        finally:
            process.send_signal(signal.SIGINT)
        assert process.wait(SECONDS) == 0
    assert "What is 5 plus 5?" in page


@pytest.mark.slow
@pytest.mark.usefixtures("run")
def test_a_run_of_it_that_was_cut_short_is_gone_on_with(place: Path) -> None:
    record = place / "run" / "run.json"
    cut = {**json.loads(record.read_text()), "status": "interrupted", "ended": None, "episodes_digest": ""}
    record.write_text(json.dumps(cut), encoding="utf-8")
    episode(place, 1).unlink()
    before = episode(place, 0).read_bytes()
    assert "Mean over instances 66.7" in called(place, "harness.evaluate", "--resume", "run")
    assert episode(place, 1).exists()
    assert episode(place, 0).read_bytes() == before


@pytest.mark.slow
def test_without_the_package_its_tasks_and_its_runs_are_refused_in_a_line(place: Path, run: str) -> None:
    del run
    for words in (["harness.evaluate", "--tasks-dir", "tasks", "--solver", "oracle"], ["harness", "score", "run"]):
        bare = {**environment(place), "PYTHONPATH": str(PROJECT)}
        done = subprocess.run(
            [sys.executable, "-m", *words], cwd=place, env=bare, capture_output=True, text=True, check=False
        )
        assert done.returncode == 2
        assert "'terminal'" in done.stdout + done.stderr
        assert "Traceback" not in done.stderr


@pytest.mark.slow
def test_the_oracle_which_does_not_know_its_labels_is_refused_in_a_line(place: Path) -> None:
    for words in (["harness.evaluate", "--solver", "oracle"], ["oracle.check"]):
        done = subprocess.run(
            [sys.executable, "-m", *words, "--tasks-dir", "tasks"],
            cwd=place,
            env=environment(place),
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 2
        told = "--solver oracle works on forms and websites only, and these tasks are questions in a terminal."
        assert done.stderr == f"error: {told}\n"
