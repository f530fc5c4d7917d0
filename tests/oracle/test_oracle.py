"""The oracle's invariant on the ways in which pages bring out their fields."""

from __future__ import annotations

import pytest

from harness.browser.input_back_end import BrowserSession, DevtoolsInput
from harness.forms.form_replaying import replay_episode
from harness.run.replaying import calls_of
from harness.scoring.metrics import PROFILES
from oracle import form, reveal
from tests.runs import Stage, sent, stage
from tests.task_folders import csv_text, make_task

EVERY_KIND = """
<input name="text"><textarea name="long"></textarea>
<label><input type="radio" name="radio" value="1">1</label><label><input type="radio" name="radio" value="2">2</label>
<label><input type="checkbox" name="boxes" value="x">x</label>
<label><input type="checkbox" name="boxes" value="y" checked>y</label>
<label><input type="checkbox" name="lone" value="on" checked>lone</label>
<select name="list"><option value="a">a</option><option value="b">b</option></select>
<input type="range" name="slider" min="0" max="100">"""

BY_AN_ANSWER = """
<label><input type="radio" name="more" value="yes" onchange="document.getElementById('rest').hidden = false">yes</label>
<div id="rest" hidden><input name="why" oninput="document.getElementById('last').hidden = false"></div>
<div id="last" hidden><input name="sure"></div>"""

BY_A_BUTTON = """
<div style="height: 3000px"></div>
<button type="button" onclick="this.after('nothing here')">Hint</button>
<button type="button" onclick="document.getElementById('rest').hidden = false">Show the question</button>
<div id="rest" hidden><input name="why"></div>"""

BY_A_TOGGLE = """
<input name="first">
<button type="button" onclick="rest.hidden = !rest.hidden">Toggle</button><div id="rest">Some instructions</div>
<button type="button" onclick="more.hidden = !more.hidden">More</button><div id="more" hidden><input name="why"></div>
<script>const rest = document.getElementById("rest"), more = document.getElementById("more")</script>"""

HIDING = """
<button type="button" onclick="rest.hidden = !rest.hidden">Hide</button>
<div id="rest"><input name="fixed" readonly></div>
<button type="button" onclick="more.hidden = false">More</button><div id="more" hidden><input name="why"></div>
<script>const rest = document.getElementById("rest"), more = document.getElementById("more")</script>"""

BY_ADDING = """
<div id="list"></div><button type="button" id="add">Add</button>
<script>let count = 0;
document.getElementById("add").onclick = () => {
  const input = document.createElement("input");
  input.name = "item" + count++;
  document.getElementById("list").append(input);
};</script>"""

UNDONE = """
<label><input type="checkbox" name="a" value="on">a</label>
<input name="b" onchange="document.querySelector('[name=a]').checked = false">"""

FIGHTING = """
<input name="a" onchange="document.querySelector('[name=b]').value = ''">
<input name="b" onchange="document.querySelector('[name=a]').value = ''">"""

ENDLESS = """
<button type="button" id="add">Add</button>
<script>let count = 0;
document.getElementById("add").onclick = (event) => {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = "Add " + ++count;
  button.onclick = event.target.onclick;
  document.getElementById("add").after(button);
};</script><div hidden><input name="never"></div>"""

BY_A_HEADING = """
<h2 id="bar">Details (press to show)</h2><div id="rest" hidden><input name="city"></div>
<a href="#" class="other">Terms</a>
<script>document.getElementById("bar").addEventListener("click", () => {
  document.getElementById("rest").hidden = !document.getElementById("rest").hidden;
});</script>"""

IN_STEPS = """
<div class="page"><label><input type="radio" name="one" value="yes">yes</label></div>
<div class="page" hidden><label><input type="radio" name="two" value="yes">yes</label></div>
<div class="page" hidden><input name="three"></div>
<button id="back">Previous</button> <button id="next">Next</button>
<script>
const pages = document.querySelectorAll(".page");
let place = 0;
const turn = (by) => (event) => {
  event.preventDefault();
  if (by > 0 && !pages[place].querySelector(":checked, [name=three]")) return;
  place = Math.min(Math.max(place + by, 0), 2);
  pages.forEach((page, at) => { page.hidden = at !== place; });
};
document.getElementById("next").addEventListener("click", turn(1));
document.getElementById("back").addEventListener("click", turn(-1));
</script>"""

