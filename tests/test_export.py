from __future__ import annotations

import importlib
import json
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from harness.actions.parser import parse
from harness.cli.boundary import COMPLETE, INCOMPLETE, WRONG_USE
from harness.cli.commands.evaluate import main as evaluate
from harness.cli.commands.export.runs import main
from harness.episode.library import ACTIONS
from harness.episode.trajectory import Trajectory
from harness.integrations.exports.run_tables import TABLES
from harness.kit import rows
from harness.kit.files.installation import installing
from harness.models.messages import Image, Message, Request, Text, ToolCall, ToolResult
from harness.records.directory import RunDirectory
from harness.records.episode import Episode
from tests.integrations.exports.made import played, write_run
from tests.integrations.exports.requests import PNG, reply, request
from tests.samples import episode
from tests.task_folders import csv_text, make_task

ASK_A, ASK_B = request("the page", "the field 'a'"), request("the page", "the field 'b'")
RIGHT_A, RIGHT_B = reply("modify_text('a', 'yes')"), reply("I write: modify_text('b', 'LABEL-B')")
WRONG_A, WRONG_B = reply("modify_text('a', 'nonsense')"), reply("modify_text('b', 'nothing')")
UNREADABLE = reply("modify_text('a'")


def export(*arguments: object) -> int:
    return main([*map(str, arguments), "--progress", "quiet"])


def tasks_of(run: Path) -> tuple[object, ...]:
    return "--tasks-dir", RunDirectory(run).read().config.tasks_dir


def lines(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


# Chat examples.


def test_an_example_is_what_was_sent_and_the_reply(tmp_path):
    run = write_run(tmp_path / "run", played([(ASK_A, RIGHT_A), (ASK_B, RIGHT_B)]))
    assert export(run, "--format", "sft", "--out", tmp_path / "out.jsonl") == COMPLETE
    first, second = lines(tmp_path / "out.jsonl")
    assert first == {
        "messages": [
            {"role": "system", "content": "Act."},
            {"role": "user", "content": "the page\n\nthe field 'a'"},
            {"role": "assistant", "content": "modify_text('a', 'yes')"},
        ],
        "run": "run",
        "solver": "m",
        "task": "T",
        "index": 0,
        "id": "0" * 12,
        "split": "train",
        "held_out": False,
        "identical_tasks": [],
        "score": 1.0,
        "turn": 0,
        "page": "p" * 64,
    }
    assert second["messages"][-1]["content"] == "I write: modify_text('b', 'LABEL-B')"


def test_pictures_and_tools_stand_in_an_example_as_chat_interfaces_take_them(tmp_path):
    tool = {"name": "modify_text", "description": "Writes.", "parameters": {"type": "object"}}
    call = ToolCall("c1", "modify_text", {"name": "a", "value": "yes"})
    asked = Request(
        "m",
        (
            Message("user", (Image(PNG), Text("look"))),
            Message("assistant", (Text("so"), call)),
            Message("tool", (ToolResult("c1", "done", (Image(PNG),)),)),
        ),
        tools=(tool,),
    )
    answer = reply("modify_text('a', 'yes') modify_text('b', 'LABEL-B')", tool_calls=(call,))
    run = write_run(tmp_path / "run", played([(asked, answer)]))
    assert export(run, "--format", "sft", "--out", tmp_path / "exports" / "out.jsonl") == COMPLETE
    (made,) = lines(tmp_path / "exports" / "out.jsonl")
    user, assistant, result, last = made["messages"]
    assert [part["type"] for part in user["content"]] == ["image", "text"]
    assert (tmp_path / "exports" / user["content"][0]["image"]).read_bytes() == PNG
    function = {"name": "modify_text", "arguments": '{"name": "a", "value": "yes"}'}
    assert assistant == {"role": "assistant", "content": "so", "tool_calls": last["tool_calls"]}
    assert last["tool_calls"] == [{"id": "c1", "type": "function", "function": function}]
    assert (result["role"], result["tool_call_id"]) == ("tool", "c1")
    assert [part["type"] for part in result["content"]] == ["text", "image"]
    assert made["tools"] == [{"type": "function", "function": tool}]


def test_a_reply_that_was_too_long_for_its_episode_is_exported_whole(tmp_path):
    long = reply("x " * 50_000 + "modify_text('a', 'yes') modify_text('b', 'LABEL-B')")
    run = write_run(tmp_path / "run", played([(ASK_A, long)]))
    assert export(run, "--format", "sft", "--out", tmp_path / "out.jsonl") == COMPLETE
    assert lines(tmp_path / "out.jsonl")[0]["messages"][-1]["content"] == long.text


@pytest.mark.parametrize(
    ("exchange", "reason"),
    [
        ((ASK_B, UNREADABLE), "1 x a part of the reply was no action"),
        ((ASK_B, reply("I do not know.")), "1 x the reply held no action"),
    ],
)
def test_a_turn_that_is_no_example_is_left_out_and_counted(tmp_path, capsys, exchange, reason):
    turns = [(ASK_A, RIGHT_A), exchange, (ASK_B, RIGHT_B)]
    run = write_run(tmp_path / "run", played(turns))
    assert export(run, "--format", "sft", "--out", tmp_path / "out.jsonl") == COMPLETE
    assert [made["turn"] for made in lines(tmp_path / "out.jsonl")] == [0, 2]
    assert f"left out: {reason}" in capsys.readouterr().err


def test_an_action_that_failed_is_no_example(tmp_path, capsys):
    run = write_run(tmp_path / "run", played([(ASK_A, RIGHT_A), (ASK_B, RIGHT_B)], refused=True))
    assert export(run, "--format", "sft", "--out", tmp_path / "out.jsonl") == INCOMPLETE
    assert "left out: 2 x an action did not do what was asked" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "kept"), [([], [0]), (["--min-score", "0.5"], [0, 1]), (["--min-score", "0"], [0, 1, 2])]
)
def test_examples_are_of_episodes_above_a_score(tmp_path, options, kept):
    run = write_run(
        tmp_path / "run",
        played([(ASK_A, RIGHT_A), (ASK_B, RIGHT_B)], index=0),
        played([(ASK_A, RIGHT_A), (ASK_B, WRONG_B)], index=1),
        played([(ASK_A, WRONG_A), (ASK_B, WRONG_B)], index=2),
    )
    assert export(run, "--format", "sft", "--out", tmp_path / "out.jsonl", *options) == COMPLETE
    assert sorted({made["index"] for made in lines(tmp_path / "out.jsonl")}) == kept


