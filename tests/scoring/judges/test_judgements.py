import pytest

from harness.kit.files.installation import IMPORT_ROOT
from harness.models.messages import Image, Reply
from harness.scoring.judges.judge_requests import (
    agenttrek_request,
    autonomous_request,
    held_to_form,
    judge_prompts_hash,
    key_points_request,
    picture_request,
    verdict_request,
    webvoyager_request,
    without_pictures,
)
from harness.scoring.judges.judgements import CannotBeJudged, ScoredPicture, judge_trajectory
from harness.scoring.judges.result_folders import read_result_folder
from harness.scoring.judges.trajectory_judges import keep
from tests.scoring.judges.made import PNG, made


class ScriptedJudge:
    """A model that answers what a script says, by what it is asked, and keeps what it was asked."""

    def __init__(self, *replies):
        self.replies = list(replies)
        self.asked = []

    def __call__(self, request):
        self.asked.append(request)
        return Reply(self.replies.pop(0))

    def texts(self, number):
        return self.asked[number].messages[-1].text

    def pictures(self, number):
        return [part for part in self.asked[number].messages[-1].parts if isinstance(part, Image)]


POINTS = "**Key Points**:\n1. Find the café\n2. Sort by nearest"


def trajectory(tmp_path, **result):
    made(tmp_path, result=result, pictures=("0.png", "1.png", "2.png"))
    return read_result_folder(tmp_path, "t1")


def test_webjudge_asks_for_points_then_for_each_picture_then_for_the_verdict(tmp_path):
    judge = ScriptedJudge(
        POINTS,
        "**Reasoning**: the list\n**Score**: 4",
        "**Reasoning**: nothing\n**Score**: 2",
        "**Reasoning**: the café\n**Score**: 5",
        "Thoughts: all met\nStatus: success",
    )
    found = judge_trajectory("webjudge", trajectory(tmp_path), judge, "model")
    assert found.outcome.value == "success"
    assert found.points == ("Find the café", "Sort by nearest")
    assert [(each.name, each.score, each.is_kept) for each in found.pictures] == [
        ("0.png", 4, True),
        ("1.png", 2, False),
        ("2.png", 5, True),
    ]
    assert [len(judge.pictures(number)) for number in range(5)] == [0, 1, 1, 1, 2]
    assert "2. Sort by nearest" in judge.texts(1)
    assert '1. <a aria-label="Café"> -> CLICK' in judge.texts(4)
    assert "1. **Reasoning**: the list\n2. **Reasoning**: the café" in judge.texts(4)
    assert all(request.temperature == 0 for request in judge.asked)


def test_a_picture_whose_score_cannot_be_read_is_not_kept_and_says_so(tmp_path):
    judge = ScriptedJudge(POINTS, "I like it.", "Score: 1", "Score: 1", "Status: failure")
    found = judge_trajectory("webjudge", trajectory(tmp_path), judge, "model")
    assert found.outcome.value == "failure"
    assert [each.score for each in found.pictures] == [None, 1, 1]
    assert judge.pictures(4) == []
    assert "(none)" in judge.texts(4)


def test_without_key_points_webjudge_has_no_verdict_and_asks_no_further(tmp_path):
    judge = ScriptedJudge("I cannot say.")
    found = judge_trajectory("webjudge", trajectory(tmp_path), judge, "model")
    assert found.outcome.value is None
    assert "key points" in found.outcome.why
    assert len(judge.asked) == 1


@pytest.mark.parametrize(
    ("method", "reply", "pictures", "told"),
    [
        ("autonomous", "Status: failure", 1, "2. <input> -> TYPE: ü"),
        ("agenttrek", "Status: failure", 1, "1. Thought: look\nAction: <a"),
        ("webvoyager", "It is there.\nNOT SUCCESS", 3, "It is open"),
    ],
)
def test_the_other_judges_ask_once_for_what_they_need(tmp_path, method, reply, pictures, told):
    judge = ScriptedJudge(reply)
    found = judge_trajectory(method, trajectory(tmp_path), judge, "model")
    assert (found.method, found.outcome.value, found.reply) == (method, "failure", reply)
    assert len(judge.pictures(0)) == pictures
    assert told in judge.texts(0)
    assert "Find the café" in judge.texts(0)