BY_A_CHOICE = """
<select name="language"><option value="">choose</option><option value="nl">Dutch</option>
<option value="de">German</option></select>
<label><input type="checkbox" name="agreed" value="on">I have read the instructions</label>
<div id="rest" hidden><input name="meaning"></div>
<script>document.querySelector("[name=language]").onchange = (event) => {
  document.getElementById("rest").hidden = event.target.value !== "de";
};</script>"""

BY_ANOTHER_ANSWER = """
<label><input type="radio" name="helpful" value="yes">yes</label>
<label><input type="radio" name="helpful" value="no">no</label>
<div id="rest" hidden><label><input type="radio" name="why" value="wrong">wrong</label></div>
<script>for (const radio of document.getElementsByName("helpful")) {
  radio.onchange = () => { document.getElementById("rest").hidden = radio.value === "yes"; };
}</script>"""

OTHER_WHICH = """
<label><input type="checkbox" name="langs[]" value="en">en</label>
<label><input type="checkbox" name="langs[]" value="other" onchange="which.hidden = !this.checked">other</label>
<label id="which" hidden>which? <input name="langs[]"></label>"""

OTHER_THAN_THESE = """
<label><input type="radio" name="tongue" value="en" required onchange="what.hidden = true">en</label>
<label><input type="radio" name="tongue" value="other" onchange="what.hidden = false">other</label>
<label id="what" hidden>what? <input name="tongue"></label>
<label><input type="radio" name="tongue" value="none" onchange="what.hidden = true">none</label>"""

HIDDEN_BY_A_TICK = """
<label><input type="checkbox" name="none1" value="on" onchange="box1.hidden = this.checked">not possible</label>
<label><input type="checkbox" name="none2" value="on" onchange="box2.hidden = this.checked">not possible</label>
<label><input type="checkbox" name="sure" value="on">sure</label>
<div id="box1"><input name="first"><textarea name="second"></textarea></div><div id="box2"><input name="third"></div>"""

HIDDEN_BY_A_TEXT = """
<input name="short" oninput="rest.hidden = this.value !== ''"><div id="rest"><textarea name="long"></textarea></div>"""

SLIDING_IN = """
<style>#rest { position: relative; transition: top .3s; top: 400px; } #rest.there { top: 0; }</style>
<label><input type="radio" name="more" value="yes">yes</label>
<div style="position: absolute; top: 300px; left: 0; width: 600px; height: 300px; background: #eee; z-index: 1"></div>
<div id="rest" hidden><label><input type="checkbox" name="boxes" value="a">a</label></div>
<script>
const rest = document.getElementById("rest");
document.querySelector("[name=more]").onchange = () => {
  rest.hidden = false;
  setTimeout(() => { rest.className = "there"; });
};
</script>"""

BY_ENABLING = """
<input name="why" disabled>
<label><input type="checkbox" name="other" value="on">other</label>
<script>document.querySelector("[name=other]").onchange = () => {
  document.querySelector("[name=why]").disabled = false;
};</script>"""

WITH_A_SEARCH_BOX = """
<input id="search"><input type="hidden" name="never">
<button type="button" onclick="rest.hidden = false">More</button><div id="rest" hidden><input name="why"></div>
<script>const rest = document.getElementById("rest")</script>"""


def among_words(element: str, kind: str) -> str:
    """Three lines of twelve words that can be pressed in vain, and what brings out the field behind them."""
    return f"""
<p id="words"></p><button type="button" onclick="rest.hidden = false">More</button>
<div id="rest" hidden><input name="why"></div>
<script>
const rest = document.getElementById("rest");
for (let line = 1; line <= 3; line += 1) {{
  for (let place = 1; place <= 12; place += 1) {{
    const word = document.createElement("{element}");
    word.className = `{kind}`;
    word.textContent = `w${{line}}${{place}}`;
    word.onclick = () => {{}};
    document.getElementById("words").append(word, " ");
  }}
}}
</script>"""


