import csv
import json
from dataclasses import asdict

import pytest

from harness.cli.boundary import COMPLETE
from harness.cli.commands.judge.trust import main
from harness.scoring.judges.judge_results import (
    MalformedResults,
    printed_metrics,
    printed_rates,
    read_results,
    results_csv,
)
from tests.scoring.judges.places import DATA, needs_data

PUBLISHED = DATA / "webjudge_o4_mini"


def written(folder, said, category="trajectory_success"):
    file = folder / "results.json"
    file.write_text(json.dumps({"made": {"all": {"all": {category: said}}}}), encoding="utf-8")
    return file


@needs_data
def test_the_published_metrics_come_out_of_the_results_to_the_printed_digit():
    printed = results_csv(printed_metrics(read_results(PUBLISHED / "results.json")))
    published = (PUBLISHED / "metrics_test.csv").read_text(encoding="utf-8")
    ours, theirs = (list(csv.reader(text.splitlines())) for text in (printed, published))
    assert len(theirs) == 1921
    assert ours == theirs


def test_the_accuracy_alone_is_rounded_twice_as_it_was_when_it_was_printed(tmp_path):
    """64 of 78 are 82.051 per cent: rounded once 82.1, by way of 82.05 it is 82.0, as the published table has it."""
    said = {"y_human": [1] * 78, "y_judge": [1] * 64 + [0] * 14}
    (line,) = printed_metrics(read_results(written(tmp_path, said)))
    assert (line.judge, line.benchmark, line.agent, line.category) == ("made", "Overall", "All", "Success")
    assert (line.accuracy, line.recall) == ("82.0", "82.1")
    assert (line.precision, line.npv, line.tnr) == ("100.0", "0.0", "0")


def test_what_the_judge_left_open_counts_as_the_published_rules_have_it(tmp_path):
    said = {"y_human": [1, 1, 0, 0], "y_judge": [1, -1, 0, -1]}
    (line,) = printed_metrics(read_results(written(tmp_path, said)))
    assert (line.accuracy, line.recall, line.f1, line.tnr) == ("50.0", "100.0", "100.0", "50.0")


def test_of_grades_only_the_accuracy_is_given(tmp_path):
    said = {"y_human": [4, 2], "y_judge": [4, 1]}
    (line,) = printed_metrics(read_results(written(tmp_path, said, "trajectory_optimality")))
    assert (line.accuracy, line.precision, line.tnr, line.total) == ("50.0", "", "", "2")


@needs_data
def test_the_published_success_rates_come_out_of_the_results_but_for_what_the_benchmarks_gave():
    rates = printed_rates(read_results(PUBLISHED / "results.json"))
    theirs = list(csv.DictReader((PUBLISHED / "success_rates_test.csv").read_text(encoding="utf-8").splitlines()))
    assert len(theirs) == len(rates) == 480
    compared = [{**asdict(each), "function_sr": ""} for each in rates]
    assert compared == [{**line, "function_sr": ""} for line in theirs]
    assert {each.function_sr for each in rates if each.count != "0"} == {""}


def test_metrics_and_success_rates_are_written_into_a_folder(tmp_path):
    file = written(tmp_path, {"y_human": [1, 1, 0], "y_judge": [1, -1, 0]})
    assert main(["metrics", str(file), "--out", str(tmp_path / "out")]) == COMPLETE
    lines = (tmp_path / "out" / "success_rates_test.csv").read_text().splitlines()
    assert lines == ["judge,benchmark,agent,human_sr,judge_sr,function_sr,count", "made,all,All,0.6667,0.3333,,3"]
    assert (tmp_path / "out" / "metrics_test.csv").read_text().startswith("judge,benchmark,agent,category,accuracy")


@pytest.mark.parametrize(
    ("said", "message"),
    [
        ({"y_human": [1], "y_judge": []}, "not as many"),
        ({"y_human": [2], "y_judge": [1]}, "something else"),
        ({"y_human": [-1], "y_judge": [1]}, "something else"),
        ({"y_human": [1]}, "no results"),
        ({"y_human": ["1"], "y_judge": [1]}, "no results"),
    ],
)
def test_results_that_cannot_be_are_refused(tmp_path, said, message):
    with pytest.raises(MalformedResults, match=message):
        read_results(written(tmp_path, said))
