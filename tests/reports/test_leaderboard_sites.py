"""Runs on websites on a leaderboard: evaluators score them, so that no profile does."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from bs4 import BeautifulSoup

from harness.browser.form.inventory import fingerprint
from harness.cli.boundary import COMPLETE, INCOMPLETE
from harness.cli.commands.leaderboard import main
from harness.records.config import RunConfig
from harness.records.directory import RunDirectory
from harness.records.provenance import fingerprint_of
from harness.reports.leaderboard.entry import content_id, file_name
from tests.analysis.site_episodes import on_site
from tests.reports.played import always, make_tasks, play
from tests.samples import run_record


def play_sites(folder: Path, *scores: float, answer: str = "", **config: Any) -> RunDirectory:
    """A complete run of one task an instance."""
    made = []
    for place, score in enumerate(scores):
        episode = on_site({"key_nodes": score, "final_state": 0.0}, task=f"T{place}", submission=None)
        assert episode.site
        made.append(replace(episode, site=replace(episode.site, answer=answer)))
    record = run_record(
        config=RunConfig("random", Path("tasks"), **{"kind": "site", **config}),
        protocol="goal",
        inventory=fingerprint([]),
        sample=fingerprint_of(sorted((each.task, each.id) for each in made)),
        planned_episodes=len(made),
    )
    run = RunDirectory(folder)
    run.write(replace(record, comparability_id=record.comparability_under("standard")))
    for each in made:
        run.add(each, {})
    return run


def add(board: Path, run: RunDirectory) -> int:
    return main(["add", str(run.folder), "--folder", str(board), "--no-task-files"])


def only(board: Path) -> dict[str, Any]:
    (file,) = board.glob("*.json")
    found: dict[str, Any] = json.loads(file.read_text())
    return found


def page_of(board: Path) -> BeautifulSoup:
    assert main(["show", "--folder", str(board)]) == COMPLETE
    return BeautifulSoup((board / "index.html").read_text(), "html.parser")


def test_run_has_one_score_under_no_profile(tmp_path, capsys):
    run = play_sites(tmp_path / "run", 1.0, 0.5)
    assert add(tmp_path / "board", run) == COMPLETE
    assert capsys.readouterr().out.startswith(f"websites: 75.0, comparability id {run.read().comparability_id}\n")
    entry = only(tmp_path / "board")
    assert entry["profiles"].keys() == {"websites"}
    assert entry["profiles"]["websites"]["tasks"]["T1"]["score"] == 0.5


def test_page_shows_it_once_in_a_section_after_forms(tmp_path):
    board = tmp_path / "board"
    add(board, play_sites(tmp_path / "run", 1.0, 0.5))
    tasks = make_tasks(tmp_path / "tasks", "A")
    add(board, play(tmp_path / "forms", tasks, always(a="cat", r="1", s="10")))
    page = page_of(board)
    headings = [each.get_text() for each in page.select("section > h2")]
    assert [each.split(":")[0] for each in headings] == [
        "standard", "turkingbench-2024", "websites", "How each record was made",
    ]  # fmt: skip
    *_, on_sites = page.select("table.board")
    assert "ceiling" not in on_sites.get_text()
    assert "On these instances: doing nothing" in page.select("section")[2].get_text()


def test_runs_that_another_judge_compared_stand_in_another_table(tmp_path):
    board = tmp_path / "board"
    for name, judge in (("a", None), ("b", "gpt-4o"), ("c", "gpt-4.1")):
        assert add(board, play_sites(tmp_path / name, 1.0, 0.5, judge=judge)) == COMPLETE
    assert len(page_of(board).select("table.board")) == 3
    assert main(["check", "--folder", str(board)]) == COMPLETE


def test_two_runs_with_other_answers_are_two_results(tmp_path):
    board = tmp_path / "board"
    assert add(board, play_sites(tmp_path / "a", 1.0, answer="red")) == COMPLETE
    assert add(board, play_sites(tmp_path / "b", 1.0, answer="blue")) == COMPLETE
    assert add(board, play_sites(tmp_path / "c", 1.0, answer="red")) == INCOMPLETE


@pytest.mark.parametrize("names", [["standard"], ["standard", "turkingbench-2024", "websites"], []])
def test_record_with_scores_of_the_other_kind_is_refused(tmp_path, names, capsys):
    board = tmp_path / "board"
    add(board, play_sites(tmp_path / "run", 1.0))
    entry = only(board)
    next(board.glob("*.json")).unlink()
    entry["profiles"] = dict.fromkeys(names, entry["profiles"]["websites"])
    entry["id"] = content_id(entry)
    (board / file_name(entry)).write_text(json.dumps(entry))
    assert main(["check", "--folder", str(board)]) == INCOMPLETE
    assert "its scores are not those of a record of its kind: websites" in capsys.readouterr().err
