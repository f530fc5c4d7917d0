from __future__ import annotations

from dataclasses import replace

import pytest

from harness.analysis.scored_run import read_scored
from harness.analysis.shared_instances import share
from tests.analysis.made import episodes, scored, write

TASKS = {"A": [{"s": 0.1, "r": 1.0}, {"s": 0.2}], "B": [{"s": 0.3}, {}]}


def test_instances_are_known_by_id_and_fields_by_name(tmp_path):
    first = scored(tmp_path / "0", TASKS)
    moved = [replace(each, index=10 - each.index, fields=each.fields[::-1]) for each in episodes(TASKS)]
    second = read_scored(write(tmp_path / "1", moved))
    shared = share((first, second), ("x", "y"))
    mine, other = (run.instances.iloc[rows] for run, rows in zip((first, second), shared.instances, strict=True))
    assert list(mine["id"]) == list(other["id"])
    assert list(mine["index"]) == [0, 1, 0]
    assert list(other["index"]) == [10, 9, 10]
    scores = [run.fields["score"].iloc[rows] for run, rows in zip((first, second), shared.fields, strict=True)]
    assert list(scores[0]) == list(scores[1]) == pytest.approx([0.1, 1.0, 0.2, 0.3])
    assert list(shared.places) == [0, 0, 1, 2]


def test_an_id_counts_within_its_task(tmp_path):
    played = [replace(each, id="0" * 12) for each in episodes({"A": [{"s": 0.1}], "B": [{"s": 0.3}]})]
    first = read_scored(write(tmp_path / "0", played))
    second = read_scored(write(tmp_path / "1", played[1:]))
    assert share((first, second), ("x", "y")).dropped == {"not in y": 1}


def test_each_instance_is_left_out_for_one_reason(tmp_path):
    def run(name, changed):
        played = [changed.get((each.task, each.index), each) for each in episodes(TASKS)]
        return read_scored(write(tmp_path / name, [each for each in played if each]))

    gone = episodes(TASKS)[1]
    failed = replace(gone, outcome="harness_error", fields=(), submission=None)
    first = run("0", {("A", 1): failed, ("B", 0): None})
    second = run("1", {("A", 1): failed, ("A", 0): replace(episodes(TASKS)[0], fields=())})
    shared = share((first, second), ("x", "y"))
    assert shared.dropped == {"harness error in x": 1, "not in x": 1, "nothing to score": 2}
    assert [len(rows) for rows in (*shared.instances, *shared.fields, shared.places)] == [0] * 5


def test_an_instance_with_other_scored_fields_is_no_pair(tmp_path):
    other = {"A": [{"s": 0.1, "r2": 1.0}, {"s": 0.2}], "B": [{"s": 0.3}, {}]}
    shared = share((scored(tmp_path / "0", TASKS), scored(tmp_path / "1", other)), ("x", "y"))
    assert shared.dropped == {"nothing to score": 1, "other fields scored": 1}
    assert [list(rows) for rows in shared.instances] == [[1, 2], [1, 2]]
    assert [list(rows) for rows in shared.fields] == [[2, 3], [2, 3]]


def test_runs_without_an_episode_share_nothing(tmp_path):
    first, second = scored(tmp_path / "0", {}), scored(tmp_path / "1", TASKS)
    assert share((first, second), ("x", "y")).dropped == {"not in x": 4}
    assert share((first, first), ("x", "y")).dropped == {}
