from __future__ import annotations

import re

import pytest

from harness.browser.browser import Browser, PageFailed
from harness.browser.wire import BrowserGone
from harness.episode import work
from harness.episode.clock import PHASES
from harness.records.config import Limits
from harness.scoring.answers.columns import UNLABELLED
from harness.scoring.metrics import PROFILES
from harness.scoring.scores import score_episode
from oracle.floors import Constant, DoNothing
from oracle.oracle import Oracle
from oracle.random_choice import RandomChoice
from tests import run_solvers
from tests.runs import Stage, sent, stage
from tests.task_folders import csv_text, make_task

REVEALING = """
<p>${text}</p><input name="a">
<label><input type="radio" name="more" value="yes">yes</label>
<label><input type="radio" name="more" value="no">no</label>
<div id="rest" style="display:none">
<select name="why"><option value="1">1</option><option value="2">2</option></select></div>
<label><input type="checkbox" name="box" value="on" checked>box</label>
<script>for (const radio of document.getElementsByName("more"))
  radio.onchange = () => { document.getElementById("rest").style.display = radio.value === "yes" ? "" : "none"; };
</script>"""
ROWS = (
    ["one", "LABEL-ONE", "yes", "2", "on"],
    ["two", "LABEL-TWO", "no", "", ""],
    ["three", "LABEL-TWO", "yes", "1", "on"],
)
SOLVERS = {"oracle": Oracle, "do-nothing": DoNothing, "random": RandomChoice, "constant": Constant}


