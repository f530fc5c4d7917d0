"""Moments of an episode on disk, which a process that is killed leaves behind."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from harness.records.lost_attempts import SavedMoments
from harness.records.site_record import ActedElement, Moment

LINK = ActedElement(place=(0, 1), tag="a", css="#b", text="\ud83d", value="x\ny")
ACTED = Moment(kind="acted", step=3, url="http://a.test/", event="click", element=LINK)


def test_what_was_written_is_read_without_the_steps_that_are_lost(tmp_path: Path) -> None:
    kept = SavedMoments(tmp_path, "T / 1", 2)
    kept.add([Moment(kind="opened"), ACTED])
    kept.add([ACTED])
    assert kept.read() == (Moment(kind="opened"), *[replace(ACTED, step=None)] * 2)


def test_a_line_that_was_cut_off_is_none(tmp_path: Path) -> None:
    kept = SavedMoments(tmp_path, "T", 0)
    kept.add([ACTED])
    (file,) = tmp_path.rglob("*.jsonl")
    with file.open("ab") as stream:
        stream.write(b'{"kind": "acted", "st')
    assert kept.read() == (replace(ACTED, step=None),)


def test_what_is_forgotten_leaves_nothing_behind(tmp_path: Path) -> None:
    kept = SavedMoments(tmp_path, "T", 0)
    kept.forget()
    kept.add([ACTED])
    kept.forget()
    assert (kept.read(), list(tmp_path.iterdir())) == (None, [])
