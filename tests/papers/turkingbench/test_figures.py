"""Figures 5 and 6 of the paper over runs: by modality and task, by number of demonstrations."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from harness.cli.boundary import COMPLETE, WRONG_USE
from harness.cli.commands.papers.figures import main
from tests.analysis.made import ASKED, episodes, write
from tests.reports.written import run
from tests.samples import episode

Tasks = dict[str, list[dict[str, float]]]
TASKS: Tasks = {"A": [{"ra": 1.0}, {"ra": 0.0}], "B": [{"ra": 0.0, "rb": 1.0, "rc": 1.0, "rd": 1.0}]}
BETTER: Tasks = {"A": [{"ra": 1.0}, {"ra": 1.0}], "B": [{"ra": 0.0, "rb": 1.0, "rc": 0.0, "rd": 1.0}]}


def asked(folder: Path, tasks: Tasks = TASKS, options: dict[str, Any] | None = None, **values: Any) -> str:
    """The folder of a run of a model that was asked so."""
    return str(run(folder, tasks, {"solver": "preset", "options": {**ASKED, **(options or {})}}, **values))


def rows(text: str) -> list[list[str]]:
    """The cells of the table."""
    _, _, table = text.partition("─\n")
    return [line.split("  ") for line in table.partition("\n\n")[0].splitlines()]


def cells(text: str) -> list[list[str]]:
    return [[cell.strip() for cell in row if cell.strip()] for row in rows(text)]


def test_scores_stand_by_the_number_of_demonstrations(tmp_path, capsys):
    runs = [asked(tmp_path / "7", BETTER, {"demos": 7}), asked(tmp_path / "0", TASKS, {"demos": 0})]
    assert main(["figure6", *runs]) == COMPLETE
    found = cells(capsys.readouterr().out)
    assert [(row[1], row[2], row[4], row[5]) for row in found] == [("0", "62.5", "2", "3"), ("7", "75.0", "2", "3")]
    assert found[0][0] == found[1][0]


def test_a_folder_of_runs_stands_for_them(tmp_path, capsys):
    asked(tmp_path / "runs" / "a", TASKS, {"demos": 0})
    asked(tmp_path / "runs" / "b", BETTER, {"demos": 3})
    assert main(["figure6", str(tmp_path / "runs")]) == COMPLETE
    assert [row[1] for row in cells(capsys.readouterr().out)] == ["0", "3"]


def test_a_number_of_demonstrations_that_one_line_lacks_is_unknown_and_not_0(tmp_path, capsys):
    given = [({"demos": 0}, "m"), ({"demos": 3}, "m"), ({"demos": 0}, "n"), ({"demos": 3}, "n"), ({"demos": 7}, "n")]
    runs = [asked(tmp_path / str(n), TASKS, {**demos, "model": name}) for n, (demos, name) in enumerate(given)]
    assert main(["figure6", *runs]) == COMPLETE
    said = capsys.readouterr().out
    assert [row[2] for row in cells(said)].count("unknown") == 1
    assert "unknown: no run was given." in said


def test_results_that_a_picture_does_not_hold_are_counted(tmp_path, capsys):
    given = [{"demos": demos, "model": f"m{number}"} for number in range(5) for demos in (0, 3)]
    assert main(["figure6", *(asked(tmp_path / str(n), TASKS, each) for n, each in enumerate(given))]) == COMPLETE
    assert "A picture holds 4 of these 5: the first." in capsys.readouterr().out


def test_tasks_stand_by_modality_with_the_largest_gain_first(tmp_path, capsys):
    runs = [asked(tmp_path / "t", TASKS), asked(tmp_path / "v", BETTER, {"screenshot": "viewport"})]
    assert main(["figure5", *runs]) == COMPLETE
    assert cells(capsys.readouterr().out) == [
        ["A", "50.0", "100.0", "+50.0"],
        ["B", "75.0", "50.0", "-25.0"],
        ["mean over 2 tasks of all", "62.5", "75.0", "+12.5"],
        ["printed, over all tasks", "–", "–"],
    ]


def test_a_task_without_a_score_is_a_gap_and_no_0(tmp_path, capsys):
    """Nor does it take part in the mean of the run that has it."""
    failed = [
        each if each.task == "A" else episode(task="B", index=0, id=each.id, outcome="harness_error")
        for each in episodes(BETTER)
    ]
    config = {"solver": "preset", "options": {**ASKED, "screenshot": "viewport"}}
    vision = write(tmp_path / "v", failed, config, status="incomplete")
    text = write(tmp_path / "t", episodes(TASKS), {"solver": "preset", "options": ASKED})
    assert main(["figure5", str(text), str(vision)]) == COMPLETE
    said = capsys.readouterr().out
    assert cells(said)[:3] == [
        ["A", "50.0", "100.0", "+50.0"],
        ["B", "75.0", "–", "–"],
        ["mean over 1 task of all", "50.0", "100.0", "+50.0"],
    ]
    assert "no score (–) in B." in said
    assert "1 instance without a score, which count in no mean." in said
    assert "incomplete" in said


def test_a_run_of_other_instances_is_left_out_and_named(tmp_path, capsys):
    runs = [asked(tmp_path / str(demos), TASKS, {"demos": demos}) for demos in (0, 3)]
    other = asked(tmp_path / "other", BETTER, {"demos": 7}, sample="of others")
    assert main(["figure6", *runs, other]) == COMPLETE
    said = capsys.readouterr().out
    assert [row[1] for row in cells(said)] == ["0", "3"]
    assert f"{other}: cannot be compared with {runs[0]}: another sample, and is left out." in said


def test_a_baseline_has_no_demonstrations_and_is_named(tmp_path, capsys):
    runs = [asked(tmp_path / str(demos), TASKS, {"demos": demos}) for demos in (0, 3)]
    assert main(["figure6", *runs, str(run(tmp_path / "random", TASKS))]) == COMPLETE
    assert "random: has no number of demonstrations, and is left out." in capsys.readouterr().out


def test_a_run_that_differs_in_more_is_not_joined_and_says_in_what(tmp_path, capsys):
    runs = [asked(tmp_path / str(demos), TASKS, {"demos": demos}) for demos in (0, 3)]
    assert main(["figure6", *runs, asked(tmp_path / "n", TASKS, {"demos": 7, "model": "n"})]) == COMPLETE
    said = capsys.readouterr().out
    assert "7: differs from what is most like it also in: model." in said


def test_runs_that_differ_in_nothing_of_the_kind_are_refused(tmp_path, capsys):
    runs = [asked(tmp_path / name, TASKS, {"model": name}) for name in "mn"]
    assert main(["figure6", *runs]) == WRONG_USE
    assert "no two can be compared that differ in their number of demonstrations" in capsys.readouterr().err


def test_what_the_paper_prints_for_a_row_stands_beside_it(tmp_path, capsys):
    options = {"encoding": "relevant-5-10", "vision": True, "screenshot": "viewport", "model": "gpt-4o"}
    given = [{**ASKED, **options, "demos": demos} for demos in (0, 3)]
    runs = [
        write(tmp_path / str(each["demos"]), episodes(TASKS), {"solver": "gpt-4o", "options": each}) for each in given
    ]
    assert main(["figure6", *map(str, runs)]) == COMPLETE
    assert [row[-1] for row in cells(capsys.readouterr().out)] == ["32.4", "30.3"]


@pytest.mark.parametrize(("figure", "more"), [("figure5", {"screenshot": "viewport"}), ("figure6", {"demos": 7})])
def test_the_figure_is_written_as_svg_with_its_key_and_colours(tmp_path, figure, more):
    file = tmp_path / "figure.svg"
    assert main([figure, asked(tmp_path / "1"), asked(tmp_path / "2", BETTER, more), "--svg", str(file)]) == COMPLETE
    written = file.read_text(encoding="utf-8")
    root = ElementTree.fromstring(written)  # noqa: S314 - our own
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert len(root.findall("{*}svg[@class='plot']")) == 1
    assert len(root.findall("{*}text")) == {"figure5": 2, "figure6": 1}[figure]
    assert "var(" not in written


def test_a_place_that_cannot_be_written_is_named(tmp_path, capsys):
    runs = [asked(tmp_path / str(demos), TASKS, {"demos": demos}) for demos in (0, 3)]
    assert main(["figure6", *runs, "--svg", str(tmp_path)]) == WRONG_USE
    assert f"{tmp_path} cannot be written" in capsys.readouterr().err
