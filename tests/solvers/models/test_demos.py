"""Demonstrations: which pages they are of, and what a model is shown."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from harness.actions.call import ActionCall
from harness.episode.library import ACTIONS
from harness.episode.solver import Setup
from harness.models.messages import Image, Text
from harness.records.record_file import NotARun
from harness.solvers.models import demo_making
from harness.solvers.models.demo_pages import make_demonstrations
from harness.solvers.models.demos import (
    Demonstration,
    Demonstrations,
    drawn,
    listed_for_fields,
    listed_for_forms,
    task_of,
)
from harness.solvers.models.prompt_sets import prompter_for
from harness.solvers.models.recipe import Recipe
from harness.solvers.models.view import Observer
from harness.solvers.solver_options import ModelOptions
from tests.solvers.scripted import ScriptedService, Words, page_of, protocol
from tests.task_folders import csv_text, make_task

pytestmark = pytest.mark.usefixtures("module_cache")

TEXT = "<p>${text}</p><input name=words>"
RADIO = """<p>${text}</p><label><input type=radio name=mood value=1>good</label>
<label><input type=radio name=mood value=2>bad</label>"""
BOTH = f"{TEXT}{RADIO}"


def demo(task: str, *kinds: str, field: str = "f") -> Demonstration:
    call = ActionCall("modify_text", {"name": field, "value": task})
    return Demonstration(task, 0, field, kinds, (Text(f"page of {task}"),), (call,))


def url(task: str) -> str:
    return f"http://127.0.0.1:1/page/{task}/0/"


# ---- which ------------------------------------------------------------------------------------------------------


def test_those_of_the_same_kind_come_first_each_of_another_task():
    listed = (demo("A", "text"), demo("B", "radio"), demo("C", "radio"), demo("D", "text"))
    chosen = Demonstrations(3, listed).for_field("radio", url("X"))
    assert [each.task for each in chosen] == ["B", "C", "A"]


def test_none_is_of_the_task_under_evaluation_or_of_a_copy_of_it():
    listed = (demo("A", "radio"), demo("B", "radio"), demo("C", "radio"), demo("D", "radio"))
    demos = Demonstrations(2, listed, {"A": ("C",), "C": ("A",)})
    assert [each.task for each in demos.for_field("radio", url("A"))] == ["B", "D"]
    assert [each.task for each in demos.for_form(url("C"))] == ["B", "D"]
    assert [each.task for each in demos.for_form(url("X"))] == ["A", "B"]


def test_all_instances_of_a_run_are_shown_the_same():
    demos = Demonstrations(2, tuple(demo(task, "radio") for task in "ABC"))
    assert demos.for_field("radio", url("X")) == demos.for_field("radio", url("Y"))


def test_a_task_is_read_from_the_address_of_its_page():
    assert task_of("http://127.0.0.1:8/page/a%2Fb%20%5Bc%5D/12/") == "a/b [c]"


def test_the_order_depends_on_the_seed_alone():
    assert drawn("abcdef", 1) == drawn("fedcba", 1)
    assert drawn("abcdef", 1) != drawn("abcdef", 2)
    assert [name for name in drawn("abcdefg", 1) if name != "g"] == drawn("abcdef", 1)


def test_of_each_kind_as_many_are_listed_as_are_needed():
    made = [demo(task, kind) for task in "ABCD" for kind in ("text", "radio")]
    listed = listed_for_fields(made, 2)
    assert [(each.task, each.kinds[0]) for each in listed] == [
        ("A", "text"),
        ("A", "radio"),
        ("B", "text"),
        ("B", "radio"),
    ]


def test_forms_are_listed_by_how_much_they_add_to_the_mixture():
    made = [demo("A", "text"), demo("B", "text"), demo("C", "radio", "select", "text"), demo("D", "range")]
    assert [each.task for each in listed_for_forms(made, 4)] == ["C", "D", "A", "B"]


def test_they_are_written_to_the_run_with_their_pictures_and_read_again(tmp_path):
    image = Image(b"\x89PNG picture")
    one = Demonstration("A", 3, "f", ("text",), (image, Text("page")), (ActionCall("click", {"x": 1.5, "y": 2}),))
    demos = Demonstrations(1, (one,), {"A": ("B",), "B": ("A",)})
    demos.write(tmp_path)
    assert Demonstrations.read(tmp_path) == demos
    assert (tmp_path / "images" / f"{image.sha256}.png").read_bytes() == image.png


# ---- how they are made ----------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def tasks(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("tasks")
    made = {
        "Words": (TEXT, ["text", "Answer.words"], ["a dog", "barks"]),
        "Mood": (RADIO, ["text", "Answer.mood"], ["a cat", "2"]),
        "Both": (BOTH, ["text", "Answer.words", "Answer.mood"], ["a cow", "moos", "1"]),
        "Long": (TEXT, ["text", "Answer.words"], ["a novel", "word " * 500]),
        "Held out": (TEXT, ["text", "Answer.words"], ["a secret", "hidden"]),
    }
    for name, (template, head, row) in made.items():
        make_task(folder, name, template=template, table=csv_text(head, row))
    (folder / "splits").mkdir()
    (folder / "splits" / "test.txt").write_text("Held out\n", encoding="utf-8")
    return folder


def make(tasks: Path, folder: Path, **recipe) -> Demonstrations:
    made = Recipe("m", **{"encoding": "text", "demos": 2, **recipe})
    return make_demonstrations(
        Setup("m", ModelOptions(), folder, tasks), made, Observer(prompter_for(made, ACTIONS), Words())
    )


@pytest.fixture(scope="module")
def fields(tasks, tmp_path_factory) -> Demonstrations:
    return make(tasks, tmp_path_factory.mktemp("run"))


def test_they_hold_what_the_oracle_does_on_pages_of_the_train_split(fields):
    found = {(each.task, each.field): [str(call) for call in each.calls] for each in fields.listed}
    assert found == {
        ("Words", "words"): ["modify_text('words', 'barks')"],
        ("Mood", "mood"): ["modify_radio('mood', '2')"],
        ("Both", "words"): ["modify_text('words', 'moos')"],
        ("Both", "mood"): ["modify_radio('mood', '1')"],
    }


def test_the_page_is_shown_as_it_was_before_the_answer(fields):
    (second,) = [each for each in fields.listed if (each.task, each.field) == ("Both", "mood")]
    text = "".join(part.text for part in second.page if isinstance(part, Text))
    assert "a cow" in text
    assert "moos" in text
    assert "chosen" not in text


def test_the_same_are_made_again_from_the_cache_without_a_browser(tasks, fields, tmp_path, monkeypatch):
    monkeypatch.setattr(demo_making, "own_server", None)
    assert make(tasks, tmp_path) == fields


@pytest.mark.slow
def test_for_forms_they_hold_all_actions_and_a_picture_where_the_model_sees_pictures(tasks, tmp_path):
    demos = make(tasks, tmp_path, protocol="form", demos=1, screenshot="viewport")
    (both,) = [each for each in demos.listed if each.task == "Both"]
    assert both.kinds == ("radio", "text")
    assert len(both.calls) == 2
    assert demos.for_form(url("X")) == [both]
    assert all(isinstance(each.page[0], Image) for each in demos.listed)


def test_together_they_take_half_of_the_budget_at_most(tasks, tmp_path):
    demos = make(tasks, tmp_path, max_input_tokens=1_200, demos=2)
    assert all(len(part.text.split()) <= 300 for each in demos.listed for part in each.page)


def test_without_a_train_split_there_are_none_and_the_reason_is_told(tmp_path):
    (tmp_path / "tasks" / "splits").mkdir(parents=True)
    (tmp_path / "tasks" / "splits" / "test.txt").write_text("Only\n", encoding="utf-8")
    make_task(tmp_path / "tasks", "Only", template=TEXT, table=csv_text(["text", "Answer.words"], ["a", "b"]))
    demos = make(tmp_path / "tasks", tmp_path)
    assert demos.listed == ()
    assert demos.shortage(["Only"]) == (
        "0 of 2 demonstrations: they come from other tasks of the split 'train', and tasks has none; --demos-from DIR "
        "names another set"
    )


# ---- fewer than wanted, and from elsewhere -------------------------------------------------------------------------


def test_as_many_as_there_are_are_shown_and_the_true_reason_is_told(tasks, fields):
    assert fields.shown(["Held out", "Words"]) == (2, 2)
    assert fields.shortage(["Held out", "Words"]) == ""
    seven = replace(fields, count=7)
    assert seven.shown(["Held out"]) == (4, 4)
    assert seven.shown(["Held out", "Both"]) == (2, 4)
    said = seven.shortage(["Held out", "Both"])
    assert said.startswith("2 to 4 of 7 demonstrations: they come from other tasks of the split 'train'")
    # Of "Words", "Mood" and "Long" the last has an answer that is too long for a demonstration.
    assert f"{tasks.name} has 3 others, 2 of them with a page that is fit for one" in said


@pytest.mark.slow
def test_the_only_task_of_a_set_has_no_other(tmp_path):
    make_task(tmp_path / "mine", "Only", template=TEXT, table=csv_text(["text", "Answer.words"], ["a", "b"]))
    demos = make(tmp_path / "mine", tmp_path, demos=7)
    assert [each.task for each in demos.listed] == ["Only"]
    assert demos.shown(["Only"]) == (0, 0)
    assert "0 of 7 demonstrations" in demos.shortage(["Only"])
    assert "and mine has no other; --demos-from DIR names another set" in demos.shortage(["Only"])


def test_those_of_another_set_are_never_of_the_same_task_whatever_it_is_called_there(tasks, tmp_path):
    mine = tmp_path / "mine"
    make_task(mine, "Feelings", template=RADIO, table=csv_text(["text", "Answer.mood"], ["a hare", "1"]))
    make_task(mine, "Both", template="<input name=other>", table=csv_text(["text", "Answer.other"], ["a", "b"]))
    setup = Setup("m", ModelOptions(demos_from=str(tasks)), tmp_path / "run", mine, tasks=("Feelings", "Both"))
    made = Recipe("m", encoding="text", demos=7)
    demos = make_demonstrations(setup, made, Observer(prompter_for(made, ACTIONS), Words()))
    assert {each.task for each in demos.listed} == {"Words", "Mood", "Both"}
    # "Mood" has the template of "Feelings", and "Both" the name of another.
    assert {each.task for each in demos.for_field("text", url("Feelings"))} == {"Words", "Both"}
    assert {each.task for each in demos.for_field("text", url("Both"))} == {"Words", "Mood"}
    assert demos.source == tasks.name
    assert len(demos.source_hash) == 64
    demos.write(tmp_path)
    assert Demonstrations.read(tmp_path) == demos


def test_demonstrations_of_earlier_versions_are_read(fields, tmp_path):
    fields.write(tmp_path)
    file = tmp_path / "demos.json"
    record = json.loads(file.read_text(encoding="utf-8"))
    for key in ("fixed", "source", "source_hash", "candidates"):
        del record[key]
    file.write_text(json.dumps(record), encoding="utf-8")
    read = Demonstrations.read(tmp_path)
    assert (read.listed, read.candidates) == (fields.listed, ())


@pytest.mark.parametrize(
    "damage",
    [
        lambda _: "{",
        lambda _: [],
        lambda record: {**record, "demonstrations": {}},
        lambda record: {**record, "demonstrations": [{}]},
        lambda record: {**record, "demonstrations": [{**record["demonstrations"][0], "calls": [{"name": 1}]}]},
        lambda record: {**record, "demonstrations": [{**record["demonstrations"][0], "images": ["lost"]}]},
        lambda record: {**record, "copies": [1]},
    ],
)
def test_damaged_demonstrations_are_told_with_the_name_of_their_file(fields, tmp_path, damage):
    fields.write(tmp_path)
    file = tmp_path / "demos.json"
    damaged = damage(json.loads(file.read_text(encoding="utf-8")))
    file.write_text(damaged if isinstance(damaged, str) else json.dumps(damaged), encoding="utf-8")
    with pytest.raises(NotARun, match=r"demos\.json cannot be read: ."):
        Demonstrations.read(tmp_path)


# ---- how they are shown ---------------------------------------------------------------------------------------


def test_they_stand_before_the_page_as_if_the_model_had_answered(show, fields):
    service = ScriptedService(["modify_text('a', 'x')"])
    shown = show("<input name=a>")
    protocol(service, fields).solve(page_of(shown), shown.actions)
    (request,) = service.requests
    assert [message.role for message in request.messages] == ["system", *["user", "assistant"] * 2, "user"]
    assert [message.text for message in request.messages if message.role == "assistant"] == [
        str(each.calls[0]) for each in fields.for_field("text", shown.url)
    ]
    assert "Examples from other pages come first, 2 in all" in request.messages[0].text


def test_with_tools_they_are_calls_of_tools(show, fields):
    service = ScriptedService(["finish()"])
    shown = show("<input name=a>")
    demos = Demonstrations(1, fields.listed)
    protocol(service, demos, protocol="form", output="tools").solve(page_of(shown), shown.actions)
    roles = [message.role for message in service.requests[0].messages]
    assert roles == ["system", "user", "assistant", "tool", "user"]
    assert [part.name for part in service.requests[0].messages[2].parts][-1] == "finish"


def test_they_are_json_that_people_can_read(fields, tmp_path):
    fields.write(tmp_path)
    record = json.loads((tmp_path / "demos.json").read_text(encoding="utf-8"))
    assert record["count"] == 2
    assert record["demonstrations"][0]["actions"]
