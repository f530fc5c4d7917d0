"""One example by hand, for every number of a run's results.

Task A (test): instance 0 scores 1 and 0 on two fields, instance 1 scores 1 on one; task B (train): one instance of
four fields, of which one is right. So A is (0.5 + 1) / 2 = 0.75, B is 0.25, and the headline is 0.5.
"""

from __future__ import annotations

import itertools
import weakref

import pytest

from harness.analysis.run_results import RunScores
from harness.kit.files.codec import plain
from harness.scoring.answers.columns import UNLABELLED
from harness.scoring.metrics import PROFILES
from harness.scoring.scores import score_episode
from tests.samples import episode, record, submission

YES, NO = ("yes",), ("no",)


def right(name="a", **values):
    return record(name, sent=YES, **values)


def wrong(name="b", **values):
    return record(name, sent=NO, **values)


A0 = episode(right("a", constant=YES), wrong("b", untouched=YES), task="A", split="test")
A1 = episode(right("a", constant=YES), task="A", split="test", index=1)
B0 = episode(right("a"), wrong("b"), wrong("c"), wrong("d"), task="B", split="train")


def summary(*episodes, profile="standard"):
    return plain(RunScores.of(score_episode(each, PROFILES[profile]) for each in episodes).results())


def test_a_task_is_the_mean_of_its_instances_and_the_headline_the_mean_of_its_tasks():
    found = summary(A0, A1, B0)
    assert found["tasks"]["A"]["score"] == 0.75
    assert found["tasks"]["B"]["score"] == 0.25
    assert found["overall"]["score"] == 0.5
    assert (found["overall"]["tasks"], found["overall"]["instances"]) == (2, 3)


def test_the_means_over_instances_and_over_fields_stand_beside_it():
    overall = summary(A0, A1, B0)["overall"]
    assert overall["mean_over_instances"] == pytest.approx((0.5 + 1 + 0.25) / 3)
    assert overall["mean_over_fields"] == pytest.approx(3 / 7)


def test_a_split_is_the_mean_of_its_tasks():
    splits = summary(A0, A1, B0)["splits"]
    assert {name: numbers["score"] for name, numbers in splits.items()} == {"test": 0.75, "train": 0.25}


def test_floors_are_averaged_as_scores_are():
    found = summary(A0, A1, B0)
    assert found["tasks"]["A"]["do_nothing"] == 0.25  # (1/2 + 0) / 2
    assert found["tasks"]["A"]["constant"] == 0.75  # (1/2 + 1) / 2
    assert found["overall"]["do_nothing"] == 0.125
    assert found["overall"]["constant"] == 0.375


def test_skill_is_the_share_of_the_way_from_a_floor_to_the_ceiling():
    found = summary(A0, A1, B0)
    assert found["overall"]["skill_over_do_nothing"] == pytest.approx((0.5 - 0.125) / (1 - 0.125))
    assert found["overall"]["skill_over_constant"] == pytest.approx((0.5 - 0.375) / (1 - 0.375))


def test_skill_is_unknown_where_the_floor_is_the_ceiling():
    found = summary(episode(right(constant=YES, untouched=YES)))
    assert found["overall"]["skill_over_constant"] is None
    assert found["overall"]["skill_over_do_nothing"] is None


def test_of_ceiling_is_the_score_by_what_the_labels_allow():
    unattainable = record("c", "radio", options=("1",), labels=("9",))
    found = summary(episode(right("a"), wrong("b"), unattainable, record("d", sent=YES)))
    assert found["overall"]["ceiling"] == 0.75
    assert found["overall"]["of_ceiling"] == pytest.approx(0.5 / 0.75)


def test_untied_numbers_leave_out_fields_that_a_tie_decides():
    tied = record("t", "radio", options=("1", "2"), labels=("1", "2"), sent=("1",))
    decided = record("p", "radio", options=("1", "2"), labels=("1",), sent=("2",))
    found = summary(episode(tied, decided))
    assert (found["overall"]["score"], found["overall"]["untied"]) == (0.5, 0.0)
    assert (found["kinds"]["radio"]["score"], found["kinds"]["radio"]["untied"]) == (0.5, 0.0)


def test_kinds_are_means_over_their_fields():
    slider = record("s", "range", labels=("10", "10"), sent=("5",))
    kinds = summary(episode(right("a"), wrong("b"), slider))["kinds"]
    assert (kinds["text"]["fields"], kinds["text"]["score"]) == (2, 0.5)
    assert (kinds["range"]["fields"], kinds["range"]["score"], kinds["range"]["ceiling"]) == (1, 0.5, 1.0)


