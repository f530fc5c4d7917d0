"""Steps asked one by one, and the numbers of what was said."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace

import pytest

from harness.kit.errors import UserError
from harness.papers.mind2web.demonstrations.mind2web_file import written
from harness.papers.mind2web.traces import Traces, WrongTraces
from harness.papers.teacher_forced.demonstrated_steps import DemonstratedSteps
from harness.papers.teacher_forced.evaluating import EvaluationStopped
from harness.papers.teacher_forced.evaluation_work import EvaluationWork
from harness.papers.teacher_forced.kept_predictions import OtherEvaluation
from harness.papers.teacher_forced.step_numbers import evaluation_numbers
from harness.papers.teacher_forced.step_solvers import StepSetup, UnknownStepSolver, make_step_solver
from tests.papers.teacher_forced import odd_solvers
from tests.papers.teacher_forced.made import CLICK, demonstration, step

ODD = odd_solvers.__name__


def traces(folder, *demonstrations):
    file = folder / "traces.json"
    written(demonstrations or [demonstration()], file)
    return file


def work(tmp_path, solver, *demonstrations, **more):
    steps = DemonstratedSteps.read(traces(tmp_path, *demonstrations), seed=more.get("seed", 0))
    return EvaluationWork.of(steps, solver, {}, tmp_path / "out", **more)


def ask(asked, *, resume=False):
    told = []
    asked.begin(resume=resume)
    unanswered = asked.ask(told.append)
    return told, unanswered


def test_the_oracle_reaches_everything_and_proves_the_measures(tmp_path):
    asked = work(tmp_path, "oracle", *(demonstration(f"d{number}") for number in range(3)), orders=2)
    told, unanswered = ask(asked)
    assert (len(told), unanswered) == (18, Counter())
    found = asked.summarise()
    assert found.whole is not None
    for means in (found.whole.macro, found.whole.micro):
        assert (means.element_accuracy.value, means.operation_f1.value, means.step_success.value) == (1.0, 1.0, 1.0)
    assert (found.whole.task_success.value, found.missing, found.problems) == (1.0, 0, {})
    assert found.whole.failed_steps["0"] == 1.0


def test_means_over_tasks_and_over_steps_differ_where_tasks_differ_in_length(tmp_path):
    # "10" is right in the short task, and in one of the three steps of the long one.
    asked = work(tmp_path, f"{ODD}:Presses", demonstration("short", [CLICK] * 2), demonstration("long"))
    ask(asked)
    found = asked.summarise()
    assert found.whole is not None
    assert found.whole.macro.step_success.value == pytest.approx((1 + 1 / 3) / 2)
    assert found.whole.micro.step_success.value == pytest.approx(3 / 5)
    assert (found.whole.task_success.value, found.whole.task_success_but_one.value) == (0.5, 0.5)
    assert found.whole.failed_steps == {"0": 0.5, "1": 0.0, "2": 0.5, "3": 0.0, ">3": 0.0}


def test_what_a_solver_does_wrong_counts_as_nothing_by_its_kind(tmp_path):
    asked = work(tmp_path, f"{ODD}:Raises")
    ask(asked)
    found = asked.summarise()
    assert found.whole is not None
    assert found.whole.macro.operation_f1.value == 0.0
    assert (found.whole.steps, found.problems) == (3, {"raised KeyError": 3})


def test_what_is_no_prediction_is_none(tmp_path):
    asked = work(tmp_path, f"{ODD}:SaysNonsense")
    told, _ = ask(asked)
    assert all(each.problem.startswith("no prediction") and each.op is None for each in told)


def test_a_question_that_the_model_refuses_is_a_failed_step(tmp_path):
    asked = work(tmp_path, f"{ODD}:Refused")
    told, unanswered = ask(asked)
    assert (len(told), unanswered.total()) == (3, 0)
    assert asked.summarise().problems == {"the model refused the question": 3}


def test_where_the_model_gives_no_access_the_evaluation_stops_and_no_step_is_failed(tmp_path):
    asked = work(tmp_path, f"{ODD}:NoKey")
    with pytest.raises(EvaluationStopped, match="--resume"):
        ask(asked)
    assert list(asked.folder.predictions()) == []


def test_a_step_that_could_not_be_asked_is_missing_and_its_task_is_in_no_mean(tmp_path):
    asked = work(tmp_path, f"{ODD}:NotAlways", demonstration("d0"), demonstration("d1"))
    told, unanswered = ask(asked)
    assert told.count(None) == unanswered.total() == 2
    found = asked.summarise()
    assert (found.whole, found.missing, found.unfinished) == (None, 2, 2)


def test_where_nobody_answers_any_more_the_evaluation_stops_and_keeps_what_it_has(tmp_path):
    asked = work(tmp_path, f"{ODD}:Gone")
    with pytest.raises(EvaluationStopped, match="--resume"):
        ask(asked)
    assert len(list(asked.folder.predictions())) == 1


def test_each_order_has_a_solver_with_a_seed_of_its_own_and_the_spread_is_told(tmp_path):
    odd_solvers.Seeded.seeds.clear()
    odd_solvers.Seeded.closed.clear()
    asked = work(tmp_path, f"{ODD}:Seeded", demonstration(steps=[CLICK]), orders=5, seed=3)
    ask(asked)
    assert odd_solvers.Seeded.seeds == odd_solvers.Seeded.closed == [3, 4, 5, 6, 7]
    found = asked.summarise()
    spread = found.spread["step_success"]
    assert spread.values == (1.0, 0.0, 1.0, 0.0, 1.0)
    assert (spread.mean, spread.sd) == (pytest.approx(0.6), pytest.approx(0.5477, abs=1e-4))
    assert found.whole is not None
    assert found.whole.macro.step_success.value == pytest.approx(0.6)
    assert found.whole.task_success.value == pytest.approx(0.6)
    assert [each.told for each in asked.folder.predictions()][1] == {"seed": 4}


def test_several_solvers_at_a_time_ask_each_step_once(tmp_path):
    many = [demonstration(f"d{number}") for number in range(9)]
    asked = work(tmp_path, "lexical", *many, orders=2, workers=3)
    told, _ = ask(asked)
    places = {(each.task, each.step, each.order) for each in told}
    assert len(told) == len(places) == 54
    assert sorted(each.place for each in asked.folder.predictions()) == sorted(places)


def test_what_ends_one_of_several_ends_all_and_keeps_what_was_predicted(tmp_path):
    many = [demonstration(f"d{number}") for number in range(9)]
    with pytest.raises(EvaluationStopped):
        ask(asked := work(tmp_path, f"{ODD}:Gone", *many, workers=3))
    assert 0 < len(list(asked.folder.predictions())) < 27


def test_an_evaluation_of_other_things_is_not_gone_on_with(tmp_path):
    asked = work(tmp_path, "oracle")
    ask(asked)
    with pytest.raises(OtherEvaluation, match="--resume"):
        asked.begin(resume=False)
    with pytest.raises(OtherEvaluation, match="seed"):
        replace(asked, seed=1).begin(resume=True)
    other = replace(asked, source=DemonstratedSteps.read(traces(tmp_path, demonstration("other"))))
    with pytest.raises(OtherEvaluation, match="traces"):
        other.begin(resume=True)


def test_options_that_only_say_how_a_model_is_called_may_change(tmp_path):
    asked = work(tmp_path, "oracle")
    ask(asked)
    replace(asked, options={"max_cost": 3.0}).begin(resume=True)
    replace(asked, options={"retired_anyway": True}).begin(resume=True)
    with pytest.raises(OtherEvaluation, match="options"):
        replace(asked, options={"top": 3}).begin(resume=True)


def test_a_line_that_was_not_written_to_its_end_is_asked_again(tmp_path):
    asked = work(tmp_path, "oracle")
    ask(asked)
    file = tmp_path / "out" / "predictions.jsonl"
    file.write_bytes(file.read_bytes()[:-20])
    told, _ = ask(asked, resume=True)
    assert [each.step for each in told] == [2]
    assert asked.summarise().missing == 0


def test_a_line_that_is_none_is_named(tmp_path):
    asked = work(tmp_path, "oracle")
    ask(asked)
    file = tmp_path / "out" / "predictions.jsonl"
    file.write_bytes(b"[]\n" + file.read_bytes())
    with pytest.raises(OtherEvaluation, match=r"predictions.jsonl, line 1"):
        ask(asked, resume=True)


def test_demonstrations_are_chosen_by_split_and_limit(tmp_path):
    many = [demonstration(f"d{number}", website=f"w{number % 3}", domain=f"D{number % 3}") for number in range(12)]
    file = traces(tmp_path, *many, demonstration("empty", ()))
    whole = Traces.read(file)
    assert (len(whole.tasks), whole.empty, whole.steps) == (12, 1, 36)
    held_out = Traces.read(file, split="cross-domain")
    assert {whole.splits[each.annotation_id] for each in held_out.tasks} == {"cross-domain"}
    assert [each.annotation_id for each in held_out.demonstrations()] == [each.annotation_id for each in held_out.tasks]
    assert len(Traces.read(file, limit=2).tasks) == 2
    assert Traces.read(file, limit=2).digest != whole.digest


def test_demonstrations_with_one_id_are_refused(tmp_path):
    with pytest.raises(WrongTraces, match="'d0'"):
        Traces.read(traces(tmp_path, demonstration(), demonstration()))


def test_intervals_can_generalise_over_websites(tmp_path):
    many = [demonstration(f"d{number}", website=f"w{number % 2}", steps=[CLICK] * 2) for number in range(6)]
    asked = work(tmp_path, "random", *many, demonstration("lost", [step(())]))
    ask(asked)
    by_task = asked.summarise()
    by_website = replace(asked, source=replace(asked.source, clusters="website")).summarise()
    assert by_task.whole is not None
    assert by_website.whole is not None
    assert by_task.whole.macro.step_success.value == pytest.approx(by_website.whole.macro.step_success.value)
    assert (by_task.whole.macro.step_success.clusters, by_website.whole.macro.step_success.clusters) == (7, 3)
    assert by_task.whole.unscorable == 1
    assert [each.name for each in by_task.websites] == ["shop", "w0", "w1"]


def test_the_folder_holds_the_numbers_for_programs(tmp_path):
    asked = work(tmp_path, "oracle", demonstration(website="=sum(1)"))
    ask(asked)
    asked.summarise()
    summary = json.loads((tmp_path / "out" / "summary.json").read_text())
    assert summary["whole"]["macro"]["step_success"]["value"] == 1.0
    heading, row = (tmp_path / "out" / "websites.csv").read_text().splitlines()
    assert heading.startswith("website,tasks,steps,element_accuracy,element_accuracy_low")
    assert row.startswith("'=sum(1),1,3,1.0,")


def test_nothing_that_was_predicted_leaves_nothing_to_show(tmp_path):
    asked = work(tmp_path, "oracle")
    found = evaluation_numbers("oracle", asked.source.traces, (), 1)
    assert (found.whole, found.missing, found.websites) == (None, 3, ())


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("lexicon", "Did you mean 'lexical'"),
        ("nowhere.at:All", "cannot be loaded"),
        (f"{ODD}:RIGHT", "cannot be loaded"),
        (f"{ODD}:Both", "either `predict` or `predict_with_key`"),
        ("page:nobody", "unknown solver 'nobody'"),
        ("page:oracle", "works by the labels"),
        ("page:command", "drives the browser itself"),
        ("page:constant", "works by the labels"),
    ],
)
def test_a_solver_that_cannot_be_asked_is_refused(tmp_path, name, words):
    with pytest.raises(UserError, match=words):
        make_step_solver(StepSetup(name, tmp_path))


def test_a_solver_that_asks_no_model_takes_none(tmp_path):
    with pytest.raises(UnknownStepSolver, match="asks no model"):
        make_step_solver(StepSetup("first", tmp_path, {"model": "local"}))
    with pytest.raises(UserError, match="no such option"):
        make_step_solver(StepSetup("page:search", tmp_path, {"rank": 3}))