def test_what_is_not_of_the_train_split_is_marked_and_can_be_left_out(tmp_path, capsys):
    turns = [(ASK_A, RIGHT_A), (ASK_B, RIGHT_B)]
    episodes = [played(turns, index=0), played(turns, index=1, split="test")]
    run = write_run(tmp_path / "run", *episodes, identical=[["T", "Copy of T"]])
    assert export(run, "--format", "sft", "--out", tmp_path / "all.jsonl") == COMPLETE
    assert Counter((made["index"], made["held_out"]) for made in lines(tmp_path / "all.jsonl")) == {
        (0, False): 2,
        (1, True): 2,
    }
    assert all(made["identical_tasks"] == ["Copy of T"] for made in lines(tmp_path / "all.jsonl"))
    assert "marked as held_out: what is of test" in capsys.readouterr().err
    assert export(run, "--format", "sft", "--split", "train", "--out", tmp_path / "train.jsonl") == COMPLETE
    assert {made["split"] for made in lines(tmp_path / "train.jsonl")} == {"train"}
    assert "held_out" not in capsys.readouterr().err


# Pairs.


def test_a_pair_is_two_replies_to_one_prompt_the_better_one_first(tmp_path):
    good = write_run(tmp_path / "good", played([(ASK_A, RIGHT_A), (ASK_B, WRONG_B)]), solver="one")
    asked = request("the page", "the field 'a'", model="another", temperature=0.7)
    bad = write_run(tmp_path / "bad", played([(asked, WRONG_A), (ASK_B, WRONG_B)]), solver="two")
    assert export(bad, good, "--format", "preference", "--out", tmp_path / "out.jsonl") == COMPLETE
    (made,) = lines(tmp_path / "out.jsonl")
    assert made["prompt"][-1] == {"role": "user", "content": "the page\n\nthe field 'a'"}
    assert made["chosen"] == [{"role": "assistant", "content": RIGHT_A.text}]
    assert made["rejected"] == [{"role": "assistant", "content": WRONG_A.text}]
    assert (made["better"]["solver"], made["worse"]["solver"]) == ("one", "two")
    assert (made["better"]["worth"], made["worse"]["worth"], made["held_out"]) == (1.0, 0.0, False)


