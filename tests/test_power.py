from __future__ import annotations

import json

import numpy as np
import pytest

from harness.cli.boundary import COMPLETE, WRONG_USE
from harness.cli.commands.plan.comparison import main
from tests.analysis.made import episodes, write

TASKS = "ABCDEFGH"


def drawn(seed):
    random = np.random.default_rng(seed)
    return {name: [{"s": float(random.uniform())} for _ in range(4)] for name in TASKS}


@pytest.fixture
def runs(tmp_path):
    return [str(write(tmp_path / str(n), episodes(drawn(n)), {"solver": f"s{n}"})) for n in (1, 2)]


def planned(capsys, *arguments):
    assert main([*arguments, "--json"]) == COMPLETE
    return json.loads(capsys.readouterr().out)


def test_a_plan_of_one_run_says_what_it_takes_for_granted(runs, capsys):
    assert main([runs[0]]) == COMPLETE
    said = capsys.readouterr().out
    assert "Scores of s1 on 8 tasks of 4 instances each" in said
    assert "correlation 0.50 (taken for granted" in said
    assert [line.split()[0] for line in said.splitlines() if line[:1].isdigit()] == ["1", "2", "5", "10", "8", "20"]


def test_a_plan_of_two_runs_goes_by_their_paired_differences(runs, capsys):
    assert main(runs) == COMPLETE
    assert "Paired differences of s1 and s2 on 8 tasks of 4 instances each" in capsys.readouterr().out
    table = [np.array([[each["s"] for each in task] for task in drawn(n).values()]) for n in (1, 2)]
    within = (table[1] - table[0]).var(axis=1, ddof=1).mean()
    assert planned(capsys, *runs)["basis"]["parts"]["within"] == pytest.approx(within)


def test_differences_and_designs_are_those_asked_for(runs, capsys):
    made = planned(capsys, *runs, "--difference", "3", "--difference", "30", "--design", "100x20", "--design", "6x2")
    assert [each["difference"] for each in made["needs"]] == [0.03, 0.3]
    assert [(each["tasks"], each["instances"]) for each in made["designs"]] == [(8, 4), (100, 20), (6, 2)]


def test_the_design_of_the_paper_is_shown_by_default(runs, capsys):
    made = planned(capsys, runs[0])
    assert [(each["tasks"], each["instances"]) for each in made["designs"]] == [(8, 4), (20, 20)]


def test_surer_and_stricter_plans_take_more(runs, capsys):
    def instances(*more):
        return planned(capsys, runs[0], "--difference", "5", *more)["needs"][0]["these_tasks"]

    plain = instances()
    assert instances("--power", "0.95") > plain
    assert instances("--alpha", "0.01") > plain
    assert instances("--correlation", "0.9") < plain


def test_seeds_are_one_solver(runs, tmp_path, capsys):
    other = str(write(tmp_path / "seed", episodes(drawn(3)), {"solver": "s1", "solver_seed": 1}))
    made = planned(capsys, runs[0], other)
    assert [each["seeds"] for each in made["results"]] == [[0, 1]]


def test_too_few_tasks_are_told_and_more_tasks_asked_for(tmp_path, capsys):
    few = {name: drawn(1)[name] for name in "ABCD"}
    assert main([str(write(tmp_path, episodes(few)))]) == COMPLETE
    assert "4 tasks are too few, however many instances they have (with fewer than 6 there is no test)" in (
        capsys.readouterr().out
    )


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["{0}", "{1}", "--correlation", "0.3"], "--correlation is for one solver"),
        (["{0}", "{1}", "{2}"], "these runs are 3 results"),
        (["{0}", "--split", "dev"], "no scored instance is of the split 'dev'; there are: train"),
        (["{0}", "--power", "0.01"], "--power is to be above --alpha"),
        (["{0}/episodes"], "is no run directory"),
        (["{0}", "{0}"], "score the same everywhere"),
    ],
)
def test_wrong_use_is_told_in_one_line(runs, tmp_path, capsys, arguments, said):
    third = str(write(tmp_path / "third", episodes(drawn(3)), {"solver": "s3"}))
    assert main([each.format(*runs, third) for each in arguments]) == WRONG_USE
    error = capsys.readouterr().err
    assert said in error
    assert error.count("\n") == 1


@pytest.mark.parametrize(
    "arguments",
    [
        ["--difference", "0"],
        ["--difference", "x"],
        ["--difference", "101"],
        ["--design", "20"],
        ["--design", "0x20"],
        ["--alpha", "1"],
        ["--power", "nan"],
        ["--correlation", "1"],
    ],
)
def test_arguments_that_cannot_be_meant_are_refused(runs, arguments):
    with pytest.raises(SystemExit, match="2"):
        main([runs[0], *arguments])
