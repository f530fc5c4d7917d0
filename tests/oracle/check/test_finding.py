from __future__ import annotations

import json
from dataclasses import replace

import pytest

from harness.actions.result import ErrorCode, Step
from harness.kit.files.codec import decode, plain
from harness.scoring.metrics import PROFILES
from harness.scoring.scores import score_episode
from oracle.check.finding import Finding, Verdict, judge
from tests.samples import episode, record, submission


def verdict(*fields, rows=(3, 7), explanations=None, media=(), **values):
    score = score_episode(episode(*fields, **values), PROFILES["standard"])
    return judge(score, rows=rows, key="k", media=media).explained_by(explanations or {})


def only(*fields, **values):
    (finding,) = verdict(*fields, **values).findings
    return finding


def test_a_field_at_its_ceiling_is_no_finding():
    found = verdict(record("a", sent=("yes",)))
    assert (found.fields, found.at_ceiling, found.findings, found.rows) == (1, 1, (), (3, 7))


def test_an_action_that_the_page_refused_makes_the_label_impossible():
    words = "'a' has no option '9', only '1'"
    refused = Step("modify_radio('a', '9')", ok=False, message=words, ms=1.0, code=ErrorCode.NO_SUCH_OPTION)
    finding = only(record("a", "range", labels=("9", "1", "9"), sent=("1",)), steps=(refused,))
    assert (finding.category, finding.reason, finding.below) == ("impossible", "'a' has no option '9', only '1'", True)
    assert (finding.labels, finding.options, finding.sent) == (("9", "1"), (), ("1",))


def test_what_another_field_was_refused_is_no_finding_about_a_field_that_is_only_named_there():
    words = "'b': no field of this name is on the page now; the fields are 'a'"
    other = Step("modify_text('b', 'cat')", ok=False, message=words, ms=1.0, code=ErrorCode.NO_SUCH_FIELD)
    assert only(record("a", labels=("cat",), sent=("dog",)), steps=(other,)).category == "undone"


def test_what_was_tried_after_the_submission_was_not_tried():
    words = "the form was submitted; the episode is over"
    late = Step("modify_text('a', 'cat')", ok=False, message=words, ms=1.0, code=ErrorCode.ALREADY_SUBMITTED)
    assert only(record("a", labels=("cat",), sent=("dog",)), steps=(late,)).category == "undone"


def test_what_was_entered_and_is_not_sent_was_changed_by_the_page():
    finding = only(record("a", labels=("cat",), sent=("dog",)))
    assert finding.category == "undone"


def test_a_blocked_submission_is_named_with_what_was_changed():
    finding = only(record("a", labels=("cat",)), submission=submission(accepted=False))
    assert "the submission was blocked" in finding.reason


REFUSED = submission(accepted=False)


@pytest.mark.parametrize(
    ("sent", "where"),
    [
        (replace(REFUSED, dialogs=("alert:done", "send:https://a.example/save")), "https://a.example/save"),
        (replace(REFUSED, refused=("https://a.example/done?q=1",)), "https://a.example/done?q=1"),
        (replace(REFUSED, dialogs=("alert:choose one",), refused=("https://a.example/help",)), ""),
        (replace(submission(), dialogs=("send:https://a.example/save",)), ""),
        (None, ""),
    ],
)
def test_where_a_page_sent_something_in_place_of_its_form_is_kept(sent, where):
    assert verdict(record("a"), submission=sent).sent_to == where


def test_an_invisible_field_on_a_page_with_script_errors_is_a_broken_page():
    finding = only(
        record("a", visible=False), script_errors=("TypeError: x is not a function",), media=("http://m/i.png",)
    )
    assert (finding.category, finding.reason) == ("broken", "the page's scripts failed: TypeError: x is not a function")


def test_an_invisible_field_on_a_page_whose_media_are_missing_is_said_to_be_so():
    finding = only(record("a", visible=False), media=("http://m/i.png",))
    assert (finding.category, "http://m/i.png" in finding.reason) == ("media", True)


@pytest.mark.parametrize(
    ("field", "reason"),
    [
        (record("a", "hidden", visible=False), "not visible at load: the page's script writes or makes it"),
        (
            record("a", "radio", options=("1", "2"), labels=("1",), visible=False),
            "not visible at load, and nothing that was tried brought it out",
        ),
    ],
)
def test_other_invisible_fields_were_never_reached(field, reason):
    finding = only(field)
    assert (finding.category, finding.reason) == ("unreached", reason)


@pytest.mark.parametrize("outcome", ["harness_error", "agent_error", "limit"])
def test_an_instance_that_was_not_finished_is_a_finding_of_its_own(outcome):
    fields = () if outcome == "harness_error" else (record("a", sent=("no",)),)
    whole, *others = verdict(*fields, outcome=outcome, detail="why").findings
    assert (whole.field, whole.category, str(whole)) == ("", "unfinished", f"{outcome}: why")
    assert [each.category for each in others] == ["unfinished"] * len(fields)


def test_an_instance_without_labels_has_nothing_to_find():
    found = verdict(record(status="no label in this instance"), outcome="unscored")
    assert (found.fields, found.findings, found.unscored) == (0, (), {"no label in this instance": 1})


@pytest.mark.parametrize(
    ("kind", "options", "label", "ceiling"),
    [("checkbox", ("1", "2"), "1|9", "0.50"), ("radio", ("1",), "9", "0.00")],
)
def test_a_label_outside_the_options_is_listed_with_its_field_at_the_ceiling(kind, options, label, ceiling):
    found = verdict(record("a", kind, options=options, labels=(label,), sent=("1",)))
    (finding,) = found.findings
    assert (found.at_ceiling, finding.below, finding.category) == (1, False, "impossible")
    assert finding.reason.startswith(f"the ceiling is {ceiling}, since the page does not offer ")


def test_a_ceiling_below_one_that_the_labels_themselves_cause_is_no_finding():
    assert verdict(record("a", "range", labels=("1", "9"), sent=("9",))).findings == ()


def test_what_the_facts_of_the_task_say_stands_beside_the_finding():
    assert (
        only(record("a", sent=("no",)), explanations={"a": "the label is a clock"}).explained == "the label is a clock"
    )


def test_an_explanation_may_speak_of_several_fields_and_one_of_its_own_comes_first():
    fields = [record(name, sent=("no",)) for name in ("step1", "step2", "other")]
    found = verdict(*fields, explanations={"step*": "all alike", "step2": "its own"}).findings
    assert [each.explained for each in found] == ["all alike", "its own", ""]


def test_long_labels_are_shortened():
    finding = only(record("a", labels=("x" * 1000,)))
    assert len(finding.labels[0]) == 300
    assert f"wanted '{'x' * 59}…'; found nothing" in str(finding)


def test_a_verdict_survives_json():
    found = verdict(record("a", sent=("no",)), record("b", status="why"), explanations={"a": "known"})
    assert decode(json.dumps(plain(found)).encode(), Verdict) == found
    assert all(isinstance(each, Finding) for each in found.findings)
