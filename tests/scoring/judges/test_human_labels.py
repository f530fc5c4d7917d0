import json

import pytest

from harness.scoring.judges.human_labels import MalformedHumanLabels, read_human_labels
from tests.scoring.judges.places import DATA, needs_data


def written(folder, tasks):
    file = folder / "human_label.json"
    file.write_text(tasks if isinstance(tasks, str) else json.dumps(tasks), encoding="utf-8")
    return file


def test_success_rates_over_all_tasks_and_over_those_that_could_be_executed(tmp_path):
    labels = ["1", 1, "0", "2", None]
    tasks = [{"task_id": f"t{n}", "A_human_label": label, "note": "x"} for n, label in enumerate(labels)]
    (agent,) = read_human_labels(written(tmp_path, tasks))
    assert (agent.agent, agent.unlabelled) == ("A", 1)
    assert [agent.count(label) for label in ("success", "failure", "not executed")] == [2, 1, 1]
    assert agent.over_all().value == 0.5
    assert agent.over_executed().value == pytest.approx(2 / 3)


@needs_data
def test_the_human_column_of_table_2_comes_out_of_the_published_labels():
    agents = {each.agent: each for each in read_human_labels(DATA / "human_label.json")}
    rates = {name: round(100 * each.over_all().value, 1) for name, each in agents.items()}
    assert rates == {
        "Operator": 61.3,
        "SeeAct": 30.7,
        "Browser_Use": 30.0,
        "Claude_Computer_Use_3.5": 29.0,
        "Agent-E": 28.0,
        "Claude_Computer_Use_3.7": 56.3,
    }
    executed = {name: round(100 * each.over_executed().value, 1) for name, each in agents.items()}
    assert executed == {
        "Operator": 63.4,
        "SeeAct": 30.7,
        "Browser_Use": 30.1,
        "Claude_Computer_Use_3.5": 29.0,
        "Agent-E": 28.2,
        "Claude_Computer_Use_3.7": 57.7,
    }
    assert all(len(each.labels) == 300 for each in agents.values())


@needs_data
def test_the_interval_of_a_published_rate_is_that_of_300_tasks():
    (operator,) = (each for each in read_human_labels(DATA / "human_label.json") if each.agent == "Operator")
    found = operator.over_all()
    assert (found.clusters, round(100 * found.low), round(100 * found.high)) == (300, 56, 67)


@pytest.mark.parametrize(
    ("tasks", "message"),
    [
        ("{", "holds no labels"),
        ({"a": 1}, "holds no labels"),
        ([], "no label"),
        ([{"task_id": "t"}], "no label"),
        ([{"A_human_label": "1"}], "no task_id"),
        ([{"task_id": "t", "A_human_label": "1"}] * 2, "twice"),
        ([{"task_id": "t", "A_human_label": "3"}], "'3'"),
        ([{"task_id": "t", "A_human_label": True}], "'True'"),
        ([{"task_id": "t", "A_human_label": ["1"]}], "known are"),
    ],
)
def test_what_is_no_label_is_said_with_its_place(tmp_path, tasks, message):
    with pytest.raises(MalformedHumanLabels, match=message):
        read_human_labels(written(tmp_path, tasks))
