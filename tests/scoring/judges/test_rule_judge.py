from dataclasses import replace

import pytest

from harness.scoring.judges.judgements import CannotBeJudged
from harness.scoring.judges.result_folders import read_result_folder
from harness.scoring.judges.rule_judge import names_and_numbers, rule_judgement
from tests.scoring.judges.made import made


def trajectory(tmp_path, task, page):
    made(tmp_path, result={"task": task})
    return replace(read_result_folder(tmp_path, "t1"), page=page)


@pytest.mark.parametrize(
    ("task", "points"),
    [
        ("Write to Quiet Lathe. Subject: Band saw.", ("Lathe", "Quiet")),
        ("Book a room for 2 people on 2031-05-14 in Zürich", ("2", "2031-05-14", "Zürich")),
        ("Pay Anna, then pay Anna.", ("Anna",)),
        ("Open the settings.", ()),
    ],
)
def test_names_and_numbers_of_a_task_are_its_key_points(task, points):
    assert sorted(names_and_numbers(task)) == sorted(points)


@pytest.mark.parametrize(
    ("page", "outcome", "reply"),
    [
        ("a message to quiet LATHE was sent", "success", "all of them are on the last page"),
        ("a message to Quiet Oak was sent", "failure", "not on the last page: Lathe"),
        ("Lathes, quiet ones", "failure", "not on the last page: Lathe"),
    ],
)
def test_success_is_a_last_page_that_holds_them_all(tmp_path, page, outcome, reply):
    found = rule_judgement(trajectory(tmp_path, "Write to Quiet Lathe", page))
    assert (found.outcome.value, found.reply) == (outcome, reply)


def test_without_a_page_or_a_name_the_rule_has_no_verdict(tmp_path):
    with pytest.raises(CannotBeJudged, match="words of its last page"):
        rule_judgement(trajectory(tmp_path, "Write to Quiet Lathe", None))
    with pytest.raises(CannotBeJudged, match="a name or a number"):
        rule_judgement(trajectory(tmp_path / "more", "Open the settings", "Settings"))
