"""Figures 4 to 7 of Online-Mind2Web over data made for the test: what is drawn, and that it is written."""

from __future__ import annotations

import json
from pathlib import Path

import lxml.etree
import pytest

from harness.cli.boundary import COMPLETE, WRONG_USE
from harness.cli.commands.judge.trust import main
from harness.papers.online_mind2web.judge_figures import agreement_bars, step_bars
from harness.scoring.judges.agent_rates import SteppedTry, efficiency
from harness.scoring.judges.judged_pairs import JudgedPair, agreement_groups
from tests.scoring.judges.made import written

WRONG = dict.fromkeys(("a", "b", "c", "d"), "wrong")


def drawn(file: Path) -> str:
    """All words in a figure."""
    return " ".join("".join(each.itertext()) for each in lxml.etree.fromstring(file.read_bytes()).iter())


def labels(folder: Path) -> Path:
    file = folder / "human_label.json"
    said = [("a", "1", "1"), ("b", "0", "1"), ("c", "0", "2")]
    file.write_text(
        json.dumps(
            [{"task_id": task, "confirmed_task": "Go", "Operator_human_label": one, "SeeAct_human_label": two}
             for task, one, two in said]
        )
    )  # fmt: skip
    return file


def levels(folder: Path, **of_tasks: str) -> Path:
    file = folder / "Online_Mind2Web.json"
    task = {"confirmed_task": "Go", "website": "https://shop.test/", "reference_length": 4}
    file.write_text(json.dumps([{"task_id": name, **task, "level": level} for name, level in of_tasks.items()]))
    return file


def test_success_by_level_is_told_and_drawn(tmp_path, capsys):
    arguments = ["people", str(labels(tmp_path)), "--levels", str(levels(tmp_path, a="easy", b="easy", c="hard"))]
    assert main([*arguments, "--svg", str(tmp_path / "figure4.svg")]) == COMPLETE
    told = capsys.readouterr().out
    assert told.index("easy\n") < told.index("hard\n")
    assert "medium\n" not in told
    words = drawn(tmp_path / "figure4.svg")
    assert "easy: Operator" in words
    assert "50.0 of 2" in words
    assert "0.0 of 1" in words


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["--svg", "figure.svg"], "--svg draws success by level: give --levels Online_Mind2Web.json, too"),
        (["--levels", "{levels}"], "holds none of the tasks that people labelled"),
    ],
)
def test_success_by_level_needs_the_tasks_of_the_labels(more, said, tmp_path, capsys):
    others = str(levels(tmp_path, z="easy"))
    assert main(["people", str(labels(tmp_path)), *(each.format(levels=others) for each in more)]) == WRONG_USE
    assert said in capsys.readouterr().err


def test_agreement_is_drawn_by_the_length_of_trajectories():
    pairs = [JudgedPair("a", "O", True, True, steps=5), JudgedPair("b", "O", True, False, steps=50)]
    rows = agreement_bars({"WebJudge": agreement_groups(pairs, draws=10)})
    assert [(row.value, row.words) for row in rows] == [(1.0, "100.0 of 1"), (0.0, "0.0 of 1")]


def test_steps_of_successes_have_the_efficiency_beside_them():
    tries = [SteppedTry("a", 6, 3, True), SteppedTry("b", 9, 3, False)]
    rows = step_bars({"Operator": efficiency(tries, draws=10), "Idle": efficiency([], draws=10)})
    assert [(row.name, row.words) for row in rows] == [
        ("Operator: successes", "6.0 steps, 2.0 references"),
        ("Operator: failures", "9.0 steps"),
    ]


def test_kinds_of_failures_are_drawn_by_people_and_by_each_judge(tmp_path):
    named = {"a": "navigation", "b": "navigation", "c": "other", "d": "filter_and_sorting"}
    judge = written(tmp_path, "j.json", "J", WRONG, failures=named)
    people = written(tmp_path, "p.json", "Ann", WRONG, kind="person", failures=named)
    assert main(["kinds", str(judge), str(people), "--svg", str(tmp_path / "figure7.svg")]) == COMPLETE
    words = drawn(tmp_path / "figure7.svg")
    assert "people: navigation" in words
    assert "J: filter and sorting" in words
    assert "50.0" in words


def test_a_figure_of_nothing_is_not_written(tmp_path, capsys):
    judge = written(tmp_path, "j.json", "J", WRONG)
    assert main(["kinds", str(judge), "--svg", str(tmp_path / "figure7.svg")]) == WRONG_USE
    assert "nothing is known that could be drawn" in capsys.readouterr().err
