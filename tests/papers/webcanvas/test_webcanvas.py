"""WebCanvas' tables: each row is a command that runs, and what is measured stands beside it where the tasks are its."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from datetime import date
from pathlib import Path

import pytest

from harness.cli.boundary import COMPLETE, WRONG_USE
from harness.cli.commands.evaluate import parser
from harness.cli.commands.papers import webcanvas as command
from harness.cli.commands.papers.webcanvas import main
from harness.cli.solver_arguments import options_of
from harness.episode.registry import find_solver
from harness.kit.files.installation import to_type
from harness.papers.turkingbench.row_command import RowChoice, command_of
from harness.papers.webcanvas.mind2web_live import import_tasks
from harness.papers.webcanvas.webcanvas_rows import TABLES, said, webcanvas_rows
from harness.records.directory import RunDirectory
from tests.checkout import PROJECT
from tests.models.servers import Answer, Asked, Server, openai_reply
from tests.site_tasks import ACCOUNT, make_site_task

TODAY = date(2026, 11, 23)
EVERY = [row for table in TABLES.values() for row in webcanvas_rows(table)]
each_row = pytest.mark.parametrize("row", EVERY, ids=lambda row: f"{row.table[6:]}-{row.name}")

EVALUATE = to_type("evaluate")


@pytest.fixture(autouse=True)
def _today(monkeypatch, tmp_path):
    monkeypatch.setattr(command, "today", lambda: TODAY)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


# ---- rows -----------------------------------------------------------------------------------------------------------

# As the paper prints them: table -> completion rate, task success rate and efficiency score, row by row.
PRINTED = {
    "Table 4": """50.0 22.1 2.65, 48.8 23.1 2.47, 47.9 22.1 2.92, 47.7 22.1 3.17, 47.1 22.1 3.76, 44.6 22.1 4.48,
        44.3 21.2 2.78, 43.9 20.2 4.02, 42.9 21.2 2.97, 41.2 18.3 4.44, 40.9 15.4 4.60, 40.3 14.4 3.52, 40.2 16.3 3.03,
        37.2 17.3 4.80, 35.6 15.4 4.29, 33.4 16.3 4.27, 24.5 10.6 8.34""",
    "Table 5": """34.6 13.8 5.25, 46.9 16.9 3.77, 43.5 16.2 3.24, 42.1 13.8 3.07, 36.6 10.8 3.73, 42.4 8.5 3.42,
        43.6 13.8 3.28, 52.3 12.3 3.27, 51.3 12.3 2.71""",
    "Table 11": "34.6 13.8 5.25, 46.9 20.1 3.77, 31.3 9.23 6.50, 31.8 12.4 5.55, 29.7 9.44 6.52",
    "Table 12": """40.2 16.5 3.03, 48.8 23.1 2.47, 37.2 17.3 4.80, 43.5 19.2 3.12, 42.5 22.1 2.98, 42.3 17.3 4.39,
        42.5 19.2 4.40, 48.6 20.9 2.70, 46.6 22.1 2.67""",
}


@pytest.mark.parametrize("table", TABLES.values())
def test_figures_are_those_that_are_printed(table):
    printed = [tuple(map(float, row.split())) for row in PRINTED[table].split(",")]
    assert [(row.completion, row.success, row.efficiency) for row in webcanvas_rows(table)] == printed


def test_human_alignment_stands_with_the_rows_of_table_5_that_had_a_judge():
    found = [row.alignment for row in webcanvas_rows("Table 5")]
    assert found == [None, None, 0.445, 0.430, 0.385, 0.419, 0.452, 0.506, 0.502]


def test_names_of_a_table_are_its_rows():
    for table in TABLES.values():
        names = [row.name for row in webcanvas_rows(table)]
        assert len(names) == len(set(names))


@each_row
def test_a_row_is_a_command_that_asks_as_the_row_says(row):
    words = command_of(row, RowChoice(stand_in=True), TODAY).words
    arguments = parser().parse_args(words)
    options = find_solver(arguments.solver).check(options_of(arguments), "site")
    assert (options["protocol"], options["prompts"], options["output"]) == ("site", "webcanvas", "text")
    assert (options.get("planning") == "none") is not row.thought
    assert (options.get("memory") == 0) is not row.memory
    assert options.get("reward", "none") == ("none" if row.judge is None else "both" if row.pictures else "text")
    assert (options.get("reference") == "golden") is row.golden
    judged_by_another = row.judge is not None and row.judge != row.model
    assert (options.get("reward_model") is not None) is judged_by_another


def test_a_judge_that_was_shut_down_gives_way_as_the_model_does():
    (row,) = (row for row in webcanvas_rows("Table 5") if row.name == "gpt-4-judge-gpt-3.5")
    words = command_of(row, RowChoice(stand_in=True), TODAY).words
    assert words[words.index("--reward-model") + 1] == "gpt-6-luna"
    before = command_of(row, RowChoice(), date(2026, 3, 1)).words
    assert before[before.index("--reward-model") + 1] == "gpt-3.5-turbo-0125"


def test_a_row_whose_judge_alone_was_shut_down_is_refused_without_a_stand_in():
    (row,) = (row for row in webcanvas_rows("Table 5") if row.name == "gpt-4-judge-gpt-4v")
    command = command_of(row, RowChoice(), date(2026, 3, 1))
    assert (command.is_refused, command.asked) == (True, "gpt-4-vision-preview")


# ---- printing -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("table", TABLES)
def test_a_table_is_printed_with_a_command_and_the_figures_of_each_row(table, capsys):
    assert main([table]) == COMPLETE
    lines = capsys.readouterr().out.splitlines()
    rows = webcanvas_rows(TABLES[table])
    heads = [line for line in lines if line[:2].strip().isdecimal()]
    assert [line.split()[:2] for line in heads] == [[str(row.number), row.name] for row in rows]
    assert all(f"completion {row.completion:g}," in head for row, head in zip(rows, heads, strict=True))
    commands = [line.strip() for line in lines if "-m harness.evaluate" in line]
    assert len(commands) == len(rows)
    assert all(each.endswith("--tasks-dir mind2web-live --network live") for each in commands)


@pytest.mark.slow
def test_the_script_of_the_examples_prints_the_commands_of_all_four_tables(capsys):
    done = subprocess.run(
        ["sh", "examples/webcanvas_tables.sh", "--base-url", "http://gpu:8000/v1"],
        cwd=PROJECT,
        env={**os.environ, "PYTHON": sys.executable},
        capture_output=True,
        text=True,
        check=True,
    )
    lines = [line for line in done.stdout.splitlines() if line and not line.startswith("#")]
    assert len(lines) == len(EVERY)
    assert [line for line in lines if not line.startswith(EVALUATE)] == []
    assert main(["table12", "--sh", "--base-url", "http://gpu:8000/v1"]) == COMPLETE
    assert capsys.readouterr().out in done.stdout


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["table5", "--row", "gpt-5"], "there is no row 'gpt-5'. Did you mean"),
        (["table5", "--run"], "--run needs --out DIR"),
        (["table5", "--run", "--out", "there"], "--run needs --row"),
        (["table4", "--run", "--row", "2", "--out", "there"], "gpt-4-0125-preview was shut down on 2026-03-26"),
        (["table4", "--measured", "there"], "there is no run directory"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(words, told, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(words) == WRONG_USE
    said_there = capsys.readouterr().err
    assert told in said_there
    assert len(said_there.splitlines()) == 1


# ---- running --------------------------------------------------------------------------------------------------------

RUN = {
    "table4": ("gpt-4o", "qwen1.5-7b"),
    "table5": ("gpt-4-judge-gpt-4", "gpt-4-judge-gpt-4v-golden"),
    "table11": ("gpt-3.5",),
    "table12": ("gpt-4-no-memory", "gpt-4-no-thought"),
}


def model(asked: Asked) -> Answer:
    """Goes to the account, then ends; as a judge it finds it finished once the account is shown."""
    rules, told = asked.json["messages"][0]["content"], asked.json["messages"][-1]["content"]
    text = told if isinstance(told, str) else "".join(part.get("text", "") for part in told)
    is_there = f"{ACCOUNT} (shown)" in text
    if "You judge how far" in json.dumps(rules):
        status = "finished" if is_there else "doing"
        reply = {"status": status, "score": 7, "reason": "seen", "description": "on"}
    else:
        reply = {"thought": "next"} if '"thought"' in json.dumps(rules).replace('\\"', '"') else {}
        action, value = ("finish", "") if is_there else ("goto", ACCOUNT)
        reply |= {"action": action, "element_id": "", "action_input": value, "description": "on"}
    return openai_reply(json.dumps(reply), model=asked.json["model"])


def run(tasks: Path, out: Path, server: Server, table: str, *more: str, rows: tuple[str, ...] = ()) -> int:
    chosen = [word for row in rows or RUN[table] for word in ("--row", row)]
    where = ["--tasks-dir", str(tasks), "--out", str(out), "--workers", "1", "--progress", "quiet"]
    return main([table, "--run", *chosen, *where, "--base-url", f"{server.url}/v1", *more])


@pytest.fixture(scope="module")
def played(tmp_path_factory) -> dict[str, RunDirectory]:
    """Rows of all tables, one for each way in which they ask, on one short task."""
    folder = tmp_path_factory.mktemp("webcanvas")
    make_site_task(folder / "tasks", "Mind2Web-Live 000", reference_length=2)
    with pytest.MonkeyPatch.context() as patch, Server(model) as server:
        patch.setenv("XDG_CACHE_HOME", str(folder / "cache"))
        for table, rows in RUN.items():
            assert run(folder / "tasks", folder / table, server, table) == COMPLETE, rows
    return {name: RunDirectory(folder / table / name) for table, rows in RUN.items() for name in rows}


@pytest.mark.slow
def test_rows_of_every_table_run_to_their_end(played):
    for name, directory in played.items():
        (episode,) = directory.episodes()
        assert (episode.outcome, episode.site.main.score) == ("scored", 1), name


@pytest.mark.slow
def test_ablations_are_what_the_model_was_told(played):
    told = {name: directory.read().solver["recipe"]["site"] for name, directory in played.items()}
    plain = {"planning": "thought", "memory": None, "reward": "none", "reference": "none", "ocr": False}
    assert told["gpt-4o"] == told["gpt-3.5"] == plain
    assert told["gpt-4-no-memory"] == {**plain, "memory": 0}
    assert told["gpt-4-no-thought"] == {**plain, "planning": "none"}
    assert told["gpt-4-judge-gpt-4"] == {**plain, "reward": "text"}
    assert told["gpt-4-judge-gpt-4v-golden"] == {**plain, "reward": "both", "reference": "golden"}


@pytest.mark.slow
def test_progress_is_judged_by_the_model_of_the_row(played):
    run = played["gpt-4-judge-gpt-4v-golden"]
    assert run.read().solver["reward_model"]["model"] == "gpt-4-vision-preview"
    (episode,) = run.episodes()
    asked = {(turn.note.startswith("progress"), turn.model) for turn in episode.turns}
    assert asked == {(True, "gpt-4-vision-preview"), (False, "gpt-4-0125-preview")}


@pytest.mark.slow
def test_measured_stands_beside_printed_where_the_tasks_are_of_mind2web_live(played, capsys):
    assert main(["table12", "--measured", str(played["gpt-4-no-memory"].folder.parent)]) == COMPLETE
    said_there = capsys.readouterr().out
    (line,) = re.findall(r"^ *8  gpt-4-no-memory .*$", said_there, re.MULTILINE)
    assert line.split()[2:] == ["48.6", "/", "100.0", "20.9", "/", "100.0", "2.7", "/", "2", "–", "/", "1", "1", "0"]
    assert "row gpt-4-no-memory, differs in 1 tasks, of 104 there" in said_there
    assert re.search(r"^ *2  gpt-4 +48.8 / unknown", said_there, re.MULTILINE)


@pytest.mark.slow
def test_runs_on_other_tasks_stand_apart_from_what_is_printed(tmp_path, capsys):
    make_site_task(tmp_path / "tasks", "To the account", reference_length=2)
    with Server(model) as server:
        assert run(tmp_path / "tasks", tmp_path / "out", server, "table4", rows=("gpt-4o",)) == COMPLETE
    table, _, others = capsys.readouterr().out.partition("on other tasks")
    assert re.search(r"1  gpt-4o +50 / unknown +22.1 / unknown", table)
    assert re.search(r"gpt-4o-2024-08-06 .*out/gpt-4o +100.0 +100.0 +2 +1 +1 +0", others)
    assert "Nothing printed stands beside these" in others


def test_tasks_of_mind2web_live_are_known_by_the_names_that_the_import_gives(tmp_path):
    node = {"match_function_name": "url_included_match"}
    node["content"] = {"key": "", "reference_answer": "shop.", "url": "https://www.shop.example/"}
    entry = {"index": 0, "task": "Go to the shop", "reference_task_length": 1, "evaluation": [node]}
    (tmp_path / "public.json").write_text(json.dumps([entry]), encoding="utf-8")
    import_tasks(tmp_path / "public.json", tmp_path / "imported")
    (folder,) = (each for each in (tmp_path / "imported").iterdir() if each.is_dir())
    assert folder.name.startswith(said("task_names"))
