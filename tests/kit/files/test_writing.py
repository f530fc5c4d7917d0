from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from harness.kit.files.installation import variable
from harness.kit.files.writing import cache_folder, data_folder, folders_before, json_text, write_bytes, write_json


def test_folders_are_made_as_needed(tmp_path):
    write_bytes(tmp_path / "a" / "b" / "file", b"content")
    assert (tmp_path / "a" / "b" / "file").read_bytes() == b"content"


def test_a_file_is_replaced_whole(tmp_path):
    write_bytes(tmp_path / "file", b"a long first content")
    write_bytes(tmp_path / "file", b"short")
    assert (tmp_path / "file").read_bytes() == b"short"
    assert [each.name for each in tmp_path.iterdir()] == ["file"]


def test_a_crash_before_the_end_leaves_the_old_content_and_nothing_else(tmp_path, monkeypatch):
    write_bytes(tmp_path / "file", b"old")

    def crash(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "replace", crash)
    with pytest.raises(KeyboardInterrupt):
        write_bytes(tmp_path / "file", b"new")
    assert (tmp_path / "file").read_bytes() == b"old"
    assert [each.name for each in tmp_path.iterdir()] == ["file"]


def test_what_is_written_on_the_way_is_never_taken_for_the_file(tmp_path, monkeypatch):
    seen = []
    monkeypatch.setattr(Path, "replace", lambda temporary, file: seen.append((temporary.name, file.exists())))
    write_json(tmp_path / "0.json", {})
    (temporary, existed), *rest = seen
    assert not rest
    assert not existed
    assert not temporary.endswith(".json")


def test_files_can_be_read_by_whom_the_umask_allows(tmp_path):
    before = os.umask(0o022)
    try:
        write_bytes(tmp_path / "file", b"")
    finally:
        os.umask(before)
    assert (tmp_path / "file").stat().st_mode & 0o777 == 0o644


@pytest.mark.parametrize(
    "record",
    [
        {},
        {"a": [], "b": {}, "c": [{"d": [1, 2.5, -0.0, 1e-7, 1e22, 10**30]}]},
        [None, True, '"\\\n\x7f\u2028 é 🐈'],
        {"n": float("nan")},
        [float("-inf")],
        "a lone \ud83d half",
        {"\udc00": 1},
    ],
)
def test_json_is_what_the_library_writes_with_an_indent_of_one(record):
    expected = json.dumps(record, ensure_ascii=False, indent=1).encode("utf-8", "backslashreplace") + b"\n"
    assert json_text(record) == expected


@pytest.mark.parametrize("text", ["naïve 日本 🐈", "line\r\nend\u2028", "a lone \ud83d half", "\x00"])
def test_any_text_comes_back_from_json(tmp_path, text):
    write_json(tmp_path / "file.json", {"text": text})
    assert json.loads((tmp_path / "file.json").read_text(encoding="utf-8")) == {"text": text}


@pytest.mark.parametrize(("folder", "variable"), [(cache_folder, "XDG_CACHE_HOME"), (data_folder, "XDG_DATA_HOME")])
def test_a_folder_with_the_name_of_before_is_renamed_once_which_one_line_says(
    folder, variable, tmp_path, monkeypatch, capsys
):
    monkeypatch.setenv(variable, str(tmp_path))
    (tmp_path / "turking-harness").mkdir()
    (tmp_path / "turking-harness" / "kept").write_text("of earlier days", encoding="utf-8")
    for _ in range(2):
        assert folder() == tmp_path / "turkbench"
    assert [each.name for each in tmp_path.iterdir()] == ["turkbench"]
    assert (folder() / "kept").read_text(encoding="utf-8") == "of earlier days"
    old, new = tmp_path / "turking-harness", tmp_path / "turkbench"
    assert capsys.readouterr().err == f"note: the folder {old} is called {new} now\n"


def test_a_folder_with_the_name_of_before_beside_a_new_one_stays_and_is_told_of(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "none"))
    for name in ("turking-harness", "turkbench"):
        (tmp_path / name).mkdir()
    assert data_folder() == tmp_path / "turkbench"
    assert folders_before() == (tmp_path / "turking-harness",)


def test_a_variable_is_read_under_its_name_of_before_too_which_is_said_once(monkeypatch, capsys):
    monkeypatch.delenv("TURKBENCH_GREETING", raising=False)
    monkeypatch.setenv("HARNESS_GREETING", "hello")
    assert [variable("TURKBENCH_GREETING"), variable("TURKBENCH_GREETING")] == ["hello", "hello"]
    said = capsys.readouterr().err
    assert said == "note: the environment variable HARNESS_GREETING is called TURKBENCH_GREETING now\n"
    monkeypatch.setenv("TURKBENCH_GREETING", "good day")
    assert variable("TURKBENCH_GREETING") == "good day"
