"""Episodes that go on, as people who look on are told of them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from harness.actions.call import ActionCall
from harness.actions.result import ActionResult
from harness.episode.trajectory import Trajectory
from harness.models.messages import Message, Request, Text
from harness.records.directory import RunDirectory
from harness.records.under_way import MOST_OF_A_PROMPT, UNDER_WAY, UnderWayFile, episodes_under_way, picture_under_way
from tests.samples import episode

LABEL = "the label"


@pytest.fixture
def file(tmp_path: Path) -> UnderWayFile:
    made = UnderWayFile(tmp_path)
    made.begin("T", 3)
    return made


def asked(text: str) -> Request:
    return Request("m", (Message("system", (Text("The rules."),)), Message("user", (Text(text),))))


def test_each_step_and_each_wait_of_an_episode_is_told_and_nothing_at_its_end(
    tmp_path: Path, file: UnderWayFile
) -> None:
    act = Trajectory(onlooker=file)
    picture = b"\x89PNG a picture"
    act.record(ActionCall("modify_text", {"name": "a", "text": LABEL}), lambda: ActionResult(True, "ok", image=picture))
    (told,) = episodes_under_way(tmp_path)
    assert (told.task, told.index, told.steps, told.action, told.waiting) == ("T", 3, 1, "modify_text", "")
    assert picture_under_way(tmp_path, told.process) == picture
    with act.waiting(asked("What now?")):
        (told,) = episodes_under_way(tmp_path)
        assert (told.prompt, told.characters, bool(told.waiting), told.pictured) == ("What now?", 9, True, True)
    (told,) = episodes_under_way(tmp_path)
    assert (told.prompt, told.waiting) == ("", "")
    assert not any(LABEL.encode() in each.read_bytes() for each in (tmp_path / UNDER_WAY).iterdir())
    file.end()
    assert episodes_under_way(tmp_path) == ()
    assert list((tmp_path / UNDER_WAY).iterdir()) == []


def test_of_a_long_prompt_its_end_is_told(tmp_path: Path, file: UnderWayFile) -> None:
    with file.waiting(asked("x" * MOST_OF_A_PROMPT + "the end")):
        (told,) = episodes_under_way(tmp_path)
    assert (len(told.prompt), told.characters) == (MOST_OF_A_PROMPT, MOST_OF_A_PROMPT + 7)
    assert told.prompt.endswith("the end")


@pytest.mark.parametrize("cut", ["", '{"process": 1, "ta', '{"process": 1}\n"}\n'])
def test_a_record_that_is_half_written_is_passed_over_and_told_when_it_is_whole(
    tmp_path: Path, file: UnderWayFile, cut: str
) -> None:
    (record,) = (tmp_path / UNDER_WAY).iterdir()
    record.write_text(cut, encoding="utf-8")
    assert episodes_under_way(tmp_path) == ()
    file.stepped(7, "finish")
    (told,) = episodes_under_way(tmp_path)
    assert (told.steps, told.action) == (7, "finish")


def test_a_short_record_leaves_nothing_of_a_longer_one(tmp_path: Path, file: UnderWayFile) -> None:
    with file.waiting(asked("x" * 5_000)):
        pass
    (record,) = (tmp_path / UNDER_WAY).iterdir()
    assert "xx" not in record.read_text(encoding="utf-8")
    assert len(episodes_under_way(tmp_path)) == 1


def test_no_record_is_written_through_a_link_that_somebody_has_laid(tmp_path: Path) -> None:
    (tmp_path / UNDER_WAY).mkdir()
    (tmp_path / "other").write_text("kept", encoding="utf-8")
    (tmp_path / UNDER_WAY / f"{os.getpid()}.json").symlink_to(tmp_path / "other")
    file = UnderWayFile(tmp_path)
    file.begin("T", 3)
    assert (tmp_path / "other").read_text(encoding="utf-8") == "kept"
    assert len(episodes_under_way(tmp_path)) == 1
    file.end()


@pytest.mark.usefixtures("file")
def test_an_episode_that_has_ended_since_is_not_under_way(tmp_path: Path) -> None:
    run = RunDirectory(tmp_path)
    run.add(episode(task="T", index=3), {})
    later = run.episode_file("T", 3).stat().st_mtime_ns + 10**9
    os.utime(run.episode_file("T", 3), ns=(later, later))
    assert episodes_under_way(tmp_path) == ()


def test_what_a_killed_worker_has_left_goes_when_another_begins(tmp_path: Path, file: UnderWayFile) -> None:
    gone = os.fork()
    if gone == 0:
        os._exit(0)
    os.waitpid(gone, 0)
    (tmp_path / UNDER_WAY / f"{gone}.json").write_text("{}", encoding="utf-8")
    (tmp_path / UNDER_WAY / f"{gone}.picture").write_bytes(b"")
    UnderWayFile(tmp_path)
    assert [each.stem for each in (tmp_path / UNDER_WAY).iterdir()] == [str(os.getpid())]
    file.end()


@pytest.mark.parametrize(
    "text", ["", "{", "[]", '{"process": 7}', '{"process": 8, "task": "T", "index": 0, "since": ""}']
)
def test_a_record_that_is_none_is_passed_over(tmp_path: Path, file: UnderWayFile, text: str) -> None:
    (tmp_path / UNDER_WAY / "7.json").write_text(text, encoding="utf-8")
    (tmp_path / UNDER_WAY / "9.json").symlink_to("/etc/passwd")
    assert [each.process for each in episodes_under_way(tmp_path)] == [os.getpid()]
    file.end()


def test_a_record_that_cannot_be_written_ends_no_episode(tmp_path: Path) -> None:
    (tmp_path / UNDER_WAY).write_text("no folder", encoding="utf-8")
    file = UnderWayFile(tmp_path)
    file.begin("T", 0)
    file.stepped(1, "click")
    file.sees(b"picture")
    file.end()
    assert episodes_under_way(tmp_path) == ()
