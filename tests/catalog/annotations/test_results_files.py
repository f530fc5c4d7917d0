from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest

from harness.catalog.annotations.handed_in import results_csv
from harness.catalog.annotations.results_file import BadResults, read_results
from tests.catalog.annotations.given import handed_in, published
from tests.task_folders import csv_text

TURKLES = [
    "HITId", "HITTypeId", "Title", "CreationTime", "MaxAssignments", "AssignmentDurationInSeconds", "AssignmentId",
    "WorkerId", "AcceptTime", "SubmitTime", "WorkTimeInSeconds",
]  # fmt: skip


REVIEW = ("Corrections", "Approved", "Gold", "Adjudicated")


def rows_of(text: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text, newline="")))


def read(tmp_path: Path, text: str, task: str | None = None):
    file = tmp_path / "results.csv"
    file.write_text(text, encoding="utf-8", newline="")
    return read_results([file], task)


def test_columns_are_those_of_turkle_and_amt_with_ours_behind_them():
    made = handed_in(answers={"b": ["2"], "a": ["1"]}, helped=True)
    header, row = rows_of(results_csv([published(made)]))
    own = [f"Turkbench.{name}" for name in ("Batch", "Task", "Index", "Others", "Helped", *REVIEW)]
    assert header == [*TURKLES, "Input.text", "Answer.a", "Answer.b", "Turkle.Username", *own]
    when = ("Tue Feb 03 17:20:34 UTC 2026", "Tue Feb 03 17:22:04 UTC 2026")
    assert row == [
        "0123456789ab", "7", "Two fields", when[0], "2", "3600", "41", "3", *when, "90", "one", "1", "2", "ann",
        "Batch 1", "T", "0", "0", "yes", "0", "", "", "",
    ]  # fmt: skip


def test_several_values_are_joined_as_labels_are_written_and_amts_own_fields_left_out():
    made = handed_in(answers={"boxes": ["x", "y"], "none": [], "workerId": ["worker"]})
    header, row = rows_of(results_csv([published(made)]))
    cells = dict(zip(header, row, strict=True))
    assert (cells["Answer.boxes"], cells["Answer.none"]) == ("x|y", "")
    assert "Answer.workerId" not in cells


def test_the_time_that_was_worked_stands_in_place_of_the_time_that_passed():
    made = handed_in(answers={"a": ["1"]}, seconds=12.4)
    header, row = rows_of(results_csv([published(made, variables=[])]))
    assert row[header.index("WorkTimeInSeconds")] == "12"


@pytest.mark.parametrize("answer", ["=1+1", "+31 20", "-1", "@home", 'a "quote", and\r\nlines\n', " spaced ", "|"])
def test_an_answer_comes_back_as_it_was_given_whatever_a_spreadsheet_makes_of_it(tmp_path, answer):
    text = results_csv([published(handed_in(answers={"a": [answer]}))])
    (given,) = read(tmp_path, text).given
    assert given.cells == {"a": answer}


def test_what_was_written_is_read_back(tmp_path):
    made = handed_in(answers={"a": ["1"], "Answer.x": ["2"]}, helped=False)
    (given,) = read(tmp_path, results_csv([published(made)])).given
    assert (given.row, given.task, given.worker, given.inputs) == (2, "T", "ann", {"text": "one"})
    assert (given.cells, given.seconds, given.helped) == ({"a": "1", "Answer.x": "2"}, 90, False)


def test_a_file_of_amt_is_read_with_the_task_named_beside_it_and_rejected_rows_left_out(tmp_path):
    text = csv_text(
        ["HITId", "WorkerId", "AssignmentStatus", "WorkTimeInSeconds", "Input.text", "Answer.a"],
        ["h", "A1", "Approved", "20", "one", "x"],
        ["h", "A2", "Rejected", "3", "one", "junk"],
        ["h", "A3", "Submitted", "", "one", "y"],
    )
    found = read(tmp_path, text, "T")
    assert [(each.row, each.worker, each.task, each.cells["a"]) for each in found.given] == [
        (2, "A1", "T", "x"), (4, "A3", "T", "y")
    ]  # fmt: skip
    assert (found.rejected, found.given[1].seconds, found.given[1].helped) == (1, None, None)


@pytest.mark.claim("results-file")
@pytest.mark.parametrize(
    ("text", "said"),
    [
        (csv_text(["Answer.a", "Turkbench.Task"], ["1", "T"]), "no column WorkerId and none Turkle.Username"),
        (csv_text(["WorkerId", "Turkbench.Task"], ["1", "T"]), "no column begins with 'Answer.'"),
        (csv_text(["WorkerId", "Answer.a"], ["1", "x"]), "give --task NAME"),
        (csv_text(["WorkerId", "Answer.a", "Turkbench.Task"], ["", "x", "T"]), "row 2, column WorkerId: it is empty"),
        (csv_text(["WorkerId", "Answer.a", "Turkbench.Task"], ["w", "x", ""]), "row 2, column Turkbench.Task: it is"),
        ("WorkerId,Answer.a\r\nw\r\n", "row 2: the row has 1 cell where the header has 2"),
        ("WorkerId;Answer.a\r\nw;x\r\n", "separated by semicolons"),
        (csv_text(["WorkerId", "Answer.a", "AssignmentStatus"], ["w", "x", "Rejected"]), "give --task NAME"),
    ],
)
def test_a_file_that_cannot_be_used_is_named_with_row_column_and_remedy(tmp_path, text, said):
    with pytest.raises(BadResults) as refused:
        read(tmp_path, text)
    assert said in str(refused.value)
    assert str(tmp_path / "results.csv") in str(refused.value)


def test_a_file_in_which_all_rows_were_rejected_holds_nobodys_answers(tmp_path):
    text = csv_text(["WorkerId", "Answer.a", "AssignmentStatus"], ["w", "x", "Rejected"])
    with pytest.raises(BadResults, match="every row was rejected"):
        read(tmp_path, text, "T")


def test_a_person_who_answered_nothing_is_told_from_those_who_did(tmp_path):
    text = results_csv([published(handed_in("ann", {"a": ["1"]}), handed_in("bob", {"a": ["2"]}))])
    found = read(tmp_path, text)
    assert [each.cells["a"] for each in found.of("bob")] == ["2"]
    with pytest.raises(BadResults, match=r"nobody called 'bop' .* Did you mean 'bob'\? Who did: 'ann', 'bob'"):
        found.of("bop")