@pytest.mark.parametrize(
    ("other", "why"),
    [
        ([(request("another page"), WRONG_A)], "another prompt"),
        ([(ASK_A, RIGHT_A)], "the same actions"),
        ([(ASK_A, reply("modify_text('c', 'no field that counts')"))], "nothing to judge it by"),
        ([(ASK_A, WRONG_A), (ASK_B, RIGHT_A)], "what it wrote was written again"),
    ],
)
def test_what_cannot_be_compared_makes_no_pair(tmp_path, capsys, other, why):
    runs = [
        write_run(tmp_path / "one", played([(ASK_A, RIGHT_A)])),
        write_run(tmp_path / "two", played(other)),
    ]
    assert export(*runs, "--format", "preference", "--out", tmp_path / "out.jsonl") == INCOMPLETE, why
    assert "0 pairs" in capsys.readouterr().err


def test_another_page_makes_another_observation_though_the_prompt_is_the_same(tmp_path):
    runs = [
        write_run(tmp_path / "one", played([(ASK_A, RIGHT_A)], page="1" * 64)),
        write_run(tmp_path / "two", played([(ASK_A, WRONG_A)], page="2" * 64)),
    ]
    assert export(*runs, "--format", "preference", "--out", tmp_path / "out.jsonl") == INCOMPLETE


def test_a_reply_that_could_not_be_read_is_worse_than_a_right_one(tmp_path):
    run = write_run(tmp_path / "run", played([(ASK_A, UNREADABLE), (ASK_A, RIGHT_A)]))
    assert export(run, "--format", "preference", "--out", tmp_path / "out.jsonl") == COMPLETE
    (made,) = lines(tmp_path / "out.jsonl")
    assert (made["rejected"][0]["content"], made["worse"]["turn"], made["better"]["turn"]) == (UNREADABLE.text, 0, 1)


def test_what_the_oracle_did_with_a_field_is_better_than_a_reply_that_got_it_wrong(tmp_path):
    tool = {"name": "modify_text", "description": "Writes.", "parameters": {"type": "object"}}
    with_tools = request("the page", "the field 'b'", tools=(tool,))
    model = write_run(tmp_path / "model", played([(ASK_A, WRONG_A), (with_tools, WRONG_B)]), solver="m")
    key = write_run(tmp_path / "key", without_turns(played([(ASK_A, RIGHT_A), (ASK_B, RIGHT_B)])), solver="oracle")
    assert export(model, key, "--format", "preference", "--out", tmp_path / "out.jsonl") == COMPLETE
    first, second = lines(tmp_path / "out.jsonl")
    assert first["chosen"] == [{"role": "assistant", "content": "modify_text('a', 'yes')"}]
    assert first["rejected"] == [{"role": "assistant", "content": WRONG_A.text}]
    assert (first["better"]["solver"], first["better"]["turn"], first["worse"]["worth"]) == ("oracle", None, 0.0)
    (call,) = second["chosen"][0]["tool_calls"]
    assert call["function"] == {"name": "modify_text", "arguments": '{"name": "b", "value": "LABEL-B"}'}


