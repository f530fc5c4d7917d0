from __future__ import annotations

import csv
import io
import json

import numpy as np
import pytest

from harness.kit.statistics.clustered import mean_of_items
from harness.kit.statistics.jackknife import cohens_kappa
from harness.kit.text import aligned
from harness.reports.reviews.answers_given import scores_of, strata_of
from harness.reports.reviews.review import DrawnField
from harness.reports.reviews.review_numbers import ReviewedField, beside_scores, review_results
from harness.reports.reviews.review_text import as_csv, as_json, examples_text, results_text
from harness.scoring.metrics import PROFILES
from tests.reports.reviews.made import a_review, verdict, verdicts


def row(task, answer, score, labels="right", *, reviewer="Ada", kind="radio", index=0, sent=("x",), note=""):
    field = DrawnField(task=task, index=index, id="i", field="f", kind=kind, sent=sent)
    return ReviewedField(verdict(field, answer, labels, note=note), reviewer, kind, score, 1.0)


def numbered(rows):
    """Each at an instance of its own."""
    return [row(*each, index=place) for place, each in enumerate(rows)]


ROWS = numbered(
    [
        ("A", "correct", 1.0),
        ("A", "correct", 0.4),
        ("A", "wrong", 0.0),
        ("B", "wrong", 0.5),
        ("B", "placeholder", 0.8),
        ("B", "parse_error", 0.0),
        ("C", "unsure", 1.0),
        ("C", "correct", 0.9, "wrong"),
        ("C", "parse_error", 0.0, "wrong"),
    ]
)


STRATA = {("A", "radio"): 3, ("B", "radio"): 60, ("C", "radio"): 6, ("C", "text"): 31}


def results(rows, threshold=0.5):
    return review_results(rows, STRATA, profile="standard", drawn=20, threshold=threshold)


@pytest.fixture(scope="module")
def ada():
    (numbers,) = results(ROWS).reviewers
    return numbers


def test_answers_are_counted_by_the_categories_of_the_paper(ada):
    assert {name: found.fields for name, found in ada.categories.items()} == {
        "correct": 2,
        "wrong": 2,
        "label_wrong": 1,  # what is no answer at all is none whatever the labels are
        "placeholder": 1,
        "parse_error": 2,
        "unsure": 1,
    }
    assert sum(found.share.value for found in ada.categories.values()) == pytest.approx(1)
    assert (ada.categories["wrong"].accepted, ada.categories["wrong"].score) == (1, 0.25)


def test_metric_and_person_are_held_against_each_other_where_the_person_could_tell(ada):
    found = ada.agreement
    assert (found.both, found.false_positives, found.false_negatives, found.neither) == (2, 2, 1, 3)
    assert (found.rate.value, found.rate.items, found.rate.clusters) == (5 / 8, 8, 3)
    assert found.false_positive_rate.value == pytest.approx(2 / 5)
    assert found.false_negative_rate.value == pytest.approx(1 / 3)
    # p_o is 5/8; both say yes with 4/8 and 3/8.
    assert found.kappa.value == pytest.approx((5 / 8 - (4 * 3 + 4 * 5) / 64) / (1 - (4 * 3 + 4 * 5) / 64))


def test_intervals_are_clustered_by_task(ada):
    agree = [1, 0, 1, 0, 0, 1, 1, 1]
    tasks = [0, 0, 0, 1, 1, 1, 2, 2]
    assert ada.agreement.rate == mean_of_items(np.array(agree, float), np.ones(8), tasks)
    metric, person = [1, 0, 0, 1, 1, 0, 1, 0], [1, 1, 0, 0, 0, 0, 1, 0]
    assert ada.agreement.kappa == cohens_kappa(metric, person, tasks)


def test_fields_with_wrong_labels_are_left_out_apart(ada):
    assert ada.with_right_labels.rate.items == 6
    assert ada.with_right_labels.both == 1


def test_the_share_of_correct_answers_is_of_those_that_could_be_read(ada):
    assert (ada.correct.value, ada.correct.items) == (3 / 6, 6)
    assert ada.metric.value == pytest.approx((1 + 0.4 + 0 + 0.5 + 0.8 + 0.9) / 6)


def test_shares_of_the_run_count_each_field_for_all_of_its_task_and_kind(ada):
    whole = ada.in_run
    assert whole.covered == pytest.approx(0.69)
    # Of A each of 3 stands for 1, of B for 20, of C for 2.
    assert {name: found.value for name, found in whole.categories.items()} == {
        "correct": pytest.approx(2 / 69),
        "wrong": pytest.approx(21 / 69),
        "label_wrong": pytest.approx(2 / 69),
        "placeholder": pytest.approx(20 / 69),
        "parse_error": pytest.approx(22 / 69),
        "unsure": pytest.approx(2 / 69),
    }
    assert whole.correct.value == pytest.approx((1 + 1 + 2) / (3 + 40 + 2))
    assert whole.metric.value == pytest.approx((1 + 0.4 + 20 * 0.5 + 20 * 0.8 + 2 * 0.9) / 45)
    assert whole.rate.value == pytest.approx((1 + 1 + 20 + 2 + 2) / (3 + 60 + 4))


