"""Any reader of a file that somebody else may have written, and any damage: one line that names the file."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from harness.catalog.mirror.store import Store
from harness.catalog.overlay import read_overlay
from harness.kit.errors import UserError
from harness.models.ledger import Ledger
from harness.papers.mind2web.mindact.learned_ranker import LearnedRanker
from harness.papers.mind2web.traces import Traces
from harness.papers.online_mind2web.task_set import read_online_tasks
from harness.papers.teacher_forced.autowebbench.recorded_steps import read_steps
from harness.papers.turkingbench.original import read_recorded
from harness.records.directory import RunDirectory
from harness.records.verdict import read_verdicts
from harness.scoring.judges.auto_results import read_auto_results
from harness.scoring.judges.human_labels import read_human_labels
from harness.scoring.judges.judge_results import read_results
from harness.scoring.judges.recorded_replies import place_replies
from harness.scoring.judges.result_folders import read_result_folder
from harness.solvers.recorded.predictions import read_predictions

READERS: dict[str, Callable[[Path], object]] = {
    "run.json": lambda file: RunDirectory.open(file.parent),
    "episodes/T/0.json": lambda file: list(RunDirectory(file.parents[2]).episodes()),
    "ledger.jsonl": lambda file: Ledger(file).totals(),
    "index.json": lambda file: Store(file.parent).read(),
    "overlay.json": read_overlay,
    "predictions.jsonl": read_predictions,
    "labels.json": read_human_labels,
    "results.json": read_results,
    "replies.jsonl": place_replies,
    "auto.jsonl": read_auto_results,
    "t1/result.json": lambda file: read_result_folder(file.parents[1], "t1"),
    "verdicts.json": read_verdicts,
    "recorded.jsonl": read_recorded,
    "ranker.json": LearnedRanker.read,
    "traces.json": Traces.read,
    "steps.json": read_steps,
    "online.json": read_online_tasks,
}
DAMAGES = {
    "nothing in it": b"",
    "cut off": b"{",
    "nested deep": b"[" * 100_000 + b"]" * 100_000,
    "nested deep and cut off": b'{"a": ' * 50_000,
    "a list": b"[1]",
    "an object": b'{"schema": 1}',
    "null": b"null",
    "half a letter": "\ud800".encode("utf-8", "surrogatepass"),
    "no text": b"\xff",
}
OPTIONAL = {"episodes/T/0.json", "ledger.jsonl", "index.json"}
"""What need not be there."""
AN_ERROR_OF_THE_SYSTEM = {"steps.json", "online.json"}
"""Whose readers leave it to the command to say that a file is not there."""


@pytest.mark.claim("runs-spoiled")
@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("name", READERS)
def test_a_damaged_file_is_named_in_one_line(tmp_path: Path, name: str, damage: str) -> None:
    file = tmp_path / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(DAMAGES[damage] + b"\n")
    with pytest.raises(UserError) as found:
        READERS[name](file)
    assert name in str(found.value)
    assert len(str(found.value).splitlines()) == 1


@pytest.mark.parametrize("name", sorted({*READERS} - OPTIONAL))
def test_a_file_that_is_not_there_is_named(tmp_path: Path, name: str) -> None:
    with pytest.raises(FileNotFoundError if name in AN_ERROR_OF_THE_SYSTEM else UserError) as found:
        READERS[name](tmp_path / name)
    assert name in str(found.value)
