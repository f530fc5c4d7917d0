"""Runs side by side."""

from __future__ import annotations

import json
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from harness.kit.errors import UserError
from harness.kit.files.codec import plain
from harness.reports.watch.background_workers import BackgroundWorkerFailed, BackgroundWorkers
from harness.reports.watch.compared_runs import compared
from tests.reports.watch.made_runs import answered, indexed, write_run
from tests.server.pages import soup, text


@pytest.fixture(autouse=True)
def _workers_work_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(BackgroundWorkers, "ask", lambda _self, job, weight=0: _done_at_once(job, weight))


def _done_at_once(job: dict[str, Any], weight: int) -> Future[Any]:
    assert (job["do"], weight) == ("compare", 0)
    answer: Future[Any] = Future()
    try:
        answer.set_result(plain(compared([Path(run) for run in job["runs"]])))
    except UserError as error:
        answer.set_exception(BackgroundWorkerFailed(str(error)))
    return answer


def runs(runs_dir: Path) -> None:
    right_and_wrong = {"a": "yes no no", "b": "no yes no"}
    for name, sent in right_and_wrong.items():
        episodes = [answered(index, word) for index, word in enumerate(sent.split())]
        indexed(write_run(runs_dir / name, *episodes, answered(0, "yes", task="U")))


def test_two_runs_are_compared_by_task_by_field_and_by_instance(viewer: Client, runs_dir: Path) -> None:
    runs(runs_dir)
    page = soup(viewer, "/runs/compare/?run=a&run=b")
    assert "A and B: a and b" in text(page)
    counted = [text(item) for item in page.select(".halves li")]
    assert counted == ["both 1", "only A 1", "only B 1", "neither 1", "A is ahead 0", "equal 2", "B is ahead 0"]
    tables = {region["aria-label"]: region for region in page.select("[role=region]")}
    assert [text(row.find("th")) for row in tables["By task"].select("tbody tr")] == ["T", "U"]
    (alone,) = tables["A is right where the other is wrong"].select("tbody tr")
    assert text(alone) == "T 0 answer 100.0 0.0"
    assert [link["href"] for link in alone.select("a")] == [
        "/runs/compare/a/b/episode/T/0/0/",
        "/runs/a/episode/T/0/",
        "/runs/b/episode/T/0/",
    ]
    (other,) = tables["A is wrong where the other is right"].select("tbody tr")
    assert text(other).startswith("T 1 answer")


def _asked(runs_dir: Path, name: str, **config: Any) -> None:
    file = runs_dir / name / "run.json"
    record = json.loads(file.read_text(encoding="utf-8"))
    record["config"] |= config
    file.write_text(json.dumps(record), encoding="utf-8")


def test_the_settings_that_differ_stand_before_what_differs_in_scores(viewer: Client, runs_dir: Path) -> None:
    runs(runs_dir)
    _asked(runs_dir, "b", input="webdriver", limits={"max_steps": 7, "max_seconds": 60.0})
    page = soup(viewer, "/runs/compare/?run=a&run=b")
    settings = page.find("section", {"aria-labelledby": "settings-title"})
    rows = {text(row.find("th")): [text(cell) for cell in row.select("td")] for row in settings.select("tbody tr")}
    assert rows["input Asked for"] == ["devtools", "webdriver"]
    assert rows["max steps Asked for"][1] == "7"
    assert not any("solver" in name for name in rows)
    assert [text(each) for each in page.select("h2")][:2] == ["Settings that differ", "A and B: a and b"]


def test_runs_that_were_asked_for_alike_are_said_to_differ_in_no_setting(viewer: Client, runs_dir: Path) -> None:
    runs(runs_dir)
    page = soup(viewer, "/runs/compare/?run=a&run=b")
    assert "None: what was asked for" in text(page.find("section", {"aria-labelledby": "settings-title"}))


def test_another_run_is_taken_as_the_first(viewer: Client, runs_dir: Path) -> None:
    runs(runs_dir)
    page = soup(viewer, "/runs/compare/?run=a&run=b")
    (link,) = [each for each in page.select("a") if text(each) == "take as A"]
    assert "A and B: b and a" in text(soup(viewer, f"/runs/compare/{link['href']}"))


def test_a_run_of_an_earlier_version_is_compared(viewer: Client, runs_dir: Path) -> None:
    runs(runs_dir)
    file = runs_dir / "b" / "run.json"
    said = json.loads(file.read_text())
    del said["config"]["input"]
    file.write_text(json.dumps(said))
    assert "only A 1" in text(soup(viewer, "/runs/compare/?run=a&run=b"))


def test_runs_without_an_instance_in_common_say_so(viewer: Client, runs_dir: Path) -> None:
    indexed(write_run(runs_dir / "a", answered(0)))
    indexed(write_run(runs_dir / "b", answered(0, task="U")))
    page = text(soup(viewer, "/runs/compare/?run=a&run=b"))
    assert "These runs cannot be compared" in page
    assert "have no scored instance in common" in page


def test_one_run_is_nothing_to_compare(viewer: Client, runs_dir: Path) -> None:
    runs(runs_dir)
    for address in ("/runs/compare/", "/runs/compare/?run=a", "/runs/compare/?run=a&run=a"):
        assert "Choose two runs or more" in text(soup(viewer, address))


def test_a_broken_run_is_named(viewer: Client, runs_dir: Path) -> None:
    runs(runs_dir)
    (runs_dir / "b" / "run.json").write_text("{")
    assert "1 of these runs cannot be read" in text(soup(viewer, "/runs/compare/?run=a&run=b"))


def test_a_run_that_is_not_there_is_not_found(viewer: Client, runs_dir: Path) -> None:
    runs(runs_dir)
    assert "There is no run" in text(soup(viewer, "/runs/compare/?run=a&run=none", 404))
