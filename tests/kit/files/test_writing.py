from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from harness.kit.files.writing import write_bytes, write_json


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


@pytest.mark.parametrize("text", ["naïve 日本 🐈", "line\r\nend\u2028", "a lone \ud83d half", "\x00"])
def test_any_text_comes_back_from_json(tmp_path, text):
    write_json(tmp_path / "file.json", {"text": text})
    assert json.loads((tmp_path / "file.json").read_text(encoding="utf-8")) == {"text": text}
