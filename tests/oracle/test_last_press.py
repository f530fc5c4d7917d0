"""Answers that are sent by the press that submits the form."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from harness.browser.input_back_end import BrowserSession, DevtoolsInput
from harness.forms.form_replaying import replay_episode
from harness.run.replaying import calls_of
from oracle.floors import Constant, DoNothing
from oracle.random_choice import RandomChoice
from tests.runs import Stage, sent, stage
from tests.task_folders import csv_text, make_task

ANIMALS = """<form><p>${thing}</p><button name="label" value="cat">Show a cat</button>
<button name="label" value="dog">More dogs</button><button name="skip" value="1">Skip</button>
<label><input type="radio" name="sure" value="no" onchange="rest.hidden = false">not sure</label>
<div id="rest" hidden><input name="why"></div></form>"""
SPOT = """<p>${thing}</p><input name="what">
<input type="image" name="spot" style="display: block; margin: 1500px 0 0 70px; width: 200px; height: 100px">"""
SCRIPTED = """<form><p>${thing}</p><input type="hidden" name="seen">
<button onclick="seen.value = 'bird'">A bird</button><button onclick="seen.value = 'nothing'">Nothing</button></form>"""
TASKS = {
    "Buttons": (ANIMALS, ["thing", "label", "skip", "sure", "why"]),
    "Scripted": (SCRIPTED, ["thing", "seen"]),
    "Spot": (SPOT, ["thing", "what", "spot.x", "spot.y"]),
}
ROWS = {
    "Buttons": (["a", "dog", "", "no", "barks"], ["b", "cat", "", "", ""], ["c", "", "1", "", ""]),
    "Scripted": (["a", "bird"], ["b", "nothing"]),
    "Spot": (["a", "nose", "120", "33"],),
}


@pytest.fixture(scope="module")
def at(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    folder = tmp_path_factory.mktemp("tasks")
    for name, (template, (thing, *columns)) in TASKS.items():
        header = [thing, *(f"Answer.{column}" for column in columns)]
        make_task(folder, name, template=template, table=csv_text(header, *ROWS[name]))
    with stage(folder) as made:
        yield made


@pytest.mark.parametrize(
    ("task", "index"),
    [("Buttons", 0), ("Buttons", 1), ("Buttons", 2), ("Scripted", 0), ("Scripted", 1), ("Spot", 0)],
)
def test_the_oracle_presses_last_what_is_an_answer_and_submits(at: Stage, task: str, index: int) -> None:
    score = at.score(task, index=index)
    assert [field.score.score for field in score.fields] == [1.0] * len(score.fields)
    assert score.episode.submission is not None
    assert score.episode.submission.via == "solver"
    session = BrowserSession(at.browser, DevtoolsInput(at.browser))
    again = replay_episode(session, at.url(task, index), calls_of(score.episode))
    assert again == score.episode.submission.values


def test_doing_nothing_earns_nothing_where_a_button_is_the_answer(at: Stage) -> None:
    assert sent(at.play("Scripted", DoNothing(), index=1))["seen"] in ((), ("",))
    made = at.play("Buttons", DoNothing())
    assert sent(made)["label"] == ()
    score = at.score("Buttons", DoNothing())
    assert {field.record.name: field.score.score for field in score.fields}["label"] == 0


def test_a_choice_of_buttons_is_drawn_and_most_frequent_as_others_are(at: Stage) -> None:
    assert sent(at.play("Buttons", RandomChoice(), seed=1))["label"] in (("cat",), ("dog",))
    assert sent(at.play("Buttons", Constant()))["label"] == ("cat",)