def test_a_judge_of_the_last_page_is_shown_the_last_picture(tmp_path):
    given = trajectory(tmp_path)
    (given.folder / "2.png").write_bytes(PNG + b"last")
    judge = ScriptedJudge("Status: success")
    judge_trajectory("autonomous", given, judge, "model")
    assert [each.png for each in judge.pictures(0)] == [PNG + b"last"]


def test_a_reply_that_cannot_be_read_is_no_verdict(tmp_path):
    found = judge_trajectory("autonomous", trajectory(tmp_path), ScriptedJudge("Well done!"), "model")
    assert found.outcome.value is None
    assert found.outcome.why


@pytest.mark.parametrize(
    ("method", "change", "message"),
    [
        ("webvoyager", {"final_result_response": None}, "lacks a final answer"),
        ("agenttrek", {"thoughts": None}, "lacks thoughts"),
        ("autonomous", {"action_history": []}, "lacks an action history"),
    ],
)
def test_what_a_judge_needs_and_is_not_there_is_said_not_guessed(tmp_path, method, change, message):
    judge = ScriptedJudge()
    with pytest.raises(CannotBeJudged, match=message):
        judge_trajectory(method, trajectory(tmp_path, **change), judge, "model")
    assert not judge.asked


def test_a_picture_that_is_gone_is_said(tmp_path):
    given = trajectory(tmp_path)
    (given.folder / "2.png").unlink()
    with pytest.raises(CannotBeJudged, match="cannot be read"):
        judge_trajectory("autonomous", given, ScriptedJudge(), "model")
    (given.folder / "2.png").write_bytes(b"text")
    with pytest.raises(CannotBeJudged, match="no picture"):
        judge_trajectory("autonomous", given, ScriptedJudge(), "model")


def test_of_too_many_pictures_the_best_and_of_equal_ones_the_later_are_kept():
    scores = [3, 5, 3, 2, 4, 3, None]
    found = keep([ScoredPicture(str(n), score, "") for n, score in enumerate(scores)], most=3)
    assert [each.name for each in found if each.is_kept] == ["1", "4", "5"]
    assert [each.name for each in keep(found, delta=5) if each.is_kept] == ["1"]


def test_a_task_that_holds_placeholders_is_asked_about_as_it_stands(tmp_path):
    judge = ScriptedJudge("Status: success")
    judge_trajectory("autonomous", trajectory(tmp_path, task="Pay $actions and ${task}"), judge, "model")
    assert "Pay $actions and ${task}" in judge.texts(0)


def test_every_judge_is_told_that_material_is_no_request():
    folder = IMPORT_ROOT / "harness" / "scoring" / "judges" / "prompts" / "trajectories"
    roles = sorted(folder.glob("*_role.md"))
    assert len(roles) == 6
    for file in roles:
        text = file.read_text(encoding="utf-8")
        assert (text.count("$"), text.count("$trust")) == (1, 1)
    assert len(judge_prompts_hash()) == 64


def test_a_model_in_the_process_is_held_to_the_form_that_each_question_asks_for(tmp_path):
    given = trajectory(tmp_path)
    questions = [
        key_points_request("m", given),
        picture_request("m", given, ["a"], "0.png"),
        verdict_request("m", given, ["a"], []),
        autonomous_request("m", given),
        agenttrek_request("m", given),
        webvoyager_request("m", given),
    ]
    forms = [held_to_form(each).grammar for each in questions]
    assert [each.grammar for each in questions] == [None] * 6
    wanted = ("Key Points", "Score", "Status", "Status", "Status", "NOT SUCCESS")
    assert all(words in form for words, form in zip(wanted, forms, strict=True))
    assert held_to_form(without_pictures(questions[1])).grammar == forms[1]
