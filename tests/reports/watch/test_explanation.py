"""Why a field has its score: the explanation comes to the very score, under each profile and for each kind."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.catalog import Catalog
from harness.catalog.kinds import KINDS as KIND_NAMES
from harness.kit.files.installation import BUNDLED_TASKS
from harness.reports.watch.comparisons import (
    DistanceComparison,
    SetComparison,
    TextComparison,
    VoteComparison,
    compare,
)
from harness.reports.watch.explanation import BLANK, explain
from harness.reports.watch.field_view import field_view
from harness.scoring.answers.columns import UNLABELLED
from harness.scoring.metrics import PROFILES
from tests.samples import episode, record
from tests.scoring.metrics.drawn import KINDS, LABELS, OPTIONS, VALUES

SENT = st.lists(VALUES | OPTIONS.map("|".join), max_size=3)
STANDARD, ORIGINAL = PROFILES["standard"], PROFILES["turkingbench-2024"]
COMPARED = (STANDARD, ORIGINAL)
"""The profiles of which it is known what they compare; the score alone explains the others."""


@settings(deadline=None, max_examples=400)
@given(st.sampled_from([each.name for each in COMPARED]), KINDS, OPTIONS, LABELS, SENT)
def test_a_comparison_comes_to_the_score(profile, kind, options, labels, sent):
    score = PROFILES[profile].score_field(kind, options, labels, sent)
    found = compare(profile, kind, options, labels, sent)
    assert (found is None) == (score is None)
    if found and score:
        assert found.points == score.score
        assert from_parts(found) == pytest.approx(score.score, abs=1e-9)


@pytest.mark.parametrize("profile", [each.name for each in COMPARED])
def test_every_answer_of_the_bundled_tasks_is_explained_by_its_score(profile):
    catalog = Catalog(BUNDLED_TASKS)
    seen = 0
    for task in map(catalog.task, catalog.names()):
        for labels in {tuple(cells) for instance in task.instances for cells in instance.labels.values()}:
            options = tuple(dict.fromkeys(part for label in labels for part in label.split("|")))
            for kind in KIND_NAMES:
                sent = labels[:1] if kind in {"text", "range"} else options[:2]
                score = PROFILES[profile].score_field(kind, options, labels, sent)
                found = compare(profile, kind, options, labels, sent)
                assert (found and found.points) == (score and score.score)
                assert found is None or from_parts(found) == pytest.approx(score.score, abs=1e-9)
                seen += 1
    assert seen


def from_parts(found) -> float:
    """The score, worked out from what a reader is shown."""
    match found:
        case TextComparison(rule="rouge"):
            return found.shared.f1
        case TextComparison():
            return float(found.rule in {"equal", "same number"})
        case SetComparison():
            return len(found.both) / found.union if found.union else 1.0
        case VoteComparison():
            return float(any(answer.sent and answer.right for answer in found.answers))
        case DistanceComparison():
            if found.sent is None or not found.labels:
                return 0.0
            if not found.scale:
                return float(found.sent == 0)
            value = 1 - found.mean / found.scale
            return value if found.with_sent else min(1.0, max(0.0, value))


@pytest.mark.parametrize("profile", COMPARED, ids=lambda profile: profile.name)
def test_every_field_of_an_episode_is_explained_in_its_order(profile):
    made = episode(
        record("t", labels=("a red cat", "", "dog"), sent=("the red cat",)),
        record("r", "radio", options=("1", "2"), labels=("1", "2", "1"), sent=("2",)),
        record("c", "checkbox", options=("a", "b", "c"), labels=("a|b", "c", "a|b"), sent=("a", "c")),
        record("s", "range", labels=("1", "5", "9"), sent=("4",)),
        record("n", status=UNLABELLED, labels=("", "")),
    )
    found = explain(made, profile)
    assert [field.record.name for field in found.fields] == ["t", "r", "c", "s", "n"]
    scored = {field.record.name: field.score.score for field in found.instance.fields}
    assert {field.record.name: field.score.score for field in found.fields if field.score} == scored
    assert [field.comparison.points for field in found.fields if field.comparison] == list(scored.values())
    assert found.fields[4].why_not == UNLABELLED


def test_a_text_names_the_label_it_was_matched_with_and_marks_what_both_have():
    (field,) = explain(episode(record(labels=("a bird", "one red cat"), sent=("the red cat",))), STANDARD).fields
    assert field.comparison.label == "one red cat"
    assert [piece.text for piece in field.comparison.shared.sent if piece.shared] == ["red", "cat"]
    assert (field.comparison.shared.common, field.comparison.shared.f1) == (2, pytest.approx(2 / 3))


def test_boxes_are_parted_into_those_of_both_of_the_answer_and_of_the_worker():
    made = record(kind="checkbox", options=("a", "b", "c", "d"), labels=("a|b|c", "d", "a|b|c"), sent=("b", "d"))
    comparison = explain(episode(made), STANDARD).fields[0].comparison
    assert (comparison.both, comparison.sent_only, comparison.label_only) == (("d",), ("b",), ())
    assert (comparison.same, comparison.workers) == (1, 3)


def test_a_number_stands_beside_each_label_with_its_distance():
    made = record(kind="range", labels=("10", "4", "x"), sent=("6",))
    comparison = explain(episode(made), STANDARD).fields[0].comparison
    assert (comparison.labels, comparison.scale, comparison.mean) == (((4.0, 2.0), (10.0, 4.0)), 10.0, 3.0)
    assert comparison.left_out == ("x",)


def test_votes_are_counted_and_what_was_sent_is_among_them():
    made = record(kind="radio", options=("1", "2", "3"), labels=("1", "2", "1", ""), sent=("3",))
    answers = explain(episode(made), STANDARD).fields[0].comparison.answers
    assert [(each.answer, each.votes, each.sent, each.right) for each in answers] == [
        ("1", 2, False, True),
        ("2", 1, False, False),
        ("3", 0, True, False),
    ]


def test_answers_that_are_the_same_words_to_the_original_are_counted_together():
    made = record(kind="radio", options=("Yes",), labels=("yes", "YES!", "no"), sent=("Yes",))
    answers = explain(episode(made), ORIGINAL).fields[0].comparison.answers
    assert [(each.votes, each.sent, each.right) for each in answers] == [(2, True, True), (1, False, False)]


def test_labels_are_counted_and_blank_ones_together():
    (field,) = explain(episode(record(labels=("yes", " ", "{}", "yes"))), STANDARD).fields
    assert dict(field.labels) == {"yes": 2, BLANK: 2}


@pytest.mark.parametrize(
    ("field", "values", "profile", "words"),
    [
        (record(status=UNLABELLED), {}, STANDARD, UNLABELLED),
        (record(), {"outcome": "harness_error"}, STANDARD, "mistake of turkbench"),
        (record(visible=False), {}, ORIGINAL, "cannot be seen"),
        (record(labels=("yes",)), {"answered_by": "workers"}, STANDARD, "fewer than two workers"),
        (record(labels=("",)), {}, STANDARD, "left it blank"),
    ],
)
def test_a_field_without_a_score_says_why(field, values, profile, words):
    (found,) = explain(episode(field, **values), profile).fields
    assert found.score is None
    assert words in found.why_not


def test_of_a_run_of_workers_each_is_shown_against_the_others():
    made = record(kind="radio", options=("1", "2"), labels=("1", "1", "2"))
    (field,) = explain(episode(made, answered_by="workers"), STANDARD).fields
    assert [(each.answer, each.score) for each in field.workers] == [(("1",), 1.0), (("1",), 1.0), (("2",), 0.0)]
    assert field.score.score == pytest.approx(2 / 3)
    assert field.comparison is None


def test_under_a_profile_of_another_package_a_field_is_explained_by_its_score_alone():
    made = episode(record(kind="radio", options=("1", "2"), labels=("1", "1", "2"), sent=("2",)))
    (field,) = explain(made, replace(STANDARD, name="any-worker")).fields
    assert field.comparison is None
    assert field_view(field).words == field.score.explanation == "'2' has 1 of 3 votes; '1' has 2"
