import json

import pytest

from harness.cli.boundary import COMPLETE, WRONG_USE
from harness.cli.commands.judge.trust import main
from harness.scoring.judges.auto_results import MalformedAutoResults, read_auto_results


def lines(folder, *records):
    file = folder / "a_results.json"
    file.write_text("".join(json.dumps(each) + "\n" for each in records), encoding="utf-8")
    return file


def labelled(folder, labels):
    file = folder / "human_label.json"
    tasks = [{"task_id": task, "A_human_label": label} for task, label in labels.items()]
    file.write_text(json.dumps(tasks), encoding="utf-8")
    return file


def said(task, label, **more):
    return {"task_id": task, "predicted_label": label, "evaluation_details": {"response": "Status: success"}, **more}


def test_a_published_line_is_read_and_what_is_neither_success_nor_failure_is_no_verdict(tmp_path):
    file = lines(tmp_path, said("t", 1, action_history=["a", {"action": "b"}]), said("u", 0), said("v", None))
    found = read_auto_results(file)
    assert [each.verdict for each in found.values()] == [True, False, None]
    assert found["t"].action_history == ("a", {"action": "b"})


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "holds no verdict"),
        ("{}", "line 1 is no verdict"),
        (
            '{"task_id": "t", "predicted_label": 1}\n{"task_id": "t", "predicted_label": 0}',
            "line 2: 't' is there twice",
        ),
    ],
)
def test_what_is_no_such_file_is_said_by_its_line(tmp_path, content, message):
    file = tmp_path / "a_results.json"
    file.write_text(content, encoding="utf-8")
    with pytest.raises(MalformedAutoResults, match=message):
        read_auto_results(file)


def test_published_verdicts_stand_beside_those_of_people(tmp_path, capsys):
    people = labelled(tmp_path, {"t": "1", "u": "0", "v": "0", "w": "2"})
    file = lines(tmp_path, said("t", 1), said("u", 1), said("v", 0), said("w", 1), said("of no label", 1))
    assert main(["people", str(people), "--judged", f"A={file}"]) == COMPLETE
    out = capsys.readouterr().out
    assert "published verdicts: 3 verdicts on 3 tasks" in out
    assert "66.7" in out
    for wrong in (f"B={file}", str(file), f"A={tmp_path / 'none'}"):
        assert main(["people", str(people), "--judged", wrong]) == WRONG_USE
    assert "people labelled A" in capsys.readouterr().err


def test_verdicts_on_tasks_that_nobody_labelled_are_refused(tmp_path, capsys):
    people = labelled(tmp_path, {"t": "1"})
    assert main(["people", str(people), "--judged", f"A={lines(tmp_path, said('other', 1))}"]) == WRONG_USE
    assert "has no verdict on a task" in capsys.readouterr().err
