"""Tables as spreadsheets, data-frame libraries and crowdsourcing platforms write them: read right, or named."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.catalog import Catalog
from harness.catalog.problems import MalformedTask
from harness.catalog.task import Task
from tests.task_folders import make_task

PAGE = '<p>${text}</p><input type=radio name=q value="yes"><input type=radio name=q value="no"><input name=w>'
TABLE = "text,Answer.q,Answer.w\nHello,yes,hi\nBye,no,bye\n"


def read(folder: Path, table: str | bytes, template: str = PAGE) -> tuple[Task, str]:
    """The task of a table, and what is said of it."""
    make_task(folder, "T", template=template, table=table)
    catalog = Catalog(folder)
    task = catalog.task("T")
    return task, "\n".join(map(str, catalog.problems))


def refusal(folder: Path, table: str | bytes, template: str = PAGE) -> str:
    make_task(folder, "T", template=template, table=table)
    with pytest.raises(MalformedTask) as refused:
        Catalog(folder).task("T")
    return "\n".join(map(str, refused.value.problems))


@pytest.mark.parametrize(
    ("table", "rows"),
    [
        (TABLE, [(2,), (3,)]),
        ("text,Answer.q,Answer.w,,\nHello,yes,hi,,\nBye,no,bye,,\n", [(2,), (3,)]),
        (",text,Answer.q,Answer.w\n0,Hello,yes,hi\n1,Bye,no,bye\n", [(2,), (3,)]),
        (b"\xef\xbb\xbf\xef\xbb\xbf" + TABLE.encode(), [(2,), (3,)]),
        (TABLE.replace("\n", "\r"), [(2,), (3,)]),
        (TABLE.replace("\n", "\r\n"), [(2,), (3,)]),
        (TABLE + ",,\n,,\n", [(2,), (3,)]),
        (TABLE.replace("Bye", "\nBye"), [(2,), (4,)]),
        ("text,Text,Answer.q,Answer.w\nHello,WRONG,yes,hi\nBye,WRONG2,no,bye\n", [(2,), (3,)]),
    ],
    ids=["plain", "empty columns", "an index", "two marks", "CR", "CRLF", "empty rows", "a blank line", "twins"],
)
def test_what_tools_add_to_a_table_changes_nothing_of_the_task(tmp_path, table, rows):
    task, said = read(tmp_path, table)
    assert [each.inputs for each in task.instances] == [{"text": "Hello"}, {"text": "Bye"}]
    assert [each.labels for each in task.instances] == [{"q": ("yes",), "w": ("hi",)}, {"q": ("no",), "w": ("bye",)}]
    assert ([each.rows for each in task.instances], said) == (rows, "")


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ("sep=,\n" + TABLE, "the first line is 'sep=,', a note for Excel and no header. Remove that line."),
        ("SEP=;\r\n" + TABLE.replace(",", ";"), "separated by semicolons. Save the sheet as CSV, comma-separated, in"),
        ('"sep=\t"\n' + TABLE.replace(",", "\t"), "separated by tabs. Save the sheet as CSV"),
        (TABLE.encode("utf-16"), "the file is UTF-16, as Excel's \"Unicode text\" is. Save the sheet as CSV"),
        (b"\xfe\xff" + TABLE.encode("utf-16-be"), "the file is UTF-16"),
        (TABLE.replace("Hello", '"She said \\"hi\\" to me"'), "row 2: broken quoting"),
        (TABLE.encode().replace(b"Hello", b"It\x92s"), "row 2: byte 0x92 at position 25 of the file is not UTF-8"),
        (TABLE.replace("Answer.w", "Answer.q"), "column Answer.q: the header has this name more than once"),
        (",,text,Answer.q\n1,a,Hello,yes\n", "2 columns have no name, and cells below. Name them, or remove all but"),
        (
            "HITId,WorkerId,Input.text,Answer.q\nH1,W1,Hello,yes\n",
            "the table is a results file, as AMT and Turkle write them: it has Input.text. Make tasks with labels "
            "of it by `turkbench tasks collect`, or remove 'Input.' from the names.",
        ),
        (
            "text,AssignmentStatus,Answer.q\nHello,Rejected,yes\n",
            "column AssignmentStatus: 1 row that the requester rejected does not count",
        ),
    ],
)  # fmt: skip
def test_a_table_that_cannot_be_read_as_it_is_is_named_with_what_to_do(tmp_path, table, said):
    assert said in refusal(tmp_path, table)


@pytest.mark.parametrize(
    ("header", "found", "remedy"),
    [
        ("text, Answer.q", " Answer.q", "Write Answer.q."),
        ("text,answer.q", "answer.q", "Write Answer.q."),
        ("text,ANSWER.q", "ANSWER.q", "Write Answer.q."),
        ("text,\u201cAnswer.q\u201d", "\u201cAnswer.q\u201d", "Write Answer.q."),
        ("text,Answer.q ", "", ""),
    ],
)
def test_a_column_that_is_nearly_one_of_labels_is_named_with_its_right_name(tmp_path, header, found, remedy):
    _, said = read(tmp_path, f"{header}\nHello,yes\n")
    if found:
        assert f"the name {found!r} does not begin with 'Answer.' to the letter" in said
        assert said.endswith(remedy)
        assert "Answer. Answer" not in said
    else:
        assert said == ""


@pytest.mark.parametrize("status", ["Rejected", "rejected ", "Submitted"])
def test_rows_that_the_requester_rejected_do_not_vote_and_are_counted(tmp_path, status):
    rows = ["text,AssignmentStatus,Answer.q,Reject", "Hello,Approved,yes,"]
    rows += [f"Hello,{status},no,spam"] * 2
    task, said = read(tmp_path, "\n".join(rows) + "\nBye,Approved,no,\n")
    assert [(each.labels["q"], each.rows) for each in task.instances] == [(("yes",), (2,)), (("no",), (5,))]
    assert "2 rows that the requester rejected do not count" in said


def test_a_status_that_the_page_shows_is_an_input(tmp_path):
    page = PAGE + "${AssignmentStatus}"
    task, said = read(tmp_path, "text,AssignmentStatus,Answer.q\nHello,Rejected,no\n", page)
    assert (len(task.instances), said) == (1, "")


def test_rows_whose_inputs_differ_in_line_ends_alone_are_one_instance(tmp_path):
    task, _ = read(tmp_path, 'text,Answer.q\n"a\r\nb",yes\n"a\nb",no\n"a\rb",no\n"a b",no\n')
    assert [each.rows for each in task.instances] == [(2, 3, 4), (5,)]
    assert task.instances[0].inputs == {"text": "a\r\nb"}


def test_a_variable_with_a_path_before_the_columns_name_is_named_as_another_languages(tmp_path):
    said = refusal(tmp_path, TABLE, PAGE.replace("${text}", "${input.text}"))
    assert "there is 'text', and it looks like a template of another language. Write ${text}." in said
