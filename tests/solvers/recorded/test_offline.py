"""Recorded outputs: read, placed on their instances, executed in a real browser, compared with what was recorded."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from harness.catalog import Catalog
from harness.cli.boundary import COMPLETE, INCOMPLETE, WRONG_USE
from harness.cli.commands.evaluate import main as evaluate
from harness.cli.commands.papers import agreement
from harness.episode.registry import find_solver
from harness.episode.solver import WrongOptions
from harness.records.directory import RunDirectory
from harness.run.page_source import PageSource
from harness.solvers.recorded import verdicts
from harness.solvers.recorded.predictions import BadPredictions, place, read_predictions
from harness.solvers.recorded.recorded_agreement import RecordedComparison, endings_of
from tests.checkout import TURKINGBENCH
from tests.needs import real_data, require
from tests.samples import task as sample_task
from tests.task_folders import csv_text, make_task

PAGE = """<p>${text}</p><input name="a"><label><input type="radio" name="b" value="yes">yes</label>
<label><input type="radio" name="b" value="no">no</label><select name="c"><option>x</option><option>y</option></select>
<label><input type="checkbox" name="d" value="1">1</label><label><input type="checkbox" name="d" value="2">2</label>
<input name="old" value="offline"><input name="off" value="left out" disabled>"""
TABLE = csv_text(
    ["text", "Answer.a", "Answer.b"], ["one", "1.0", "yes"], ["two", "t", ""], ["three", "u", "no"], ["four", "", ""]
)

MUST_FAIL = "invalid syntax (<string>, line 1)"


def lines(file: Path, *records) -> Path:
    file.write_text("".join(json.dumps({"task": "T", **record}) + "\n" for record in records), encoding="utf-8")
    return file


def recorded(row: int, field: str, output: str | None, read: list | None, error: str | None = None, **more) -> dict:
    return {
        "row_number": row, "field": field, "model_output": output, "value_read": read, "action_error": error, **more
    }  # fmt: skip


RECORDS = {
    (0, "a"): (recorded(0, "a", "modify_text('a', 'hi')", ["hi "], gold=[1]), verdicts.SPELLED),
    (0, "b"): (
        recorded(0, "b", "Sure!\n```python\nself.actions.modify_radio('b', 'yes')\n```", [], MUST_FAIL),
        verdicts.REJECTED,
    ),
    (0, "c"): (recorded(0, "c", "modify_text('c', 'y')", ["y"]), verdicts.REFUSED),
    (0, "d"): (recorded(0, "d", "I would tick the first.", ["1"]), verdicts.UNREAD),
    (0, "old"): (recorded(0, "old", None, ["online"]), verdicts.PAGE),
    (0, "off"): (recorded(0, "off", None, ["left out"]), verdicts.NOT_SENT),
    (0, "none"): (recorded(0, "none", None, [None]), verdicts.EMPTY),
    (1, "a"): (recorded(1, "a", "modify_text('a', 'first')", ["first"]), verdicts.OTHER_REPLY),
    (1, "b"): (recorded(1, "b", "modify_text('a', 'last')\nmodify_radio('b', 'no')", ["no"]), verdicts.EQUAL),
    (1, "c"): (recorded(1, "c", "modify_select('c', 'y')", ["x"]), verdicts.DIFFERENT),
    (1, "d"): (recorded(1, "d", "modify_checkbox('d', '1|2')", ["2", "1"]), verdicts.SPELLED),
    (1, "old"): (recorded(1, "old", "modify_text('old', 'x')", None, status="unfinished"), verdicts.NOT_RECORDED),
    (3, "a"): (recorded(3, "a", "modify_text('a', 'x')", ["x"]), verdicts.UNLABELLED),
}


@pytest.fixture(scope="module")
def tasks(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("offline")
    make_task(folder / "tasks", "T", template=PAGE, table=TABLE)
    return folder / "tasks"


@pytest.fixture(scope="module")
def predictions(tasks: Path) -> Path:
    return lines(tasks.parent / "recorded.jsonl", *(record for record, _ in RECORDS.values()))


@pytest.fixture(scope="module")
def run(tasks: Path, predictions: Path) -> RunDirectory:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tasks.parent / "cache"))
        out = tasks.parent / "run"
        arguments = ["--solver", "offline", "--predictions", str(predictions), "--tasks-dir", str(tasks)]
        assert evaluate([*arguments, "--out", str(out)]) == COMPLETE
    return RunDirectory(out)


def test_outputs_are_executed_in_the_order_of_the_file_and_what_the_page_holds_is_scored(run: RunDirectory) -> None:
    one, two = run.episodes()
    assert [field.sent for field in one.fields if field.name in ("a", "b")] == [("hi",), ("yes",)]
    assert [field.sent for field in two.fields if field.name in ("a", "b")] == [("last",), ("no",)]
    assert (one.outcome, two.outcome) == ("scored", "scored")


def test_instances_for_which_nothing_was_recorded_are_left_out_and_counted(run: RunDirectory) -> None:
    left_out = run.read().left_out
    assert left_out == {"instances for which nothing was recorded": 1, "instances that nobody labelled": 1}


def test_every_output_is_a_turn_of_the_trajectory_with_what_was_read_in_it(run: RunDirectory) -> None:
    one, _ = run.episodes()
    assert [turn.calls for turn in one.turns] == [
        ("modify_text('a', 'hi')",), ("modify_radio('b', 'yes')",), ("modify_text('c', 'y')",), ()
    ]  # fmt: skip
    assert [turn.steps for turn in one.turns] == [(0, 1), (1, 2), (2, 3), (3, 3)]
    assert one.turns[1].reply.startswith("Sure!")


def opened(run: RunDirectory) -> list[str]:
    """The run, and where its tasks are."""
    return [str(run.folder), "--tasks-dir", str(run.read().config.tasks_dir)]


def test_a_run_says_which_predictions_it_was_made_from(run: RunDirectory) -> None:
    record = run.read()
    assert record.solver == {"predictions": 13, "instances": 3, "tasks": ["T"]}
    assert len(record.config.options["predictions_sha256"]) == 64


def test_each_record_gets_the_class_that_explains_it(run, predictions, tasks) -> None:
    found = RecordedComparison(
        run.read().config, endings_of(run), read_predictions(predictions), PageSource(tasks)
    ).conclude()
    assert {(each.index, each.field): each.verdict for each in found} == {
        place: verdict for place, (_, verdict) in RECORDS.items()
    }
    by_field = {(each.index, each.field): each for each in found}
    assert by_field[0, "b"].detail == MUST_FAIL
    assert "it is a select field" in by_field[0, "c"].detail
    assert by_field[1, "a"].detail == "line 9"


def test_the_command_prints_the_counts_and_writes_every_finding(run, predictions, tmp_path, capsys) -> None:
    out = tmp_path / "agreement.json"
    command = [*opened(run), "--predictions", str(predictions), "--out", str(out), "--list"]
    assert agreement.main(command) == COMPLETE
    text = capsys.readouterr().out
    assert "4 of 11 records that can be compared agree (36.4%)" in text
    assert f"line 2: T, instance 0, field 'b': recorded [], ours ['yes']: {verdicts.REJECTED}" in text
    written = json.loads(out.read_text(encoding="utf-8"))
    assert len(written["findings"]) == len(RECORDS) == sum(each["records"] for each in written["classes"].values())


@pytest.mark.slow
def test_pages_that_a_run_leaves_out_are_played_on_request(run, predictions, tmp_path, capsys) -> None:
    command = [*opened(run), "--predictions", str(predictions), "--out", str(tmp_path / "agreement.json"), "--play"]
    assert agreement.main([*command, "--progress", "quiet"]) == COMPLETE
    assert "5 of 12 records that can be compared agree (41.7%)" in capsys.readouterr().out


@pytest.mark.slow
def test_replies_that_were_rejected_can_be_left_out_so_that_only_pages_and_actions_differ(
    run, tmp_path, capsys
) -> None:
    rejected = recorded(0, "b", "So:\nmodify_radio('b', 'yes')", [], MUST_FAIL)
    file = lines(tmp_path / "some.jsonl", rejected, recorded(1, "a", "modify_text('a', 'x')", ["x"]))
    command = [*opened(run), "--predictions", str(file), "--out", str(tmp_path / "agreement.json")]
    assert agreement.main([*command, "--as-recorded", "--progress", "quiet"]) == COMPLETE
    assert "2 of 2 records that can be compared agree (100.0%)" in capsys.readouterr().out


def test_records_that_were_not_run_or_have_no_instance_are_counted_and_make_the_comparison_incomplete(
    run, tmp_path, capsys
) -> None:
    more = [recorded(2, "a", "modify_text('a', 'x')", ["x"]), recorded(9, "a", None, ["x"])]
    file = lines(tmp_path / "more.jsonl", *more, {**recorded(0, "a", None, [""]), "task": "Other"})
    command = [*opened(run), "--predictions", str(file), "--out", str(tmp_path / "out.json")]
    assert agreement.main(command) == INCOMPLETE
    text = " ".join(capsys.readouterr().out.split())
    assert f"{verdicts.NO_INSTANCE} 2" in text
    assert f"{verdicts.NO_EPISODE} 1" in text, "nothing was recorded for this page when the run was made"


def test_an_evaluation_without_a_file_of_predictions_says_that_it_needs_one(tasks, tmp_path, capsys) -> None:
    arguments = ["--solver", "offline", "--tasks-dir", str(tasks), "--out", str(tmp_path / "run")]
    assert evaluate(arguments) == WRONG_USE
    assert "needs --predictions FILE" in capsys.readouterr().err


def test_a_prediction_without_its_instance_stops_the_run_before_it_begins_and_is_named(tasks, tmp_path, capsys) -> None:
    file = lines(
        tmp_path / "wrong.jsonl",
        {"index": 0, "output": "modify_text('a', 'x')"},
        {"index": 7, "output": "modify_text('a', 'x')"},
    )
    arguments = ["--solver", "offline", "--predictions", str(file), "--tasks-dir", str(tasks)]
    assert evaluate([*arguments, "--out", str(tmp_path / "run")]) == WRONG_USE
    assert "line 2 ('T', index 7): the task has no such instance" in capsys.readouterr().err


# ---- without a browser --------------------------------------------------------------------------------------------


def test_a_reply_that_the_end_of_its_episode_cut_off_has_a_class_of_its_own(tmp_path) -> None:
    (prediction,) = made(tmp_path, recorded(0, "a", "modify_text('a', 'x')", ["x"]))
    finding = verdicts.compared(prediction, [prediction], 0, verdicts.Ending({"a": ("",)}, (), ()))
    assert finding.verdict == verdicts.CUT


def made(tmp_path: Path, *records):
    return read_predictions(lines(tmp_path / "predictions.jsonl", *records))


def test_an_instance_can_be_named_by_its_place_its_id_or_the_original_row_number(tmp_path) -> None:
    task = sample_task({"a": ["x"]}, {"a": ["y"]})
    records = [
        {"index": 1, "output": "A"},
        {"id": task.instances[0].id, "output": "B"},
        {"row_number": 1, "output": ""},
    ]
    placed = place(made(tmp_path, *records), task)
    outputs = {index: [each.output for each in found] for index, found in placed.by_index.items()}
    assert outputs == {1: ["A", ""], 0: ["B"]}
    assert not placed.unplaced


def test_recorded_labels_are_the_same_however_the_table_was_read(tmp_path) -> None:
    task = sample_task({"a": ["2.0", "{}", "text\r\n"], "b": ["", "", ""]})
    gold = [2, None, "text\n"]
    records = [recorded(0, "a", "", [], gold=gold), recorded(0, "not a column", "", [], gold=[1])]
    assert place(made(tmp_path, *records), task).by_index.keys() == {0}


@pytest.mark.parametrize(
    ("field", "gold", "reason"),
    [("a", ["z"], "are not those of instance 0"), ("a", ["x", "x"], "not those of"), ("z", ["x"], "no labels of the")],
)
def test_a_row_that_bears_other_labels_is_refused_with_all_its_predictions(tmp_path, field, gold, reason) -> None:
    task = sample_task({"a": ["x"]})
    records = [recorded(0, field, "A", [], gold=gold), recorded(0, "b", "B", [])]
    (unplaced,) = place(made(tmp_path, *records), task).unplaced
    assert reason in unplaced.reason
    assert [each.line for each in unplaced.predictions] == [1, 2]


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ("{", "no JSON"),
        ("[1]", 'an object with "task"'),
        ('{"task": "T", "output": ""}', "names its instance by one of"),
        ('{"task": "T", "index": 0, "id": "0", "output": ""}', "names its instance by one of"),
        ('{"task": "T", "index": 0}', "what the model wrote"),
        ('{"task": "T", "index": "0", "output": ""}', "names no instance"),
        ('{"task": "T", "index": true, "output": ""}', "names no instance"),
        ('{"task": "T", "index": 0, "output": 3}', "are texts"),
        ('{"task": "T", "index": 0, "output": "", "gold": "x"}', "a list of labels"),
    ],
)
def test_a_line_that_is_no_prediction_is_named_with_what_is_wrong(tmp_path, line, what) -> None:
    file = tmp_path / "bad.jsonl"
    file.write_text(f'\n{{"task": "T", "index": 0, "output": ""}}\n{line}\n', encoding="utf-8")
    with pytest.raises(BadPredictions, match=rf"bad\.jsonl, line 3: .*{what}"):
        read_predictions(file)


def test_a_run_does_not_go_on_with_a_file_that_has_changed(tmp_path) -> None:
    file = lines(tmp_path / "predictions.jsonl", {"index": 0, "output": "A"})
    options = find_solver("offline").check({"predictions": str(file)})
    assert find_solver("offline").check(options) == options
    lines(file, {"index": 0, "output": "B"})
    with pytest.raises(WrongOptions, match="has changed since the run began"):
        find_solver("offline").check(options)


def test_options_of_other_solvers_are_refused() -> None:
    with pytest.raises(WrongOptions, match="--max-cost: the solver 'offline' takes no such options"):
        find_solver("offline").check({"predictions": "x", "max_cost": "1"})


def test_the_records_of_the_original_authors_all_find_their_instance_by_row_and_labels() -> None:
    folder = TURKINGBENCH
    require(real_data("recorded"))
    catalog = Catalog(folder / "tasks")
    for file in sorted((folder / "recorded").glob("*.jsonl")):
        predictions = read_predictions(file)
        for name in {each.task for each in predictions}:
            of_task = [each for each in predictions if each.task == name]
            placed = place(of_task, catalog.task(name))
            assert not placed.unplaced
            assert sum(map(len, placed.by_index.values())) == len(of_task)