def test_intervals_of_the_run_are_clustered_by_task_too(ada):
    weights = np.array([1, 1, 1, 20, 20, 20, 2, 2, 2], float)
    is_wrong = np.array([0, 0, 1, 1, 0, 0, 0, 0, 0])
    assert ada.in_run.categories["wrong"] == mean_of_items(is_wrong * weights, weights, [0, 0, 0, 1, 1, 1, 2, 2, 2])


def test_a_review_in_which_all_was_judged_has_the_shares_of_the_run(tmp_path):
    run, review, _ = a_review(tmp_path)
    scores = scores_of(run, review, PROFILES["standard"])
    said = [verdict(field, "correct" if number % 3 else "wrong") for number, field in enumerate(review.fields)]
    strata = strata_of(run, PROFILES["standard"])
    rows = beside_scores([verdicts(review, said)], scores)
    (found,) = review_results(rows, strata, profile="standard", drawn=len(said), threshold=0.5).reviewers
    assert strata.total() == review.scored_fields == len(said)
    assert found.in_run.covered == 1
    assert found.in_run.categories == {name: each.share for name, each in found.categories.items()}


def test_the_threshold_decides_what_the_metric_accepts():
    (strict,) = results(ROWS, threshold=0.9).reviewers
    assert (strict.agreement.both, strict.agreement.false_positives) == (2, 0)


def test_reviewers_are_told_apart_and_together_where_they_say_the_same():
    hers = [row("A", "correct", 1.0, reviewer="Grace"), row("A", "correct", 0.4, reviewer="Grace", index=1)]
    found = results([*ROWS[:3], hers[0], row("A", "wrong", 0.4, reviewer="Grace", index=1)])
    assert [numbers.reviewer for numbers in found.reviewers] == ["Ada", "Grace"]
    (between,) = found.between
    assert (between.first, between.second, between.fields, between.rate.value) == ("Ada", "Grace", 2, 0.5)
    # The third answer was judged by one alone.
    assert (found.disputed, found.together.judged) == (1, 2)
    assert results([*ROWS[:2], *hers]).between[0].rate.value == 1.0
    assert results(ROWS).together is None


def test_verdicts_find_the_scores_of_their_answers(tmp_path):
    run, review, _ = a_review(tmp_path)
    scores = {field.place: (field.kind, 0.1 * number, 1.0) for number, field in enumerate(review.fields)}
    rows = beside_scores([verdicts(review, [verdict(review.fields[3]), verdict(review.fields[1], "wrong")])], scores)
    assert [(each.reviewer, each.kind, each.score) for each in rows] == [
        ("Ada", review.fields[3].kind, pytest.approx(0.3)),
        ("Ada", review.fields[1].kind, pytest.approx(0.1)),
    ]
    assert run.folder.exists()


def test_the_report_says_threshold_counts_and_who_is_meant():
    text = " ".join(results_text(results(ROWS), aligned).split())
    assert "accept an answer from a score of 50.0 on" in text
    assert "20 fields drawn" in text
    assert "Ada: 9 fields judged." in text
    assert "label wrong 1 11.1" in text
    assert "correct, of the answers that could be read and judged 6 50.0" in text
    assert "metric and person agree 8 62.5" in text
    assert "Of 69.0 % of its scored fields something of the same task and kind was judged" in text
    assert "All reviewers" not in text


def test_answers_on_which_the_two_differ_are_shown():
    rows = [*ROWS, row("A", "wrong", 1.0, sent=("\x1b[31mred",), note="see\nthere", index=9)]
    text = examples_text(rows, 0.5, 2)
    assert "The metric accepts, and the person does not (the first 2 of 3; export has all):" in text
    assert "- A, instance 1, field 'f': 'x' · score 40.0 · Ada: correct." in text
    assert "\x1b" not in examples_text(rows, 0.5, 9)
    assert "Ada: wrong. see there" in examples_text(rows, 0.5, 9)


def test_the_export_has_every_verdict_with_its_score():
    record = json.loads(as_json(ROWS, results(ROWS)))
    assert len(record["fields"]) == 9
    assert record["fields"][1]["metric_accepts"] is False
    assert record["results"]["reviewers"][0]["agreement"]["false_positives"] == 2
    table = list(csv.DictReader(io.StringIO(as_csv(ROWS, 0.5))))
    assert [each["category"] for each in table][-2:] == ["label_wrong", "parse_error"]
    assert table[0]["score"] == "1.0"
    assert as_csv([], 0.5) == "\n"


def test_cells_of_a_table_run_nowhere():
    made = as_csv([row("=A", "wrong", 1.0, sent=("=1+1",), note="@x"), row("A", "wrong", 1.0, sent=("=1", "2"))], 0.5)
    cells = next(csv.DictReader(io.StringIO(made)))
    assert (cells["task"], cells["sent"], cells["note"]) == ("'=A", "'=1+1", "'@x")
    assert '"[""=1"", ""2""]"' in made
