"""A curriculum out of reference traces and an oracle's run, made in a browser."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from harness.cli.boundary import COMPLETE, WRONG_USE
from harness.cli.commands.evaluate import main as evaluate
from harness.cli.commands.export.runs import main
from harness.kit.files.installation import BUNDLED_TASKS
from harness.papers.mind2web.demonstrations.mind2web_file import written
from tests.models.servers import Answer, Asked, Server, openai_reply
from tests.needs import extra
from tests.papers.teacher_forced.made import CLICK, SELECT, TYPE, demonstration
from tests.papers.teacher_forced.made import step as made_step
from tests.site_tasks import make_site_task

SITES = BUNDLED_TASKS / "_sites"
DARK = "Board - A dark theme"
THEME = "Switch the board to the dark theme."
FORM = "Textual entailment"


def export(*arguments: object) -> int:
    return main([*map(str, arguments), "--progress", "quiet"])


def lines(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()] if file.exists() else []


def answers(rows: list[dict[str, Any]]) -> list[str]:
    return [row["messages"][-1]["content"] for row in rows]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A curriculum of one website's task and one form's instance."""
    folder = tmp_path_factory.mktemp("curriculum")
    run = folder / "run"
    options = ["--task", FORM, "--max-instances", "1", "--progress", "quiet", "--out", str(run)]
    assert evaluate(["--solver", "oracle", *options]) == COMPLETE
    wanted = ["--traces", SITES, "--task", DARK, "--train-share", 0.9]
    assert export(run, "--curriculum", folder / "made", *wanted) == COMPLETE
    return folder / "made"


@pytest.mark.slow
def test_a_whole_task_has_a_step_a_lesson_with_its_reason_and_the_end(made: Path) -> None:
    rows = [row for row in lines(made / "complex" / "train.jsonl") if row["kind"] == "site"]
    assert [row["action"].partition("(")[0] for row in rows] == ["click_element"] * 4 + ["finish"]
    assert answers(rows)[1].startswith("Thought: Done so far: 1 step. Press the tab 'Appearance'.\nAction: ")
    assert answers(rows)[-1] == "Thought: The goal is reached.\nAction: finish()"
    for number, row in enumerate(rows):
        system, user, _ = row["messages"]
        assert (system["role"], user["role"]) == ("system", "user")
        assert "Goal: Switch the board to the dark theme." in user["content"]
        assert f"\n{number}. click_element" in user["content"] or number == 0
        assert (row["task"], row["site"], row["licence"], row["split"]) == (DARK, "board", "CC0-1.0", "test")
        assert row["held_out"] is True


@pytest.mark.slow
def test_one_step_is_asked_for_in_words_and_shown_without_a_past(made: Path) -> None:
    rows = [row for row in lines(made / "simple" / "train.jsonl") if row["kind"] == "site"]
    goals = [row["messages"][1]["content"].splitlines()[0] for row in rows]
    assert goals == [
        "Goal: Press the link 'Settings'.",
        "Goal: Press the tab 'Appearance'.",
        "Goal: Press the radio 'Dark'.",
        "Goal: Press the button 'Save changes'.",
    ]
    assert not any("1. click_element" in row["messages"][1]["content"] for row in rows)


@pytest.mark.slow
def test_elements_are_recognised_on_the_page_that_shows_them(made: Path) -> None:
    rows = [row for row in lines(made / "recognition" / "train.jsonl") if row["kind"] == "site"]
    assert "link 'Settings'" in answers(rows)
    assert "It leads to http://board.test/settings/" in answers(rows)
    for row in rows:
        page, _, question = row["messages"][1]["content"].rpartition("\n\n")
        number = question.split("element ")[1].partition("?")[0].split()[0]
        assert f"[{number}]" in page


@pytest.mark.slow
def test_forms_teach_what_fields_are_one_field_and_the_whole(made: Path) -> None:
    rows = {stage: lines(made / stage / "train.jsonl") for stage in ("recognition", "simple", "complex")}
    forms = {stage: [row for row in each if row["kind"] == "form"] for stage, each in rows.items()}
    assert all(row["task"] == FORM for each in forms.values() for row in each)
    assert any(answer.startswith("radio: ") for answer in answers(forms["recognition"]))
    assert all(answer.startswith("modify_") for answer in answers(forms["simple"]))
    assert answers(forms["complex"])[-1] == "All fields are written.\nfinish()"


@pytest.mark.slow
def test_the_folder_says_which_tasks_are_for_what(made: Path) -> None:
    assert json.loads((made / "tasks.json").read_text(encoding="utf-8")) == {"train": [DARK, FORM], "test": []}
    card = (made / "README.md").read_text(encoding="utf-8")
    assert "| reference trace: website board |" in card
    assert "lessons of `train` held out by the task set" in card