TASKS = {
    "By a heading": (BY_A_HEADING, {"city": "Brimholt"}),
    "In steps": (IN_STEPS, {"one": "yes", "two": "yes", "three": "text"}),
    "By a choice": (BY_A_CHOICE, {"meaning": "house"}),
    "By another answer": (BY_ANOTHER_ANSWER, {"helpful": "yes", "why": "wrong"}),
    "Among words": (among_words("span", "word line${line}"), {"why": "because"}),
    "Among links": (among_words("a", ""), {"why": "because"}),
    "Sliding in": (SLIDING_IN, {"more": "yes", "boxes": "a"}),
    "Every kind": (
        EVERY_KIND,
        {
            "text": "a cat",
            "long": "two\nlines",
            "radio": "2.0",
            "boxes": "x",
            "lone": "off",
            "list": "b",
            "slider": "30",
        },
    ),
    "By an answer": (BY_AN_ANSWER, {"more": "yes", "why": "because", "sure": "very"}),
    "By a button": (BY_A_BUTTON, {"why": "because"}),
    "By a toggle": (BY_A_TOGGLE, {"first": "x", "why": "because"}),
    "By enabling": (BY_ENABLING, {"other": "on", "why": "because"}),
    "Other, which": (OTHER_WHICH, {"langs[]": "other|Basque"}),
    "Other, and what": (OTHER_THAN_THESE, {"tongue": "other|Basque"}),
    "Other, in words alone": (OTHER_THAN_THESE, {"tongue": "Basque"}),
    "Hidden by a tick": (
        HIDDEN_BY_A_TICK,
        {"none1": "on", "none2": "on", "sure": "on", "first": "one", "second": "two", "third": "three"},
    ),
    "Hidden by a text": (HIDDEN_BY_A_TEXT, {"short": "in short", "long": "at length"}),
    "Undone": (UNDONE, {"a": "on", "b": "text"}),
}


