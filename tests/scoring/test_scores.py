from __future__ import annotations

from dataclasses import replace

import pytest

from harness.catalog.kinds import KINDS, TEXTS
from harness.catalog.site_facts import Evaluators, SiteFacts
from harness.records.episode import Episode
from harness.records.site_record import Evaluation, SiteRecord
from harness.scoring.answers.columns import UNLABELLED
from harness.scoring.metrics import PROFILES
from harness.scoring.scores import score_episode, scored_records
from tests.samples import episode, record

STANDARD, ORIGINAL = PROFILES["standard"], PROFILES["turkingbench-2024"]


def test_an_instance_is_the_mean_of_its_scored_fields():
    made = episode(
        record("a", sent=("yes",)),
        record("b", sent=("no",)),
        record("c", sent=("yes",)),
        record("d", sent=("yes",)),
    )
    assert score_episode(made, STANDARD).score == 0.75


def test_a_field_that_is_not_scored_changes_no_number():
    scored = record("a", sent=("yes",))
    with_more = score_episode(episode(scored, record("b", status=UNLABELLED, sent=("no",))), STANDARD)
    assert with_more.score == 1.0
    assert [field.record.name for field in with_more.fields] == ["a"]


def test_floors_are_the_means_over_the_same_fields():
    made = episode(
        record("a", untouched=("yes",), constant=("yes",)),
        record("b", "radio", options=("yes", "no"), untouched=("no",), constant=("yes",)),
        longest_input="yes",
    )
    score = score_episode(made, STANDARD)
    assert score.episode is made
    assert (score.score, score.do_nothing, score.constant, score.ceiling) == (0.0, 0.5, 1.0, 1.0)
    assert score.copy == 0.5


def test_the_ceiling_is_what_the_labels_and_options_allow():
    made = episode(record("a", "radio", options=("1", "2"), labels=("9", "9")), record("b", sent=("yes",)))
    score = score_episode(made, STANDARD)
    assert (score.score, score.ceiling) == (0.5, 0.5)


def test_untied_leaves_out_fields_that_a_tie_decides():
    tied = record("a", "radio", options=("1", "2"), labels=("1", "2"), sent=("1",))
    plain = record("b", "radio", options=("1", "2"), labels=("1",), sent=("2",))
    assert score_episode(episode(tied, plain), STANDARD).untied == 0.0
    assert score_episode(episode(tied), STANDARD).untied is None


def test_after_a_harness_error_there_is_no_number():
    made = episode(record(sent=("yes",)), outcome="harness_error")
    score = score_episode(made, STANDARD)
    assert (score.episode, score.fields) == (made, ())
    assert (score.score, score.ceiling, score.do_nothing, score.constant) == (None, None, None, None)


@pytest.mark.parametrize("outcome", ["limit", "agent_error"])
def test_an_episode_that_was_cut_short_is_scored_on_what_the_page_holds(outcome):
    made = episode(record("a", sent=("yes",)), record("b"), outcome=outcome)
    assert score_episode(made, STANDARD).score == 0.5


def test_without_labels_there_is_no_score():
    assert score_episode(episode(record(status=UNLABELLED), outcome="unscored"), STANDARD).score is None


def test_the_original_profile_skips_fields_that_cannot_be_seen_and_the_standard_one_does_not():
    made = episode(record("a", sent=("yes",)), record("b", visible=False))
    assert score_episode(made, STANDARD).score == 0.5
    assert score_episode(made, ORIGINAL).score == 1.0


def test_the_original_profile_counts_every_slider_as_right():
    made = episode(record("a", "range", labels=("10",), sent=("0",)), record("b", sent=("no",)))
    assert score_episode(made, ORIGINAL).score == 0.5
    assert score_episode(made, STANDARD).score == 0.0


def test_the_scored_fields_are_the_same_whatever_was_sent():
    kinds = {
        "a": ("text", ()),
        "b": ("radio", ("1", "2")),
        "c": ("checkbox", ("1", "2")),
        "d": ("range", ()),
        "e": ("hidden", ()),
    }
    for profile in PROFILES.values():
        counted = {
            tuple(
                field.record.name
                for field in score_episode(
                    episode(
                        *(
                            record(name, kind, options=options, labels=("1", ""), sent=sent, untouched=("2",))
                            for name, (kind, options) in kinds.items()
                        )
                    ),
                    profile,
                ).fields
            )
            for sent in ((), ("1",), ("2",), ("nonsense",), ("1", "2"))
        }
        assert len(counted) == 1


