from __future__ import annotations

import csv

import pytest

from harness.catalog.csv_table import CsvTable, TableFault, UnreadableTable, read_table


def faults(data: bytes) -> tuple[TableFault, ...]:
    with pytest.raises(UnreadableTable) as error:
        read_table(data)
    return error.value.faults


def test_cells_stay_as_they_are_written() -> None:
    data = b"a,b,c,d,e\r\n3.0,{},, nan ,None\r\n"
    assert read_table(data) == CsvTable(("a", "b", "c", "d", "e"), (("3.0", "{}", "", " nan ", "None"),), (2,))


def test_a_byte_order_mark_is_no_part_of_the_first_name() -> None:
    assert read_table(b"\xef\xbb\xbfa\n1\n").header == ("a",)
    assert read_table(b'\xef\xbb\xbf"a, b"\n1\n').header == ("a, b",)


def test_line_ends_commas_and_quotes_inside_a_cell_stay() -> None:
    assert read_table(b'a,b\n"1\r\n2\n3","say ""x"", y"\n').rows == (("1\r\n2\n3", 'say "x", y'),)


def test_a_cell_may_be_longer_than_the_limit_of_the_csv_module() -> None:
    cell = "x" * 200_000
    assert read_table(f"a\n{cell}\n".encode()).rows == ((cell,),)
    assert csv.field_size_limit() > len(cell)


def test_equal_rows_are_kept() -> None:
    assert read_table(b"a\n1\n1\n").rows == (("1",), ("1",))


def test_lines_without_any_character_are_no_rows() -> None:
    assert read_table(b"\na,b\n\n1,2\n\n\n").rows == (("1", "2"),)


def test_the_last_line_may_lack_its_end() -> None:
    assert read_table(b"a,b\n1,2").rows == (("1", "2"),)


@pytest.mark.parametrize("data", [b"", b"\xef\xbb\xbf", b"\n\r\n"])
def test_an_empty_file_is_reported(data: bytes) -> None:
    (fault,) = faults(data)
    assert (fault.row, fault.what) == (None, "the file is empty")


def test_a_header_without_rows_is_reported() -> None:
    (fault,) = faults(b"a,b\n")
    assert (fault.row, fault.what) == (None, "there is a header but no row")


def test_a_ragged_row_is_reported_with_its_number() -> None:
    short, long = faults(b'a,b\n1,"2\n2"\n3\n4,5\n6,7,8\n')
    assert (short.row, short.what) == (3, "the row has 1 cell where the header has 2")
    assert (long.row, long.what) == (5, "the row has 3 cells where the header has 2")


def test_of_many_ragged_rows_the_first_are_reported_and_the_rest_counted() -> None:
    found = faults(b"a,b\n" + b"1\n" * 1000)
    assert [fault.row for fault in found] == [*range(2, 22), None]
    assert found[-1].what == "980 more of this kind"


def test_a_name_that_stands_twice_in_the_header_is_reported() -> None:
    (fault,) = faults(b"a,b,a\n1,2,3\n")
    assert (fault.row, fault.column) == (None, "a")


@pytest.mark.parametrize(
    ("data", "row"),
    [(b'a,b\n1,2\n3,"4\n', 3), (b'a,b\n"1"x,2\n', 2), (b'"a,b\n', None)],
)
def test_broken_quoting_is_reported_with_the_row_it_is_in(data: bytes, row: int | None) -> None:
    (fault,) = faults(data)
    assert fault.row == row
    assert fault.what.startswith("broken quoting")


@pytest.mark.parametrize(
    ("data", "row", "position"),
    [
        (b"a,b\n1,2\n3,\xff\n", 3, 10),
        (b'a,b\n"1\n1\n1",2\n\xe9t\xe9,4\n', 3, 14),
        (b"\xff,b\n1,2\n", None, 0),
        (b"\xef\xbb\xbfa,b\n1,\xff\n", 2, 9),
    ],
)
def test_a_byte_that_is_not_utf8_is_reported_with_its_row(data: bytes, row: int | None, position: int) -> None:
    (fault,) = faults(data)
    assert fault.row == row
    assert f"byte 0x{data[position]:02X} at position {position} " in fault.what


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"text;Answer.a\none, two;1\nthree;2\n", "semicolons"),
        (b'\xef\xbb\xbf"a, b";Answer.a\n1;2\n', "semicolons"),
        (b"text (all, of it);Answer.a\n1;2\n", "semicolons"),
        (b"text;Answer.a\nwith; more; semicolons;1\n", "semicolons"),
        (b"text\tAnswer.a\n1\t2\n", "tabs"),
    ],
)
def test_cells_that_are_not_separated_by_commas_are_reported_once(data: bytes, words: str) -> None:
    (fault,) = faults(data)
    assert (fault.row, fault.what) == (None, f"the cells are separated by {words}, not by commas")


@pytest.mark.parametrize("data", [b"a,b\n1;2,3\n", b"a\n1;2\n", b"a;b,c\n1,2\n", b"a,b\n1\t2,3\n"])
def test_semicolons_and_tabs_inside_cells_are_text(data: bytes) -> None:
    assert len(read_table(data).rows) == 1


@pytest.mark.parametrize("data", [b"PK\x03\x04\x14\x00\xff", b"\xd0\xcf\x11\xe0\xa1\xb1"])
def test_a_spreadsheet_under_the_name_of_a_table_is_said_to_be_one(data: bytes) -> None:
    (fault,) = faults(data)
    assert (fault.row, "the file is a spreadsheet" in fault.what) == (None, True)
    assert fault.remedy == "Save the sheet as CSV, comma-separated, in UTF-8"
