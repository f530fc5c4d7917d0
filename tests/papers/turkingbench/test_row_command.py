"""Each row of the paper's tables is a command that runs, and each preset of the paper is one of its rows."""

from __future__ import annotations

import os
import subprocess
import sys
from datetime import date

import pytest

from harness.cli.boundary import COMPLETE, WRONG_USE
from harness.cli.commands.evaluate import main as evaluate
from harness.cli.commands.evaluate import parser, solvers_table
from harness.cli.commands.papers import turkingbench as command
from harness.cli.commands.papers.turkingbench import main
from harness.cli.solver_arguments import options_of
from harness.episode.registry import find_solver
from harness.kit.errors import UserError
from harness.kit.files.installation import BUNDLED_TASKS, to_type
from harness.models import presets as presets_module
from harness.models.client import ModelRetired
from harness.models.presets import presets, resolve
from harness.papers.turkingbench.paper_rows import TABLES, chosen, further_rows, paper_rows
from harness.papers.turkingbench.row_command import (
    NeedsStandIn,
    RowChoice,
    command_of,
    preset_of,
    preset_remarks,
    refuse_what_is_gone,
    row_asked_by,
)
from harness.records.config import RunConfig
from harness.run import preflight
from harness.run.progress import QuietProgress
from harness.run.runner import Run
from tests.checkout import PROJECT
from tests.needs import extra

FOUR = paper_rows("Table 4")
EVERY = [*FOUR, *paper_rows("Table 5"), *further_rows()]
TODAY, LATER = date(2026, 11, 23), date(2027, 1, 14)
each_row = pytest.mark.parametrize("row", EVERY, ids=lambda row: f"{row.table[-1:]}-{row.name}")

EVALUATE = to_type("evaluate")


@pytest.fixture(autouse=True)
def _today(monkeypatch):
    for module in (command, presets_module, preflight):
        monkeypatch.setattr(module, "today", lambda: TODAY)


def parsed(words):
    """The solver and its options, as ``harness.evaluate`` reads a command; the task set need not be there."""
    at = words.index("--dataset") if "--dataset" in words else len(words)
    return parser().parse_args([*words[:at], *words[at + 2 :]])


# ---- commands -------------------------------------------------------------------------------------------------------


@each_row
def test_a_row_is_a_command_that_runs_and_asks_as_the_row_says(row):
    arguments = parsed(command_of(row, RowChoice(stand_in=True), TODAY).words)
    options = find_solver(arguments.solver).check(options_of(arguments))
    if row.demos is None:
        assert options == {}
        return
    assert (options["prompts"], options["protocol"], options["output"]) == ("turkingbench", "field", "text")
    assert (options["encoding"].partition("-")[0], options["demos"]) == (row.encoding, row.demos)
    assert options["vision"] is (row.model.input == "vision")


def listed(capsys, *more):
    assert main(["table4", *more]) == COMPLETE
    return capsys.readouterr().out


def test_the_table_is_printed_with_scores_and_commands_and_what_it_does_not_have_under_its_own_heading(capsys):
    table, _, further = listed(capsys).partition("Not in the table")
    commands = [line.strip() for line in table.splitlines() if line.strip().startswith(EVALUATE)]
    assert len(commands) == len(set(commands)) == 26 + 2
    for said in commands:
        assert "--dataset turkingbench --split test --max-instances 20 --metrics turkingbench-2024" in said
        assert ("--prompts turkingbench" in said) is not ("--solver oracle" in said or "--solver do-nothing" in said)
    heads = [line for line in table.splitlines() if line[:2].strip().isdecimal()]
    assert [int(line.split()[0]) for line in heads] == list(range(1, 27))
    assert all(f": {FOUR[number].printed}" in head for number, head in enumerate(heads, start=1))
    assert further.count(EVALUATE) == len(further_rows())


