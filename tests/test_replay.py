from __future__ import annotations

import shutil
from dataclasses import replace

import pytest
from msgspec import structs

from harness.cli.boundary import COMPLETE, INCOMPLETE, WRONG_USE
from harness.cli.commands.evaluate import main as evaluate
from harness.cli.commands.replay import main
from harness.forms.form_replaying import Difference, compare
from harness.records.directory import RunDirectory
from harness.run.replaying import calls_of
from tests.checkout import PROJECT
from tests.needs import WEBDRIVER, needs
from tests.samples import episode, submission
from tests.task_folders import csv_text, make_task

SITES = PROJECT / "tasks" / "_sites"
HOME_AIRPORT = "Travel - Home airport in Costa Rica"
PAGE = """<p>${text}</p><input name="a"><div style="height: 2000px"></div>
<button type="button" onclick="more.hidden = false">More</button>
<div id="more" hidden><textarea name="b"></textarea></div>
<label><input type="checkbox" name="c" value="x">x</label>
<label><input type="checkbox" name="c" value="y" checked>y</label>
<script>const more = document.getElementById("more")</script>"""
ROWS = [["one", 'it\'s "quoted"\\n', "two\nlines", "x"], ["two", "🐈 日本", "tab\there", "x|y"], ["three", "", "x", ""]]


@pytest.fixture(scope="module")
def original(tmp_path_factory):
    folder = tmp_path_factory.mktemp("replay")
    table = csv_text(["text", "Answer.a", "Answer.b", "Answer.c"], *ROWS)
    make_task(folder / "tasks", "T", template=PAGE, table=table)
    arguments = ["--solver", "oracle", "--tasks-dir", str(folder / "tasks"), "--out", str(folder / "run")]
    assert evaluate(arguments) == COMPLETE
    run = RunDirectory(folder / "run")
    assert run.read().results.overall.score == 1.0
    return run


@pytest.fixture
def run(original, tmp_path):
    """A copy, to be tampered with."""
    made = RunDirectory(tmp_path / "run")
    made.write(original.read())
    for each in original.episodes():
        made.add(each, {})
    return made


def tasks_of(run: RunDirectory) -> list[str]:
    return ["--tasks-dir", str(run.read().config.tasks_dir)]


def tamper(run: RunDirectory, index: int, **values) -> None:
    made = next(each for each in run.episodes() if each.index == index)
    run.add(replace(made, **values), {})


@pytest.mark.slow
@pytest.mark.parametrize("back_end", ["devtools", pytest.param("webdriver", marks=needs(*WEBDRIVER))])
def test_an_oracle_run_done_again_over_any_input_makes_the_same_forms(original, back_end, capsys):
    assert main([str(original.folder), *tasks_of(original), "--workers", "2", "--input", back_end]) == COMPLETE
    assert capsys.readouterr().out == "3 episodes replayed, 0 differences\n"


@pytest.mark.slow
def test_what_differs_is_named_and_does_not_stop_the_others(run, capsys):
    made = next(run.episodes())
    assert made.steps[0].action.startswith("modify_text('a'")
    tamper(run, 0, steps=(structs.replace(made.steps[0], action="modify_text('a', 'else')"), *made.steps[1:]))
    tamper(run, 1, steps=(structs.replace(made.steps[0], action="import os"),))
    tamper(run, 2, id="f" * 12)
    assert main([str(run.folder), *tasks_of(run)]) == INCOMPLETE
    lines = capsys.readouterr().out.splitlines()
    assert sorted(line.partition(": ")[0] for line in lines[:-1]) == [
        "T, instance 0, field 'a'",
        "T, instance 1",
        "T, instance 2",
    ]
    assert any(line.endswith("the replay ['else']") for line in lines)
    assert any("the step 'import os' is not one action" in line for line in lines)
    assert any("the task set has no such instance any more" in line for line in lines)
    assert lines[-1] == "1 episode replayed, 3 differences"


@pytest.mark.parametrize("how", [{"outcome": "harness_error"}, {"answered_by": "workers"}])
def test_where_no_episode_has_a_form_one_line_says_that_there_is_nothing_to_replay(run, how, capsys):
    for index in range(3):
        tamper(run, index, submission=None, **how)
    assert main([str(run.folder)]) == COMPLETE
    out = capsys.readouterr().out
    assert out == f"nothing to replay: in no episode of {run.folder} did anybody work on a page\n"


def test_what_a_program_did_cannot_be_done_again_and_is_no_difference(run, capsys):
    for index in range(3):
        tamper(run, index, steps=(), unseen=True)
    assert main([str(run.folder)]) == COMPLETE
    out = capsys.readouterr().out
    assert out.startswith(f"3 episodes of {run.folder}: the solver worked past the action library")
    assert out.endswith("nothing to replay\n")


@pytest.mark.slow
def test_the_other_episodes_of_a_run_are_replayed(run, capsys):
    tamper(run, 1, steps=(), unseen=True)
    assert main([str(run.folder), *tasks_of(run)]) == COMPLETE
    assert capsys.readouterr().out.endswith("2 episodes replayed, 0 differences\n")


@pytest.mark.parametrize("arguments", [[], ["--tasks-dir", "missing"]])
def test_wrong_use_is_said(run, tmp_path, arguments, capsys):
    folder = run.folder if arguments else tmp_path / "missing"
    assert main([str(folder), *arguments]) == WRONG_USE
    assert "missing" in capsys.readouterr().err


