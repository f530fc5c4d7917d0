from __future__ import annotations

from pathlib import Path

import pytest

from harness.cli.commands.setup.index import main
from tests.reports.watch.made_runs import answered, write_run


def test_indices_are_made_in_advance_and_brought_up(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = write_run(tmp_path / "run", answered(0), answered(1))
    assert main([str(run.folder)]) == 0
    run.add(answered(2), {})
    assert main([str(run.folder)]) == 0
    assert capsys.readouterr().out.splitlines() == [f"{run.folder}: 2 new episodes", f"{run.folder}: 1 new episode"]


def test_what_is_no_run_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(tmp_path)]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert f"{tmp_path} is no run directory" in line


def test_a_cache_that_cannot_be_written_is_one_line(
    tmp_path: Path, cache: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = write_run(tmp_path / "run", answered(0))
    cache.write_text("a file where a folder should be")
    assert main([str(run.folder)]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert f"the index of {run.folder} cannot be written" in line