def test_the_script_of_the_examples_is_what_the_command_prints(capsys):
    # The day is the real one there; rows of models on servers of one's own are the same on all days.
    rows = ["--row", "1", "--row", "9", "--row", "oracle"]
    said = subprocess.run(
        ["sh", "examples/paper_table4.sh", *rows],
        cwd=PROJECT,
        env={**os.environ, "PYTHON": sys.executable},
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert said == listed(capsys, "--sh", *rows)
    assert said.startswith("#!/bin/sh\n")


def test_every_line_of_the_script_is_a_comment_or_a_command(capsys):
    for line in listed(capsys, "--sh").splitlines():
        assert not line or line.startswith(("#", EVALUATE))


def test_what_is_given_is_handed_on_to_the_commands_that_take_it(capsys):
    more = ["--tasks-dir", "my tasks", "--max-instances", "3", "--max-cost", "5", "--base-url", "http://gpu:8000/v1"]
    rows = ["--row", "7", "--row", "gpt-4v-full-7", "--row", "do-nothing"]
    commands = [line for line in listed(capsys, "--sh", *rows, *more).splitlines() if line.startswith(EVALUATE)]
    assert len(commands) == 3
    assert all("--tasks-dir 'my tasks' --split test --max-instances 3" in each for each in commands)
    of_models = [each for each in commands if "--base-url http://gpu:8000/v1 --max-cost 5 " in each]
    assert of_models == commands[:2]
    # A server of one's own may well have the model that its provider has no more.
    assert not any("--model" in each for each in commands)


# ---- models that are gone -------------------------------------------------------------------------------------------


def test_a_list_asks_what_stands_in_and_says_so(capsys):
    head, command_line = listed(capsys, "--row", "26").splitlines()[2:4]
    assert "gpt-4-vision-preview was shut down on 2024-12-06; asked is gpt-6.1-sol, and what is measured" in head
    assert "--solver gpt4v --model gpt-6.1-sol --encoding full --demos 7" in command_line


def test_a_model_that_is_gone_is_asked_only_if_something_stands_in():
    row = chosen(FOUR, "26")
    own = command_of(row, RowChoice(), TODAY)
    assert own.is_refused
    with pytest.raises(NeedsStandIn, match=r"gpt-6\.1-sol takes its place\. Give --stand-in"):
        refuse_what_is_gone([own])
    for choice in (RowChoice(stand_in=True), RowChoice(model="gpt-5.5"), RowChoice(base_url="http://127.0.0.1:9/v1")):
        refuse_what_is_gone([command_of(row, choice, TODAY)])


def test_a_model_stands_in_from_the_day_on_which_the_rows_own_is_shut_down():
    row, choice = chosen(FOUR, "gpt-4o-relevant-3"), RowChoice(stand_in=True)
    assert command_of(row, choice, date(2027, 1, 13)).asked == "gpt-4o"
    assert command_of(row, choice, LATER).asked == "gpt-6-luna"


def test_another_model_takes_over_how_the_row_asks_and_not_what_only_its_own_model_can():
    words = command_of(chosen(FOUR, "gpt-4o-relevant-3"), RowChoice(stand_in=True), LATER).words
    options = find_solver("gpt-4o").check(options_of(parsed(words)))
    assert (options["model"], options["protocol"], options["demos"]) == ("gpt-6-luna", "field", 3)
    assert "temperature" not in options
    assert options["max_output_tokens"] == presets()["gpt-6-luna"].max_output_tokens


def test_a_model_that_is_gone_and_was_named_is_refused_in_one_line_before_anything_is_begun(
    tmp_path, capsys, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    gone = ["--solver", "gpt-6-luna", "--model", "gpt-4-turbo", "--max-instances", "1", "--progress", "quiet"]
    assert evaluate(gone) == WRONG_USE
    (line,) = capsys.readouterr().err.splitlines()
    assert line == (
        "error: gpt-4-turbo was shut down by its provider on 2026-10-23: gpt-6.1-sol takes its place today; name that "
        "or another model, or give --retired-anyway to ask for this one all the same"
    )
    assert not list(tmp_path.glob("runs/*"))


def test_a_run_of_a_model_that_is_gone_asks_nothing_whoever_begins_it(tmp_path):
    options = {"model": "gpt-4-turbo"}
    config = RunConfig("gpt-6-luna", BUNDLED_TASKS, options, tasks=("Sentiment of reviews",), max_instances=1)
    with pytest.raises(ModelRetired):
        Run(config, tmp_path / "run", QuietProgress())
    assert not (tmp_path / "run").exists()


def test_a_model_in_a_loop_with_tools_is_refused_in_the_same_way(tmp_path, capsys):
    pytest.importorskip("mcp", reason=extra("mcp"))
    model = ["--solver", "mcp", "--preset", "gpt-4.1", "--model", "gpt-4-turbo"]
    assert evaluate([*model, "--out", str(tmp_path / "run"), "--progress", "quiet"]) == WRONG_USE
    assert "gpt-6.1-sol takes its place today" in capsys.readouterr().err
    assert not (tmp_path / "run").exists()


def test_solvers_that_ask_no_model_ask_none():
    assert find_solver("oracle").asks({}) is None
    assert find_solver("oracle").before_run({}, again=False) == ""


# ---- presets --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("preset", "row"),
    [
        ("gpt4v", "gpt-4v-full-7"),
        ("gpt4-text", "gpt-4-full-7"),
        ("claude-2.1", "claude-2.1-full-7"),
        ("llama", "llama-3.1-8b-relevant-7"),
        ("llava", "llava-7b-relevant-3"),
        ("internvl", "internvl2-40b-relevant-3"),
    ],
)
def test_a_preset_of_the_paper_takes_a_row_as_it_stands(preset, row):
    known, wanted = presets()[preset], chosen(FOUR, row)
    assert preset_of(wanted) == known
    assert (known.demos, known.context) == (wanted.demos, wanted.model.context)
    assert known.modality == wanted.model.input
    assert preset_remarks()[preset] == f"Table 4, row {wanted.number}"


def test_the_list_of_solvers_names_the_rows_of_presets_and_of_no_others():
    lines = {line.split()[0]: line for line in solvers_table().splitlines() if line}
    assert lines["gpt4v"].endswith("Table 4, row 26")
    assert len(preset_remarks()) == 6
    assert not any("Table 4" in line for name, line in lines.items() if name not in preset_remarks())


def test_a_run_says_which_row_it_repeats_and_with_which_model():
    row, model = row_asked_by("gpt4v", {"demos": 3, "retired_anyway": True})
    assert (row.name, model) == ("gpt-4v-full-3", "")
    for options in ({}, {"model": "gpt-6.1-sol"}):
        row, model = row_asked_by("gpt4v", options)
        assert (row.name, model) == ("gpt-4v-full-7", "gpt-6.1-sol")
    assert row_asked_by("gpt4v", {"demos": 2}) == (None, "")
    assert row_asked_by("gpt-6.1-sol", {}) == (None, "")
    assert resolve("gpt4v", {"demos": 2}).demos == 2


@pytest.fixture
def told(tmp_path, capsys, monkeypatch):
    """Gives the lines that a run's user is told before it is played; it is not."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test")
    monkeypatch.setattr(Run, "execute", lambda *_: (_ for _ in ()).throw(UserError("not played")))

    def lines(*arguments):
        sample = ["--task", "Sentiment of reviews", "--max-instances", "1", "--progress", "quiet"]
        assert evaluate([*arguments, *sample]) == WRONG_USE
        *said, last = capsys.readouterr().err.splitlines()
        assert last == "error: not played"
        return said

    return lines


def test_a_run_with_the_papers_own_model_is_told_the_row_and_its_score(told):
    options = ["--protocol", "field", "--output", "text", "--prompts", "turkingbench", "--encoding", "relevant-5-10"]
    more = ["--screenshot", "viewport", "--demos", "0", "--temperature", "1", "--max-output-tokens", "256"]
    assert told("--solver", "gpt-4o", *options, *more)[-1] == (
        "asks as Table 4, row 21 (GPT-4o (relevant HTML, 0 demonstrations)), which scored 32.4 there"
    )


def test_gpt4v_is_asked_of_its_successor_says_so_in_its_first_line_and_calls_nothing_the_papers(told):
    first, second = told("--solver", "gpt4v")
    assert first == "gpt4v: gpt-4-vision-preview was shut down by its provider on 2024-12-06, so gpt-6.1-sol answers"
    assert second == (
        "asks as Table 4, row 26 (GPT-4V (full HTML, 7 demonstrations)) did, but asks gpt-6.1-sol: its score is no "
        "score of the paper's"
    )


def test_the_old_name_is_asked_where_its_user_insists(told):
    first, second = told("--solver", "gpt4v", "--retired-anyway")
    assert first == "gpt-4-vision-preview was shut down by its provider on 2024-12-06"
    assert second.endswith("which scored 41.7 there")


def test_names_of_tables_on_the_command_line_are_those_of_the_data():
    assert [len(paper_rows(name)) for name in TABLES.values()] == [28, 8]
