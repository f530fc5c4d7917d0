"""How the labels of widgets are read: without a browser."""

from __future__ import annotations

import json

import pytest

from oracle.widgets.board import Part, PartEntry, boards_among, entries_in
from oracle.widgets.drawing import DrawnBox, boxes_in
from oracle.widgets.marking import Mark, in_units, looks_like_marks, readings_of
from oracle.widgets.pieces import is_structured, pairs_in, pieces_of
from oracle.widgets.ticking import cards_in, records_in

TEXT = "The old dog chased a cat."


@pytest.mark.parametrize(
    ("label", "marks"),
    [
        ("[[4, 11]]", [Mark(4, 11)]),
        ("[[4, 10]]", [Mark(4, 11)]),  # the last character is among the marked
        ("[[1, 3]]", [Mark(4, 11)]),  # words, not characters
        ('[{"start": 4, "end": 7, "label": "size"}]', [Mark(4, 7, "size")]),
        ('["old dog", "cat"]', [Mark(4, 11), Mark(21, 24)]),
        ("old dog", [Mark(4, 11)]),
        ("[[40, 50]]", []),
        ("a mouse", []),
        ("[]", []),
    ],
)
def test_marks_are_read_from_numbers_and_from_words(label: str, marks: list[Mark]):
    assert [each.marks for each in readings_of(TEXT, label)[:1]] == ([marks] if marks else [])


@pytest.mark.parametrize(
    ("text", "entry", "marked"),
    [
        ("a dog and a dog", {"start": 13, "end": 15, "text": "dog"}, [12, 15]),
        ("a 🐕 and a dog", {"start": 8, "end": 9, "text": "a"}, [9, 10]),
        ("ein süßer Hund", {"start": 12, "end": 16, "text": "Hund"}, [10, 14]),
    ],
)
def test_the_words_of_a_label_say_how_it_counts(text: str, entry: dict[str, object], marked: list[int]):
    best = readings_of(in_units(text), json.dumps([entry]))[0].marks
    assert [[mark.start, mark.end] for mark in best] == [marked]


def test_a_plain_number_is_no_mark():
    assert not looks_like_marks("7")
    assert looks_like_marks("[[4, 11]]")


@pytest.mark.parametrize(
    ("label", "pairs"),
    [
        ("0-0 1-2", [("0", "0"), ("1", "2")]),
        ("[[0, 1], [2, 3]]", [("0", "1"), ("2", "3")]),
        ('{"S": ["S->1"], "1": ["1->G"], "G": []}', [("S", "1"), ("1", "G")]),
        ('{"0": [1, 2]}', [("0", "1"), ("0", "2")]),
        ('[{"from": "A", "to": "B"}]', [("A", "B")]),
        ("a sentence of words", []),
        ("2-3 people or more", []),
    ],
)
def test_pairs_are_read_in_their_usual_forms(label: str, pairs: list[tuple[str, str]]):
    assert pairs_in(label) == pairs


@pytest.mark.parametrize(
    ("label", "boxes"),
    [
        ('[{"left": 1, "top": 2, "width": 3, "height": 4, "label": "cup"}]', [DrawnBox(1, 2, 3, 4, "cup")]),
        ('{"x": 1, "y": 2, "w": 3, "h": 4}', [DrawnBox(1, 2, 3, 4)]),
        ('[{"xmin": 1, "ymin": 2, "xmax": 5, "ymax": 8}]', [DrawnBox(1, 2, 4, 6)]),
        ("[1, 2, 3, 4]", [DrawnBox(1, 2, 3, 4)]),
        ("1,2,3,4; 5,6,7,8", [DrawnBox(1, 2, 3, 4), DrawnBox(5, 6, 7, 8)]),
        ('[{"from": {"x": 1, "y": 2}, "to": {"x": 5, "y": 8}}]', [DrawnBox(1, 2, 4, 6)]),
        ('{"boxes": [{"x": 1, "y": 2, "width": 3, "height": 4}]}', [DrawnBox(1, 2, 3, 4)]),
        ('[{"x": 1, "y": 2}]', []),
        ("[[0, 1]]", []),
        ("a cup", []),
    ],
)
def test_boxes_are_read_in_their_usual_forms(label: str, boxes: list[DrawnBox]):
    assert boxes_in(label) == boxes


def test_lists_of_names_are_read_by_the_surest_separator_first():
    assert pieces_of('["a", "b c"]') == [["a", "b c"]]
    assert pieces_of("a b@!c d@!")[0] == ["a b", "c d"]
    assert pieces_of("red|pale green")[0] == ["red", "pale green"]
    assert pieces_of("alone") == [["alone"]]
    assert pieces_of('{"a": 1}') == []


def test_only_a_script_writes_json_of_several_parts():
    assert is_structured('{"a": 1}')
    assert is_structured("[[1, 2]]")
    assert not is_structured('["a", "b"]')
    assert not is_structured("a, b")


