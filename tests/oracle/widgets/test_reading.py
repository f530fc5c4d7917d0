"""How the labels of widgets are read: without a browser."""

from __future__ import annotations

import pytest

from oracle.widgets.drawing import DrawnBox, boxes_in
from oracle.widgets.marking import Mark, looks_like_marks, marks_in
from oracle.widgets.pieces import is_structured, pairs_in, pieces_of
from oracle.widgets.stepwise import records_in

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
    assert marks_in(TEXT, label) == marks


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
