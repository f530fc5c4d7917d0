from __future__ import annotations

import json
import subprocess
import sys

import pytest

from harness.cli.boundary import COMPLETE, WRONG_USE
from harness.cli.commands.compare import main
from tests.analysis.made import episodes, write
from tests.checkout import PROJECT

FIRST = {name: [{"s": 0.2, "r": 0.0}, {"s": 0.1 * place}] for place, name in enumerate("ABCDEF")}
SECOND = {name: [{"s": 0.6, "r": 1.0}, {"s": 0.1 * place}] for place, name in enumerate("ABCDEF")}
FEW = ["--draws", "200"]


@pytest.fixture
def runs(tmp_path):
    first = write(tmp_path / "first", episodes(FIRST), {"solver": "weak"})
    return str(first), str(write(tmp_path / "second", episodes(SECOND), {"solver": "strong"}))


def test_two_runs_are_compared(runs, capsys):
    assert main([*runs, *FEW]) == COMPLETE
    said = capsys.readouterr().out
    assert "strong (second) against weak (first): a difference above 0 speaks for strong." in said
    overall = next(line for line in said.splitlines() if line.startswith("overall"))
    # The first instances differ by (0.4 + 1) / 2, the others not; all six tasks alike: p is 2 / 2^6.
    assert overall.split()[4:] == ["6", "12", "17.5", "52.5", "+35.0", *overall.split()[9:12], "0.031", "0.031"]
    assert "Of 6 tasks strong is ahead in 6, behind in 0, and equal in 0." in said
    assert "http://127.0.0.1:8000/task/A/0/" in said
    assert f"{runs[1]}/episodes/A/0.json" in said
    assert "No instance differs" not in said


def test_the_tables_are_limited_and_say_so(runs, capsys):
    main([*runs, *FEW, "--worst", "2"])
    said = capsys.readouterr().out
    assert said.count("http://") == 2
    assert "4 tasks that differ less: --worst N shows N, --json all." in said


def test_the_comparison_can_be_had_as_json(runs, capsys):
    assert main([*runs, *FEW, "--seed", "3", "--json"]) == COMPLETE
    record = json.loads(capsys.readouterr().out)
    assert (record["measure"], record["draws"], record["seed"]) == ("score", 200, 3)
    assert [each["name"] for each in record["results"]] == ["weak", "strong"]
    (made,) = record["comparisons"]
    assert made["overall"]["difference"]["value"] == pytest.approx(0.35)
    assert len(made["tasks"]) == 6
    assert made["right"]["only_second"] == 6


def test_equal_seeds_give_equal_output(runs, capsys):
    def said(seed):
        main([*runs, *FEW, "--json", "--seed", seed])
        return capsys.readouterr().out

    assert said("1") == said("1")


def test_the_tables_can_be_had_as_markdown(runs, capsys):
    assert main([*runs, *FEW, "--markdown"]) == COMPLETE
    said = capsys.readouterr().out
    assert "|  | tasks | instances | weak | strong | difference |" in said
    assert "| A | train | 2 | " in said
    assert "─" not in said


def test_the_hybrid_stands_beside_what_flatters_it_and_the_best_run(tmp_path, capsys):
    kinds = [{"r": 1.0, "s": 0.0}], [{"r": 0.0, "s": 0.8}]
    runs = [
        str(write(tmp_path / name, episodes(dict.fromkeys("ABCDEF", each)), {"solver": name}))
        for name, each in zip(("presser", "slider"), kinds, strict=True)
    ]
    assert main([*runs, *FEW, "--hybrid"]) == COMPLETE
    lines = [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()]
    for line in (
        "hybrid cross-fitted 90.0 48.7 to 94.6",
        "hybrid optimistic 90.0 48.7 to 94.6",
        "single best: presser optimistic 50.0 27.0 to 73.0",
        "single best, cross-fitted +40.0 -24.3 to +67.6 0.031",
        "radio 6 6 100.0 0.0 presser presser (6)",
        "range 6 6 0.0 80.0 slider slider (6)",
        "No instance is left out.",
    ):
        assert any(each.startswith(line) for each in lines), line
    assert any("takes luck for skill" in line for line in lines)


