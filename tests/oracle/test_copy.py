from __future__ import annotations

import pytest

from harness.scoring.answers.baselines import longest_input
from oracle.floors import CopyInput
from tests.runs import sent, stage
from tests.task_folders import csv_text, make_task

PAGE = """<p>${short}</p><div>${long}</div>
<input name="line"><textarea name="lines">before</textarea>
<label><input type="radio" name="choice" value="1">1</label>
<select name="list"><option value="a">a</option><option value="b">b</option></select>
<div hidden><input name="unseen"></div>"""
NAMES = ("line", "lines", "choice", "list", "unseen")
LONG = "<b>Two</b> words &amp; more\n of  them"


@pytest.fixture(scope="module")
def at(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tasks")
    header = ["short", "long", *(f"Answer.{name}" for name in NAMES)]
    table = csv_text(header, ["one", LONG, "Two words", "x", "1", "b", "u"], ["", "", "x", "x", "1", "b", "u"])
    make_task(folder, "T", template=PAGE, table=table)
    with stage(folder) as made:
        yield made


def test_the_longest_input_is_copied_into_every_text_that_can_be_seen(at):
    made = at.play("T", CopyInput())
    text = longest_input(at.catalog.task("T").instances[0])
    assert text == "Two words & more of them"
    assert sent(made) == {"line": (text,), "lines": (text,), "choice": (), "list": ("a",), "unseen": ("",)}


def test_its_score_is_the_floor_of_copying(at):
    score = at.score("T", CopyInput())
    assert score.score == score.copy != score.do_nothing


def test_without_an_input_nothing_is_done(at):
    made = at.play("T", CopyInput(), 1)
    assert made.steps == ()
    assert sent(made)["lines"] == ("before",)
