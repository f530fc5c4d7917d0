import json
from dataclasses import replace

import pytest

from harness.cli.boundary import COMPLETE, INCOMPLETE, WRONG_USE
from harness.cli.commands.judge.trust import main
from harness.records.site_record import Evaluation
from tests.samples import episode, record
from tests.scoring.judges.made import made as result_folder
from tests.scoring.judges.made import made_run, written
from tests.scoring.judges.places import DATA, needs_data
from tests.scoring.judges.replies import RECORD
from tests.scoring.judges.replies import written as replies


def test_agreement_is_shown_by_level_and_agent_with_its_intervals(tmp_path, capsys):
    tasks = {f"t{n}": (3 + 5 * (n % 3), n % 2 == 0) for n in range(12)}
    run = made_run(tmp_path / "run", tasks)
    truth = {t: "correct" if ok else "wrong" for t, (_, ok) in tasks.items()}
    people = written(tmp_path, "p.json", "Ann", truth, kind="person")
    said = {t: "correct" if ok or t == "t1" else "wrong" for t, (_, ok) in tasks.items()}
    judge = written(tmp_path, "j.json", "webjudge", said)
    again = written(tmp_path, "k.json", "webjudge", said)
    files = [str(judge), str(again), str(people)]
    assert main(["agreement", *files, "--run", str(run.folder), "--draws", "200"]) == COMPLETE
    out = capsys.readouterr().out
    assert out.startswith("webjudge: 24 verdicts on 12 tasks")
    for name in ("all", "easy", "medium", "hard", "random"):
        assert f"\n{name} " in out
    assert "91.7" in out
    assert "repeats" in out
    assert (
        main(["agreement", str(judge), "--run", str(run.folder), "--truth", "evaluators", "--draws", "200"]) == COMPLETE
    )
    assert "repeats" not in capsys.readouterr().out


def test_rates_are_shown_before_and_after_the_correction(tmp_path, capsys):
    names = [f"t{n}" for n in range(40)]
    judge = written(tmp_path, "j.json", "J", dict.fromkeys(names, "correct"))
    truth = {name: "wrong" if n % 2 else "correct" for n, name in enumerate(names[:20])}
    people = written(tmp_path, "p.json", "Ann", truth, kind="person")
    assert main(["corrected", str(judge), str(people), "--draws", "200"]) == COMPLETE
    line = capsys.readouterr().out.splitlines()[-1].split()
    assert line[:6] == ["random", "40", "20", "100.0", "1", "+50.0"]
    assert "50.0" in line[6:]


def test_efficiency_is_shown_by_agent(tmp_path, capsys):
    run = made_run(tmp_path / "run", {"a": (4, True), "b": (4, True), "c": (None, True), "d": (4, False)})
    assert main(["efficiency", str(run.folder)]) == COMPLETE
    out = capsys.readouterr().out
    assert "1 success without a reference left out" in out
    assert out.splitlines()[-1].split()[:2] == ["random", "0.0"]


def test_files_that_hold_no_judge_are_refused(tmp_path, capsys):
    people = written(tmp_path, "p.json", "Ann", {"a": "wrong"}, kind="person")
    assert main(["agreement", str(people)]) == WRONG_USE
    assert "none of these files holds a judge's verdicts" in capsys.readouterr().err
    assert main(["corrected", str(tmp_path / "none.json")]) == WRONG_USE
    assert "cannot be read" in capsys.readouterr().err


def test_a_judge_that_could_judge_nothing_is_told_and_stops_no_other(tmp_path, capsys):
    judge = written(tmp_path, "j.json", "J", {"a": "correct"})
    silent = written(tmp_path, "s.json", "agenttrek", {})
    people = written(tmp_path, "p.json", "Ann", {"a": "wrong"}, kind="person")
    for command in ("agreement", "corrected"):
        assert main([command, str(silent), str(judge), str(people), "--draws", "200"]) == COMPLETE
        out = capsys.readouterr().out
        assert out.startswith("J: 1 verdict") or command == "corrected"
        assert out.endswith("no verdict at all: agenttrek\n")


def test_trajectories_on_which_people_are_divided_are_told(tmp_path, capsys):
    files = [
        written(tmp_path, "j.json", "J", {"a": "correct", "b": "wrong"}),
        written(tmp_path, "p.json", "Ann", {"a": "correct", "b": "wrong"}, kind="person"),
        written(tmp_path, "q.json", "Bob", {"a": "wrong"}, kind="person"),
    ]
    assert main(["agreement", *map(str, files), "--draws", "50"]) == COMPLETE
    assert "1 trajectory left out: people are divided" in capsys.readouterr().out


