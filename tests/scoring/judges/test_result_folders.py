import os

import pytest

from harness.scoring.judges.judgements import JUDGES
from harness.scoring.judges.result_folders import (
    MalformedResultFolder,
    picture_suffix,
    read_result_folder,
    read_result_folders,
    write_result_folders,
)
from tests.scoring.judges.made import PNG, made


def test_a_result_folder_is_read(tmp_path):
    made(tmp_path)
    found = read_result_folder(tmp_path, "t1")
    assert (found.task_id, found.task, found.answer) == ("t1", "Find the café", "It is open")
    assert found.actions == ('<a aria-label="Café"> -> CLICK', "<input> -> TYPE: ü")
    assert found.thoughts == ("look", None)
    assert found.pictures == ("0_screenshot.png", "1_screenshot.png")
    assert found.picture("1_screenshot.png") == PNG
    assert (found.missing, found.steps) == ((), 2)


def test_pictures_are_ordered_by_their_numbers_and_gaps_are_named(tmp_path):
    names = ("10_full_screenshot.png", "9_full_screenshot.png", "7_full_screenshot.JPG", "notes.txt", "cover.png")
    made(tmp_path, pictures=names)
    found = read_result_folder(tmp_path, "t1")
    assert found.pictures == ("7_full_screenshot.JPG", "9_full_screenshot.png", "10_full_screenshot.png")
    assert found.missing == ("number 8",)


def test_the_second_version_names_the_picture_of_each_step(tmp_path):
    steps = [
        {"action": "<a> -> CLICK", "thought": "go", "screenshot": "b.png"},
        {"action": "<b> -> CLICK", "screenshot": "a.png"},
        {"action": "ANSWER", "thought": None, "screenshot": "gone.png"},
        {"action": "END", "screenshot": "../../t2/trajectory/0.png"},
    ]
    made(tmp_path, "t2", pictures=["0.png"])
    made(
        tmp_path,
        result={"schema_version": "online-mind2web-v2", "action_history": steps, "agent_final_answer": "42"},
        pictures=("a.png", "b.png"),
    )
    found = read_result_folder(tmp_path, "t1")
    assert found.actions == ("<a> -> CLICK", "<b> -> CLICK", "ANSWER")
    assert found.thoughts == ("go", None, None, None)
    assert (found.answer, found.pictures) == ("42", ("b.png", "a.png"))
    assert found.missing == ("gone.png", "../../t2/trajectory/0.png")


def test_a_number_as_id_and_nothing_told_are_taken(tmp_path):
    made(tmp_path, "123", {"task_id": 123, "thoughts": None, "final_result_response": None})
    found = read_result_folder(tmp_path, "123")
    assert (found.task_id, found.thoughts, found.answer) == ("123", (), None)


def test_what_leads_out_of_the_folder_and_what_is_no_picture_is_missing(tmp_path):
    secret = tmp_path / "secret.png"
    secret.write_bytes(PNG)
    top = tmp_path / "top"
    place = made(top, pictures=("0.png",)) / "trajectory"
    (place / "1.png").symlink_to(secret)
    (place / "2.png").write_bytes(b"no picture")
    os.mkfifo(place / "3.png")
    (place / "4.png").mkdir()
    found = read_result_folder(top, "t1")
    assert found.pictures == ("0.png",)
    assert found.missing == ("1.png", "2.png", "3.png", "4.png")


def test_a_folder_that_is_a_link_out_is_not_followed(tmp_path):
    made(tmp_path / "elsewhere")
    (tmp_path / "top").mkdir()
    (tmp_path / "top" / "t1").symlink_to(tmp_path / "elsewhere" / "t1")
    with pytest.raises(MalformedResultFolder, match="leads out"):
        read_result_folder(tmp_path / "top", "t1")


