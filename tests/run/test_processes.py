"""Work on what is on disk, in other processes: the same comes of it as in this one, and none of them is left."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from concurrent.futures import Future, wait
from pathlib import Path

import pytest

from harness.analysis import episode_pass
from harness.analysis.episode_pass import IN_PLACE
from harness.analysis.rescoring import score_run
from harness.cli.boundary import COMPLETE, WRONG_USE
from harness.cli.commands import compare, evaluate, report, score
from harness.cli.commands.people.workers import main as people
from harness.cli.commands.plan import comparison as power
from harness.records.directory import RunDirectory
from harness.run import forked
from harness.run.forked import processes_for
from tests.analysis.made import episodes, write
from tests.task_folders import csv_text, make_task

TASKS = {
    f"task {number}": [{"ra": float(place % 2), "rb": 1.0, "sc": place / 12, "td": 0.5} for place in range(12)]
    for number in range(5)
}


@pytest.fixture
def run(tmp_path):
    """A run of 60 episodes with its results."""
    made = RunDirectory(write(tmp_path / "run", episodes(TASKS)))
    made.write(score_run(made).record)
    return made


@pytest.fixture
def two(monkeypatch):
    """Two processes for a run of any size."""
    monkeypatch.setattr(forked, "cores", lambda: 2)
    monkeypatch.setattr(forked, "EPISODES", 1)


def test_a_small_run_needs_no_other_process(run, monkeypatch):
    monkeypatch.setattr(forked, "cores", lambda: 8)
    with processes_for([run.folder]) as pool:
        assert pool is IN_PLACE


@pytest.mark.usefixtures("two")
def test_on_one_processor_there_is_no_other_process(run, monkeypatch):
    monkeypatch.setattr(forked, "cores", lambda: 1)
    with processes_for([run.folder]) as pool:
        assert pool is IN_PLACE


@pytest.mark.slow
@pytest.mark.usefixtures("two")
def test_two_processes_report_and_score_as_one_does_byte_by_byte(run, monkeypatch, capsys, tmp_path):
    monkeypatch.setattr(episode_pass, "PART", 7)  # tasks are parted in their midst
    page = tmp_path / "page.html"
    found = []
    for number in (1, 2):
        monkeypatch.setattr(forked, "cores", lambda number=number: number)
        tables = tmp_path / f"tables {number}"
        assert report.main([str(run.folder), "--out", str(page), "--tables", str(tables)]) == COMPLETE
        capsys.readouterr()
        score.main([str(run.folder)])
        score.main([str(run.folder), "--json", "--metrics", "turkingbench-2024"])
        written = {file.name: file.read_bytes() for file in tables.iterdir()}
        found.append((page.read_bytes(), written, capsys.readouterr().out))
    assert found[0] == found[1]
    assert not multiprocessing.active_children()


@pytest.mark.slow
@pytest.mark.usefixtures("two")
def test_two_processes_read_runs_for_other_commands_as_one_does(run, monkeypatch, capsys, tmp_path):
    monkeypatch.setattr(episode_pass, "PART", 7)
    better = {task: [{**each, "ra": 1.0} for each in instances] for task, instances in TASKS.items()}
    other = write(tmp_path / "other", episodes(better), {"solver": "b"})
    found = []
    for number in (1, 2):
        monkeypatch.setattr(forked, "cores", lambda number=number: number)
        assert compare.main([str(run.folder), str(other), "--draws", "50", "--json"]) == COMPLETE
        assert power.main([str(run.folder), str(other), "--json"]) == COMPLETE
        assert people([str(run.folder), "--json"]) == COMPLETE
        found.append(capsys.readouterr().out)
    assert found[0] == found[1]
    assert not multiprocessing.active_children()


@pytest.mark.slow
@pytest.mark.usefixtures("two")
def test_a_run_that_has_ended_is_read_by_two_processes_as_by_one(monkeypatch, capsys, tmp_path):
    monkeypatch.setattr(episode_pass, "PART", 2)
    table = csv_text(["x", "Answer.a"], *([f"text {number}", "" if number % 2 else "yes"] for number in range(5)))
    make_task(tmp_path / "tasks", "Plain", template="<p>${x}</p><input name=a>", table=table)
    started, kind = [], forked.ProcessPoolExecutor
    monkeypatch.setattr(forked, "ProcessPoolExecutor", lambda *how: started.append(how[0]) or kind(*how))
    found = []
    for number in (1, 2):
        monkeypatch.setattr(forked, "cores", lambda number=number: number)
        out = tmp_path / f"by {number}"
        arguments = ["--tasks-dir", str(tmp_path / "tasks"), "--out", str(out), "--solver", "do-nothing"]
        assert evaluate.main([*arguments, "--workers", "1", "--progress", "quiet"]) == COMPLETE
        printed = capsys.readouterr().out.replace(str(out), "").splitlines()
        said = [line for line in printed if not line.startswith("Wall time: ")]
        found.append((RunDirectory(out).canonical(), RunDirectory(out).read().results, said))
    assert found[0] == found[1]
    assert started == [2]
    assert not multiprocessing.active_children()


@pytest.mark.slow
@pytest.mark.usefixtures("two")
def test_the_first_of_several_damaged_episodes_is_named_whichever_is_met_first(run, monkeypatch, capsys):
    monkeypatch.setattr(episode_pass, "PART", 7)
    for task, index in (("task 4", 11), ("task 2", 3)):
        run.episode_file(task, index).write_text("{", encoding="utf-8")
    assert score.main([str(run.folder)]) == WRONG_USE
    (line,) = capsys.readouterr().err.splitlines()
    assert "task%202/3.json cannot be read" in line
    assert not multiprocessing.active_children()


@pytest.mark.usefixtures("two")
def test_after_an_interrupt_nothing_more_is_begun_and_no_process_is_left(run, tmp_path):
    gates = [tmp_path / "first gate", tmp_path / "second gate"]
    for gate in gates:
        os.mkfifo(gate)

    is_dropped = threading.Event()

    def interrupt(last: Future[None]) -> None:
        held = [gate.open("w") for gate in gates]  # which waits until both processes are at work
        last.add_done_callback(lambda _: is_dropped.set())
        os.kill(os.getpid(), signal.SIGINT)
        is_dropped.wait(60)  # else both would go on with what waits before the interrupt is heard
        for each in held:
            each.close()

    with pytest.raises(KeyboardInterrupt), processes_for([run.folder]) as pool:  # noqa: PT012 - what is interrupted
        at_work = [pool.submit(Path.read_bytes, gate) for gate in gates]
        waiting = [pool.submit(Path.touch, tmp_path / f"job {number}") for number in range(9)]
        threading.Thread(target=interrupt, args=waiting[-1:]).start()
        wait(at_work)
        wait(waiting)
    assert not multiprocessing.active_children()
    assert is_dropped.is_set()
    assert not (tmp_path / "job 8").exists()