def test_the_floor_of_copying_fills_visible_texts_and_leaves_the_rest_as_it_is():
    made = episode(
        record("a", labels=("the long input",)),
        record("b", labels=("the long input",), visible=False),
        record("c", "radio", options=("1", "2"), labels=("1",), untouched=("1",)),
        longest_input="the long input",
    )
    assert [field.copy.score for field in score_episode(made, STANDARD).fields] == [1.0, 0.0, 1.0]


def test_workers_are_scored_against_each_other_and_the_floors_on_the_same_labels():
    made = episode(
        record("a", "radio", options=("1", "2"), labels=("1", "1", "2"), untouched=("2",), constant=("1",)),
        answered_by="workers",
    )
    score = score_episode(made, STANDARD)
    assert score.score == pytest.approx(2 / 3)
    assert (score.do_nothing, score.constant, score.ceiling) == (pytest.approx(2 / 3), 1.0, 1.0)


def test_workers_are_scored_in_fields_that_the_profile_looks_at_and_copying_fills_visible_texts():
    seen, unseen = (record(name, labels=("x y", "x y"), visible=name == "a") for name in "ab")
    made = episode(seen, unseen, answered_by="workers", longest_input="x y")
    assert [field.record.name for field in score_episode(made, ORIGINAL).fields] == ["a"]
    assert [field.copy.score for field in score_episode(made, STANDARD).fields] == [1.0, 0.0]


def test_workers_of_an_instance_with_one_label_have_no_score():
    assert score_episode(episode(record(), answered_by="workers"), STANDARD).score is None


@pytest.mark.parametrize("profile", PROFILES.values(), ids=PROFILES)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("labels", [(), ("",), ("", " "), ("yes", ""), ("3",), ("yes|no", "yes"), ("{}", "none")])
@pytest.mark.parametrize("sent", [(), ("",), ("yes",), ("yes", "no")])
def test_which_fields_have_a_score_is_known_without_it(profile, kind, labels, sent):
    options = () if kind in {*TEXTS, "range"} else ("yes", "no")
    made = [
        episode(
            record("a", kind, options=options, labels=labels, sent=sent, visible=visible, constant=("no",)),
            record("b", status=UNLABELLED, sent=("no",)),
            record("c", sent=("yes",)),
            longest_input="yes",
            answered_by=answered_by,
            outcome=outcome,
        )
        for visible in (True, False)
        for answered_by in ("solver", "workers")
        for outcome in ("scored", "harness_error")
    ]
    for each in made:
        scored = [field.record for field in score_episode(each, profile).fields]
        assert scored_records(each, profile) == scored


FACTS = SiteFacts(goal="", start="http://a.test/", origins=("http://a.test",), evaluators=Evaluators(page_reward=True))


def on_a_site(*evaluations: Evaluation) -> Episode:
    return replace(episode(), submission=None, site=SiteRecord(task=FACTS, evaluations=evaluations))


@pytest.mark.parametrize("profile", [STANDARD, ORIGINAL])
def test_an_episode_on_a_website_has_the_score_and_the_floor_of_its_main_evaluator(profile):
    main = Evaluation(evaluator="key_nodes", score=0.75, success=False, floor=0.25)
    score = score_episode(on_a_site(main, Evaluation(evaluator="final_state", score=0.0, success=False)), profile)
    assert (score.score, score.ceiling, score.do_nothing, score.untied) == (0.75, 1.0, 0.25, 0.75)
    assert (score.fields, score.constant, score.copy) == ((), None, None)


@pytest.mark.parametrize("evaluations", [(), (Evaluation(evaluator="answer", score=None, success=None),)])
def test_what_no_evaluator_could_tell_of_a_website_has_no_score(evaluations):
    score = score_episode(on_a_site(*evaluations), STANDARD)
    assert (score.score, score.ceiling, score.do_nothing) == (None, None, None)
