"""Forms judged by key nodes beside the metric."""

from __future__ import annotations

import pytest

from harness.analysis.form_key_nodes import form_agreement, key_nodes_of_form
from harness.records.episode import Episode
from harness.scoring.metrics import PROFILES
from tests.samples import episode, record
from tests.scoring.evaluators.made import Recording

STANDARD = PROFILES["standard"]
PAGE = "<form><input type=radio name=mood value=good><input name='it&quot;s'></form>"


def form(mood: str, text: str, **values: object) -> Episode:
    return episode(
        record("mood", "radio", options=("good", "bad"), labels=("good", "good", "bad"), sent=(mood,) if mood else ()),
        record('it"s', "text", labels=("a cat",), sent=(text,)),
        record("tags", "checkbox", options=("a", "b", "c"), labels=("a|c", "a|c"), sent=("a", "c")),
        record("unscored", "text", labels=(), status="unlabelled", sent=("x",)),
        **values,
    )


def test_each_scored_field_is_a_node_whose_reference_is_the_metrics_best_answer():
    nodes = key_nodes_of_form(form("bad", ""), STANDARD)
    assert [(node.note, node.reference, node.target, node.match) for node in nodes] == [
        ("mood", "good", "element_value", "exact"),
        ('it"s', "a cat", "element_value", "exact"),
        ("tags", "a|c", "element_value", "exact"),
    ]


def test_nodes_find_their_fields_in_a_page_whatever_these_are_called():
    mood, text, _ = key_nodes_of_form(form("bad", ""), STANDARD)
    recording = Recording().acts(PAGE, "[name=mood]", value="good").acts(PAGE, "input:nth-child(2)", value="a cat")
    assert [part.moment for part in recording.nodes(mood, text).parts] == [0, 1]


def test_agreement_counts_fields_by_both():
    found = form_agreement([form("good", "a cat"), form("bad", "a cat", index=1)], STANDARD)
    assert (found.fields, found.both, found.node_only, found.metric_only, found.neither) == (6, 5, 0, 0, 1)
    assert (found.agreement, found.kappa.value, found.completion) == (1.0, 1.0, pytest.approx(5 / 6))


def test_answer_that_ties_with_the_best_is_right_by_the_metric_alone():
    tied = episode(record("mood", "radio", options=("good", "bad"), labels=("good", "bad"), sent=("bad",)))
    found = form_agreement([tied], STANDARD)
    assert (found.metric_only, found.agreement, found.score, found.completion) == (1, 0.0, 1.0, 0.0)


def test_errors_of_the_harness_and_answers_of_workers_are_left_out():
    left_out = [form("good", "a cat", outcome="harness_error"), form("good", "a cat", answered_by="workers")]
    found = form_agreement(left_out, STANDARD)
    assert (found.fields, found.agreement, found.score, found.completion) == (0, None, None, None)
