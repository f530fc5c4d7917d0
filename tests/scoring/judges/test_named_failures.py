import pytest

from harness.cli.commands.judge.trust import main
from harness.scoring.judges.named_failures import named_failures
from tests.scoring.judges.made import verdicts, written

WRONG = dict.fromkeys(("a", "b", "c", "d"), "wrong")
NAMED = {"a": "navigation", "b": "navigation", "c": "other", "d": "filter_and_sorting"}


def test_kinds_are_counted_by_judge_over_its_repeats_and_by_people():
    said = [
        verdicts("J", {"a": "wrong", "b": "correct", "c": "unsure"}, failures={"a": "navigation", "b": "other"}),
        verdicts("J", {"a": "wrong", "b": "wrong"}, failures={"a": "other"}),
        verdicts("Ann", WRONG, kind="person", failures=NAMED),
        verdicts("field", WRONG, failures=NAMED, fields=True),
    ]
    found = named_failures(said)
    assert found.judges["J"].counts == {
        "filter_and_sorting": 0, "incomplete_steps": 0, "navigation": 1, "misunderstanding": 0, "other": 1,
    }  # fmt: skip
    assert found.judges["J"].unnamed == 1
    assert found.people.counts["navigation"] == 2
    assert found.agreement["J"].pairs == 2
    assert found.agreement["J"].agreement.value == 0.5


def test_of_several_people_the_kind_counts_that_most_name_and_of_divided_ones_none():
    people = [
        verdicts("Ann", WRONG, kind="person", failures={"a": "navigation", "b": "other", "c": "other"}),
        verdicts("Bob", WRONG, kind="person", failures={"a": "navigation", "b": "navigation"}),
        verdicts("Cem", {**WRONG, "d": "correct"}, kind="person", failures={"a": "other"}),
        verdicts("Dee", {"d": "correct"}, kind="person"),
    ]
    found = named_failures(people).people
    assert (found.counts["navigation"], found.counts["other"], found.unnamed) == (1, 1, 1)


def test_agreement_on_kinds_is_that_on_what_both_call_a_failure():
    judge = verdicts("J", {**WRONG, "d": "correct"}, failures={**NAMED, "c": "navigation"})
    found = named_failures([judge, verdicts("Ann", WRONG, kind="person", failures=NAMED)]).agreement["J"]
    assert (found.pairs, found.agreement.clusters) == (3, 3)
    assert found.agreement.value == pytest.approx(2 / 3)
    assert found.kappa.value == pytest.approx(0.0)


def test_without_people_there_is_no_agreement_and_without_kinds_no_number():
    assert named_failures([verdicts("J", WRONG)]).agreement is None
    found = named_failures([verdicts("J", WRONG), verdicts("Ann", WRONG, kind="person")])
    assert found.agreement["J"].pairs == 0
    assert found.agreement["J"].agreement.value is None
    assert found.judges["J"].unnamed == 4


def test_the_table_shows_people_judges_and_how_far_they_agree(tmp_path, capsys):
    judge = written(tmp_path, "j.json", "J", WRONG, failures={**NAMED, "c": "navigation"})
    people = written(tmp_path, "p.json", "Ann", WRONG, kind="person", failures=NAMED)
    assert main(["kinds", str(judge), str(people)]) == 0
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert ["people", "4", "25.0", "0.0", "50.0", "0.0", "25.0", "0"] in lines
    assert ["J", "4", "25.0", "0.0", "75.0", "0.0", "0.0", "0"] in lines
    assert any(line[:3] == ["J", "4", "75.0"] for line in lines)
