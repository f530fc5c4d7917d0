"""Columns of a table: the choice of them, their headings, and the table as a file."""

from __future__ import annotations

import csv
import io
import json

import pytest

from harness.reports.watch.table_columns import Column, chosen_columns, headings, table_file

Row = tuple[str, float | None, tuple[str, ...]]
COLUMNS = (
    Column[Row]("name", "Name", ("name",), lambda row: row[:1], rising="name", falling="-name", shown="always"),
    Column[Row].of_amounts("cost", "Cost", ("cost",), lambda row: (row[1],)),
    Column[Row].of_words("tags", "Tags", ("tags",), lambda row: (row[2],), shown="asked"),
)
ROWS: list[Row] = [("=cmd()", 0.5, ("@x", "b")), ("Größe\nline", None, ()), ("-2", -1.0, ())]


@pytest.mark.parametrize(
    ("names", "shown"),
    [
        ([], ["name", "cost"]),
        (["usual"], ["name", "cost"]),
        (["name"], ["name", "cost"]),
        (["tags", "cost"], ["name", "cost", "tags"]),
        (["tags", "none"], ["name", "tags"]),
    ],
)
def test_columns_come_in_the_table_s_order_and_the_usual_ones_where_none_is_chosen(
    names: list[str], shown: list[str]
) -> None:
    assert [column.name for column in chosen_columns(COLUMNS, names)] == shown


def test_a_click_on_a_heading_sorts_and_the_next_one_turns_it_round() -> None:
    def told(sort: str) -> list[tuple[str, str]]:
        return [(each.sort, each.sorted) for each in headings(COLUMNS, sort)]

    assert told("") == [("name", ""), ("cost", ""), ("tags", "")]
    assert told("cost") == [("name", ""), ("-cost", "descending"), ("tags", "")]
    assert told("-cost") == [("name", ""), ("cost", "ascending"), ("tags", "")]
    assert told("name")[0] == ("-name", "ascending")


@pytest.mark.claim("viewer-files")
def test_a_csv_file_holds_no_formula_and_leaves_empty_what_is_not_known() -> None:
    made = b"".join(table_file("csv", COLUMNS, ROWS)).decode()
    assert list(csv.reader(io.StringIO(made))) == [
        ["name", "cost", "tags"],
        ["'=cmd()", "0.5", "'@x, b"],
        ["Größe\nline", "", ""],
        ["'-2", "-1.0", ""],
    ]


def test_a_json_file_holds_what_there_is_and_null_for_what_is_not_known() -> None:
    rows = json.loads(b"".join(table_file("json", COLUMNS, ROWS)))
    assert rows[:2] == [
        {"name": "=cmd()", "cost": 0.5, "tags": ["@x", "b"]},
        {"name": "Größe\nline", "cost": None, "tags": []},
    ]
    assert json.loads(b"".join(table_file("json", COLUMNS, []))) == []


@pytest.mark.parametrize("form", ["csv", "json"])
def test_rows_are_read_as_the_file_is_written(form: str) -> None:
    read = []
    rows = (read.append(number) or ("x\ud800", float(number), ()) for number in range(2_000))
    pieces = table_file(form, COLUMNS, rows)  # type: ignore[arg-type]
    first = [next(pieces), next(pieces)]
    assert len(read) < 2_000
    whole = b"".join([*first, *pieces]).decode()
    assert whole.count("x?") == len(read) == 2_000