def test_the_hybrid_can_be_had_as_json_and_markdown(runs, capsys):
    assert main([*runs, *FEW, "--hybrid", "--json"]) == COMPLETE
    record = json.loads(capsys.readouterr().out)
    assert record["hybrid"]["hybrid"]["value"] == pytest.approx(0.525)
    assert [each["name"] for each in record["results"]] == ["weak", "strong"]
    assert main([*runs, *FEW, "--hybrid", "--markdown"]) == COMPLETE
    assert "| hybrid | cross-fitted | 52.5 |" in capsys.readouterr().out


def test_no_hybrid_is_made_with_the_workers(runs, tmp_path, capsys):
    crowd = write(tmp_path / "crowd", episodes(FIRST), {"solver": "crowd"})
    assert main([*runs, str(crowd), "--hybrid"]) == WRONG_USE
    assert "leave the run of --solver crowd out" in capsys.readouterr().err


def test_few_tasks_are_said_to_show_nothing(tmp_path, capsys):
    runs = [
        str(write(tmp_path / name, episodes(dict(list(tasks.items())[:5])), {"solver": name}))
        for name, tasks in (("a", FIRST), ("b", SECOND))
    ]
    assert main([*runs, *FEW]) == COMPLETE
    assert "p: fewer than 6 tasks can show nothing by a test" in capsys.readouterr().out


def test_warnings_and_what_is_left_out_are_said(runs, tmp_path, capsys):
    odd = write(tmp_path / "odd", episodes(SECOND)[1:], {"solver": "odd"}, protocol="other", status="interrupted")
    main([runs[0], str(odd), *FEW])
    said = capsys.readouterr().out
    assert "warning: The protocols differ: the solvers were not told the same." in said
    assert f"warning: The run {odd} is interrupted" in said
    assert "Instances left out: 1 not in odd." in said


def test_seeds_are_one_result_and_their_spread_is_said(runs, tmp_path, capsys):
    more = [str(write(tmp_path / str(n), episodes(SECOND), {"solver": "weak", "solver_seed": n})) for n in (1, 2)]
    main([runs[1], runs[0], *more, *FEW])
    said = capsys.readouterr().out
    # 17.5, 52.5 and 52.5.
    assert "mean over 3 seeds (0: 17.5, 1: 52.5, 2: 52.5); standard deviation between seeds 20.21 points" in said
    assert "Fields are not counted as right or wrong" in said


def test_both_runs_are_scored_by_one_profile_if_asked_for(tmp_path, capsys):
    runs = [
        str(write(tmp_path / name, episodes(SECOND), {"solver": name, "metrics": profile}))
        for name, profile in (("a", "standard"), ("b", "turkingbench-2024"))
    ]
    main([*runs, *FEW])
    assert "warning: The scores are of different profiles" in capsys.readouterr().out
    main([*runs, *FEW, "--metrics", "standard"])
    said = capsys.readouterr().out
    assert "warning" not in said
    assert "No instance differs." in said


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["{first}"], "one run is nothing to compare"),
        (["{first}", "{first}/episodes"], "is no run directory"),
        (["{first}", "{seed}"], "all of these runs are seeds of one result, weak"),
        (["{first}", "{apart}"], "have no scored instance in common: 12 not in apart, 1 not in weak"),
    ],
)
def test_wrong_use_is_told_in_one_line(runs, tmp_path, capsys, arguments, said):
    folders = {
        "first": runs[0],
        "seed": str(write(tmp_path / "seed", episodes(SECOND), {"solver": "weak", "solver_seed": 5})),
        "apart": str(write(tmp_path / "apart", episodes({"Z": [{"s": 1.0}]}), {"solver": "apart"})),
    }
    assert main([each.format(**folders) for each in arguments]) == WRONG_USE
    error = capsys.readouterr().err
    assert said in error
    assert error.count("\n") == 1


@pytest.mark.parametrize("arguments", [["--seed", "-1"], ["--draws", "0"], ["--json", "--markdown"], ["--worst", "x"]])
def test_arguments_that_cannot_be_meant_are_refused(runs, arguments):
    with pytest.raises(SystemExit, match="2"):
        main([*runs, *arguments])


@pytest.mark.slow
def test_a_reader_that_closes_its_end_early_is_no_error(runs):
    command = [sys.executable, "-m", "harness", "compare", *runs, *FEW]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=PROJECT, text=True) as process:
        process.stdout.close()
        assert process.stderr.read() == ""
    assert process.returncode == COMPLETE
