"""Runs whose workers share browsers: what comes of them is what comes of the same run with a browser each."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from harness.catalog.problems import CatalogError
from harness.cli.boundary import COMPLETE, WRONG_USE
from harness.cli.commands.evaluate import main
from harness.records.config import RunConfig
from harness.records.directory import RunDirectory
from harness.run.shared_browsers import check_sharing
from tests.task_folders import csv_text, make_task

FIELDS = """<p>${text}</p><input name=a><textarea name=b></textarea><input type=radio name=c value=1>
<input type=radio name=c value=2><select name=d><option></option><option>one</option><option>two</option></select>"""


def play(tasks: Path, out: Path, *more: str) -> dict[str, Any]:
    """A run of the oracle; gives what it has in common with others of the same configuration."""
    arguments = ["--tasks-dir", str(tasks), "--out", str(out), "--solver", "oracle", "--progress", "plain"]
    assert main([*arguments, *more]) == COMPLETE
    return RunDirectory(out).canonical()


@pytest.mark.slow
def test_the_oracle_has_its_records_in_a_shared_browser_and_the_run_says_so(tmp_path: Path) -> None:
    rows = [[f"text {n}", "an answer", f"line {n}", str(n % 2 + 1), "two"] for n in range(6)]
    header = ["text", *(f"Answer.{name}" for name in "abcd")]
    make_task(tmp_path / "tasks", "Form", template=FIELDS, table=csv_text(header, *rows))
    alone = play(tmp_path / "tasks", tmp_path / "alone", "--workers", "1")
    shared = play(tmp_path / "tasks", tmp_path / "shared", "--workers", "3", "--pages-per-browser", "3")
    assert shared == alone
    record = RunDirectory(tmp_path / "shared").read()
    assert record.config.pages_per_browser == 3
    assert record.results is not None
    assert record.results.overall.score == 1.0


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"kind": "site"}, "it is for forms"),
        ({"input": "webdriver"}, "--input webdriver has a browser for each worker"),
        ({"input": "desktop"}, "--input desktop has a browser for each worker"),
        ({"headed": True}, "--headed"),
        ({"browser_url": "http://127.0.0.1:9222"}, "browsers that are started here"),
        ({"grid": "http://127.0.0.1:4444"}, "browsers that are started here"),
        ({"solver": "command"}, "--solver command lets a program drive the browser"),
    ],
)
def test_what_needs_a_browser_for_itself_is_refused_in_a_line(change: dict[str, Any], why: str) -> None:
    config = replace(RunConfig("oracle", Path("tasks"), kind="form", pages_per_browser=2), **change)
    with pytest.raises(CatalogError, match=f"^--pages-per-browser: .*{why}.*leave one of them out.$"):
        check_sharing(config)
    check_sharing(replace(config, pages_per_browser=1))


def test_a_refused_run_leaves_no_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "run"
    arguments = ["--solver", "oracle", "--pages-per-browser", "2", "--input", "webdriver", "--out", str(out)]
    assert main(arguments) == WRONG_USE
    assert "--pages-per-browser: --input webdriver" in capsys.readouterr().err
    assert not out.exists()
