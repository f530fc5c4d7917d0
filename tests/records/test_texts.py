from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from harness.records.texts import LONG, name_of, packed, unpacked


def write(folder: Path, texts: dict[str, str]) -> None:
    for name, text in texts.items():
        (folder / f"{name}.json").write_bytes(text.encode())


@pytest.mark.parametrize(
    "record",
    [
        {"a": ["x" * LONG, {"b": "y" * (LONG - 1)}], "c": None, "d": 1.5, "e": True},
        "only a text " * LONG,
        {"text": 'quotes " \\ and\nlines, 日本 🐈' * LONG},
        {"$text": "a key that looks like a reference"},
        [],
    ],
)
def test_what_was_packed_comes_back(tmp_path, record):
    name, texts = packed(record)
    write(tmp_path, texts)
    assert unpacked(tmp_path, name) == record


def test_a_file_is_named_by_its_bytes(tmp_path):
    _, texts = packed({"text": "日本" * LONG})
    write(tmp_path, texts)
    for file in tmp_path.iterdir():
        assert file.stem == hashlib.sha256(file.read_bytes()).hexdigest()


def test_a_long_text_is_kept_once_however_many_records_hold_it():
    page = "<p>a page</p>" * LONG
    first, second = (packed({"question": name, "page": page, "again": page})[1] for name in ("a", "b"))
    assert len({**first, **second}) == 3
    assert sum(map(len, {**first, **second}.values())) < 1.2 * len(page)


def test_equal_records_have_one_name_and_others_another():
    assert packed({"a": "x" * LONG})[0] == packed({"a": "x" * LONG})[0]
    assert packed({"a": "x" * LONG})[0] != packed({"a": "x" * LONG + "y"})[0]


def test_half_a_character_does_no_harm(tmp_path):
    name, texts = packed({"a": "\ud83d" + "x" * LONG, "b": "\ud83d"})
    write(tmp_path, texts)
    assert unpacked(tmp_path, name) == {"a": "\ufffd" + "x" * LONG, "b": "\ufffd"}
    assert all(name_of(text) == each for each, text in texts.items())


def test_a_text_that_is_missing_is_told(tmp_path):
    name, texts = packed({"a": "x" * LONG})
    del texts[next(each for each in texts if each != name)]
    write(tmp_path, texts)
    with pytest.raises(FileNotFoundError):
        unpacked(tmp_path, name)