@pytest.mark.parametrize("ends", ["", "\nfinish()"])
def test_the_oracle_betters_a_reply_that_wrote_the_whole_form_and_ended_its_work(tmp_path, ends):
    wrong, right = f"{WRONG_A.text}\n{WRONG_B.text}{ends}", f"{RIGHT_A.text}\nmodify_text('b', 'LABEL-B'){ends}"
    # finish() stands among a turn's calls and is no step.
    act, made = played([(ASK_A, WRONG_A), (ASK_A, WRONG_B)])
    turn = replace(made.turns[0], reply=wrong, calls=tuple(wrong.splitlines()))
    model = write_run(tmp_path / "model", (act, replace(made, turns=(turn,))), solver="m")
    key = write_run(tmp_path / "key", without_turns(played([(ASK_A, RIGHT_A), (ASK_B, RIGHT_B)])), solver="oracle")
    assert export(model, key, "--format", "preference", "--out", tmp_path / "out.jsonl") == COMPLETE
    (pair,) = lines(tmp_path / "out.jsonl")
    assert (pair["rejected"][0]["content"], pair["chosen"][0]["content"]) == (wrong, right)
    assert (pair["better"]["worth"], pair["worse"]["worth"]) == (1.0, 0.0)


def test_a_right_reply_needs_no_correction_and_that_is_told(tmp_path, capsys):
    model = write_run(tmp_path / "model", played([(ASK_A, RIGHT_A)]), solver="m")
    key = write_run(tmp_path / "key", without_turns(played([(ASK_A, RIGHT_A)])), solver="oracle")
    assert export(model, key, "--format", "preference", "--out", tmp_path / "out.jsonl") == INCOMPLETE
    assert "a right reply without a worse one to its prompt" in capsys.readouterr().err


def test_a_wrong_reply_without_a_better_one_is_told_with_what_brings_one(tmp_path, capsys):
    model = write_run(tmp_path / "model", played([(ASK_A, WRONG_A)]), solver="m")
    assert export(model, "--format", "preference", "--out", tmp_path / "out.jsonl") == INCOMPLETE
    assert "such as an oracle's: name it, too" in capsys.readouterr().err


def without_turns(made: tuple[Trajectory, Episode]) -> tuple[Trajectory, Episode]:
    return made[0], replace(made[1], turns=())


# Tables.


def mixed_run(folder: Path) -> Path:
    failed = episode(index=7, outcome="harness_error", detail="the browser is gone \ud83d")
    return write_run(
        folder,
        played([(ASK_A, RIGHT_A), (ASK_B, UNREADABLE)], index=0, split="test"),
        played([(request("see", PNG), reply("x" * 30_000))], index=1, cost=None),
        (played([])[0], failed),
    )


@pytest.mark.parametrize("form", ["jsonl", "parquet"])
def test_tables_hold_all_that_the_episodes_hold(tmp_path, form):
    run = mixed_run(tmp_path / "run")
    assert export(run, "--format", form, "--out", tmp_path / "tables") == COMPLETE
    found = {table.name: read(tmp_path / "tables" / f"{table.name}.{form}") for table in TABLES}
    kept = list(RunDirectory(run).episodes())
    assert [row["outcome"] for row in found["episodes"]] == [made.outcome for made in kept]
    assert [(row["index"], row["field"], row["labels"], row["sent"]) for row in found["fields"]] == [
        (made.index, field.name, list(field.labels), list(field.sent)) for made in kept for field in made.fields
    ]
    assert [(row["action"], row["ok"], row["message"], row["ms"]) for row in found["steps"]] == [
        (step.action, step.ok, step.message, step.ms) for made in kept for step in made.steps
    ]
    assert [(row["reply"], row["calls"], row["sent"], row["images"], row["cost"]) for row in found["turns"]] == [
        (turn.reply, list(turn.calls), turn.sent, list(turn.images), turn.cost) for made in kept for turn in made.turns
    ]
    first, second, third = found["episodes"]
    assert (first["score"], first["held_out"], first["cost"], first["input_tokens"]) == (0.5, True, 0.5, 20)
    assert (first["ms_wait"], first["ms_think"], first["waits"]) == (7.0, None, 2)
    assert (second["cost"], third["score"], third["accepted"]) == (None, None, None)
    assert third["detail"] == "the browser is gone \ufffd"
    assert found["steps"][0]["turn"] == 0