@pytest.mark.parametrize(
    ("result", "message"),
    [
        ("", "holds no result"),
        ("[]", "holds no result"),
        ('{"task_id": "t1", "task": "x"}', "action_history"),
        ({"action_history": "click"}, "holds no result"),
        ({"action_history": [1]}, "holds no result"),
        ({"task": "  "}, "no task in words"),
        ({"task_id": "t2"}, "another name"),
        ({"task_id": "../t1"}, "another name"),
        ({"schema_version": "online-mind2web-v2"}, "holds no result"),
    ],
)
def test_one_folder_that_cannot_be_read_keeps_no_other_from_it(tmp_path, result, message):
    made(tmp_path, "good")
    made(tmp_path, result=result)
    (tmp_path / "empty").mkdir()
    (tmp_path / ".hidden").mkdir()
    found = read_result_folders(tmp_path)
    assert [each.task_id for each in found.trajectories] == ["good"]
    empty, bad = found.problems
    assert "empty/result.json cannot be read" in empty
    assert message in bad


def test_pictures_that_are_not_there_are_counted(tmp_path):
    made(tmp_path, "a", pictures=())
    made(tmp_path, "b", pictures=("0.png", "3.png"))
    (tmp_path / "a" / "trajectory").rmdir()
    assert read_result_folders(tmp_path).missing_pictures == 3


def test_a_place_without_result_folders_is_said(tmp_path):
    with pytest.raises(MalformedResultFolder, match="holds 0 folders"):
        read_result_folders(tmp_path)
    with pytest.raises(MalformedResultFolder, match="cannot be read"):
        read_result_folders(tmp_path / "none")


def test_what_is_written_and_read_again_is_equal(tmp_path):
    made(tmp_path / "in")
    made(tmp_path / "in", "päd ∕ 2", {"thoughts": []}, pictures=("5.jpg",), content=b"\xff\xd8\xff picture")
    before = read_result_folders(tmp_path / "in").trajectories
    assert write_result_folders(before, tmp_path / "out") == 2
    after = read_result_folders(tmp_path / "out").trajectories
    assert {each.task_id for each in after} == {"t1", "päd ∕ 2"}
    for one, other in zip(sorted(before, key=str), sorted(after, key=str), strict=True):
        same = ("task_id", "task", "actions", "thoughts", "answer")
        assert [getattr(one, name) for name in same] == [getattr(other, name) for name in same]
        assert [one.picture(name) for name in one.pictures] == [other.picture(name) for name in other.pictures]


def test_nothing_is_written_over_and_nothing_is_half_written(tmp_path):
    made(tmp_path / "in")
    (one,) = read_result_folders(tmp_path / "in").trajectories
    with pytest.raises(MalformedResultFolder, match="two trajectories"):
        write_result_folders([one, one], tmp_path / "out")
    (tmp_path / "in" / "t1" / "trajectory" / "0_screenshot.png").unlink()
    with pytest.raises(MalformedResultFolder, match="cannot be read"):
        write_result_folders([one], tmp_path / "out")
    assert {each.name for each in tmp_path.iterdir()} == {"in"}
    with pytest.raises(MalformedResultFolder, match="not empty"):
        write_result_folders([one], tmp_path / "in")
    with pytest.raises(MalformedResultFolder, match="no trajectory"):
        write_result_folders([], tmp_path / "out")


def test_what_each_judge_needs_and_is_not_there_is_said(tmp_path):
    made(tmp_path, result={"action_history": [], "thoughts": [None], "final_result_response": ""}, pictures=())
    found = read_result_folder(tmp_path, "t1")
    lacking = {name: found.lacks(judge.needs) for name, judge in JUDGES.items()}
    assert lacking["webjudge"] == lacking["autonomous"] == ("pictures", "an action history")
    assert lacking["agenttrek"] == ("pictures", "an action history", "thoughts")
    assert lacking["webvoyager"] == ("pictures", "a final answer")
    made(tmp_path, "whole")
    assert all(
        read_result_folder(tmp_path, "whole").lacks(JUDGES[name].needs) == () for name in ("agenttrek", "webvoyager")
    )


def test_formats_are_known_by_their_first_bytes():
    assert picture_suffix(PNG) == ".png"
    assert picture_suffix(b"RIFF\0\0\0\0WEBPVP8 ") == ".webp"
    assert picture_suffix(b"GIF89a") is None
