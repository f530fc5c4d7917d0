"""Results files as AMT and Turkle write them, in all their versions: joined with the task's instances, or refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from harness.catalog import Catalog
from harness.catalog.annotations.results_file import BadResults, read_results
from harness.cli.commands.tasks.sets import main
from harness.datasets.collecting import collect
from harness.scoring.answers.columns import AnswerColumns
from tests.samples import field
from tests.task_folders import csv_text, make_task

PAGE = (
    "<p>${text}</p><input type=radio name=mood value=good><input type=radio name=mood value=bad>"
    "<input type=checkbox name=topic value=taste><input type=checkbox name=topic value=price>"
    "<textarea name=why></textarea>"
)
TEXTS = ["Lovely soup.", "Cold.\nAnd dear.", "It\u2019s \U0001f600 fine"]
HEADER = ["AssignmentId", "WorkerId", "AssignmentStatus", "Input.text"]


def collected(folder: Path, *rows: list[str]) -> Catalog:
    """The tasks that are made of a results file."""
    make_task(folder / "tasks", "Soup", template=PAGE, table=csv_text(["text"], *([text] for text in TEXTS)))
    file = folder / "results.csv"
    file.write_text(csv_text(*rows), encoding="utf-8", newline="")
    collect(read_results([file], "Soup"), Catalog(folder / "tasks"), folder / "new")
    return Catalog(folder / "new")


def labels(catalog: Catalog) -> dict[str, dict[str, tuple[str, ...]]]:
    return {each.inputs["text"]: dict(each.labels) for each in catalog.task("Soup").instances}


def test_the_answers_of_a_crowd_form_are_unpacked_into_fields(tmp_path):
    said = [{
        "mood": {"bad": False, "good": True}, "topic": {"price": True, "taste": True}, "why": "yum", "n": 2,
        "on": {"on": False}, "box": {"left": 1}, "none": None,
    }]  # fmt: skip
    made = collected(
        tmp_path,
        [*HEADER, "Answer.taskAnswers"],
        ["A1", "W1", "Approved", TEXTS[0], json.dumps(said)],
        ["A2", "W1", "Approved", TEXTS[1], json.dumps(said[0])],
        ["A3", "W2", "Approved", TEXTS[1], ""],
    )
    first, second = labels(made).values()
    assert first == {
        "mood": ("good",), "topic": ("price|taste",), "why": ("yum",), "n": ("2",), "on": ("",),
        "box": ('{"left": 1}',), "none": ("",),
    }  # fmt: skip
    assert second["topic"] == ("price|taste", "")


def test_columns_of_options_are_read_as_the_labels_of_their_field(tmp_path):
    names = ["mood.bad", "mood.good", "topic.price", "topic.taste", "why"]
    made = collected(
        tmp_path,
        [*HEADER, *(f"Answer.{name}" for name in names), "Approve", "Reject"],
        ["A1", "W1", "Approved", TEXTS[0], "false", "true", "false", "true", "yum", "", ""],
        ["A2", "W2", "Approved", TEXTS[0], "false", "true", "true", "true", "nice", "", ""],
        ["A3", "W1", "Approved", TEXTS[1], "true", "false", "true", "false", "dear", "", ""],
        ["A4", "W3", "Submitted", TEXTS[1], "false", "true", "false", "false", "spam", "", "x"],
        ["A5", "W2", "Rejected", TEXTS[2], "false", "true", "false", "false", "spam", "", ""],
    )
    task = made.task("Soup")
    page = [field("mood", "radio", "good", "bad"), field("topic", "checkbox", "taste", "price")]
    answers = [AnswerColumns(task).answers(instance, page) for instance in task.instances]
    assert [{each.name: each.labels for each in found if each.scored} for found in answers] == [
        {"mood": ("good", "good"), "topic": ("taste", "price|taste")},
        {"mood": ("bad",), "topic": ("price",)},
    ]


@pytest.mark.parametrize("cell", ["{", "[1]", '[{"a": 1}, {"a": 2}]', "yes"])
def test_answers_in_a_format_that_is_not_understood_are_refused_by_row_and_column(tmp_path, cell):
    with pytest.raises(BadResults, match=r"row 2, column Answer.taskAnswers: it is not what AMT's crowd-form sends"):
        collected(tmp_path, [*HEADER, "Answer.taskAnswers"], ["A1", "W1", "Approved", TEXTS[0], cell])


def test_several_values_that_turkle_wrote_as_a_list_of_python_are_read_as_several(tmp_path):
    made = collected(
        tmp_path,
        ["AssignmentId", "WorkerId", "Input.text", "Answer.topic", "Answer.why", "Turkle.Username"],
        ["5", "2", TEXTS[0], "['taste', 'price']", "[sic]", "ann"],
        ["6", "2", TEXTS[1], "price", "[1, 2]", "ann"],
    )
    first, second = labels(made).values()
    assert (first, second) == (
        {"topic": ("taste|price",), "why": ("[sic]",)}, {"topic": ("price",), "why": ("[1, 2]",)}
    )  # fmt: skip


@pytest.mark.parametrize("text", [TEXTS[1].replace("\n", "\r\n"), TEXTS[1].replace("\n", "\r"), TEXTS[1]])
def test_inputs_that_differ_in_line_ends_alone_are_the_same(tmp_path, text):
    made = collected(tmp_path, [*HEADER, "Answer.mood"], ["A1", "W1", "Approved", text, "bad"])
    assert labels(made) == {TEXTS[1]: {"mood": ("bad",)}}


@pytest.mark.parametrize("lost", ["?", "??"])
def test_an_emoji_that_amt_gave_back_as_a_question_mark_is_found_again(tmp_path, lost):
    text = TEXTS[2].replace("\U0001f600", lost)
    made = collected(tmp_path, [*HEADER, "Answer.mood"], ["A1", "W1", "Approved", text, "good"])
    assert labels(made) == {TEXTS[2]: {"mood": ("good",)}}


def test_inputs_of_which_two_instances_are_left_without_their_emoji_are_refused(tmp_path):
    make_task(tmp_path / "tasks", "Soup", template=PAGE, table=csv_text(["text"], ["a \U0001f600"], ["a \U0001f601"]))
    file = tmp_path / "results.csv"
    file.write_text(csv_text([*HEADER, "Answer.mood"], ["A1", "W1", "Approved", "a ?", "bad"]), newline="")
    with pytest.raises(BadResults, match=r"row 2, column Input.text: no instance of 'Soup' has the inputs"):
        collect(read_results([file], "Soup"), Catalog(tmp_path / "tasks"), tmp_path / "new")


def test_of_two_rows_of_one_assignment_the_later_one_counts_and_the_command_says_so(tmp_path, capsys):
    make_task(tmp_path / "tasks", "Soup", template=PAGE, table=csv_text(["text"], *([text] for text in TEXTS)))
    file = tmp_path / "results.csv"
    rows = [["A1", "W1", "Approved", TEXTS[0], "bad"], ["A2", "W2", "Rejected", TEXTS[0], "bad"]]
    rows.append(["A1", "W1", "Approved", TEXTS[0], "good"])
    file.write_text(csv_text([*HEADER, "Answer.mood"], *rows), encoding="utf-8", newline="")
    given = [
        "collect",
        str(file),
        "--tasks-dir",
        str(tmp_path / "tasks"),
        "--task",
        "Soup",
        "--out",
        str(tmp_path / "new"),
    ]
    assert main(given) == 0
    said = capsys.readouterr().out
    assert "Left out: 1 row that the requester had rejected" in said
    assert "Left out: 1 row of assignments that a later row has again; the later one counts" in said
    assert labels(Catalog(tmp_path / "new")) == {TEXTS[0]: {"mood": ("good",)}}


def test_fields_that_platforms_send_themselves_become_no_labels(tmp_path):
    own = ["assignmentId", "hitId", "workerId", "csrfmiddlewaretoken", "userAgent", "turkSubmitTo", "doNotRedirect"]
    made = collected(
        tmp_path,
        [*HEADER, *(f"Answer.{name}" for name in own), "Answer.mood"],
        ["A1", "W1", "Approved", TEXTS[0], *own, "good"],
    )
    assert labels(made) == {TEXTS[0]: {"mood": ("good",)}}


def test_results_without_the_inputs_of_their_rows_are_refused(tmp_path):
    with pytest.raises(BadResults, match=r"row 2: there is no column Input.text, and the page of 'Soup' shows"):
        collected(tmp_path, ["WorkerId", "Answer.mood"], ["W1", "good"])


def test_a_row_marked_to_be_rejected_is_nobodys_answer(tmp_path):
    header = [*HEADER, "Answer.mood", "Approve", "Reject"]
    made = collected(
        tmp_path,
        header,
        ["A1", "W1", "Submitted", TEXTS[0], "good", "x", ""],
        ["A2", "W2", "Submitted", TEXTS[0], "bad", "", "x"],
        ["A3", "W3", "Approved", TEXTS[0], "good", "", "too late"],
    )
    assert labels(made) == {TEXTS[0]: {"mood": ("good", "good")}}