@pytest.fixture(scope="module")
def at(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tasks")
    columns = [f"Answer.{name}" for name in ("a", "more", "why", "box")]
    make_task(folder, "R", template=REVEALING, table=csv_text(["text", *columns], *ROWS))
    table = csv_text(["text", "Answer.a", "Answer.b"], ["x", "yes", ""], ["y", "", "yes"], ["z", "", ""])
    make_task(folder, "Plain", template="<p>${text}</p><input name=a><input name=b>", table=table)
    with stage(folder) as made:
        yield made


def test_what_the_form_sends_is_recorded_field_by_field(at: Stage):
    made = at.play("R", Oracle())
    assert made.outcome == "scored"
    assert sent(made) == {"a": ("LABEL-ONE",), "more": ("yes",), "why": ("2",), "box": ("on",)}
    assert made.submission is not None
    assert made.submission.accepted
    assert [step.ok for step in made.steps] == [True, True, True]


def test_an_episode_says_how_long_its_phases_took_and_how_many_messages(at: Stage):
    made = at.play("R", DoNothing())
    assert set(made.timing) == set(PHASES) - {"record"}  # the run writes it
    assert made.messages["messages"] >= made.messages["waits"] > 0


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("index", range(3))
def test_the_scored_fields_are_the_same_for_every_solver(at: Stage, profile, index):
    counted = {}
    for name, solver in SOLVERS.items():
        score = at.score("R", solver(), index, profile=profile)
        counted[name] = [(field.record.name, field.score.ceiling) for field in score.fields]
    assert counted["oracle"]
    assert all(each == counted["oracle"] for each in counted.values())


def test_a_field_that_was_never_revealed_counts_as_unanswered(at: Stage):
    made = at.play("R", run_solvers.Fills())
    (why,) = [field for field in made.fields if field.name == "why"]
    assert (why.visible, why.status) == (False, "scored")


def test_the_floors_in_the_record_are_what_do_nothing_sends(at: Stage):
    for index in range(3):
        made = at.play("R", DoNothing(), index)
        assert {field.name: field.untouched for field in made.fields} == sent(made)
        score = score_episode(made, PROFILES["standard"])
        assert score.score == score.do_nothing


def test_the_floors_in_the_record_are_what_a_constant_run_scores(at: Stage):
    for index in range(3):
        made = at.play("R", Constant(), index)
        scored = {field.name: field.constant for field in made.fields if field.status == "scored" and field.visible}
        assert scored == {name: values for name, values in sent(made).items() if name in scored}
        score = score_episode(made, PROFILES["turkingbench-2024"])
        assert score.score == score.constant


def test_a_solver_without_a_key_is_told_names_and_fields_and_no_label(at: Stage):
    solver = run_solvers.LooksAround()
    at.play("R", solver)
    (page,) = solver.pages
    assert page.names == ("a", "more", "why", "box")
    assert [field.name for field in page.fields] == ["a", "more", "why", "box"]
    assert "LABEL" not in repr(page)


def test_a_solver_is_told_the_same_names_whatever_an_instance_labels(at: Stage):
    solver = run_solvers.LooksAround()
    for index in range(3):
        at.play("Plain", solver, index)
    assert [page.names for page in solver.pages] == [("a", "b")] * 3


def test_a_solver_with_a_key_is_handed_the_labels(at: Stage):
    solver = run_solvers.LooksAtTheKey()
    at.play("R", solver)
    (assignment,) = solver.assignments
    assert assignment.answers[0].labels == ("LABEL-ONE",)


def test_a_page_has_its_own_seed_which_is_the_same_in_every_run(at: Stage):
    solver = run_solvers.LooksAround()
    for index, seed in ((0, 0), (0, 0), (1, 0), (0, 1)):
        at.play("R", solver, index, seed=seed)
    first, again, other, reseeded = (page.seed for page in solver.pages)
    assert first == again
    assert len({first, other, reseeded}) == 3


def test_an_error_of_the_solver_is_told_and_the_page_scored_as_it_stands(at: Stage):
    made = at.play("Plain", run_solvers.Raises())
    assert made.outcome == "agent_error"
    assert re.fullmatch(r"RuntimeError: no idea \(solve, line \d+ of run_solvers\.py\)", made.detail)
    assert score_episode(made, PROFILES["standard"]).score == 1.0


def test_an_error_in_our_own_code_names_no_line_of_it(at: Stage, monkeypatch):
    monkeypatch.setattr(Oracle, "solve_with_key", lambda *_: int("one"))
    made = at.play("Plain", Oracle())
    assert made.outcome == "agent_error"
    assert made.detail == "ValueError: invalid literal for int() with base 10: 'one'"


def test_a_solver_that_exits_ends_its_episode_only(at: Stage):
    made = at.play("Plain", run_solvers.Exits())
    assert (made.outcome, made.detail.partition(" ")[0]) == ("agent_error", "SystemExit:")


def test_a_solver_that_loops_is_stopped_by_the_limit_of_steps(at: Stage):
    made = at.play("Plain", run_solvers.Loops(), limits=Limits(max_steps=3))
    assert (made.outcome, made.detail, made.limit, len(made.steps)) == ("limit", "steps", "steps", 3)
    assert score_episode(made, PROFILES["standard"]).score == 1.0


def test_a_solver_whose_time_is_up_can_act_no_more(at: Stage):
    made = at.play("Plain", run_solvers.Loops(), limits=Limits(max_seconds=0.0))
    assert (made.outcome, made.detail, made.steps) == ("limit", "time", ())


def test_a_solver_that_swallows_the_limit_has_reached_it_all_the_same(at: Stage):
    made = at.play("Plain", run_solvers.SwallowsTheLimit(), limits=Limits(max_steps=2))
    assert (made.outcome, made.detail, len(made.steps)) == ("limit", "steps", 2)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("solver", "limit"), [(run_solvers.SwallowsEverythingForEver, "steps"), (run_solvers.ThinksForEver, "time")]
)
def test_a_solver_that_never_comes_back_is_stopped_and_its_page_scored(at: Stage, monkeypatch, solver, limit):
    monkeypatch.setattr(work, "GRACE_SECONDS", -299.0)  # of 300 seconds
    made = at.play("Plain", solver(), limits=Limits(max_steps=1))
    assert (made.outcome, made.detail) == ("limit", limit)
    assert score_episode(made, PROFILES["standard"]).score == (1.0 if made.steps else 0.0)


def test_what_a_solver_submitted_itself_is_scored_and_nothing_later(at: Stage):
    made = at.play("Plain", run_solvers.SubmitsItself())
    assert made.submission is not None
    assert (made.outcome, made.submission.via) == ("scored", "solver")
    assert sent(made)["a"] == ("yes",)
    assert [step.ok for step in made.steps] == [True, True, False]


def test_an_instance_without_labels_is_unscored(at: Stage):
    made = at.play("Plain", DoNothing(), 2)
    assert made.outcome == "unscored"
    assert {field.status for field in made.fields} == {UNLABELLED}


def test_a_browser_that_died_is_told_even_if_the_solver_says_nothing(at: Stage):
    with Browser(at.browser.settings) as browser, pytest.raises(BrowserGone):
        at.play("Plain", run_solvers.KillsTheBrowserOnce(), browser=browser)


def test_a_page_that_is_not_there_fails(at: Stage):
    with pytest.raises(PageFailed, match="404"):
        at.browser.open(f"{at.origin}/page/Plain/99/")