def test_replies_that_are_not_placed_are_named_and_end_with_1(tmp_path, capsys):
    assert main(["replies", str(replies(tmp_path, RECORD))]) == COMPLETE
    assert "1 of 1 recorded reply placed" in capsys.readouterr().out
    unclear = [{**RECORD, "reply": "Well.", "task": f"t{n}"} for n in range(22)]
    assert main(["replies", str(replies(tmp_path, *unclear))]) == INCOMPLETE
    out = capsys.readouterr().out
    assert "not placed: line 1: made, made, t0: it gives no status" in out
    assert "and 2 more" in out


def test_result_folders_are_looked_over_and_copied(tmp_path, capsys):
    result_folder(tmp_path / "in")
    assert main(["folders", str(tmp_path / "in"), "--copy-to", str(tmp_path / "out")]) == COMPLETE
    assert "1 trajectory, 2 actions, 2 pictures, 0 missing" in capsys.readouterr().out
    assert json.loads((tmp_path / "out" / "t1" / "result.json").read_text(encoding="utf-8"))["task_id"] == "t1"
    result_folder(tmp_path / "in", "t2", pictures=("0.png", "2.png"))
    (tmp_path / "in" / "t3").mkdir()
    assert main(["folders", str(tmp_path / "in")]) == INCOMPLETE
    out = capsys.readouterr().out
    assert "t2: no picture number 1" in out
    assert "not read:" in out
    assert main(["folders", str(tmp_path / "in"), "--copy-to", str(tmp_path / "out")]) == WRONG_USE


def test_the_published_tables_are_shown(capsys):
    assert main(["published"]) == COMPLETE
    out = capsys.readouterr().out
    assert "arXiv 2504.01382" in out
    assert "OpenAI Operator" in out


@pytest.mark.slow
@needs_data
@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["people", str(DATA / "human_label.json")], "Claude_Computer_Use_3.7    300      169"),
        (["replies", str(DATA / "webjudge_o4_mini" / "replies.jsonl")], "499 of 499 recorded replies placed"),
        (["metrics", str(DATA / "webjudge_o4_mini" / "results.json")], "WebJudge,Overall,All,Success,83.3,82.0"),
    ],
)
def test_the_public_data_are_shown(arguments, words, capsys):
    assert main(arguments) == COMPLETE
    assert words in capsys.readouterr().out


def success_by_truth(capsys, run, judge, truth, *more):
    """The share of successes by a truth, in per cent, as it is printed."""
    asked = ["agreement", str(judge), "--run", str(run.folder), "--truth", truth, "--draws", "50", *more]
    assert main(asked) == COMPLETE
    return [line.split()[1] for line in capsys.readouterr().out.splitlines() if line.startswith("all ")][1]


def test_the_final_state_is_a_truth_whatever_the_main_evaluator_says(tmp_path, capsys):
    run = made_run(tmp_path / "run", {"a": (4, True), "b": (4, True)})
    for task, success in (("a", True), ("b", False)):
        known = run.episode(task, 0)
        final = Evaluation(evaluator="final_state", score=float(success), success=success)
        site = replace(known.site, evaluations=(*known.site.evaluations, final))
        run.add(replace(known, site=site), {})
    judge = written(tmp_path, "j.json", "J", {"a": "correct", "b": "correct"})
    assert success_by_truth(capsys, run, judge, "evaluators") == "100.0"
    assert success_by_truth(capsys, run, judge, "final_state") == "50.0"


def test_the_labels_of_forms_are_a_truth_from_a_threshold_on(tmp_path, capsys):
    run = made_run(tmp_path / "run", {})
    for task, sent in (("a", "yes"), ("b", "no")):
        fields = (record("x", "radio", sent=("yes",)), record("y", "radio", sent=(sent,)))
        run.add(episode(*fields, task=task), {})
    judge = written(tmp_path, "j.json", "J", {"a": "correct", "b": "correct"})
    assert success_by_truth(capsys, run, judge, "evaluators") == "100.0"
    assert success_by_truth(capsys, run, judge, "evaluators", "--threshold", "0.9") == "50.0"