def test_both_forms_of_tables_hold_the_same(tmp_path):
    run = mixed_run(tmp_path / "run")
    for form in ("jsonl", "parquet"):
        assert export(run, "--format", form, "--out", tmp_path / "tables") == COMPLETE
    for table in TABLES:
        written = read(tmp_path / "tables" / f"{table.name}.jsonl")
        assert written == read(tmp_path / "tables" / f"{table.name}.parquet")
        assert all(list(row) == list(table.columns) for row in written)


def read(file: Path) -> list[dict[str, Any]]:
    if file.suffix == ".jsonl":
        return lines(file)
    rows: list[dict[str, Any]] = importlib.import_module("pyarrow.parquet").read_table(file).to_pylist()
    return rows


def test_without_its_library_parquet_says_how_to_get_it(tmp_path, monkeypatch, capsys):
    def missing(name):
        raise ImportError(name)

    monkeypatch.setattr(rows.importlib, "import_module", missing)
    run = mixed_run(tmp_path / "run")
    assert export(run, "--format", "parquet", "--out", tmp_path / "tables") == WRONG_USE
    assert f"{installing('export')}, or use --format jsonl" in capsys.readouterr().err
    assert not (tmp_path / "tables").exists()


# Wrong use.


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "give --format"),
        (["--format", "jsonl"], "name their folder with --out"),
        (["--format", "sft", "--screenshot", "viewport"], "name their file with --out"),
        (["--format", "sft", "--encoding", "none"], "give --screenshot"),
        (["--format", "sft", "--protocol", "form", "--screenshot", "element", "--out", "x"], "needs another"),
    ],
)
def test_arguments_that_cannot_be_meant_are_refused(tmp_path, capsys, arguments, said):
    assert export(mixed_run(tmp_path / "run"), *arguments) == WRONG_USE
    assert said in capsys.readouterr().err


def test_nothing_that_is_there_is_replaced(tmp_path, capsys):
    run = mixed_run(tmp_path / "run")
    (tmp_path / "out.jsonl").write_text("mine", encoding="utf-8")
    assert export(run, "--format", "preference", "--out", tmp_path / "out.jsonl") == WRONG_USE
    assert "out.jsonl exists" in capsys.readouterr().err
    assert export(run, "--features", tmp_path) == WRONG_USE
    assert "is not empty" in capsys.readouterr().err
    assert (tmp_path / "out.jsonl").read_text(encoding="utf-8") == "mine"


def test_what_is_damaged_is_named_and_no_half_of_a_file_is_left(tmp_path, capsys):
    run = write_run(tmp_path / "run", played([(ASK_A, RIGHT_A), (ASK_B, RIGHT_B)]))
    for file in (run / "texts").iterdir():
        file.unlink()
    assert export(run, "--format", "sft", "--out", tmp_path / "out.jsonl") == WRONG_USE
    assert "cannot be read" in capsys.readouterr().err
    assert [file.name for file in tmp_path.iterdir()] == ["run"]
    assert export(tmp_path / "missing", "--format", "sft") == WRONG_USE
    assert "missing is no run directory" in capsys.readouterr().err


def test_two_runs_of_one_name_could_not_be_told_apart(tmp_path, capsys):
    runs = [mixed_run(tmp_path / place / "run") for place in ("one", "two")]
    assert export(*runs, "--format", "preference") == WRONG_USE
    assert "two runs are called run" in capsys.readouterr().err


# What is seen by doing it again.

PAGE = """<p>${text}</p><label>First <input name="a"></label>
<label><input type="radio" name="r" value="one" onchange="rest.hidden = false">one</label>
<label><input type="radio" name="r" value="two" onchange="rest.hidden = false">two</label>
<div id="rest" hidden><textarea name="b"></textarea></div>
<script>const rest = document.getElementById("rest")</script>"""
ROWS = [["a text", "ALPHA-LABEL", "one", "BETA-LABEL"], ["another", "GAMMA-LABEL", "two", "DELTA-LABEL"]]


