"""Rows of Table 4 from end to end: run against a scripted server, then measured beside printed."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from harness.cli.boundary import COMPLETE, INCOMPLETE, WRONG_USE
from harness.cli.commands import evaluate
from harness.cli.commands.papers import turkingbench as command
from harness.cli.commands.papers.turkingbench import main
from harness.papers.turkingbench import row_measurement
from harness.records.directory import RunDirectory
from tests.models.servers import Answer, Asked, Server, openai_reply
from tests.samples import episode, record, run_record
from tests.task_folders import csv_text, make_task

TODAY = date(2026, 11, 23)
ROWS = ("gpt-4o-relevant-0", "gpt-4-full-1", "llava-7b-relevant-3")
CALLS = 3 * (2 * 2 + 1)
PAGE = "<p>${text}</p><input name=a>"


@pytest.fixture(scope="module")
def home(tmp_path_factory) -> Path:
    """Two tasks of the test split, whose field ``b`` the scripted model gets wrong, and three to show."""
    folder = tmp_path_factory.mktemp("rows")
    rows = [[f"text {number}", "filled", "filled"] for number in range(2)]
    both = csv_text(["text", "Answer.a", "Answer.b"], *rows)
    make_task(folder / "tasks", "Both", template=f"{PAGE}<input name=b>", table=both, facts={"split": "test"})
    one = csv_text(["text", "Answer.a"], ["text", "filled"])
    for name, split in {"One": "test", "Shown 1": "train", "Shown 2": "train", "Shown 3": "train"}.items():
        make_task(folder / "tasks", name, template=f"{PAGE}<!-- {name} -->", table=one, facts={"split": split})
    return folder


@pytest.fixture(autouse=True)
def _own_places(home, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(home / "cache"))
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("TIKTOKEN_CACHE_DIR", raising=False)
    monkeypatch.setattr(command, "today", lambda: TODAY)


def model(asked: Asked) -> Answer:
    """Answers what is asked about, and ``b`` wrongly."""
    content = asked.json["messages"][-1]["content"]
    text = content if isinstance(content, str) else content[0]["text"]
    field = re.findall(r"^Input: (\w+)$", text, re.MULTILINE)[-1]
    value = "filled" if field == "a" else "nothing of that"
    return openai_reply(f"self.actions.modify_text({field!r}, {value!r})", model=asked.json["model"])


def run(home: Path, out: Path, *more: str, rows=ROWS) -> int:
    chosen = [word for row in rows for word in ("--row", row)]
    where = ["--tasks-dir", str(home / "tasks"), "--out", str(out), "--workers", "1", "--progress", "quiet"]
    return main(["table4", "--run", *chosen, *where, *more])


@pytest.fixture(scope="module")
def played(home):
    """The three rows, run once."""
    with pytest.MonkeyPatch.context() as patch, Server(model) as server:
        patch.setenv("XDG_CACHE_HOME", str(home / "cache"))
        assert run(home, home / "runs", "--base-url", f"{server.url}/v1") == COMPLETE
        yield server, home / "runs"


@pytest.mark.slow
def test_each_row_is_asked_as_its_options_say(played):
    server, runs = played
    assert len(server.requests) == CALLS
    asked = {name: RunDirectory(runs / name).read() for name in ROWS}
    recipes = {name: record.solver["recipe"] for name, record in asked.items()}
    assert [(each["encoding"], each["demos"], each["screenshot"]) for each in recipes.values()] == [
        ("relevant-5-10", 0, "viewport"),
        ("full", 1, "none"),
        ("relevant-5-10", 3, "viewport"),
    ]
    assert {each["prompts"] for each in recipes.values()} == {"turkingbench"}
    assert {record.config.metrics for record in asked.values()} == {"turkingbench-2024"}
    assert [len(each.json["messages"]) for each in server.requests[::5]] == [2, 4, 8]


@pytest.mark.slow
def test_measured_stands_beside_printed_with_what_differs(played, capsys):
    assert main(["table4", "--measured", str(played[1])]) == COMPLETE
    said = capsys.readouterr().out
    lines = {line.split()[1]: line.split()[2:] for line in said.splitlines() if re.match(r" ?\d+  ", line)}
    assert len(lines) == 26
    # Fields are pooled in a task: (1/2 + 1) / 2.
    assert lines["gpt-4-full-1"][:2] == ["18.7", "75.0"]
    assert lines["llava-7b-relevant-3"][:2] == ["22.7", "75.0"]
    assert lines["gpt-4-full-1"][-2:] == ["2", "3"]
    assert lines["gpt-4v-full-7"][:2] == ["41.7", "unknown"]
    (note,) = [line for line in said.splitlines() if line.startswith("gpt-4-full-1, ")]
    assert note.endswith("differs in 2 of 20 tasks")


@pytest.mark.slow
def test_rows_that_are_there_are_not_run_again(played, home, capsys):
    server, runs = played
    before = len(server.requests)
    assert run(home, runs, "--base-url", f"{server.url}/v1") == COMPLETE
    assert len(server.requests) == before
    assert capsys.readouterr().err.count("complete already") == len(ROWS)


@pytest.mark.slow
def test_a_row_that_was_cut_short_is_gone_on_with(played, home):
    server, runs = played
    directory, before = RunDirectory(runs / ROWS[1]), len(server.requests)
    directory.episode_file("One", 0).unlink()
    directory.write(replace(directory.read(), status="interrupted"))
    assert run(home, runs, "--base-url", f"{server.url}/v1", rows=ROWS[1:2]) == COMPLETE
    assert directory.episode_file("One", 0).exists()
    assert len(server.requests) == before  # its reply had been kept


@pytest.mark.slow
def test_a_folder_with_a_run_of_something_else_is_left_alone(played, home, capsys):
    server, runs = played
    more = ["--base-url", f"{server.url}/v1", "--max-instances", "1"]
    assert run(home, runs, *more, rows=ROWS[:1]) == WRONG_USE
    assert "holds a run with another --max-instances (20, now 1); give another --out" in capsys.readouterr().err


@pytest.mark.slow
def test_a_run_of_a_row_is_the_run_of_its_command(played):
    runs = played[1]
    for name in ROWS:
        wanted = RunDirectory(runs / name).read().config
        (made,) = command._commands([row for row in command.paper_rows("Table 4") if row.name == name], _given(wanted))
        parsed = evaluate.parser().parse_args(made.words)
        config = evaluate.config_of(parsed, parsed.solver, parsed.metrics, evaluate.options_of(parsed))
        checked = evaluate.find_solver(config.solver).check(config.options)
        assert replace(config, options=checked, workers=1, kind="form") == replace(wanted, workers=1)


def _given(config):
    base_url = config.options["base_url"]
    arguments = ["table4", "--tasks-dir", str(config.tasks_dir), "--base-url", base_url]
    return command.parser().parse_args(arguments)


# ---- models that are gone -------------------------------------------------------------------------------------------


def test_a_row_whose_model_is_gone_needs_to_be_told_what_is_asked(home, tmp_path, capsys):
    assert run(home, tmp_path / "runs", rows=("gpt-4-full-1", "claude-2.1-full-7")) == WRONG_USE
    (said,) = capsys.readouterr().err.splitlines()
    assert said.startswith(
        "error: row gpt-4-full-1: gpt-4-turbo-preview was shut down on 2026-03-26, gpt-6.1-sol takes"
    )
    assert "row claude-2.1-full-7: claude-2.1 was shut down on 2025-07-21, claude-haiku-5-5 takes its place" in said
    assert said.endswith("Give --stand-in for these models, or --model for one of yours")
    assert not (tmp_path / "runs").exists()


@pytest.mark.slow
def test_a_stand_in_is_measured_as_what_differs(home, tmp_path, capsys):
    with Server(model) as server:
        address = ["--base-url", f"{server.url}/v1", "--model", "gpt-6.1-sol"]
        assert run(home, tmp_path / "runs", *address, "--max-instances", "1", rows=("gpt-4-relevant-1",)) == COMPLETE
        (request,) = {each.json["model"] for each in server.requests}
    assert request == "gpt-6.1-sol"
    said = capsys.readouterr().out
    (note,) = [line for line in said.splitlines() if line.startswith("gpt-4-relevant-1, ")]
    for difference in ("model gpt-6.1-sol", "temperature not set", "1 instance a task", "2 of 20 tasks"):
        assert difference in note


@pytest.mark.slow
def test_a_dry_run_reckons_the_rows_on_the_same_pages_and_asks_nothing(home, capsys):
    chosen = ["--row", "gpt-4-full-1", "--row", "gpt-4-relevant-1", "--row", "llava-7b-relevant-3"]
    assert main(["table4", "--dry-run", *chosen, "--tasks-dir", str(home / "tasks")]) == COMPLETE
    said = capsys.readouterr()
    rows = {line.split()[1]: line.split()[2:] for line in said.out.splitlines() if re.match(r" ?\d+  ", line)}
    assert {words[1] for words in rows.values()} == {"5"}
    assert int(rows["gpt-4-full-1"][2].replace(",", "")) > int(rows["gpt-4-relevant-1"][2].replace(",", ""))
    assert rows["gpt-4-full-1"][4].startswith("$0.")
    assert rows["llava-7b-relevant-3"][4:7] == ["unknown", "unknown", "1,600"]
    assert "3 pages a row. Expected of all: $" in said.out
    assert "2 rows of models that are shut down, at their last prices." in said.out
    assert said.err.splitlines() == ["Both: 2 pages", "One: 1 page"]


def test_a_row_that_is_interrupted_is_the_last_that_is_run(home, tmp_path, monkeypatch):
    begun = []

    def interrupted(config, folder, _progress):
        begun.append(folder.name)
        directory, run_of_it = RunDirectory(folder), run_record(config=config, status="interrupted")
        directory.write(run_of_it)
        directory.add(episode(record("a", labels=("yes",), sent=("yes",)), task="One", split="test"), {})
        return run_of_it, True

    monkeypatch.setattr(row_measurement, "run_row", interrupted)
    assert run(home, tmp_path / "runs", rows=("do-nothing", "oracle")) == INCOMPLETE
    assert begun == ["do-nothing"]


def test_a_run_needs_rows_and_a_place(tmp_path, capsys):
    assert main(["table4", "--run", "--row", "7"]) == WRONG_USE
    assert "--run needs --out DIR" in capsys.readouterr().err
    assert main(["table4", "--run", "--out", str(tmp_path)]) == WRONG_USE
    assert "--run needs --row" in capsys.readouterr().err
