"""Lessons: the questions of the solver, with answers that it reads as what was done."""

from __future__ import annotations

import json
import re

import pytest

from harness.cli.boundary import COMPLETE, WRONG_USE
from harness.cli.commands.papers.mind2web import main
from harness.papers.mind2web.demonstrations.mind2web_file import written
from harness.papers.mind2web.mindact.answers import read_choice, read_generated
from tests.papers.mind2web.mindact.pages import a_step, demonstrations, page_of_links

OPTION = re.compile(r"^([A-F])\. (.*)$", re.MULTILINE)
RIGHT = [re.compile("<a .*thing"), re.compile("<input"), re.compile("<button")]
"""How the right element of each step begins."""


def lessons(folder, *more, of=None):
    written(demonstrations() if of is None else of, folder / "traces.jsonl.gz")
    arguments = ["lessons", str(folder / "traces.jsonl.gz"), "--out", str(folder / "lessons.jsonl")]
    assert main([*arguments, "--progress", "quiet", *more]) == COMPLETE
    return [json.loads(line) for line in (folder / "lessons.jsonl").read_text(encoding="utf-8").splitlines()]


def test_each_answer_is_read_as_what_was_done_or_as_none_of_them(tmp_path):
    made = lessons(tmp_path)
    assert len(made) == 36 * 5
    without = 0
    for lesson in made:
        *_, asked, answer = (each["content"] for each in lesson["messages"])
        options = dict(OPTION.findall(asked))
        right = [label for label, words in options.items() if RIGHT[lesson["step"]].match(words)]
        read = read_choice(answer, [label for label in options if label != "A"], "A")
        assert not read.problem
        if read.chosen is None:
            without += 1
            assert not right
        else:
            assert right == ["BCDEF"[read.chosen]]
            assert (read.op, read.value) == (("TYPE", "a word") if lesson["step"] == 1 else ("CLICK", ""))
    assert 0.1 < without / len(made) < 0.3
    again = lessons(tmp_path, of=demonstrations(("shop",), 1))
    assert again == made[: len(again)], "the same demonstrations make the same lessons, whatever others there are"


def test_a_step_is_drawn_anew_as_often_as_it_is_wanted(tmp_path):
    made = lessons(tmp_path, "--draws", "2")
    assert len(made) == 72
    assert made[0]["messages"][1] != made[1]["messages"][1]


def test_of_the_rival_that_writes_the_answer_is_the_element_in_words(tmp_path):
    made = lessons(tmp_path, "--solver", "generate", "--draws", "1")
    read = [read_generated(lesson["messages"][-1]["content"]) for lesson in made[:3]]
    assert [(each.op, each.value, each.problem) for each in read] == [
        ("CLICK", "", ""),
        ("TYPE", "a word", ""),
        ("CLICK", "", ""),
    ]
    assert "shop thing a" in read[0].written


def test_sites_and_splits_that_are_held_out_are_not_taught(tmp_path):
    assert {each["website"] for each in lessons(tmp_path, "--held-out-website", "shop", "--draws", "1")} == {
        "board",
        "travel",
    }
    learned = lessons(tmp_path, "--split", "train", "--draws", "1")
    assert {each["annotation_id"] for each in learned} < {each.annotation_id for each in demonstrations()}


def test_what_cannot_be_learned_from_is_left_out_and_counted(tmp_path, capsys):
    lost, *_, whole = demonstrations(("shop",), 2)
    html = page_of_links(3, 1, "x", "y")
    lost = type(lost)(
        **{**vars(lost), "steps": (a_step(html, "no such element"),), "action_reprs": ("[a] x -> CLICK",)}
    )
    assert lessons(tmp_path, of=[lost, whole])
    assert "15 lessons in" in (said := capsys.readouterr().out)
    assert "left out: 1 no acceptable element on the page" in said


@pytest.mark.parametrize(
    ("more", "words"),
    [
        (["--max-input-tokens", "50"], "no step to learn from; left out: 180 longer than the model takes"),
        (["--ranker", "best"], "unknown ranker 'best'"),
    ],
)
def test_what_gives_no_lesson_is_said_in_a_line_and_leaves_no_file(tmp_path, capsys, more, words):
    written(demonstrations(), tmp_path / "traces.jsonl")
    out = tmp_path / "lessons.jsonl"
    assert (
        main(["lessons", str(tmp_path / "traces.jsonl"), "--out", str(out), "--progress", "quiet", *more]) == WRONG_USE
    )
    assert words in capsys.readouterr().err
    assert not out.exists()
