"""A run beside a row of the paper: its score by hand, its interval, and which row it repeats."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from harness.cli.boundary import COMPLETE, WRONG_USE
from harness.cli.commands.papers.turkingbench import main
from harness.episode.registry import find_solver
from harness.papers.turkingbench.paper_rows import chosen, paper_rows
from harness.papers.turkingbench.row_measurement import measured_row, pooled
from harness.records.config import RunConfig
from harness.records.directory import RunDirectory
from tests.analysis.site_episodes import on_site
from tests.samples import episode, record, run_record

FOUR = paper_rows("Table 4")


def table(*rows: tuple[int, int, float]) -> pd.DataFrame:
    """Fields: their task, instance and score."""
    return pd.DataFrame(rows, columns=["task_code", "instance", "score"])


def test_the_fields_of_a_task_weigh_alike_whatever_page_they_are_on_and_tasks_weigh_alike():
    fields = table((0, 0, 1.0), (0, 1, 0.0), (0, 1, 0.0), (0, 1, 0.0), (1, 2, 1.0), (1, 3, 0.5))
    assert pooled(fields).value == pytest.approx((1 / 4 + 1.5 / 2) / 2)


def test_a_field_without_a_score_counts_nowhere():
    assert pooled(table((0, 0, 1.0), (0, 0, float("nan")), (1, 1, 0.0))).value == pytest.approx(0.5)


def test_pages_with_equal_numbers_of_fields_have_the_interval_of_their_means():
    from harness.kit.statistics.clustered import mean_of_clusters

    scores = [0.1, 0.9, 0.4, 0.6, 0.3, 0.2, 0.8, 0.5]
    fields = table(*[(place // 2, place, score) for place, score in enumerate(scores) for _ in range(3)])
    wanted = mean_of_clusters(scores, [place // 2 for place in range(8)])
    found = pooled(fields)
    assert (found.value, found.low, found.high) == pytest.approx((wanted.value, wanted.low, wanted.high))
    assert (found.clusters, found.items) == (4, 8)
    assert found.low < found.value < found.high


def test_one_task_has_no_interval():
    assert pooled(table((0, 0, 1.0), (0, 1, 0.0))).low is None


# ---- which row a run repeats ----------------------------------------------------------------------------------------


def written(
    folder: Path, solver: str, more: dict[str, Any] | None = None, told: dict[str, Any] | None = None, **config: Any
) -> Path:
    options = dict(find_solver(solver).check(more or {}))
    given = {"split": "test", "max_instances": 20, **config}
    run = RunDirectory(folder)
    run.write(run_record(config=RunConfig(solver, folder, options=options, **given), solver=told or {}))
    fields = (record("a", labels=("yes",), sent=("yes",)), record("b", labels=("yes",), sent=("no",)))
    for number in range(20):
        run.add(replace(episode(*fields, task=f"Task {number}", split="test"), index=0), {})
    return folder


@pytest.mark.parametrize("name", ["gpt-4v-full-1", "llama-3.2-3b-relevant-7", "gpt-4o-relevant-0", "oracle"])
def test_a_run_that_asks_as_a_row_is_put_beside_it_without_remark(name, tmp_path):
    row = chosen(FOUR, name)
    options = row.options | ({"retired_anyway": True} if row.options else {})
    measured = measured_row(written(tmp_path / "run", row.solver, options), FOUR)
    assert (measured.row, measured.differs) == (row, ())
    assert measured.score.value == pytest.approx(0.5)
    assert (measured.tasks, measured.instances) == (20, 20)
    assert measured.kinds == {"text": pytest.approx(0.5)}


@pytest.mark.parametrize(
    ("options", "config", "said"),
    [
        ({"model": "gpt-6.1-sol"}, {}, "model gpt-6.1-sol"),
        ({"prompts": "harness"}, {}, "prompts harness"),
        ({"temperature": 0.0}, {}, "temperature 0.0"),
        ({}, {"split": None}, "split all"),
        ({}, {"max_instances": None}, "all instances of a task"),
        ({}, {"max_instances": 5}, "5 instances a task"),
    ],
)
def test_what_a_run_did_otherwise_than_its_row_is_named(options, config, said, tmp_path):
    measured = measured_row(written(tmp_path / "run", "gpt4v", options, **config), FOUR)
    assert measured.row.name == "gpt-4v-full-7"
    assert said in measured.differs


def test_too_few_demonstrations_and_those_of_another_set_are_named(tmp_path):
    told = {
        "demonstrations_shown": {"asked": 7, "fewest": 0, "most": 2},
        "demonstrations_from": {"folder": "others", "sha256": "0"},
    }
    measured = measured_row(written(tmp_path / "run", "gpt4v", told=told), FOUR)
    assert {"0 to 2 of 7 demonstrations", "demonstrations from others"} <= set(measured.differs)


def test_of_rows_that_differ_in_their_model_alone_the_folders_name_decides(tmp_path):
    options = {"model": "somebody/llama", "demos": 3}
    named = written(tmp_path / "llama-3.2-3b-relevant-3", "llama", options)
    assert measured_row(named, FOUR).row.name == "llama-3.2-3b-relevant-3"
    assert measured_row(written(tmp_path / "run", "llama", options), FOUR).row is None


def test_a_run_that_repeats_no_row_stands_under_a_heading_of_its_own(tmp_path, capsys):
    written(tmp_path / "runs" / "mine", "gpt4v", {"demos": 2})
    assert main(["table4", "--measured", str(tmp_path / "runs")]) == COMPLETE
    table, _, others = capsys.readouterr().out.partition("not in the table")
    assert "50.0" not in table
    assert str(tmp_path / "runs" / "mine") in others
    assert "50.0" in others


def test_table_5_has_measured_kinds_beside_printed_ones(tmp_path, capsys):
    row = chosen(paper_rows("Table 5"), "gpt-4o-relevant-3")
    written(tmp_path / "run", row.solver, row.options)
    assert main(["table5", "--measured", str(tmp_path / "run")]) == COMPLETE
    said = capsys.readouterr().out
    (line,) = [line for line in said.splitlines() if " gpt-4o-relevant-3 " in line]
    assert "30.3" in line
    assert "16.4 / 50.0" in line
    assert "73.3 / –" in line
    assert "doubtful model: printed as GPT4-VL" in said


def test_a_run_in_which_nothing_has_a_score_is_measured_as_nothing(tmp_path, capsys):
    run = RunDirectory(tmp_path / "oracle")
    run.write(run_record(config=RunConfig("oracle", tmp_path, split="test"), status="incomplete"))
    run.add(episode(record("a"), task="One", split="test", outcome="harness_error"), {})
    assert main(["table4", "--measured", str(run.folder)]) == COMPLETE
    (line,) = [line for line in capsys.readouterr().out.splitlines() if line.split()[:1] == ["oracle"]]
    assert line.split() == ["oracle", "100.0", "–", "–", "0", "0"]


def test_a_folder_without_a_run_is_wrong_use(tmp_path, capsys):
    assert main(["table4", "--measured", str(tmp_path)]) == WRONG_USE
    assert "is no run directory, and holds none" in capsys.readouterr().err


def test_a_run_on_websites_repeats_no_row_and_says_so(tmp_path, capsys):
    run = written(tmp_path / "run", "oracle")
    RunDirectory(run).add(on_site({"answer": 1.0}), {})
    assert measured_row(run, FOUR).row is None
    assert main(["table4", "--measured", str(run)]) == COMPLETE
    said = capsys.readouterr().out
    assert f"oracle: {run}: a run on websites, of which there are no rows." in said
    assert "not in the table" not in said