def test_records_are_maps_in_a_list_or_a_map():
    assert records_in('[{"a": 1}, {"a": 2}]') == [{"a": "1"}, {"a": "2"}]
    assert records_in('{"0": {"a": "x"}, "1": {"a": "y"}}') == [{"a": "x"}, {"a": "y"}]
    assert records_in('[{"a": 1}]') == []
    assert records_in("[1, 2]") == []


@pytest.mark.parametrize(
    ("label", "entries"),
    [
        ("0-1 2-3", {PartEntry((0, 1)), PartEntry((2, 3))}),
        ("0-1, 12-3", {PartEntry((0, 1)), PartEntry((12, 3))}),
        ("(0,1) (2,3)", {PartEntry((0, 1)), PartEntry((2, 3))}),
        ("0-1 2?3", {PartEntry((0, 1)), PartEntry((2, 3), "?")}),
        ("0-1:S 2-3:P", {PartEntry((0, 1), ":S"), PartEntry((2, 3), ":P")}),
        ("4 7", {PartEntry((4,)), PartEntry((7,))}),
        ("4,7", {PartEntry((4,)), PartEntry((7,))}),
        ("8", {PartEntry((8,))}),
        ("8.0", {PartEntry((8,))}),
        ("[4, 7]", {PartEntry((4,)), PartEntry((7,))}),
        ('[[0, 1, "S"], [2, 3, "P"]]', {PartEntry((0, 1), "S"), PartEntry((2, 3), "P")}),
        ('[{"row": 0, "column": 1}]', {PartEntry((0, 1))}),
        ('{"0-1": "sure", "2-3": "possible"}', {PartEntry((0, 1), "sure"), PartEntry((2, 3), "possible")}),
        ('{"0": [1, 2], "3": []}', {PartEntry((0, 1)), PartEntry((0, 2))}),
        ('{"sure": ["0-1"], "possible": []}', {PartEntry((0, 1), "sure")}),
    ],
)
def test_lists_of_places_are_read_in_their_usual_forms(label: str, entries: set[PartEntry]):
    assert entries_in(label) == entries


@pytest.mark.parametrize("label", ["", "untouched", "0-1 2", "3 of 4", "1.5", "true", '{"a": 1.5}', '[["a", "b"]]'])
def test_what_is_no_list_of_places_is_none(label: str):
    assert entries_in(label) is None


def part(number: int, left: float, top: float, *, holders: tuple[int, ...] = (1,), width: float = 20) -> Part:
    return Part(number, (left, top, width, 20), "td<tr<table", holders, ())


def test_parts_in_rows_and_columns_are_one_board_that_may_be_counted_either_way():
    cells = [part(10 + n, 30 * (n % 3), 30 * (n // 3), holders=(100 + n // 3, 1)) for n in range(6)]
    (board,) = boards_among(cells)
    assert board.is_wide
    assert board.lattice[14] == (1, 1)
    places = {reading[12] for reading in board.readings(2) if 12 in reading}
    assert {(0, 2), (2, 0), (1, 3), (3, 1), (0, 0)} <= places


def test_turned_words_of_different_length_are_in_one_row():
    words = [
        Part(n, (30 * n, 50 - length, 18, length), "div<div<body", (1,), ()) for n, length in enumerate((20, 45, 30))
    ]
    (board,) = boards_among(words)
    assert [board.lattice[n] for n in range(3)] == [(0, 0), (0, 1), (0, 2)]


def test_parts_that_lie_anyhow_are_counted_in_page_order_and_by_their_attributes():
    scattered = [
        Part(n, (left, top, 90, 20), "b<p", (1,), ((7 - n,),))
        for n, (left, top) in enumerate([(0, 0), (40, 5), (9, 60)])
    ]
    (board,) = boards_among(scattered)
    assert not board.lattice
    assert board.readings(2) == []
    readings = board.readings(1)
    assert {0: (0,), 1: (1,), 2: (2,)} in readings
    assert {0: (7,), 1: (6,), 2: (5,)} in readings


@pytest.mark.parametrize(
    ("label", "chosen"),
    [
        ('[{"ways": [["a b", 1], ["c", 0]]}, {"ways": [["d", 0]]}]', [{"a b"}, set()]),
        ('{"x": {"id": 3, "ways": [{"way": "a", "ok": true}, {"way": "b", "ok": false}]}}', [{"a"}]),
        ('{"x": ["a", "b"], "y": ["c"]}', [{"a", "b"}, {"c"}]),
        ('[{"a": true, "b": false}]', [{"a"}]),
        ('[{"item": "first", "answer": "3"}]', []),
        ("[[0, 4]]", []),
        ("a b", []),
        ("{}", []),
    ],
)
def test_cards_are_read_in_their_usual_forms(label: str, chosen: list[set[str]]):
    assert [card.chosen for card in cards_in(label)] == chosen
