"""Tags and notes on runs: kept beside the folder, known again when a run moves, never written over unseen."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from harness.reports.watch.run_notes import (
    LONGEST_NOTE,
    MalformedNotes,
    NotesChanged,
    RunNote,
    RunNotes,
    WrongNote,
    written_note,
)

A = RunNote(path="a", started="2026-01-01T00:00:00+00:00", solver="random")
B = RunNote(path="b", started="2026-01-02T00:00:00+00:00", solver="random")


@pytest.fixture
def notes(tmp_path: Path) -> RunNotes:
    (tmp_path / "runs").mkdir()
    return RunNotes(tmp_path / "runs")


def test_a_note_is_one_file_beside_the_folder_and_goes_when_it_is_emptied(notes: RunNotes, tmp_path: Path) -> None:
    note = written_note(A, " baseline,  two   words ,, Baseline", "One line.  \r\nAnother.\n\n", "ann")
    notes.write(note, A)
    assert sorted(file.name for file in tmp_path.rglob("*")) == ["runs", "runs_notes.json"]
    (kept,) = notes.read()
    assert (kept.tags, kept.note, kept.by) == (("Baseline", "two words"), "One line.\nAnother.", "ann")
    assert kept.at
    notes.write(written_note(A, "", "", "ann"), kept)
    assert notes.read() == ()


def test_a_run_that_moved_keeps_its_note_and_what_cannot_be_told_says_why(notes: RunNotes) -> None:
    notes.write(written_note(A, "mine", "", ""), A)
    (kept,) = notes.read()
    moved, copy = replace(A, path="sub/a"), replace(A, path="sub/copy")
    assert notes.placed([moved, B]).notes == {"sub/a": kept, "b": B}
    # A copy beside it has nothing of it.
    assert notes.placed([A, copy]).notes == {"a": kept, "sub/copy": copy}
    reasons = {}
    for name, runs in {"two": [moved, copy], "other": [replace(B, path="a")], "gone": [B]}.items():
        placed = notes.placed(runs)
        assert all(note.is_empty for note in placed.notes.values())
        ((reasons[name]),) = [each.reason for each in placed.lost]
    assert "2 runs here began when its run did" in reasons["two"]
    assert "Another run is in its place" in reasons["other"]
    assert "not here any more" in reasons["gone"]


def test_a_moved_run_that_is_noted_anew_has_one_note(notes: RunNotes) -> None:
    notes.write(written_note(A, "old", "", ""), A)
    moved = replace(A, path="sub/a")
    before = notes.placed([moved]).notes["sub/a"]
    notes.write(written_note(moved, "new", "", ""), before)
    assert [(note.path, note.tags) for note in notes.read()] == [("sub/a", ("new",))]


def test_what_somebody_else_kept_in_the_meantime_is_not_written_over(notes: RunNotes) -> None:
    notes.write(written_note(A, "first", "", ""), A)
    (first,) = notes.read()
    with pytest.raises(NotesChanged):
        notes.write(written_note(A, "unseen", "", ""), A)
    notes.write(written_note(A, "second", "", ""), first)
    with pytest.raises(NotesChanged):
        notes.write(written_note(A, "late", "", ""), first)
    assert [note.tags for note in notes.read()] == [("second",)]


@pytest.mark.parametrize(
    ("tags", "note", "said"),
    [("x" * 41, "", "is no tag"), ("a\u202eb", "", "is no tag"), ("", "x" * (LONGEST_NOTE + 1), "4,001 characters")],
)
def test_a_tag_or_note_that_cannot_be_kept_says_why(tags: str, note: str, said: str) -> None:
    with pytest.raises(WrongNote, match=said):
        written_note(A, tags, note, "")
    with pytest.raises(WrongNote, match="21 tags"):
        written_note(A, ",".join(map(str, range(21))), "", "")


def test_a_file_that_cannot_be_read_is_left_as_it_is(notes: RunNotes) -> None:
    notes.file.write_text("{", encoding="utf-8")
    with pytest.raises(MalformedNotes, match="cannot be read"):
        notes.write(written_note(A, "mine", "", ""), A)
    assert notes.file.read_text(encoding="utf-8") == "{"
