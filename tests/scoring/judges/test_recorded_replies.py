import json

import pytest

from harness.scoring.judges.recorded_replies import MalformedReplies, place_replies
from tests.scoring.judges.places import DATA, needs_data
from tests.scoring.judges.replies import RECORD, written


@needs_data
def test_all_recorded_replies_of_webjudge_are_placed():
    found = place_replies(DATA / "webjudge_o4_mini" / "replies.jsonl")
    assert (found.placed, len(found.judgements)) == (499, 499)
    assert found.outcomes() == {"failure": 400, "success": 99}


@pytest.mark.slow
@needs_data
def test_no_picture_is_given_another_score_than_was_recorded():
    found = place_replies(DATA / "webjudge_o4_mini" / "replies.jsonl").pictures()
    assert found == {"same": 7972, "read only here": 53, "unread by both": 40, "not in the record": 41}


@pytest.mark.parametrize(
    ("reply", "score", "reading"),
    [
        ("### Score: 3", 3, "same"),
        ("### Score: 3", 4, "different"),
        ("Score: 3", 0, "read only here"),
        ("I cannot help.", 0, "unread by both"),
        ("... the end of it", 2, "not in the record"),
        ("Score: many", 2, "different"),
        ("Score: 2\n\nScore 4 would be too much.", 2, "same"),
    ],
)
def test_the_score_of_a_picture_is_held_against_the_recorded_one(tmp_path, reply, score, reading):
    found = place_replies(written(tmp_path, {**RECORD, "images": [{"reply": reply, "score": score}]}))
    assert found.pictures() == {reading: 1}
    assert found.placed == (reading != "different")


def test_what_was_not_recorded_is_unread_and_no_error(tmp_path):
    pictures = [{"reply": None, "score": None}]
    found = place_replies(written(tmp_path, {**RECORD, "images": pictures}, {**RECORD, "reply": None, "images": None}))
    assert found.pictures() == {"unread by both": 1}
    assert found.outcomes() == {"success": 1, None: 1}


def test_what_is_not_placed_is_told_by_its_line(tmp_path):
    other = {**RECORD, "reply": "It is done.", "images": [{"reply": "Score: 3-4", "score": 4}]}
    found = place_replies(written(tmp_path, RECORD, other))
    assert found.placed == 1
    unplaced = found.judgements[1]
    assert unplaced.line == 2
    assert unplaced.problems == (
        "it gives no status",
        "picture 1: 4 was recorded, and what it gives as its score is none: '3-4'",
    )


def test_key_points_that_cannot_be_read_are_told_and_placed(tmp_path):
    (found,) = place_replies(written(tmp_path, {**RECORD, "key_points": "none"})).judgements
    assert (found.is_placed, found.lacks_points) == (True, True)


@pytest.mark.parametrize(
    ("content", "message"),
    [("", "holds no recorded reply"), ("[]", "line 1"), ("{}", "line 1"), (json.dumps(RECORD) + "\n{", "line 2")],
)
def test_what_is_no_file_of_replies_is_said_by_its_line(tmp_path, content, message):
    file = tmp_path / "replies.jsonl"
    file.write_text(content, encoding="utf-8")
    with pytest.raises(MalformedReplies, match=message):
        place_replies(file)