def test_forms_are_compared_field_by_field_scored_or_not():
    made = episode(submission=submission(a=("1",), b=("2", "3"), c=("4",)))
    assert compare(made, {"a": ("1",), "b": ("3", "2"), "d": ("5",)}) == [
        Difference(made, "b", ("2", "3"), ("3", "2")),
        Difference(made, "c", ("4",), ()),
        Difference(made, "d", (), ("5",)),
    ]


@pytest.mark.parametrize("text", ["", "nonsense", "modify_text('a', 'b'); scroll(0, 1)", "modify_text('a', 'b') " * 2])
def test_a_step_that_is_not_one_action_is_refused(original, text):
    made = next(original.episodes())
    with pytest.raises(ValueError, match="is not one action"):
        calls_of(replace(made, steps=(structs.replace(made.steps[0], action=text),)))


REVEALING = """<p>${text}</p><button type="button" onclick="first.hidden = false">One</button>
<div id="first" hidden><button type="button" onclick="a.value = 'first'">Early</button></div>
<button type="button" onclick="second.hidden = false; first.hidden = false">Two</button>
<div id="second" hidden><button type="button" onclick="a.value = 'second'">Late</button></div><input name="a" id="a">
<script>const [first, second, a] = ["first", "second", "a"].map((id) => document.getElementById(id))</script>"""


@pytest.mark.slow
def test_what_was_pressed_by_its_number_is_pressed_again_though_numbers_depend_on_when_was_looked(tmp_path):
    table = csv_text(["text", "Answer.a"], ["one", "second"])
    make_task(tmp_path / "tasks", "T", template=REVEALING, table=table)
    arguments = ["--solver", "tests.run_solvers:PressesNumbers", "--tasks-dir", str(tmp_path / "tasks")]
    assert evaluate([*arguments, "--out", str(tmp_path / "run"), "--progress", "quiet"]) == COMPLETE
    (made,) = RunDirectory(tmp_path / "run").episodes()
    assert (made.fields[0].sent, [step.looked for step in made.steps]) == (("second",), [True, True, False])
    assert main([str(tmp_path / "run"), "--tasks-dir", str(tmp_path / "tasks"), "--progress", "quiet"]) == COMPLETE


@pytest.mark.slow
def test_what_the_oracle_rehearsed_is_rehearsed_again_since_it_may_move_what_is_pressed(tmp_path):
    arguments = ["--solver", "oracle", "--task", "Household survey", "--max-instances", "1", "--progress", "quiet"]
    assert evaluate([*arguments, "--out", str(tmp_path / "run")]) == COMPLETE
    (made,) = RunDirectory(tmp_path / "run").episodes()
    assert any(step.rehearsed for step in made.steps)
    assert main([str(tmp_path / "run"), "--progress", "quiet"]) == COMPLETE


def site_run(tmp_path, task: str, *arguments: str) -> RunDirectory:
    """A run on a website that acts by the numbers of elements, and its task."""
    shutil.copytree(SITES / task, tmp_path / "tasks" / task)
    given = ["--tasks-dir", str(tmp_path / "tasks"), "--solver", "oracle", "--workers", "1", "--progress", "quiet"]
    assert evaluate([*given, *arguments, "--out", str(tmp_path / "run")]) == COMPLETE
    return RunDirectory(tmp_path / "run")


@pytest.mark.slow
def test_a_run_on_a_website_is_done_again_on_a_site_of_the_same_seed(tmp_path, capsys):
    run = site_run(tmp_path, "Travel - Fewer messages", "--seeds", "2")
    made = list(run.episodes())
    assert [each.site.task.seed for each in made] == [0, 1]
    assert any(step.action.startswith("click_element(") for each in made for step in each.steps)
    capsys.readouterr()
    given = [str(run.folder), *tasks_of(run), "--film", "--progress", "quiet"]
    assert main(given) == COMPLETE
    assert capsys.readouterr().out == "2 films made\n2 episodes replayed, 0 differences\n"
    assert all(run.films.file(each.task, each.index).exists() for each in made)


@pytest.mark.slow
def test_what_comes_out_otherwise_on_a_website_is_named(tmp_path, capsys):
    run = site_run(tmp_path, HOME_AIRPORT, "--max-instances", "1")
    (made,) = run.episodes()
    last = made.steps[-1]
    tamper(run, made.index, steps=(*made.steps[:-1], structs.replace(last, action="go_back()")))
    capsys.readouterr()
    assert main([str(run.folder), *tasks_of(run), "--progress", "quiet"]) == INCOMPLETE
    lines = capsys.readouterr().out.splitlines()
    place = f"{made.task}, instance {made.index}, "
    whats = [line.removeprefix(place).partition(": ")[0] for line in lines[:-1]]
    assert whats[0] == f"step {len(made.steps) - 1} (go_back())"
    assert whats[1].startswith("moment ")
    assert {"state /settings/home", "score by key_nodes", "score by final_state"} <= set(whats)
    assert any(line.endswith("score by key_nodes: the run 1, the replay 0.75") for line in lines)
    assert main([str(run.folder), *tasks_of(run), "--input", "webdriver"]) == WRONG_USE
    assert "--input webdriver knows one page" in capsys.readouterr().err


@pytest.mark.slow
def test_one_episode_of_a_run_is_replayed(run, capsys):
    first = next(iter(run.episodes()))
    assert main([str(run.folder), first.task, str(first.index), *tasks_of(run)]) == COMPLETE
    assert "1 episode replayed, 0 differences" in capsys.readouterr().out


def test_a_task_to_replay_needs_its_instance(run, capsys):
    assert main([str(run.folder), "Some task", *tasks_of(run)]) == WRONG_USE
    assert "which instance of 'Some task'?" in capsys.readouterr().err
