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
from harness.reports.watch.compared_runs import compared, shared_instances
from tests.reports.watch.made_runs import answered, indexed, write_run
from tests.server.pages import soup, text


@pytest.fixture(autouse=True)
def _workers_work_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(BackgroundWorkers, "ask", lambda _self, job, weight=0: _done_at_once(job, weight))


def _done_at_once(job: dict[str, Any], weight: int) -> Future[Any]:
    assert weight == 0
    answer: Future[Any] = Future()
    how = dict(job)
    does = {"compare": compared, "shared": shared_instances}[how.pop("do")]
    try:
        answer.set_result(plain(does([Path(run) for run in how.pop("runs")], **how)))
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
    tasks, instances = ["A is ahead 0", "equal 2", "B is ahead 0"], ["B is better 1", "equal 2", "B is worse 1"]
    assert counted == ["both 1", "only A 1", "only B 1", "neither 1", *tasks, *instances]
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


def test_each_count_leads_to_the_very_instances_and_these_to_both_episodes(viewer: Client, runs_dir: Path) -> None:
    runs(runs_dir)
    page = soup(viewer, "/runs/compare/?run=a&run=b")
    found = {}
    for item in page.select(".halves li"):
        listed = soup(viewer, item.a["href"])
        found.setdefault(text(item), [text(row.th) for row in listed.select("tr[data-row]")])
    assert found["both 1"] == ["U 0"]
    assert found["only A 1"] == found["B is worse 1"] == ["T 0"]
    assert found["only B 1"] == found["B is better 1"] == ["T 1"]
    assert found["neither 1"] == ["T 2"]
    assert (found["A is ahead 0"], sorted(found["equal 2"])) == ([], ["T 0", "T 1", "T 2", "U 0"])
    (row,) = soup(viewer, "/runs/compare/a/b/fields-only-first/").select("tr[data-row]")
    assert row.a["href"] == "/runs/compare/a/b/episode/T/0/0/"
    assert text(row) == "T 0 answer 100.0 0.0 −100.0"
    assert viewer.get("/runs/compare/a/b/nothing/").status_code == 404


def test_long_lists_of_instances_come_page_by_page(viewer: Client, runs_dir: Path) -> None:
    for name, sent in {"a": "yes", "b": "no"}.items():
        indexed(write_run(runs_dir / name, *(answered(index, sent) for index in range(51))))
    first = soup(viewer, "/runs/compare/a/b/worse/")
    assert len(first.select("tr[data-row]")) == 50
    assert "51 instances of 1 task · page 1 of 2" in text(first.select_one("[role=status]"))
    second = soup(viewer, "/runs/compare/a/b/worse/" + first.select_one("a[rel=next]")["href"])
    assert [text(row.th) for row in second.select("tr[data-row]")] == ["T 50"]


def test_more_than_two_runs_stand_in_one_table_with_the_best_marked(viewer: Client, runs_dir: Path) -> None:
    for name, share in {"bad": 0, "good": 12, "fine": 11}.items():
        tasks = [
            answered(index, "yes" if index < share else "no", task=f"T{task}")
            for task in range(7)
            for index in range(12)
        ]
        alike = answered(0, "yes", task="Same")
        indexed(write_run(runs_dir / name, *tasks, alike))
    page = soup(viewer, "/runs/compare/?run=bad&run=good&run=fine")
    rows = {text(row.th): [text(cell) for cell in row.select("td")][1:] for row in page.select(".many tbody tr")}
    assert rows["T0"] == ["0.0", "100.0 best", "91.7 best"]
    assert rows["Same"] == ["100.0", "100.0", "100.0"]
    assert rows["all tasks"][0] == "12.5"
    assert rows["all tasks"][1] == "100.0 best"
    assert "A and C: fine" in text(page)


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


def test_a_run_that_is_named_first_is_compared_with_the_others_without_scripts(viewer: Client, runs_dir: Path) -> None:
    runs(runs_dir)
    assert len(soup(viewer, "/runs/").select("noscript input[type=radio][name=first]")) == 2
    assert "A and B: b and a" in text(soup(viewer, "/runs/compare/?run=a&run=b&first=b"))


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
