from __future__ import annotations

import json

import pytest

from harness.analysis.rescoring import score_run
from harness.cli.boundary import COMPLETE, INCOMPLETE, WRONG_USE
from harness.cli.commands.people.workers import main
from harness.cli.commands.score import main as score
from harness.records.config import RunConfig
from harness.records.directory import RunDirectory
from harness.records.episode import SCHEMA
from harness.reports.people_report import report
from tests.samples import episode, record, run_record

YES_NO = {"kind": "radio", "options": ("yes", "no")}
LABELS = [
    ("yes", "yes", "no"),
    ("no", "no", "no"),
    ("yes", "yes", "yes"),
    ("no", "no", "no"),
    ("yes", "no", "no"),
    ("yes",),
]


def write(folder, *episodes, status="complete"):
    """A run directory that holds these episodes, without a browser."""
    run = RunDirectory(folder)
    config = RunConfig("made", folder)
    run.write(run_record(status=status, config=config, comparability_id="abc", planned_episodes=len(episodes)))
    for each in episodes:
        run.add(each, {})
    return run


@pytest.fixture
def run(tmp_path):
    """Task T: a radio with three workers, of one instance one; task U: a text with two workers."""
    made = [
        episode(record("r", **YES_NO, labels=labels, sent=("yes",)), index=index, id=f"{index:012x}")
        for index, labels in enumerate(LABELS)
    ]
    made += [episode(record("t", labels=("a cat", "a dog"), sent=("a cat",)), task="U", split="test")]
    return write(tmp_path / "run", *made)


def test_the_run_is_as_this_version_writes_it(run):
    assert RunDirectory.open(run.folder).read().schema == SCHEMA


def test_the_solver_stands_beside_the_workers_on_the_same_labels(run):
    found = report(run.folder, None, 5).to_json()
    task = found["tasks"]["T"]
    # By hand, of five instances with three workers: workers 2/3, 1, 1, 1, 2/3; "yes" left out 1, 0, 1, 0, 2/3.
    assert task["instances"] == 5
    assert task["crowd"] == pytest.approx((2 / 3 + 1 + 1 + 1 + 2 / 3) / 5)
    assert task["own_left_out"] == pytest.approx((1 + 0 + 1 + 0 + 2 / 3) / 5)
    assert task["gap"] == pytest.approx(task["own_left_out"] - task["crowd"])
    assert task["score"] == pytest.approx(2 / 5)
    assert (task["unanimous"], task["majority"], task["tie"]) == (3 / 5, 2 / 5, 0)
    assert found["kinds"]["radio"]["fields"] == 5
    assert found["kinds"]["text"]["crowd"] == 0.5
    assert found["tasks"]["U"]["alpha"] is None  # no choices
    overall = found["overall"]
    assert (overall["tasks"], overall["instances"]) == (2, 6)
    assert overall["crowd"] == pytest.approx((task["crowd"] + 0.5) / 2)
    assert overall["alpha"] == task["alpha"]


def test_another_profile_is_that_of_the_numbers(run):
    found = report(run.folder, "turkingbench-2024", 0)
    assert found.profile == "turkingbench-2024"
    assert found.comparability_id != report(run.folder, None, 0).comparability_id
    assert found.noisy == []


def test_noisy_instances_are_listed_with_their_labels(run, capsys):
    assert main([str(run.folder), "--worst", "1", "--json"]) == COMPLETE
    found = json.loads(capsys.readouterr().out)
    assert [(each["task"], each["index"], each["id"]) for each in found["noisy"]] == [("T", 0, "0" * 12)]
    assert found["noisy"][0]["fields"][0]["labels"] == ["yes", "yes", "no"]
    assert found == json.loads(json.dumps(report(run.folder, None, 1).to_json()))


def test_the_tables_show_tasks_kinds_and_noisy_instances(run, capsys):
    assert main([str(run.folder)]) == COMPLETE
    out = capsys.readouterr().out
    row = next(line for line in out.splitlines() if line.startswith("T "))
    assert row.split() == ["T", "5", "40.0", "53.3", "86.7", "-33.3", "0.48", "60.0", "40.0", "0.0"]
    assert "T, instance 0 (000000000000): 3 workers" in out
    assert "r (radio): yes / yes / no" in out


def test_a_run_without_a_second_worker_says_so(tmp_path, capsys):
    run = write(tmp_path / "run", episode(record("r", **YES_NO, labels=("yes",), sent=("yes",))))
    assert main([str(run.folder)]) == COMPLETE
    assert "nothing can be said of the people" in capsys.readouterr().out


def test_a_run_that_is_not_complete_is_said_to_be(tmp_path, capsys):
    made = episode(record("r", **YES_NO, labels=("yes", "no")))
    assert main([str(write(tmp_path / "run", made, status="interrupted").folder)]) == INCOMPLETE
    assert "INCOMPLETE" in capsys.readouterr().out


def test_wrong_use_is_said(tmp_path):
    with pytest.raises(SystemExit, match="2"):
        main([str(tmp_path), "--worst", "-1"])


# ---- one label in place of many: python -m harness score RUN --labels NAME ----------------------------------


def test_scores_under_other_labels_stand_beside_those_by_majority(run):
    plain, other = score_run(run), score_run(run, labels="dawid-skene")
    assert plain.labels is None
    assert other.labels.aggregation == "dawid-skene"
    assert other.labels.majority == plain.record.results
    assert other.labels.effect.replaced == 5
    assert other.labels.effect.single == 1
    before, after = plain.record.results.kinds, other.record.results.kinds
    assert after["text"] == before["text"]
    assert after["radio"].fields == before["radio"].fields


def test_other_labels_have_a_comparability_id_of_their_own(run):
    names = [("dawid-skene", None), ("dawid-skene", "turkingbench-2024"), ("majority", "turkingbench-2024")]
    ids = [score_run(run, metrics, labels).record.comparability_id for labels, metrics in names]
    assert len({*ids, run.read().comparability_id}) == 4


def test_a_tie_is_decided(tmp_path):
    fields = [
        record("r", **YES_NO, labels=labels, sent=("yes",)) for labels in [("no", "no"), ("no", "yes"), ("no", "no")]
    ]
    run = write(tmp_path / "run", *(episode(field, index=index) for index, field in enumerate(fields)))
    found = score_run(run, labels="dawid-skene")
    assert found.labels.majority.overall.score == pytest.approx(1 / 3)
    assert found.record.results.overall.score == 0.0
    assert found.labels.effect.ties == 1


def test_the_effect_is_printed(run, capsys):
    assert score([str(run.folder), "--labels", "dawid-skene"]) == COMPLETE
    out = capsys.readouterr().out
    assert "Labels: dawid-skene" in out
    assert any(line.startswith("kind radio") for line in out.splitlines())
    assert "5 of 6 scored choices have one label in place of several" in out


def test_a_run_without_episodes_has_no_effect_to_show(tmp_path, capsys):
    assert score([str(write(tmp_path / "run").folder), "--labels", "dawid-skene"]) == COMPLETE
    assert capsys.readouterr().out == "No episode was finished.\n"


def test_a_run_of_the_workers_has_no_other_labels(tmp_path, capsys):
    made = episode(record("r", **YES_NO, labels=("yes", "no")), answered_by="workers", submission=None)
    run = write(tmp_path / "run", made)
    assert score([str(run.folder), "--labels", "wawa"]) == WRONG_USE
    assert "leave --labels out" in capsys.readouterr().err