def test_the_original_profile_counts_sliders_as_right_in_instances_and_as_they_are_by_kind():
    slider = record("s", "range", labels=("10", "10"), sent=("5",))
    found = summary(episode(slider, wrong("b")), profile="turkingbench-2024")
    assert found["overall"]["score"] == 0.5
    assert found["kinds"]["range"]["score"] == 0.5
    assert found["overall"]["mean_over_fields"] == 0.25


def test_every_outcome_is_counted_apart():
    made = [
        episode(right(), index=0),
        episode(right(), index=1, outcome="limit"),
        episode(right(), index=2, outcome="agent_error"),
        episode(record(status=UNLABELLED), index=3, outcome="unscored"),
        episode(index=4, outcome="harness_error"),
        episode(right(), index=5, outcome="limit"),
    ]
    assert summary(*made)["outcomes"] == {
        "scored": 1,
        "limit": 2,
        "agent_error": 1,
        "unscored": 1,
        "harness_error": 1,
    }


def test_an_instance_without_a_score_is_in_no_mean():
    found = summary(A0, A1, episode(record(status=UNLABELLED), task="A", split="test", index=2, outcome="unscored"))
    assert found["overall"]["score"] == 0.75
    assert (found["tasks"]["A"]["instances"], found["tasks"]["A"]["episodes"]) == (2, 3)


def test_a_complete_run_has_no_bounds():
    assert summary(A0, A1, B0)["overall"]["bounds"] is None


def test_bounds_are_the_headlines_that_the_missing_instances_allow():
    found = summary(A0, A1, B0, episode(task="B", split="train", index=1, outcome="harness_error"))
    assert found["overall"]["score"] == 0.5  # B without the missing one
    low, high = found["overall"]["bounds"]
    assert low == pytest.approx((0.75 + 0.125) / 2)
    assert high == pytest.approx((0.75 + 0.625) / 2)


def test_a_task_whose_every_instance_is_missing_is_in_the_bounds():
    found = summary(A0, A1, episode(task="C", outcome="harness_error"))
    assert found["tasks"]["C"]["score"] is None
    assert found["overall"]["bounds"] == (pytest.approx(0.375), pytest.approx(0.875))


def test_a_run_of_harness_errors_alone_has_bounds_from_nothing_to_everything():
    found = summary(episode(outcome="harness_error"))
    assert found["overall"]["score"] is None
    assert found["overall"]["bounds"] == (0.0, 1.0)
    assert found["kinds"] == {}


def test_the_rate_of_accepted_submissions_is_over_those_that_were_made():
    made = [
        episode(right(), index=0, submission=submission(accepted=True)),
        episode(right(), index=1, submission=submission(accepted=False)),
        episode(index=2, outcome="harness_error"),
    ]
    assert summary(*made)["rates"]["accepted_submissions"] == 0.5


def test_the_rate_of_fields_filled_that_every_worker_left_blank():
    blank = [
        record("a", status=UNLABELLED, sent=("something",)),
        record("b", status=UNLABELLED, sent=(), untouched=()),
        record("c", status=UNLABELLED, sent=("as it was",), untouched=("as it was",)),
        record("d", status=UNLABELLED, sent=("",), untouched=("as it was",)),
    ]
    assert summary(episode(right(), *blank))["rates"]["filled_where_every_worker_left_blank"] == 0.25


def test_fields_that_are_not_scored_are_counted_by_reason():
    made = episode(right(), record("b", status=UNLABELLED), record("c", status="x"), record("d", status="x"))
    assert summary(made)["unscored_fields"] == {UNLABELLED: 1, "x": 2}


def test_the_order_in_which_workers_finish_changes_no_digit():
    made = [
        episode(*(record(f"f{n}", sent=YES if n else NO) for n in range(fields)), task="A", index=index)
        for index, fields in enumerate((3, 7, 11, 13))
    ]
    assert len({str(summary(*order)) for order in itertools.permutations(made)}) == 1


def test_scores_are_looked_at_once_and_not_kept():
    kept = []

    def scores():
        for each in (B0, A1, A0):
            score = score_episode(each, PROFILES["standard"])
            kept.append(weakref.ref(score.fields[0]))
            yield score
            del score
            assert [reference() for reference in kept[:-1]] == [None] * (len(kept) - 1)

    assert plain(RunScores.of(scores()).results()) == summary(A0, A1, B0)
    assert kept[-1]() is None


def test_results_of_nothing_have_no_numbers():
    found = summary()
    assert found["overall"]["score"] is None
    assert set(found["outcomes"].values()) == {0}
