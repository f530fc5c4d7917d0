"""The oracle on one small page per kind of widget, in a real browser: the labelled answer, by real input."""

from __future__ import annotations

import pytest

from harness.browser.browser_session import BrowserSession
from harness.browser.devtools_input import DevtoolsInput
from harness.episode.library import ACTIONS
from harness.run.replaying import calls_of, replay_episode
from oracle import reveal
from tests.runs import Stage, sent, stage
from tests.site import PAGES
from tests.task_folders import csv_text, make_task

WIDGETS: dict[str, dict[str, str]] = {
    "slider": {"fluency": "317", "adequacy": "1000"},
    "marking": {"text-1": "[[0,11],[19,35]]", "text-2": "[]", "text-3": "[[0,7]]"},
    "entities": {
        "entities": '[{"start":0,"end":11,"label":"Person"},{"start":17,"end":25,"label":"Place"},'
        '{"start":47,"end":57,"label":"Person"}]'
    },
    "stepwise": {
        "judgements": '{"0":{"item":"first","answer":"3"},"1":{"item":"second","answer":"1"},'
        '"2":{"item":"third","answer":"2"}}'
    },
    "stepwise-late": {
        "judgements": '[{"item":"first","answer":"none"},{"item":"second","answer":"3"},{"item":"third","answer":"1"}]'
    },
    "sorting": {"order": "d,b,a,c"},
    "sorting-native": {"order": '["carrots","apples","beans"]'},
    "bins": {"fruit": "apple|pear", "vegetables": "carrot|leek", "trash": "brick"},
    "drawing": {
        "boxes": '[{"left":20,"top":30,"width":100,"height":80,"label":"cup"},'
        '{"left":200,"top":120,"width":150,"height":60,"label":"plate"}]'
    },
    "alignment": {"alignment": "0-0 1-2 2-1"},
    "grid": {"alignment": "0-0 1-2 2-1"},
    "lattice": {"links": '[["A","B"],["B","C"],["A","C"]]'},
    "stars": {"story": "4", "style": "2"},
    "buttons": {"opinion": "neutral", "topics": "sports|money"},
    "menu": {"season": "autumn"},
    "editable": {"story": "It rained all day."},
    "tokens": {"tokens": '["red","pale green","blue"]'},
    "suggestions": {"town": "Lower Marsh"},
    "at-submit": {"left": "12", "top": "30", "both": '["12","30"]'},
}


@pytest.fixture(scope="module")
def at(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tasks")
    for name, labels in WIDGETS.items():
        template = (PAGES / "widgets" / f"{name}.html").read_text(encoding="utf-8")
        table = csv_text([f"Answer.{column}" for column in labels], list(labels.values()))
        make_task(folder, name, template=template, table=table)
    with stage(folder) as made:
        yield made


@pytest.mark.parametrize("widget", WIDGETS)
def test_the_labelled_answer_is_what_the_form_sends(at: Stage, widget):
    made = at.play(widget)
    found = sent(made)
    assert {name: found[name] for name in WIDGETS[widget]} == {
        name: (label,) for name, label in WIDGETS[widget].items()
    }
    assert made.outcome == "scored"


@pytest.mark.parametrize("widget", ["slider", "marking", "sorting", "lattice", "buttons"])
def test_the_same_page_is_worked_in_the_same_way(at: Stage, widget):
    first, second = at.play(widget), at.play(widget)
    assert [step.action for step in first.steps] == [step.action for step in second.steps]


@pytest.mark.parametrize("widget", ["slider", "entities", "sorting-native", "drawing", "tokens"])
def test_what_was_done_can_be_done_again_from_its_action_text(at: Stage, widget):
    made = at.play(widget)
    assert made.submission is not None
    assert {step.action.partition("(")[0] for step in made.steps} <= set(ACTIONS)
    session = BrowserSession(at.browser, DevtoolsInput(at.browser))
    assert replay_episode(session, at.url(widget), calls_of(made)) == made.submission.values


def test_what_a_submit_writes_by_itself_is_not_searched_for(at: Stage):
    made = at.play("at-submit")
    assert [step.action for step in made.steps] == ["modify_text('left', '12')", "modify_text('top', '30')"]


def test_the_search_is_bounded(at: Stage, monkeypatch):
    monkeypatch.setattr(reveal, "MAX_PRESSES", 2)
    monkeypatch.setattr(reveal, "MAX_HELPFUL", 2)
    made = at.play("stars")
    assert made.outcome == "scored"
    assert len([step for step in made.steps if step.action.startswith("click")]) <= 6
