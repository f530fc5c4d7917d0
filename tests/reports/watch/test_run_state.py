from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from harness.records.folder_lock import LOCK, FolderLock, is_held
from harness.reports.watch.index_making import bring_up
from harness.reports.watch.run_counts import Pace, pace
from harness.reports.watch.run_index import RunIndex
from harness.reports.watch.run_state import state_of
from tests.reports.watch.made_runs import answered, write_run


def test_a_run_is_running_while_its_lock_is_held_and_only_then(tmp_path: Path) -> None:
    run = write_run(tmp_path / "run", status="running")
    with FolderLock(run.folder):
        assert state_of(run.folder, run.read()) == "running"
        assert state_of(run.folder, replace(run.read(), status="complete")) == "running"
    assert state_of(run.folder, run.read()) == "interrupted"
    assert state_of(run.folder, replace(run.read(), status="incomplete")) == "incomplete"


def test_a_lock_that_a_killed_process_left_is_not_held(tmp_path: Path) -> None:
    (tmp_path / LOCK).write_text("{}")
    assert not is_held(tmp_path)
    assert (tmp_path / LOCK).read_text() == "{}"


def test_looking_whether_a_folder_is_held_puts_nobody_off(tmp_path: Path) -> None:
    for _ in range(20):
        is_held(tmp_path)
        with FolderLock(tmp_path):
            assert is_held(tmp_path)


def test_a_pace_needs_two_episodes_that_were_written_at_different_times(tmp_path: Path) -> None:
    run = write_run(tmp_path / "run", answered(0))
    bring_up(run.folder)
    index = RunIndex(run.folder, run.read())
    with index.open() as database:
        assert pace(database, 9) == Pace(None, None)
    run.add(answered(1), {})
    run.add(answered(2), {})
    bring_up(run.folder)
    with index.open() as database:
        database.execute("UPDATE episode SET written = 1000 + 30 * place")
        assert pace(database, 7) == Pace(2.0, 210.0)
        assert pace(database, 0) == Pace(2.0, 0.0)
        assert pace(database, None) == Pace(2.0, None)
