"""A run on websites in the layout of WebCanvas's results."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from harness.actions.result import ErrorCode, Step
from harness.catalog.site_facts import KeyNode
from harness.cli.boundary import COMPLETE, INCOMPLETE, WRONG_USE
from harness.cli.commands.tasks.sets import main
from harness.papers.webcanvas.mind2web_live import ORIGIN
from harness.records.directory import RunDirectory
from harness.records.episode import Episode
from harness.records.site_record import SiteRecord
from harness.records.turn import Turn
from tests.analysis.made import write
from tests.samples import episode
from tests.scoring.evaluators.made import SHOP, Recording, ScriptedJudge, site, url, value

STEPS = (
    Step("goto('http://shop.test/search?q=hats')", True, "it is there", 1.0),
    Step("click_element(9)", False, "there is no element 9", 1.0, code=ErrorCode.NO_SUCH_ELEMENT),
    Step("fill(2, 'ann')", True, "it holds ann", 1.0),
)
NODES = (
    url("include", "/search"),
    url("semantic", "Decide whether hats are looked for", "q"),
    value("exact", "ann", "#who"),
)
PAGE = "<input id=who>"


def played(*nodes: KeyNode, judge: Any = None, **values: Any) -> Episode:
    recording = Recording().shows(SHOP, kind="opened").shows("http://shop.test/search?q=hats", step=0)
    recording.acts(PAGE, "#who", value="ann", event="input", url="http://shop.test/search?q=hats", step=2)
    facts = site(key_nodes=nodes or NODES, reference_length=2)
    found = recording.evaluated(facts, judge or ScriptedJudge({"hats": 0.9}))
    record = SiteRecord(task=facts, moments=tuple(recording.moments), evaluations=found)
    turns = (Turn(reply="I search", calls=("goto('http://shop.test/search?q=hats')",), steps=(0, 1), cost=0.5),)
    return episode(**{"site": record, "steps": STEPS, "turns": turns, **values})


def exported(tmp_path: Path, *episodes: Episode, code: int = COMPLETE) -> Path:
    run = write(tmp_path / "run", episodes)
    assert main(["export", "webcanvas", str(run), str(tmp_path / "out")]) == code
    return tmp_path / "out"


def read(file: Path) -> Any:
    return json.loads(file.read_bytes())


def test_each_episode_is_a_file_with_its_steps_and_what_they_reached(tmp_path):
    out = exported(tmp_path, played())
    record = read(next(out.glob("0_*.json")))
    assert (record["task_name"], record["id"], record["reference_task_length"]) == ("Buy it", "T 0", 2)
    assert (record["status"], record["LLM_error_rate"]) == ("finished", 0.0)
    assert [step["score"] for step in record["step_list"]] == ["1.9 / 3", "1.9 / 3", "2.9 / 3"]
    assert [step["match_func_result"] for step in record["step_list"]] == [{"0": 1.0, "1": 0.9}, {}, {"2": 1.0}]
    assert [step["error_message"] for step in record["step_list"]] == ["", "there is no element 9", ""]
    last = record["step_list"][2]
    assert (last["selector"], last["element_value"], last["step_url"]) == (
        "#who",
        "ann",
        "http://shop.test/search?q=hats",
    )
    assert [each["action"] for each in last["previous_trace"]] == [step.action for step in STEPS[:2]]
    assert record["step_list"][0]["current_trace"]["thought"] == "I search"


def test_step_that_sends_a_form_names_what_sent_it(tmp_path):
    page = "<form id=form><button id=send>Send</button></form>"
    recording = Recording().acts(page, "#send", step=0).acts(page, "#form", event="submit", step=0)
    record = replace(played().site or SiteRecord(task=site()), moments=tuple(recording.moments))
    (file,) = exported(tmp_path, played(site=record)).glob("0_*.json")
    assert read(file)["step_list"][0]["selector"] == "#send"


def test_list_and_totals_are_those_of_all_episodes(tmp_path):
    missed = url("include", "/cart")
    out = exported(tmp_path, played(), played(missed, NODES[0], index=1, outcome="limit", limit="steps"))
    rows, totals = read(out / "out.json"), read(out / "result.json")
    assert [(row["status"], row["task_score"], row["steps"]) for row in rows] == [
        ("finished", "2.9 / 3", 3),
        ("step_limit", "1 / 2", 3),
    ]
    assert totals["task_counts"] == 2
    assert totals["key_node_completion_rate"] == pytest.approx(3.9 / 5)
    assert (totals["task_success_rate"], totals["task_near_success_rate"]) == (0.5, 0.5)
    assert totals["average_efficiency_score"] == pytest.approx(3 / 2.9)
    assert totals["usd_efficiency_score"] == pytest.approx(1.0 / 3.9)


@pytest.mark.parametrize(
    ("values", "status"),
    [
        ({}, "llm_finished"),
        ({"outcome": "limit", "limit": "steps"}, "step_limit"),
        ({"outcome": "limit", "limit": "time"}, "early_stop"),
        ({"outcome": "agent_error", "detail": "boom"}, "early_stop"),
    ],
)
def test_status_says_how_an_episode_ended_that_missed_a_node(tmp_path, values, status):
    (row,) = read(exported(tmp_path, played(url("include", "/cart"), **values)) / "out.json")
    assert row["status"] == status


def test_what_could_not_be_judged_is_null_and_counted(tmp_path, capsys):
    out = exported(tmp_path, played(judge=ScriptedJudge({"hats": None})))
    (row,) = read(out / "out.json")
    assert (row["task_score"], row["task_score_rate"]) == (None, None)
    assert read(out / "result.json")["unknown_tasks"] == 1
    assert "a key node of 1 could not be judged" in capsys.readouterr().out


def test_episodes_that_have_no_key_nodes_are_named_and_the_export_is_not_complete(tmp_path, capsys):
    exported(tmp_path, played(), episode(index=1), played(index=2, outcome="harness_error"), code=INCOMPLETE)
    assert capsys.readouterr().err.splitlines() == ["left out: T 1", "left out: T 2"]


def test_run_of_forms_has_nothing_to_export(tmp_path, capsys):
    exported(tmp_path, episode(), code=WRONG_USE)
    assert "no episode on a site with key nodes" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_folder_that_holds_something_is_not_written_into(tmp_path, capsys):
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "mine").write_text("")
    exported(tmp_path, played(), code=WRONG_USE)
    assert "is not empty" in capsys.readouterr().err


@pytest.mark.claim("runs-addresses")
def test_ids_of_the_public_file_come_from_the_task_set_that_the_user_names_and_from_none_that_the_run_names(tmp_path):
    tasks = tmp_path / "tasks"
    tasks.mkdir()
    (tasks / ORIGIN).write_text('[{"task": "T", "index": 7}]', encoding="utf-8")
    run = write(tmp_path / "run", [played()])
    record = RunDirectory.open(run).read()
    RunDirectory.open(run).write(replace(record, config=replace(record.config, tasks_dir=tasks)))
    assert main(["export", "webcanvas", str(run), str(tmp_path / "unnamed")]) == COMPLETE
    assert main(["export", "webcanvas", str(run), str(tmp_path / "named"), "--tasks-dir", str(tasks)]) == COMPLETE
    ids = [read(tmp_path / each / "out.json")[0]["id"] for each in ("unnamed", "named")]
    assert ids == ["T 0", 7]


def test_folder_that_is_no_imported_task_set_gives_no_ids_and_is_said(tmp_path, capsys):
    run = write(tmp_path / "run", [played()])
    wanted = ["export", "webcanvas", str(run), str(tmp_path / "out"), "--tasks-dir", str(tmp_path)]
    assert main(wanted) == WRONG_USE
    assert str(tmp_path / ORIGIN) in capsys.readouterr().err
