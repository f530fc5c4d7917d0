"""References of the bundled sites done by AutoWebGLM's functions: one task a site; all of them are a command away."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.cli.boundary import COMPLETE
from harness.cli.commands import evaluate
from harness.records.directory import RunDirectory

SITES = Path(__file__).resolve().parents[2] / "tasks" / "_sites"


@pytest.mark.slow
def test_a_reference_of_each_site_reaches_its_goal_by_functions(tmp_path: Path) -> None:
    tasks = [min(folder.name for folder in SITES.glob(f"{site} - *")) for site in ("Board", "Shop", "Travel")]
    out = tmp_path / "run"
    asked = ["--tasks-dir", str(SITES), "--solver", "oracle", "--actions", "autowebglm", "--max-instances", "1"]
    named = [word for task in tasks for word in ("--task", task)]
    assert evaluate.main([*asked, *named, "--progress", "quiet", "--out", str(out)]) == COMPLETE
    found = {each.task: each.site for each in RunDirectory(out).episodes()}
    reached = {task: site and site.main and site.main.success for task, site in found.items()}
    assert reached == dict.fromkeys(tasks, True)