@pytest.fixture(scope="module")
def oracle(tmp_path_factory):
    folder = tmp_path_factory.mktemp("oracle")
    table = csv_text(["text", "Answer.a", "Answer.r", "Answer.b"], *ROWS)
    make_task(folder / "tasks", "T", template=PAGE, table=table)
    arguments = ["--solver", "oracle", "--tasks-dir", str(folder / "tasks"), "--out", str(folder / "run")]
    assert evaluate([*arguments, "--progress", "quiet"]) == COMPLETE
    return folder / "run"


@pytest.mark.slow
def test_a_run_without_a_model_makes_examples_whose_prompts_hold_no_label(oracle, tmp_path):
    out = tmp_path / "out.jsonl"
    assert (
        export(oracle, *tasks_of(oracle), "--format", "sft", "--out", out, "--encoding", "full", "--workers", 2)
        == COMPLETE
    )
    made = lines(out)
    assert [(each["index"], each["field"]) for each in made] == [
        (n, name) for n in range(2) for name in ("a", "r", "b")
    ]
    done: dict[int, str] = {0: "", 1: ""}
    for each in made:
        system, user, answer = each["messages"]
        assert [message["role"] for message in each["messages"]] == ["system", "user", "assistant"]
        assert repr(each["field"]) in user["content"]
        (call,) = parse(answer["content"], ACTIONS)
        label = ROWS[each["index"]][{"a": 1, "r": 2, "b": 3}[each["field"]]]
        assert call.args["value"] == label  # type: ignore[union-attr]
        told = json.dumps({name: value for name, value in each.items() if name != "messages"}) + system["content"]
        later = [
            value for row in ROWS for value in row[1:] if value.endswith("-LABEL") and value not in done[each["index"]]
        ]
        assert later
        assert not any(value in told + user["content"] for value in later)
        done[each["index"]] += label


@pytest.mark.slow
def test_protocol_form_makes_an_example_of_every_action_and_of_the_end(oracle, tmp_path):
    out = tmp_path / "out.jsonl"
    assert (
        export(
            oracle, *tasks_of(oracle), "--format", "sft", "--protocol", "form", "--out", out, "--screenshot", "viewport"
        )
        == COMPLETE
    )
    made = [each for each in lines(out) if each["index"] == 0]
    answers = [each["messages"][-1]["content"] for each in made]
    assert answers == [
        "modify_text('a', 'ALPHA-LABEL')",
        "modify_radio('r', 'one')",
        "modify_text('b', 'BETA-LABEL')",
        "finish()",
    ]
    for each in made:
        (picture,) = [part["image"] for part in each["messages"][1]["content"] if part["type"] == "image"]
        assert (tmp_path / picture).read_bytes().startswith(b"\x89PNG")


@pytest.mark.slow
def test_features_are_picture_html_and_actions_of_each_field_of_what_comes_out_as_in_the_run(oracle, tmp_path, capsys):
    run = RunDirectory(tmp_path / "run")
    run.write(RunDirectory(oracle).read())
    first, second = RunDirectory(oracle).episodes()
    values = {**second.submission.values, "a": ("something else",)}
    run.add(first, {})
    run.add(replace(second, submission=replace(second.submission, values=values)), {})
    assert export(run.folder, *tasks_of(oracle), "--features", tmp_path / "features") == COMPLETE
    assert "left out: 1 x the replay gave other answers than the run" in capsys.readouterr().err
    made = lines(tmp_path / "features" / "features.jsonl")
    assert [(each["index"], each["field"], each["kind"]) for each in made] == [
        (0, "a", "text"),
        (0, "r", "radio"),
        (0, "b", "textarea"),
    ]
    first_row, _, last = made
    assert first_row["action"] == "modify_text('a', 'ALPHA-LABEL')"
    assert (tmp_path / "features" / first_row["image"]).read_bytes().startswith(b"\x89PNG")
    html = (tmp_path / "features" / first_row["html"]).read_text(encoding="utf-8")
    assert "a text" in html
    assert "LABEL" not in html
    relevant = (tmp_path / "features" / last["relevant_html"]).read_text(encoding="utf-8")
    assert 'name="b"' in relevant
    assert len(relevant) < len((tmp_path / "features" / last["html"]).read_text(encoding="utf-8"))
    assert (first_row["score_of_field"], first_row["held_out"]) == (1.0, False)
