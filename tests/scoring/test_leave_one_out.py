from __future__ import annotations

import pytest

from harness.scoring.leave_one_out import MOST_WORKERS, mean_score, own_answers, values_of, workers_of
from harness.scoring.metrics import PROFILES
from tests.samples import record

STANDARD, ORIGINAL = PROFILES["standard"], PROFILES["turkingbench-2024"]
YES_NO = {"kind": "radio", "options": ("yes", "no")}


def crowd(field):
    return mean_score(STANDARD, field, workers_of([field]))


def solver(field):
    return mean_score(STANDARD, field, workers_of([field]), field.sent)


def test_each_worker_is_scored_against_the_others():
    # yes against {yes, no}: tied, right. yes against {yes, no}: right. no against {yes, yes}: wrong.
    assert crowd(record(**YES_NO, labels=("yes", "yes", "no"))).score == pytest.approx(2 / 3)


def test_a_worker_among_two_who_disagree_is_wrong_although_each_agrees_with_the_vote_of_both():
    field = record(**YES_NO, labels=("yes", "no"), sent=("yes",))
    assert STANDARD.score_field("radio", field.options, field.labels, field.sent).score == 1.0
    assert crowd(field).score == 0.0
    assert solver(field).score == 0.5


def test_the_solver_is_scored_on_the_label_sets_of_the_workers():
    # Without one of the three: {yes, no} tied, {yes, no} tied, {yes, yes}.
    assert solver(record(**YES_NO, labels=("yes", "yes", "no"), sent=("no",))).score == pytest.approx(2 / 3)
    assert solver(record(**YES_NO, labels=("yes", "yes", "no"), sent=("yes",))).score == 1.0


def test_the_ceiling_is_that_of_the_labels_that_are_left():
    field = record("a", "range", labels=("20", "40", "80"))
    # {40, 80}, {20, 80}, {20, 40}: the best of all numbers has half their distance on average.
    ceilings = [1 - 20 / 80, 1 - 30 / 80, 1 - 10 / 40]
    assert crowd(field).ceiling == pytest.approx(sum(ceilings) / 3)


def test_a_text_that_one_worker_alone_wrote_is_not_scored_where_that_worker_is_left_out():
    field = record("a", labels=("the only text", "", ""), sent=("the only text",))
    other = record("b", labels=("x", "x", "x"))
    workers = workers_of([field, other])
    assert workers == (0, 1, 2)
    found = mean_score(STANDARD, field, workers, field.sent)
    assert (found.score, found.explanation) == (1.0, "mean of 2 workers, each against the others")
    assert mean_score(STANDARD, field, workers).score == 0.0


def test_rows_without_any_answer_are_no_workers():
    fields = [record("a", labels=("x", "", "{}")), record("b", labels=("", "", "y"))]
    assert workers_of(fields) == (0, 2)


def test_rows_that_a_field_does_not_have_are_blank():
    assert workers_of([record("a", labels=("",)), record("b", labels=("", "y"))]) == (1,)
    assert workers_of([]) == ()


def test_agreement_and_ties_are_those_of_the_labels_that_are_left():
    # Of {yes, no}, {yes, no} and {yes, yes} half, half and none said no; two of the three are ties.
    found = solver(record(**YES_NO, labels=("yes", "yes", "no"), sent=("no",)))
    assert (found.agreement, found.tied) == (pytest.approx(1 / 3), True)
    assert not solver(record(**YES_NO, labels=("yes", "yes", "yes"), sent=("no",))).tied
    assert solver(record(labels=("x", "x"), sent=("x",))).agreement is None


def test_texts_of_workers_are_scored_by_any_profile():
    field = record(labels=("x y", "x z"))
    assert mean_score(ORIGINAL, field, (0, 1)).score == 0.5


def test_what_workers_would_have_sent_are_the_options_that_they_mean():
    assert own_answers(record(kind="checkbox", options=("a", "b"), labels=("b|a", "", "A")), (0, 1)) == {
        0: ("a", "b"),
        1: (),
    }


def test_one_worker_has_nobody_to_agree_with():
    assert crowd(record(**YES_NO, labels=("yes",))) is None


def test_of_very_many_workers_the_same_are_drawn_each_time():
    field = record(labels=("x",) * 1000)
    drawn = workers_of([field])
    assert len(drawn) == MOST_WORKERS
    assert drawn == workers_of([field]) == tuple(sorted(set(drawn)))


@pytest.mark.parametrize(
    ("label", "kind", "options", "values"),
    [
        ("2.0", "radio", ("1", "2"), ("2",)),
        ("other", "radio", ("1", "2"), ("other",)),
        ("{}", "radio", ("1", "2"), ()),
        ("b|a", "checkbox", ("a", "b", "c"), ("a", "b")),
        ("", "checkbox", ("a", "b", "c"), ()),
        ("True", "checkbox", ("on",), ("on",)),
        ("a|b", "select", ("a", "b"), ("a", "b")),
        ("A", "select", ("a", "b"), ("a",)),
        (" a text ", "text", (), (" a text ",)),
        ("nan", "textarea", (), ()),
        ("7", "range", (), ("7",)),
    ],
)
def test_what_a_worker_said_becomes_what_a_form_would_send(label, kind, options, values):
    assert values_of(label, kind, options) == values
