"""The set of prompts ``turkingbench``: structure and order of the benchmark's public code, in words of our own."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from harness.actions.call import ActionCall
from harness.cli.boundary import COMPLETE, WRONG_USE
from harness.cli.commands.page import prompt
from harness.episode.library import ACTIONS
from harness.episode.registry import find_solver
from harness.episode.solver import Setup, WrongOptions
from harness.models.messages import Image, Message, Text
from harness.models.tokens.counting import counter
from harness.records.texts import unpacked
from harness.solvers.models.asking import NoUsableReply
from harness.solvers.models.demo_pages import make_demonstrations
from harness.solvers.models.demos import Demonstration, Demonstrations
from harness.solvers.models.prompt_sets import prompter_for, words_hash
from harness.solvers.models.recipe import Recipe
from harness.solvers.models.view import Observer
from harness.solvers.solver_options import ModelOptions
from tests.needs import TOKENS, needs
from tests.solvers.runs import SCRIPTED, evaluate
from tests.solvers.scripted import ScriptedService, Words, page_of, protocol, solve
from tests.task_folders import csv_text, make_task

GOLDEN = Path(__file__).parent / "golden" / "turkingbench-prompt.txt"
AS_SENT = {"prompts": "turkingbench", "encoding": "relevant-5-10", "retries": 0}


def example(task: str, field: str, *parts: Text | Image) -> Demonstration:
    call = ActionCall("modify_text", {"name": field, "value": "right"})
    return Demonstration(task, 0, field, ("text",), (*parts, Text(f"<p>{task}</p>")), (call,))


def url(task: str) -> str:
    return f"http://127.0.0.1:1/page/{task}/0/"


# ---- what is sent -------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_prompt_about_a_bundled_page_is_the_golden_one(capsys):
    arguments = ["--task", "Sentiment of reviews", "--solver", "gpt4-text", "--demos", "0", "--field", "reason"]
    assert prompt.main([*arguments, "--prompts", "turkingbench", "--encoding", "relevant-5-10"]) == COMPLETE
    head, _, said = capsys.readouterr().out.partition("\n")
    assert re.fullmatch(r"==== gpt-6\.1-sol, field 'reason': \d+ tokens \(.*\)", head)
    assert said.split("\n") == GOLDEN.read_text(encoding="utf-8").split("\n")


@pytest.mark.slow
@needs(TOKENS)
def test_the_texts_are_counted_as_the_paper_counts_where_that_is_asked_for(capsys):
    arguments = ["--task", "Sentiment of reviews", "--solver", "gpt4-text", "--demos", "0", "--field", "reason"]
    arguments += ["--prompts", "turkingbench", "--encoding", "relevant-5-10", "--count-by", "gpt2"]
    count = counter("gpt2")
    assert prompt.main([*arguments, "--json"]) == COMPLETE
    record = json.loads(capsys.readouterr().out)
    texts = ["".join(part["text"] for part in message["parts"]) for message in record["request"]["messages"]]
    assert record["text_tokens"] == {"gpt2": sum(map(count, texts))}
    assert prompt.main(arguments) == COMPLETE
    assert f"; its texts {sum(map(count, texts)):,} (gpt2)\n" in capsys.readouterr().out


def test_demonstrations_are_turns_of_the_same_form_as_the_request(show):
    service = ScriptedService(["self.actions.modify_text('a', 'x')"])
    shown = show('<p>Who?</p><input name="a">')
    protocol(service, Demonstrations(2, (example("A", "f"), example("B", "g"))), **AS_SENT).solve(
        page_of(shown), shown.actions
    )
    (request,) = service.requests
    assert [message.role for message in request.messages] == ["assistant", *["user", "assistant"] * 2, "user"]
    assert [message.text for message in request.messages[1:5]] == [
        "Input: f\nHTML:\n<p>A</p>",
        "self.actions.modify_text('f', 'right')",
        "Input: g\nHTML:\n<p>B</p>",
        "self.actions.modify_text('g', 'right')",
    ]
    assert request.messages[-1].text.startswith("Input: a\nHTML:\n<body>\n<form")
    assert shown.actions.fields()[0].name == "a"


def test_commands_are_told_in_the_order_of_the_original_and_no_others():
    prompter = prompter_for(Recipe("m", screenshot="viewport", **AS_SENT), ACTIONS)
    told = re.findall(r"self\.actions\.(\w+)\(", prompter.system(0).text)
    assert told == ["modify_text", "modify_checkbox", "modify_radio", "modify_select", "modify_range"]
    assert list(prompter.specs) == told


@pytest.mark.parametrize(
    ("value", "written"), [(["a"], "'a'"), (["a", "b"], "'a|b'"), ([], "''"), (["a|b", "c"], "['a|b', 'c']")]
)
def test_boxes_of_a_demonstration_are_one_text(value, written):
    prompter = prompter_for(Recipe("m", **AS_SENT), ACTIONS)
    (message,) = prompter.example_reply([ActionCall("modify_checkbox", {"name": "x", "value": value})], 1)
    assert message.text == f"self.actions.modify_checkbox('x', {written})"


def test_a_picture_stands_behind_the_html_and_nothing_is_said_of_it_there():
    prompter = prompter_for(Recipe("m", screenshot="viewport", **AS_SENT), ACTIONS)
    picture = Image(b"\x89PNG")
    message = prompter.field_request((picture, Text("<p>")), "a")
    assert message == Message("user", (Text("Input: a\nHTML:\n<p>"), picture))
    assert prompter.legend(10, 10, {}) == ""
    assert "picture" in prompter.system(0).text
    assert "picture" not in prompter_for(Recipe("m", **AS_SENT), ACTIONS).system(0).text


def test_the_page_is_shown_as_html_and_picture_without_a_frame(show):
    shown = show('<input name="a">')
    recipe = Recipe("m", screenshot="viewport", **AS_SENT)
    observer = Observer(prompter_for(recipe, ACTIONS), Words())
    view = observer.show(observer.look(shown.actions.observation, "a"), "a", 4_000)
    picture, html = view.page
    assert isinstance(picture, Image)
    assert html.text.startswith("<body>")


def test_a_request_holds_nothing_of_the_one_before(show):
    service = solve(show('<input name="a"><input name="b">'), ["self.actions.modify_text('a', 'x')"] * 2, **AS_SENT)
    assert [len(request.messages) for request in service.requests] == [2, 2]


def test_a_reply_that_cannot_be_read_is_not_asked_for_again(show):
    service = ScriptedService(["I do not know."])
    shown = show('<input name="a">')
    with pytest.raises(NoUsableReply):
        protocol(service, **AS_SENT).solve(page_of(shown), shown.actions)
    assert len(service.requests) == 1


# ---- what goes with it --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"protocol": "form"}, "--prompts turkingbench needs --protocol field; or give --prompts harness$"),
        ({"output": "tools"}, "needs --output text; or give --prompts harness$"),
        ({"encoding": "axtree"}, "needs --encoding full or relevant-5-10 or relevant; or give --prompts harness$"),
        (
            {"encoding": "none", "vision": True},
            "needs --encoding full or relevant-5-10 or relevant; or give --prompts harness$",
        ),
        ({"screenshot": "marks"}, "needs --screenshot none or viewport; or give --prompts harness$"),
        ({"retries": 1}, "needs --retries 0; or give --prompts harness$"),
        ({"protocol": "form", "output": "tools"}, "needs --protocol field, --output text; or give --prompts harness$"),
    ],
)
def test_what_the_set_has_no_words_for_is_refused_in_one_line(options, said):
    options = {"protocol": "field", "output": "text", "encoding": "full", "screenshot": "viewport"} | options
    with pytest.raises(WrongOptions, match=said):
        find_solver("gpt-4o").check({**options, "prompts": "turkingbench"})


def test_a_refusal_is_a_line_of_the_command(capsys):
    arguments = ["--task", "Sentiment of reviews", "--solver", "gpt4-text", "--prompts", "turkingbench"]
    assert prompt.main([*arguments, "--protocol", "form", "--demos", "0"]) == WRONG_USE
    assert (
        capsys.readouterr()
        .err.splitlines()[-1]
        .endswith("--prompts turkingbench needs --protocol field; or give --prompts harness")
    )


def test_one_try_is_what_the_set_brings_and_two_are_ours():
    options = {"protocol": "field", "output": "text", "encoding": "full"}
    assert find_solver("gpt-4o").check({**options, "prompts": "turkingbench"})["retries"] == 0
    assert find_solver("gpt-4o").check(options)["retries"] == 1
    assert find_solver("gpt-4o").check(options)["prompts"] == "harness"


def test_the_window_is_the_picture_of_the_set_whatever_the_preset_shows():
    options = {"protocol": "field", "output": "text", "encoding": "full", "prompts": "turkingbench"}
    assert find_solver("gpt-4o").check({**options, "vision": True})["screenshot"] == "viewport"
    assert find_solver("gpt-4o").check({**options, "vision": False})["screenshot"] == "none"


def test_a_model_in_the_process_writes_what_it_would_and_sees_no_pictures():
    options = {"prompts": "turkingbench", "encoding": "relevant-5-10", "protocol": "field"}
    assert find_solver("local").check(options)["prompts"] == "turkingbench"
    with pytest.raises(WrongOptions, match="pictures"):
        find_solver("local").check({**options, "vision": True})


# ---- demonstrations that the overlay names ------------------------------------------------------------------------

TEXT = f"<p>{'many words ' * 300}</p>" + '<p>${text}</p><input name="words"><input name="more">'
BOX = '<p>${text}</p><input name="words"><input type="checkbox" name="box" value="on">'
NAMED = [
    {"task": "Gone", "words": "x", "field": "words"},
    {"task": "Box", "words": "a cat", "field": "box"},
    {"task": "Text", "words": "second", "field": "more"},
    {"task": "Held out", "words": "secret", "field": "words"},
    {"task": "Other", "words": "a cow", "field": "words"},
]


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    folder = tmp_path_factory.mktemp("fixed")
    rows = [["text", "Answer.words", "Answer.more"], ["first dog", "barks", "loud"], ["second dog", "bites", "hard"]]
    made = {
        "Box": (BOX, [["text", "Answer.words", "Answer.box"], ["a cat", "purrs", ""]]),
        "Text": (TEXT, rows),
        "Held out": (TEXT, [rows[0], ["a secret", "hidden", "away"]]),
        "Other": (TEXT, [rows[0], ["a cow", "moos", "low"]]),
        "Spare": (TEXT, [rows[0], ["a fish", "swims", "deep"]]),
    }
    for name, (template, table) in made.items():
        make_task(folder / "tasks", name, template=template, table=csv_text(*table))
    (folder / "tasks" / "splits").mkdir()
    (folder / "tasks" / "splits" / "test.txt").write_text("Held out\n", encoding="utf-8")
    overlay = {"tasks": {}, "demonstrations": NAMED}
    (folder / "set.overlay.json").write_text(json.dumps(overlay), encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(folder / "cache"))
        yield folder


def made_of(home: Path, demos: int, overlay: str | None = "set.overlay.json", **recipe) -> Demonstrations:
    told = Recipe("m", **{**AS_SENT, "demos": demos, **recipe})
    setup = Setup("m", ModelOptions(), home, home / "tasks", home / overlay if overlay else None)
    return make_demonstrations(setup, told, Observer(prompter_for(told, ACTIONS), Words()))


def fields_of(demos: Demonstrations, kind: str, task: str) -> list[str]:
    return [f"{each.task}/{each.index}/{each.field}" for each in demos.for_field(kind, url(task))]


@pytest.mark.slow
@pytest.mark.usefixtures("home")
def test_those_that_the_overlay_names_are_shown_in_its_order_whatever_is_asked(home):
    demos = made_of(home, 3)
    assert demos.fixed == 3
    assert fields_of(demos, "text", "Held out") == ["Box/0/box", "Text/1/more", "Other/0/words"]
    assert fields_of(demos, "checkbox", "Held out") == fields_of(demos, "text", "Held out")
    assert [str(each.calls[0]) for each in demos.listed[:2]] == [
        "modify_checkbox('box', [])",
        "modify_text('more', 'hard')",
    ]
    assert Demonstrations.read(_written(demos, home / "run")) == demos


@pytest.mark.slow
def test_fewer_are_the_first_of_them(home):
    assert fields_of(made_of(home, 1), "text", "Held out") == ["Box/0/box"]


@pytest.mark.slow
def test_what_they_are_not_enough_for_is_chosen_as_usual(home):
    demos = made_of(home, 7)
    shown = fields_of(demos, "text", "Held out")
    assert shown[:3] == ["Box/0/box", "Text/1/more", "Other/0/words"]
    assert shown[3].startswith("Spare/0/")
    assert not [each for each in shown if each.startswith("Held out")]
    assert demos.fixed == 3


def test_in_place_of_one_of_the_page_s_own_task_comes_the_next(home):
    assert fields_of(made_of(home, 2), "text", "Box") == ["Text/1/more", "Other/0/words"]


def test_without_an_overlay_and_in_our_own_set_they_are_chosen(home):
    assert made_of(home, 2, None).fixed == 0
    assert made_of(home, 2, prompts="harness").fixed == 0


def test_they_are_whole_where_there_is_room_and_shrink_where_there_is_none(home):
    def lengths(room: int) -> list[int]:
        demos = made_of(home, 3, encoding="full", max_input_tokens=room)
        return [len(each.page[0].text) for each in demos.listed[: demos.fixed]]

    whole = lengths(100_000)
    assert lengths(10_000) == whole
    assert sum(lengths(1_000)) < sum(whole)


def _written(demos: Demonstrations, folder: Path) -> Path:
    folder.mkdir(exist_ok=True)
    demos.write(folder)
    return folder


# ---- a whole run --------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def run(home):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SCRIPTED_CALLS", str(home / "calls"))
        more = ["--prompts", "turkingbench", "--encoding", "relevant-5-10", "--demos", "2", "--split", "test"]
        overlay = ["--overlay", str(home / "set.overlay.json")]
        code, run = evaluate(home / "tasks", home / "whole", *more, *overlay, solver=SCRIPTED)
        assert code == COMPLETE
        return run


def test_a_run_records_the_set_its_words_and_how_many_demonstrations_are_fixed(run):
    record = run.read()
    assert record.config.options["prompts"] == "turkingbench"
    assert record.solver["recipe"]["prompts"] == "turkingbench"
    assert record.solver["prompts"] == words_hash("turkingbench") != words_hash("harness")
    assert record.solver["demonstrations_fixed"] == 3
    assert record.solver["demonstrations"][:2] == ["Box/0/box", "Text/1/more"]


@pytest.mark.slow
def test_a_dry_run_tells_how_many_demonstrations_are_fixed(home, capsys):
    arguments = ["--prompts", "turkingbench", "--encoding", "full", "--demos", "4", "--split", "test", "--dry-run"]
    overlay = ["--overlay", str(home / "set.overlay.json")]
    code, _ = evaluate(home / "tasks", home / "never", *arguments, *overlay)
    assert code == COMPLETE
    said = capsys.readouterr().out
    assert "Demonstrations: 3 that the overlay of the task set names; the others are chosen as usual." in said


def test_a_run_asks_about_each_field_as_the_set_says(run):
    (episode,) = run.episodes()
    assert [step.action for step in episode.steps] == [
        "modify_text('words', 'filled')",
        "modify_text('more', 'filled')",
    ]
    for turn in episode.turns:
        sent = unpacked(run.folder / "texts", turn.sent)
        assert [message["role"] for message in sent["messages"]] == ["assistant", *["user", "assistant"] * 2, "user"]
        assert sent["tools"] == []
