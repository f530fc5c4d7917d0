"""A person at a run's terminal, who is asked what the task's file does not answer."""

from __future__ import annotations

import io
import os
import pty
import re
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from harness.cli.boundary import COMPLETE, WRONG_USE
from harness.cli.commands import evaluate
from harness.records.directory import RunDirectory
from harness.run.interactive_user import InteractiveUser
from harness.run.interrupts import Interrupts
from harness.run.page_job import PageJob
from tests.checkout import PROJECT
from tests.site_tasks import START, make_site_task
from tests.task_folders import csv_text

JOB = PageJob("Order", 3, "id", "test")
NOTHING = "the user gives no answer: go on without"


@pytest.fixture
def pipe() -> Iterator[tuple[int, int]]:
    ends = os.pipe()
    yield ends
    for end in ends:
        try:
            os.close(end)
        except OSError:
            continue  # the test has closed it


def asked(typed: str, *questions: str, pipe: tuple[int, int], seconds: float = 60.0) -> tuple[list[str | None], str]:
    """What a person answers who has typed something before the input ends, and what was shown."""
    os.write(pipe[1], typed.encode())
    os.close(pipe[1])
    shown = io.StringIO()
    with Interrupts() as interrupts:
        person = InteractiveUser(pipe[0], shown, seconds)
        return [person.ask(interrupts, JOB, question) for question in questions], shown.getvalue()


def test_each_question_takes_one_line_and_is_told_with_its_task(pipe: tuple[int, int]) -> None:
    answers, shown = asked(" Größe 4 \nblue\n", "What size?", "What colour?", pipe=pipe)
    assert answers == ["Größe 4", "blue"]
    assert shown.index("Order, instance 3 asks:\n  What size?") < shown.index("What colour?")


def test_return_alone_is_no_answer_and_at_the_end_of_the_input_nothing_is_asked_any_more(pipe: tuple[int, int]) -> None:
    answers, shown = asked("\nhalf a line", "One?", "Two?", "Three?", pipe=pipe)
    assert answers == [None, None, None]
    assert "Two?" in shown
    assert "Three?" not in shown


def test_a_question_cannot_do_anything_to_the_terminal(pipe: tuple[int, int]) -> None:
    _, shown = asked("yes\n", "Clear?\x1b[2J", pipe=pipe)
    assert "Clear?\\u001b[2J" in shown


def test_a_question_stands_for_so_long_and_an_interrupt_ends_it(pipe: tuple[int, int]) -> None:
    shown = io.StringIO()
    with Interrupts() as interrupts:
        assert InteractiveUser(pipe[0], shown, seconds=0).ask(interrupts, JOB, "Here?") is None
        interrupts.patient = True
        signal.raise_signal(signal.SIGINT)
        assert InteractiveUser(pipe[0], shown).ask(interrupts, JOB, "Still?") is None
    assert "Still?" not in shown.getvalue()


@pytest.fixture
def tasks(tmp_path: Path) -> Path:
    for name in ("A", "B"):
        table = csv_text(["of"], *([f"{name}{number}"] for number in range(2)))
        make_site_task(tmp_path / "tasks", name, start=f"{START}?of=${{of}}", table=table, user_answers={"A1": "known"})
    return tmp_path / "tasks"


def at_a_terminal(command: Sequence[str], cache: Path) -> tuple[int, str]:
    """Run a command at a terminal, where each question 'What is X?' is answered 'X it is'; what was shown on it."""
    ours, theirs = pty.openpty()
    environment = {**os.environ, "XDG_CACHE_HOME": str(cache)}
    with subprocess.Popen(
        command, cwd=PROJECT, env=environment, stdin=theirs, stdout=subprocess.DEVNULL, stderr=theirs
    ) as process:
        os.close(theirs)
        shown, answered = "", 0
        try:
            while chunk := _chunk(ours):
                shown += chunk
                prompts = list(re.finditer(r"What is (\w+)\?\s+Your answer[^:]*: ", shown))
                for prompt in prompts[answered:]:
                    os.write(ours, f"{prompt[1]} it is\n".encode())
                answered = len(prompts)
            return process.wait(), shown
        finally:
            process.kill()
            os.close(ours)


def _chunk(terminal: int) -> str:
    try:
        return os.read(terminal, 4096).decode("utf-8", "replace")
    except OSError:  # how the end of a terminal is told on Linux
        return ""


@pytest.mark.slow
def test_questions_of_all_workers_reach_the_terminal_one_at_a_time_and_answers_stand_in_the_steps(
    tasks: Path, tmp_path: Path
) -> None:
    out = tmp_path / "run"
    command = [sys.executable, "-m", "harness.evaluate", "--solver", "tests.run_solvers:AsksItsUser", "--attended"]
    command += ["--actions", "all", "--tasks-dir", str(tasks), "--workers", "2", "--out", str(out)]
    code, shown = at_a_terminal(command, tmp_path / "cache")
    assert code == COMPLETE, shown
    run = RunDirectory(out)
    said = {(made.task, made.index): made.steps[0].message for made in run.episodes()}
    assert said == {
        ("A", 0): "the user answers: A0 it is", ("A", 1): "the user answers: known",
        ("B", 0): "the user answers: B0 it is", ("B", 1): "the user answers: B1 it is",
    }  # fmt: skip
    record = run.read()
    assert (record.config.attended, record.protocol) == (True, "goal, attended")
    assert all(made.timing["wait"] > 0 for made in run.episodes() if (made.task, made.index) != ("A", 1))


@pytest.mark.parametrize(
    ("more", "why"),
    [
        (["--actions", "all"], "have to be a terminal"),
        (["--actions", "webcanvas"], "none asks the user"),
        ([], "--actions webcanvas none asks the user"),
    ],
)
def test_a_run_that_cannot_be_attended_is_refused(
    tasks: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], more: list[str], why: str
) -> None:
    out = tmp_path / "run"
    given = ["--attended", "--solver", "do-nothing", "--tasks-dir", str(tasks), "--out", str(out)]
    assert evaluate.main([*given, *more]) == WRONG_USE
    assert why in capsys.readouterr().err
    assert not out.exists()


def test_forms_ask_nobody(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert evaluate.main(["--attended", "--solver", "do-nothing", "--out", str(tmp_path / "run")]) == WRONG_USE
    assert "--attended" in capsys.readouterr().err


@pytest.mark.slow
def test_an_attended_run_is_not_gone_on_with_where_there_is_no_terminal(
    tasks: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "run"
    given = ["--solver", "do-nothing", "--tasks-dir", str(tasks), "--max-instances", "1", "--out", str(out)]
    assert evaluate.main([*given, "--actions", "all", "--task", "A", "--progress", "quiet"]) == COMPLETE
    directory = RunDirectory(out)
    record = directory.read()
    directory.write(replace(record, config=replace(record.config, attended=True)))
    assert evaluate.main(["--resume", str(out)]) == WRONG_USE
    assert "have to be a terminal" in capsys.readouterr().err
