"""Playwright, as strangers install it, solves tasks on the bundled websites."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from harness.cli.boundary import COMPLETE
from harness.cli.commands import evaluate
from harness.records.directory import RunDirectory
from tests.checkout import PROJECT
from tests.clients.environments import client, python_of
from tests.needs import needs

TASKS = PROJECT / "tasks" / "_sites"
AGENT = Path(__file__).parent / "site_agent.py"


@needs(client("playwright"))
@pytest.mark.parametrize(
    "task", ["Shop - Put a kettle into the cart", "Travel - Fewer messages", "Board - A dark theme"]
)
def test_it_reaches_every_key_node_and_is_filmed(task: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    command = shlex.join([str(python_of("playwright")), str(AGENT), str(TASKS / task / "trace.json")])
    given = [
        "--solver",
        "command",
        "--command",
        command,
        "--isolate",
        "none",
        "--tasks-dir",
        str(TASKS),
        "--task",
        task,
    ]
    assert evaluate.main([*given, "--workers", "1", "--out", str(tmp_path / "run"), "--progress", "quiet"]) == COMPLETE
    run = RunDirectory(tmp_path / "run")
    episode = run.episode(task, 0)
    assert (episode.outcome, episode.detail) == ("scored", "")
    assert episode.site is not None
    assert {each.evaluator: each.score for each in episode.site.evaluations} == {"key_nodes": 1.0, "final_state": 1.0}
    film = run.film(task, 0)
    assert film is not None
    assert {frame.url for frame in film.frames} > {episode.site.task.start}