@pytest.mark.slow
def test_demonstrations_of_mind2web_are_lessons_on_their_own_pages(tmp_path: Path) -> None:
    hover, enter = made_step(done="HOVER"), made_step(("6",), "ENTER")
    written([demonstration("d1", [TYPE, SELECT, CLICK]), demonstration("d2", [hover, enter])], tmp_path / "train.json")
    written([demonstration("d3", [CLICK], website="other")], tmp_path / "test_task.jsonl.gz")
    given = ["--traces", tmp_path / "train.json", "--traces", tmp_path / "test_task.jsonl.gz"]
    assert export("--curriculum", tmp_path / "made", *given) == COMPLETE
    rows = lines(tmp_path / "made" / "complex" / "train.jsonl")
    actions = [row["action"] for row in rows]
    assert actions[0].startswith("fill(")
    assert "'New Lisbon'" in actions[0]
    assert [each.partition("(")[0] for each in actions[1:]] == ["select_option", "click_element", "hover_element"]
    for row in rows[:3]:
        number = row["action"].partition("(")[2].partition(",")[0].rstrip(")")
        asked = row["messages"][1]["content"]
        assert f"[{number}]" in asked
        assert "Goal: Buy the lamp in New Lisbon, Cheapest first" in asked
    assert "1. fill(" in rows[2]["messages"][1]["content"]
    assert [row["task"] for row in lines(tmp_path / "made" / "complex" / "test.jsonl")] == ["other d3"]
    card = (tmp_path / "made" / "README.md").read_text(encoding="utf-8")
    assert "| demonstration: website shop |" in card
    assert "- 1 x a demonstrated step that --actions has no action for" in card
    assert not any("It leads to" in each for each in answers(lines(tmp_path / "made" / "recognition" / "train.jsonl")))


@pytest.mark.slow
def test_a_model_writes_the_reasons_of_a_task_in_one_go_and_a_rule_where_it_does_not(tmp_path: Path) -> None:
    def reasons(asked: Asked) -> Answer:
        text = asked.json["messages"][0]["content"]
        goal = text.partition("\n")[0].rpartition(": ")[2]
        lines = [f"{number}. For {goal} I do no. {number}." for number in range(1, text.count("\n") + 1)]
        count = int(re.findall(r"These are all (\d+) step", text)[0])
        return openai_reply("\n".join(lines[: count if goal == THEME else count - 1]))

    wanted = ["--traces", SITES, "--task", DARK, "--task", "Board - A vote for an answer", "--train-share", 0.9]
    made = tmp_path / "made"
    with Server(reasons) as server:
        model = ["--intents-by", "llama", "--model", "wise", "--base-url", f"{server.url}/v1"]
        assert export("--curriculum", made, *wanted, *model) == COMPLETE
        assert len(server.requests) == 2
    rows = [row for part in ("train", "test") for row in lines(made / "complex" / f"{part}.jsonl")]
    dark = [row for row in rows if row["task"] == DARK]
    thoughts = [each.partition("\n")[0] for each in answers(dark)]
    assert thoughts == [f"Thought: For {THEME} I do no. {number}." for number in range(1, len(dark) + 1)]
    assert f"What you thought before it: For {THEME} I do no. 1.\n" in dark[1]["messages"][1]["content"]
    assert all("Done so far" not in json.dumps(row["messages"]) for row in dark)
    assert any("Done so far" in each for each in answers([row for row in rows if row["task"] != DARK]))
    card = (made / "README.md").read_text(encoding="utf-8")
    assert "written by the model `wise`" in card
    assert "- 1 x the reasons of a task by the model" in card


@pytest.mark.slow
def test_a_task_of_the_test_split_is_not_learnt_from_unless_tasks_are_divided_anew(tmp_path: Path) -> None:
    tasks = tmp_path / "tasks"
    make_site_task(tasks, "Learnt", split="train")
    make_site_task(tasks, "Tested", split="test", goal="Look at your account.")
    pytest.importorskip("pyarrow", reason=extra("export"))
    options = ["--traces", tasks, "--format", "parquet", "--planning", "none"]
    assert export("--curriculum", tmp_path / "made", *options) == COMPLETE
    from pyarrow import parquet

    train = parquet.read_table(tmp_path / "made" / "complex" / "train.parquet").to_pylist()
    test = parquet.read_table(tmp_path / "made" / "complex" / "test.parquet").to_pylist()
    assert ({row["task"] for row in train}, {row["task"] for row in test}) == ({"Learnt"}, {"Tested"})
    assert answers(train) == ["goto('http://travel.test/account/')", "finish()"]


@pytest.mark.parametrize(
    ("options", "wrong"),
    [
        (["--curriculum", "made"], "name a run directory"),
        (["--curriculum", "made", "--traces", "t", "--format", "sft"], "leave --out out"),
        (["--curriculum", "made", "--traces", "t", "--out", "o"], "leave --out out"),
        (["--format", "sft", "--traces", "t"], "--traces, --train-share and --division are for --curriculum"),
        (["r", "--format", "sft", "--intents-by", "llama"], "--intents-by is for --curriculum"),
        (["r", "--format", "sft", "--model", "m"], "--intents-by PRESET: give that"),
        (
            ["--curriculum", "made", "--traces", "t", "--planning", "none", "--intents-by", "llama"],
            "leaves out the reasons",
        ),
    ],
)
def test_arguments_that_cannot_be_meant_so(capsys, options, wrong):
    assert export(*options) == WRONG_USE
    assert wrong in capsys.readouterr().err


@pytest.mark.slow
def test_a_folder_is_never_replaced(tmp_path, capsys):
    make_site_task(tmp_path / "tasks", "Learnt", split="train")
    (tmp_path / "made").mkdir()
    assert export("--curriculum", tmp_path / "made", "--traces", tmp_path / "tasks") == WRONG_USE
    assert "exists" in capsys.readouterr().err
