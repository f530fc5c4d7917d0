"""The oracle on one small page per kind of widget, in a real browser: the labelled answer, by real input."""

from __future__ import annotations

import pytest

from harness.browser.input_back_end import BrowserSession, DevtoolsInput
from harness.episode.library import ACTIONS
from harness.forms.form_replaying import replay_episode
from harness.run.replaying import calls_of
from oracle import reveal
from tests.runs import Stage, sent, stage
from tests.site import PAGES
from tests.task_folders import csv_text, make_task

WIDGETS: dict[str, dict[str, str]] = {
    "slider": {"fluency": "317", "adequacy": "1000"},
    "slider-handles": {"good": "50", "long": "13", "loud": "84"},
    "marking": {"text-1": "[[0,11],[19,35]]", "text-2": "[]", "text-3": "[[0,7]]"},
    "entities": {
        "entities": '[{"start":0,"end":11,"label":"Person"},{"start":17,"end":25,"label":"Place"},'
        '{"start":47,"end":57,"label":"Person"}]'
    },
    "marking-paragraphs": {
        "whole": "[[16,23],[51,62]]",
        "turns": '[{"turn":0,"start":13,"end":18},{"turn":1,"start":17,"end":24}]',
    },
    "marking-then-add": {
        "animals": '[{"start":4,"end":11,"text":"old dog"},{"start":21,"end":35,"text":"very small cat"}]',
        "events": '[{"start":28,"end":38,"text":"rain began","label":"weather"}]',
    },
    "marking-counted": {"spans": "[[11,15],[29,32]]"},
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
    "drawing-corners": {"b": "[[20,30,120,110],[200,120,350,180]]"},
    "drawing-sides": {"box_x": "20", "box_y": "30", "box_w": "100", "box_h": "80"},
    "drawing-presses": {
        "b": '[{"x":20,"y":30,"width":100,"height":80},{"x":200,"y":120,"width":150,"height":60}]',
    },
    "alignment": {"alignment": "0-0 1-2 2-1"},
    "grid": {"alignment": "0-0 1-2 2-1"},
    "lattice": {"links": '[["A","B"],["B","C"],["A","C"]]'},
    "matrix": {
        "certain": "0-0 2-2 4-4 4-5",
        "maybe": "0-0 1-1 3-3",
        "lone_above": "1 3",
        "lone_left": "6",
    },
    "matrix-of-divs": {"links": '[[1,2,"s"],[2,1,"p"],[2,6,"n"],[4,5,"s"]]'},
    "numbered-words": {"loud": "1,3,11", "soft": "2,6"},
    "rewordings": {
        "chosen": '{"0-1":{"source":7,"phrase":"big","ways":[["large",1],["tall_ish",1],["LBnothingRB",0]]},'
        '"1-3":{"source":7,"phrase":"house boat","ways":[["barge",0],["LBnothingRB",1]]},'
        '"3-4":{"source":7,"phrase":"sank","ways":[["went down",1],["drowned",0],["fell",0],["LBnothingRB",1]]}}'
    },
    "rewordings-named": {"log": '{"glad":["merry","happy"],"quick":["rapid"]}'},
    "scales": {
        "ratings": '[{"phrase":"at once","given":[{"way":"now","value":3},{"way":"soon","value":2},'
        '{"way":"never","value":1}]},{"phrase":"by heart","given":[{"way":"from memory","value":3},'
        '{"way":"with love","value":1}]}]'
    },
    "stars": {"story": "4", "style": "2"},
    "buttons": {"opinion": "neutral", "topics": "sports|money"},
    "menu": {"season": "autumn"},
    "editable": {"story": "It rained all day."},
    "tokens": {"tokens": '["red","pale green","blue"]'},
    "suggestions": {"town": "Lower Marsh"},
    "clip": {"heard": "nothing", "clear": "0"},
    "clip-own-button": {"heard": "nothing", "clear": "1"},
    "opens-later": {"thoughts": "None so far."},
    "rich-text": {
        "text": "Would you let me pass, please?\nThank you.",
        "html": "<div>Would you let me <b>pass</b>, please?</div><div>Thank you.</div>",
    },
    "tags-tokens": {
        "tags": '[{"token":0,"tag":"PER"},{"token":1,"tag":"PER"},{"token":3,"tag":"LOC"},{"token":8,"tag":"LOC"}]'
    },
    "tags-spans": {
        "spans": '[{"start":0,"end":2,"label":"PER","text":"Ada Fenwick"},{"start":3,"end":4,"label":"LOC",'
        '"text":"Brimholt"},{"start":8,"end":10,"label":"LOC","text":"Lower Marsh"}]'
    },
    "tags-bio": {"bio": "B-PER I-PER O B-LOC O O O O B-LOC I-LOC"},
    "framed": {"feel": "good", "kind": "square", "why": "so so", "colour": "g", "count": "2"},
    "at-submit": {"left": "12", "top": "30", "both": '["12","30"]'},
}

MATRICES: dict[str, dict[str, str]] = {
    "with a field that nothing writes": {"certain": "0-0 2-2 4-4", "maybe": "0-0 1-1", "lone_above": "1", "never": "x"},
    "with a cell that cannot be so": {"certain": "0-0 1-2 4-2", "maybe": "0-0 1-2 2-2 4-2"},
}


@pytest.fixture(scope="module")
def at(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tasks")
    for name, labels in WIDGETS.items():
        template = (PAGES / "widgets" / f"{name}.html").read_text(encoding="utf-8")
        table = csv_text([f"Answer.{column}" for column in labels], list(labels.values()))
        make_task(folder, name, template=template, table=table)
    matrix = (PAGES / "widgets" / "matrix.html").read_text(encoding="utf-8")
    for name, labels in MATRICES.items():
        table = csv_text([f"Answer.{column}" for column in labels], list(labels.values()))
        make_task(folder, name, template=matrix + "<input type=hidden name=never>", table=table)
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


@pytest.mark.parametrize(
    "widget", ["slider", "entities", "marking-counted", "sorting-native", "drawing", "tokens", "matrix"]
)
def test_what_was_done_can_be_done_again_from_its_action_text(at: Stage, widget):
    made = at.play(widget)
    assert made.submission is not None
    assert {step.action.partition("(")[0] for step in made.steps} <= set(ACTIONS)
    session = BrowserSession(at.browser, DevtoolsInput(at.browser))
    assert replay_episode(session, at.url(widget), calls_of(made)) == made.submission.values


def test_what_a_submit_writes_by_itself_is_not_searched_for(at: Stage):
    made = at.play("at-submit")
    assert [step.action for step in made.steps] == ["modify_text('left', '12')", "modify_text('top', '30')"]


def test_a_search_for_another_field_leaves_a_matrix_as_it_is(at: Stage):
    found = sent(at.play("with a field that nothing writes"))
    assert (found["certain"], found["maybe"], found["lone_above"]) == (("0-0 2-2 4-4",), ("0-0 1-1",), ("1",))


def test_a_cell_that_cannot_be_as_wanted_is_brought_near_and_costs_no_other(at: Stage):
    made = at.play("with a cell that cannot be so")
    found = sent(made)
    assert (found["certain"], found["maybe"]) == (("0-0 1-2 4-2",), ("0-0 2-2 4-2",))
    assert len(made.steps) < 40


def test_the_search_is_bounded(at: Stage, monkeypatch):
    monkeypatch.setattr(reveal, "MAX_PRESSES", 2)
    monkeypatch.setattr(reveal, "MAX_HELPFUL", 2)
    made = at.play("stars")
    assert made.outcome == "scored"
    assert len([step for step in made.steps if step.action.startswith("click")]) <= 6
