"""Runs over pages that have no labels: they are played, and nothing of them is scored."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.browser.form.inventory import PageFacts
from harness.browser.form.submission import Submission
from harness.catalog import Catalog
from harness.catalog.template.wrapping import IDS
from harness.cli.boundary import COMPLETE, WRONG_USE
from harness.cli.commands import evaluate, report, score
from harness.episode.assignment import TaskAssignments
from harness.records.directory import RunDirectory
from harness.scoring.metrics import PROFILES
from tests.datasets.odd_tasks import make_odd_tasks
from tests.samples import field
from tests.task_folders import make_task


def run(tasks_dir: Path, out: Path, solver: str, *arguments: str) -> int:
    given = ["--tasks-dir", str(tasks_dir), "--solver", solver, "--workers", "1", "--progress", "quiet"]
    return evaluate.main([*given, "--out", str(out), *arguments])


@pytest.fixture(scope="module")
def odd(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[str]]:
    folder = tmp_path_factory.mktemp("odd")
    return folder, make_odd_tasks(folder)


@pytest.mark.slow
def test_no_page_of_a_stranger_makes_the_harness_fail_and_none_has_a_score(
    odd: tuple[Path, list[str]], tmp_path: Path
) -> None:
    tasks_dir, names = odd
    assert run(tasks_dir, tmp_path / "run", "random", "--unlabelled", "--workers", "2") == COMPLETE
    directory = RunDirectory(tmp_path / "run")
    found = {episode.task: episode for episode in directory.episodes()}
    assert sorted(found) == names
    assert {name: episode.outcome for name, episode in found.items()} == dict.fromkeys(names, "unscored")
    record = directory.read()
    assert record.config.unlabelled
    assert (record.results.overall.score, record.results.overall.instances) == (None, 0)
    assert report.main([str(tmp_path / "run")]) == COMPLETE
    assert score.main([str(tmp_path / "run")]) == COMPLETE


@pytest.mark.slow
def test_where_no_label_says_which_fields_are_answers_all_of_the_page_are_told(tmp_path: Path) -> None:
    template = "<input type=hidden name=h value=1><select name=s><option>only</select><input type=range name=r>"
    make_task(tmp_path / "tasks", "T", template=template, table=None)
    assert run(tmp_path / "tasks", tmp_path / "run", "random", "--unlabelled") == COMPLETE
    (episode,) = RunDirectory(tmp_path / "run").episodes()
    filled = "\n".join(step.action for step in episode.steps)
    assert "'r'" in filled or '"r"' in filled
    assert episode.submission is not None
    assert episode.submission.values["s"] == ("only",)


def test_what_is_put_into_every_form_is_not_told_as_a_field(tmp_path: Path) -> None:
    make_task(tmp_path, "T", table=None)
    task = Catalog(tmp_path).task("T")
    fields = tuple(field(name, "hidden") for name in (*IDS, "a"))
    facts = PageFacts(fields, Submission({}, accepted=True, via="press", blocked="", dialogs=()), ())
    page = TaskAssignments(task, PROFILES["standard"]).make(task.pages[0], "http://127.0.0.1/", facts).page
    assert (page.names, [each.name for each in page.fields]) == (("a",), ["a"])


def test_without_labels_a_run_says_what_takes_pages_that_have_none(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    make_task(tmp_path / "tasks", "T", table=None)
    assert run(tmp_path / "tasks", tmp_path / "run", "random") == WRONG_USE
    assert "--unlabelled takes others, too" in capsys.readouterr().err
    assert not (tmp_path / "run").exists()