@pytest.fixture(scope="module")
def at(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tasks")
    for name, (template, labels) in TASKS.items():
        table = csv_text([f"Answer.{column}" for column in labels], list(labels.values()))
        make_task(folder, name, template=template, table=table)
    items = ["item0", "item1", "item2"]
    make_task(
        folder,
        "By adding",
        template=BY_ADDING,
        table=csv_text([f"Answer.{name}" for name in items], ["one", "two", "three"]),
        facts={"kinds": dict.fromkeys(items, "text")},
    )
    make_task(folder, "Fighting", template=FIGHTING, table=csv_text(["Answer.a", "Answer.b"], ["x", "y"]))
    make_task(folder, "Hiding", template=HIDING, table=csv_text(["Answer.fixed", "Answer.why"], ["x", "because"]))
    make_task(
        folder,
        "With a search box",
        template=WITH_A_SEARCH_BOX,
        table=csv_text(["Answer.never", "Answer.why"], ["x", "because"]),
    )
    make_task(folder, "Endless", template=ENDLESS, table=csv_text(["Answer.never"], ["x"]))
    make_task(
        folder,
        "Unlabelled",
        template='${t}<input name="a"><input name="b" value="as it was"><input name="c">',
        table=csv_text(["t", "Answer.a", "Answer.b"], ["1", "x", ""], ["2", "x", "y"]),
    )
    with stage(folder) as made:
        yield made


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("task", [*TASKS, "By adding"])
def test_every_scored_field_reaches_its_ceiling(at: Stage, task, profile):
    score = at.score(task, profile=profile)
    below = [field.record.name for field in score.fields if field.score.score < field.score.ceiling]
    assert below == []
    if profile == "standard":
        assert len(score.fields) == len(at.assignment(task).answers)


def test_fields_that_an_answer_brings_out_are_filled_in_several_rounds(at: Stage):
    assert sent(at.play("By an answer")) == {"more": ("yes",), "why": ("because",), "sure": ("very",)}


def test_a_button_is_pressed_as_often_as_it_brings_out_fields(at: Stage):
    made = at.play("By adding")
    assert sent(made) == {"item0": ("one",), "item1": ("two",), "item2": ("three",)}
    assert [step.action.partition("(")[0] for step in made.steps].count("click") == 3


def test_a_disabled_field_is_left_alone_until_an_answer_enables_it(at: Stage):
    made = at.play("By enabling")
    assert sent(made) == {"other": ("on",), "why": ("because",)}
    assert all(step.ok for step in made.steps)


@pytest.mark.parametrize("task", ["Other, and what", "Other, in words alone"])
def test_what_is_written_beside_radio_buttons_is_sent_with_the_option_before_it_and_scored(at: Stage, task):
    made = at.play(task)
    assert made.submission is not None
    assert (made.submission.values["tongue"], made.submission.accepted) == (("other", "Basque"), True)
    (score,) = at.score(task).fields
    assert (score.record.sent, score.score.score, score.do_nothing.score) == (("Basque",), 1.0, 0.0)


def test_what_a_script_of_the_page_undid_is_done_again(at: Stage):
    made = at.play("Undone")
    assert sent(made) == {"a": ("on",), "b": ("text",)}
    assert [step.action for step in made.steps].count("modify_checkbox('a', ['on'])") == 2


def test_a_page_that_undoes_every_answer_is_given_up(at: Stage):
    made = at.play("Fighting")
    assert made.outcome == "scored"
    assert form.MAX_ROUNDS <= len(made.steps) <= 2 * (form.MAX_ROUNDS + 1)


def test_a_button_that_hides_a_field_is_not_pressed_over_and_over(at: Stage):
    made = at.play("Hiding")
    assert sent(made) == {"fixed": ("",), "why": ("because",)}


def test_enter_in_a_box_that_is_no_field_does_not_submit_the_form(at: Stage):
    made = at.play("With a search box")
    assert "press('Enter')" in [step.action for step in made.steps]
    assert sent(made) == {"never": ("",), "why": ("because",)}


def test_a_page_with_ever_more_buttons_is_given_up(at: Stage, monkeypatch):
    monkeypatch.setattr(reveal, "MAX_PRESSES", 5)
    made = at.play("Endless")
    assert made.outcome == "scored"
    assert len(made.steps) == 5


@pytest.mark.parametrize("task", ["Among words", "Among links"])
def test_of_words_that_do_nothing_only_some_are_pressed(at: Stage, task):
    presses = [step for step in at.play(task).steps if step.action.startswith("click")]
    assert len(presses) == reveal.MAX_ALIKE + 1


def test_fields_that_no_worker_filled_are_left_alone(at: Stage):
    made = at.play("Unlabelled")
    assert sent(made) == {"a": ("x",), "b": ("as it was",)}
    assert [step.action for step in made.steps] == ["modify_text('a', 'x')"]


def test_a_page_that_already_holds_the_answers_is_left_alone(at: Stage):
    made = at.play("Unlabelled", index=1)
    assert sent(made) == {"a": ("x",), "b": ("y",)}
    assert len(made.steps) == 2


@pytest.mark.parametrize("task", [*TASKS, "By adding"])
def test_what_the_oracle_did_can_be_done_again_from_its_action_text(at: Stage, task):
    made = at.play(task)
    session = BrowserSession(at.browser, DevtoolsInput(at.browser))
    assert made.submission is not None
    assert replay_episode(session, at.url(task), calls_of(made)) == made.submission.values


def test_a_button_that_only_leads_on_does_not_submit_the_form(at: Stage):
    made = at.play("In steps")
    assert made.submission is not None
    assert made.submission.via == "press"
    assert sent(made) == {"one": ("yes",), "two": ("yes",), "three": ("text",)}


def test_choices_that_bring_nothing_out_are_put_back(at: Stage):
    made = at.play("By a choice")
    assert made.submission is not None
    assert "agreed" not in made.submission.values
    assert made.submission.values["language"] == ("de",)


def test_an_answer_that_hides_another_is_given_after_it(at: Stage):
    made = at.play("By another answer")
    assert sent(made) == {"helpful": ("yes",), "why": ("wrong",)}


def test_where_nothing_is_sought_nothing_is_pressed_and_nothing_looked_for(at: Stage):
    made = at.play("Every kind")
    assert {step.action.partition("_")[0] for step in made.steps} == {"modify"}
