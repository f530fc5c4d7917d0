"""Files of recorded steps: what is read of them, and the published ones as far as they are there."""

from __future__ import annotations

import pytest

from harness.models.client import MissingExtra
from harness.papers.teacher_forced.autowebbench.command_score import (
    by_characters,
    by_jieba,
    rouge_1,
    score_reply,
    script_score,
)
from harness.papers.teacher_forced.autowebbench.recorded_steps import RecordedPrompt, WrongSteps, digest_of, read_steps
from tests.checkout import PEERS
from tests.needs import extra, peers, require
from tests.papers.teacher_forced.autowebbench.made import SOURCE, written

PUBLISHED = PEERS / "autowebbench"


def test_a_target_is_a_command_a_list_or_a_list_in_json(tmp_path):
    steps = read_steps(written(tmp_path / "en" / "ind" / "test.json"))
    assert [each.labels for each in steps] == [
        ("click('AA')",),
        ("click('B')", "click('A')"),
        ("finish('at nine')", "finish('9:00')"),
    ]
    assert {each.split for each in steps} == {"en/ind"}
    assert [each.task for each in steps] == ["Buy a lamp 0", "Buy a lamp 0", "Buy a lamp 1"]


def test_all_splits_of_a_folder_are_read_and_the_papers_names_choose_among_them(tmp_path):
    for language in ("en", "zh"):
        for split in ("ind", "ood"):
            written(tmp_path / language / split / "test.json")
    assert len(read_steps(tmp_path)) == 12
    assert {each.split for each in read_steps(tmp_path, "cross-domain")} == {"en/ood", "zh/ood"}
    assert len(read_steps(tmp_path, limit=5)) == 5
    assert digest_of(read_steps(tmp_path, limit=5)) != digest_of(read_steps(tmp_path, limit=4))
    with pytest.raises(WrongSteps, match="no step of the split train"):
        read_steps(tmp_path, "train")


@pytest.mark.parametrize(
    ("targets", "message"),
    [
        (["press('A')"], "step 0: the target is no command"),
        (["click('A')", "[1]"], "step 1: the target is neither"),
        ([7], 'step 0: a step is {"source"'),
        ([[]], "neither a command nor a list"),
    ],
)
def test_a_file_that_cannot_be_read_is_named_with_the_step(tmp_path, targets, message):
    with pytest.raises(WrongSteps) as raised:
        read_steps(written(tmp_path / "test.json", targets))
    assert message in str(raised.value)
    assert str(tmp_path / "test.json") in str(raised.value)


def test_parts_of_a_prompt_can_be_left_out():
    prompt = RecordedPrompt(SOURCE.format(task="Buy"))
    without = prompt.without(["html", "previous"])
    assert "<a[A]" not in without
    assert "#Previous commands: None\n\n#Window tabs: 1. Shop" in without
    assert without.endswith(SOURCE.format(task="Buy")[-60:])
    with pytest.raises(WrongSteps, match="without=previous"):
        RecordedPrompt("no such prompt").without(["previous"])


def test_every_published_target_is_a_command_and_the_right_prediction_is_worth_100_both_ways():
    require(peers(PUBLISHED.relative_to(PEERS).as_posix()))
    steps = read_steps(PUBLISHED)
    assert len(steps) >= 741
    taken = 0
    for each in steps:
        reply = each.labels[0]
        score, script = (
            score_reply(each.commands, reply, by_characters),
            script_score(each.labels, reply, by_characters),
        )
        assert len(each.commands) == len(each.labels)
        assert (score.type, score.success) == (True, True)
        assert {score.element, score.parameter} <= {None, 1.0}
        assert {script.type, script.label, script.param, script.all} <= {None, 1.0}
        taken += script.type is not None
    assert taken < len(steps)  # finish() and texts with line ends


def test_without_jieba_the_line_that_installs_it_is_told(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "jieba", None)
    with pytest.raises(MissingExtra, match=r"\[chinese\]"):
        by_jieba()


def test_jieba_finds_words_of_several_characters(monkeypatch, tmp_path):
    pytest.importorskip("jieba", reason=extra("chinese"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    words = by_jieba()
    assert words("机器学习 in 上海") == {"机器", "学习", "in", "上海"}
    assert rouge_1("上海买房", "上海租房", words) == pytest.approx(1 / 2)
    assert list(tmp_path.rglob("jieba.cache"))
