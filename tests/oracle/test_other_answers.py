"""Answers that only other answers than the wanted ones let be given: each is given, and none is undone by the next."""

from __future__ import annotations

import pytest

from oracle import reveal
from tests.runs import Stage, sent, stage
from tests.task_folders import csv_text, make_task


def radio(name: str, *values: object) -> str:
    return "".join(f"<label><input type=radio name={name} value={value}>{value}</label>" for value in values)


def boxes(name: str, *values: str) -> str:
    return "".join(f"<label><input type=checkbox name={name} value={value}>{value}</label>" for value in values)


def lists(*names: str) -> str:
    options = "".join(f"<option value={n}>{n}</option>" for n in range(6))
    return "".join(f"<select name={name}><option value=''>--</option>{options}</select>" for name in names)


RATED = f"""{lists("age", "town", "job", "hand", "eye", "ear", "foot")}
{radio("any", "no", "yes")}{boxes("seen", "bird", "fish", "stone")}
<p id=bird>{radio("birdSize", 1, 2)}<input name=birdWhere></p>
<p id=fish>{radio("fishSize", 1, 2)}<input name=fishWhere></p>
<p id=stone>{radio("stoneSize", 1, 2)}</p>
<p hidden><input name=never></p>
<script>
const boxes = Array.from(document.getElementsByName("seen"));
const sizes = Array.from(document.querySelectorAll("[name$=Size]"));
const show = () => {{ for (const box of boxes) document.getElementById(box.value).hidden = !box.checked; }};
show();
boxes.forEach((box) => {{ box.onclick = show; }});
for (const radio of document.getElementsByName("any")) radio.onclick = () => {{
  const none = document.getElementsByName("any")[0].checked;
  for (const box of boxes) {{ box.disabled = none; box.checked &&= !none; }}
  if (none) for (const size of sizes) size.checked = false;
  show();
}};
</script>"""
COLUMNS = ["any", "seen", "birdSize", "fishSize", "fishWhere", "stoneSize", "birdWhere", "never"]
SOMETHING = [
    ["yes", "bird", "2.0", "", "", "", "on a roof", ""],
    ["yes", "bird", "2.0", "", "", "", "on a roof", ""],
    ["yes", "bird|fish", "2.0", "1.0", "in a pond", "", "on a roof", ""],
    ["yes", "stone", "", "", "", "2.0", "", "x"],
]
NOTHING = [
    ["no", "", "", "", "", "", "", ""],
    ["no", "", "", "", "", "", "", ""],
    ["yes", "fish", "", "", "in a pond", "", "", ""],
]
TIED = [
    ["no", "", "", "", "", "", "", ""],
    ["yes", "fish", "", "1.0", "", "", "", ""],
]
UNDOING = f"""{radio("kind", "near", "distant", "absent")}
<p id=one hidden><input name=distantWhy></p><p id=two hidden><input name=guess></p>
<script>
const field = (name) => document.getElementsByName(name)[0];
for (const radio of document.getElementsByName("kind")) radio.onclick = () => {{
  document.getElementById("one").hidden = radio.value !== "distant";
  document.getElementById("two").hidden = radio.value !== "absent";
  if (radio.value === "absent") field("distantWhy").value = "";
}};
</script>"""

TAKING = f"""<button type=button>help</button><button type=button>rules</button><button type=button>terms</button>
{radio("anyone", 1, 0)}{radio("needed", 1, 0)}<p id=which><input name=thing><input name=use></p>
<script>
for (const radio of document.getElementsByName("needed")) radio.onclick = () => {{
  document.getElementById("which").hidden = radio.value === "0";
}};
</script>"""

REFUSING = f"""{radio("kind", "near", "far")}{radio("why", "cost")}<label id=time hidden>
<input type=radio name=why value=time>time</label>
<script>
for (const radio of document.getElementsByName("kind")) radio.onclick = () => {{
  document.getElementById("time").hidden = radio.value !== "far";
}};
</script>"""


def rows(answers: list[list[str]]) -> str:
    columns = ["t", *(f"Answer.{name}" for name in COLUMNS)]
    return csv_text(columns, *(["1", *row] for row in answers))


@pytest.fixture(scope="module")
def at(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tasks")
    make_task(folder, "Something", template=RATED, table=rows(SOMETHING))
    make_task(folder, "Tied", template=RATED, table=rows(TIED))
    make_task(folder, "Nothing", template=RATED, table=rows(NOTHING))
    columns = ["Answer.kind", "Answer.distantWhy", "Answer.guess"]
    make_task(folder, "Undoing", template=UNDOING, table=csv_text(columns, ["near", "too far", "perhaps"]))
    columns = ["Answer.anyone", "Answer.needed", "Answer.thing", "Answer.use"]
    make_task(folder, "Taking", template=TAKING, table=csv_text(columns, ["1", "0", "a ball", "play well"]))
    table = csv_text(["t", "Answer.kind", "Answer.why"], ["1", "near", "time"], ["1", "far", "time"])
    make_task(folder, "Refusing", template=REFUSING, table=table)
    with stage(folder) as made:
        yield made


def test_ratings_of_what_most_workers_did_not_tick_are_given(at: Stage):
    found = sent(at.play("Something"))
    assert found["seen"] == ("bird",)
    assert [found[name] for name in ("birdSize", "fishSize", "stoneSize")] == [("2",), ("1",), ("2",)]
    assert [found[name] for name in ("birdWhere", "fishWhere")] == [("on a roof",), ("in a pond",)]


def test_what_is_named_by_an_option_is_sought_there_before_all_else_is_tried(at: Stage, monkeypatch):
    monkeypatch.setattr(reveal, "MAX_PRESSES", 2)
    found = sent(at.play("Something"))
    assert [found[name] for name in ("fishSize", "stoneSize")] == [("1",), ("2",)]


def test_a_choice_that_brought_nothing_is_made_once(at: Stage):
    actions = [step.action for step in at.play("Something").steps]
    assert actions.count("modify_select('age', '1')") == 1


def test_an_answer_behind_two_others_is_reached(at: Stage):
    found = sent(at.play("Nothing"))
    assert (found["any"], found["seen"], found["fishWhere"]) == (("no",), (), ("in a pond",))


def test_what_an_attempt_undoes_is_entered_again(at: Stage):
    found = sent(at.play("Undoing"))
    assert found["kind"] == ("near",)
    assert found["distantWhy"] == ("too far",)
    assert found["guess"] == ("perhaps",)


def test_of_answers_that_are_tied_the_one_that_lets_others_be_given_is_taken(at: Stage):
    found = sent(at.play("Tied"))
    assert (found["any"], found["fishSize"]) == (("yes",), ("1",))


def test_an_option_that_was_refused_is_chosen_when_another_answer_has_shown_it(at: Stage):
    found = sent(at.play("Refusing"))
    assert (found["kind"], found["why"]) == (("far",), ("time",))


def test_what_an_answer_takes_away_is_brought_back_by_that_question_before_all_else_is_tried(at: Stage, monkeypatch):
    monkeypatch.setattr(reveal, "MAX_PRESSES", 1)
    found = sent(at.play("Taking"))
    assert (found["needed"], found["thing"], found["use"]) == (("0",), ("a ball",), ("play well",))
