"""Every quirk by itself, and both ends: none is the profile standard, all are turkingbench-2024."""

from __future__ import annotations

import json
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.scoring.metrics import PROFILES, quirks
from harness.scoring.metrics.field_score import FieldScore
from harness.scoring.metrics.quirks import ALL, QUIRKS, Mixed, Quirk
from harness.scoring.metrics.turkingbench_2024 import score_recorded, value_read
from tests.needs import needs, real_data
from tests.scoring.metrics.drawn import KINDS, LABELS, OPTIONS, VALUES
from tests.scoring.metrics.recorded import FILES

SOME_LABELS = LABELS.filter(bool)
SENT = st.lists(VALUES, max_size=3)


def points(kind: str, labels: Sequence[str], sent: Sequence[str], *with_quirks: Quirk, options: Sequence[str] = ()):
    return Mixed(frozenset(with_quirks)).points(kind, options, labels, sent)


@pytest.mark.slow
@settings(deadline=None, max_examples=500)
@given(KINDS, OPTIONS, SOME_LABELS, SENT)
def test_without_quirks_a_field_is_scored_as_standard(kind, options, labels, sent):
    result = PROFILES["standard"].score_field(kind, options, labels, sent)
    assert points(kind, labels, sent, options=options) == (result.score if result else None)


@settings(deadline=None, max_examples=500)
@given(KINDS, OPTIONS, SOME_LABELS, SENT)
def test_with_all_quirks_a_field_is_scored_as_the_original_does(kind, options, labels, sent):
    assert points(kind, labels, sent, *QUIRKS, options=options) == score_recorded(kind, labels, value_read(kind, sent))


@settings(deadline=None, max_examples=400)
@given(st.sets(st.sampled_from(QUIRKS)), st.sampled_from(QUIRKS), st.tuples(KINDS, OPTIONS, SOME_LABELS, SENT))
def test_a_quirk_changes_no_kind_but_its_own(some, quirk, field):
    with_it, without = Mixed(frozenset(some | {quirk})), Mixed(frozenset(some - {quirk}))
    if field[0] not in quirk.kinds:
        assert with_it.points(*field) == without.points(*field)


@needs(real_data("recorded"))
def test_all_quirks_give_every_recorded_score():
    seen = 0
    for line in (line for file in FILES for line in file.read_text(encoding="utf-8").splitlines()):
        record = json.loads(line)
        if record["status"] == "scored":
            cells = ["" if label is None else str(label) for label in record["gold"]]
            sent = record["value_scored"].split("|") if record["value_scored"] else []
            assert points(record["type"], cells, sent, *QUIRKS) == pytest.approx(record["score"], abs=1e-9)
            seen += 1
    assert seen


def test_names_are_unique():
    assert len({quirk.name for quirk in QUIRKS}) == len(QUIRKS)


# Kind, options, labels and what is sent; the points without the quirk and with it.
CASES = [
    (quirks.WORDS, ("radio", ("1", "-1"), ("-1", "-1"), ("1",)), 0.0, 1.0),
    (quirks.WORDS, ("checkbox", ("1", "2"), ("False",), ()), 1.0, 0.0),
    (quirks.WORDS, ("checkbox", ("on",), ("True", "True"), ("on",)), 1.0, 0.0),
    (quirks.BLANKS_VOTE, ("radio", ("a", "b"), ("", "", "a"), ("a",)), 1.0, 0.0),
    (quirks.BLANKS_VOTE, ("radio", ("a", "b"), ("", "", "a"), ()), 0.0, 1.0),
    (quirks.BLANKS_VOTE, ("select", ("", "a"), ("", "{}"), ("",)), None, 1.0),
    (quirks.FIRST_OF_TIED, ("radio", ("a", "b"), ("a", "b"), ("b",)), 1.0, 0.0),
    (quirks.EXACT_SETS, ("checkbox", ("a", "b"), ("a|b",), ("a",)), 0.5, 0.0),
    (quirks.EXACT_SETS, ("checkbox", ("a", "b"), ("a|b",), ("b", "a")), 1.0, 1.0),
    (quirks.LONE_BOX, ("checkbox", ("on",), ("on", "", ""), ("on",)), 0.0, 1.0),
    (quirks.FIRST_VALUE, ("text", (), ("one|two",), ("one", "two")), 1.0, pytest.approx(2 / 3)),
    (quirks.FIRST_VALUE, ("select", ("a", "b"), ("a|b",), ("a", "b")), 1.0, 0.0),
    (quirks.ASCII_TOKENS, ("text", (), ("我爱猫",), ("我爱小猫",)), pytest.approx(6 / 7), 0.0),
    (quirks.NUMBERS_AS_TEXT, ("text", (), ("1.5",), ("1.6",)), 0.0, 0.5),
    (quirks.AMPERSAND, ("text", (), ("&",), ("&amp;",)), 0.0, 1.0),
    (quirks.RANGE_DISTANCE, ("range", (), ("10",), ("40",)), 0.0, 0.25),
]


@pytest.mark.parametrize(("quirk", "field", "without", "with_it"), CASES)
def test_what_a_quirk_does(quirk, field, without, with_it):
    assert Mixed(frozenset()).points(*field) == without
    assert Mixed(frozenset({quirk})).points(*field) == with_it


@pytest.mark.parametrize(
    ("labels", "ticked", "not_ticked"),
    [(("on", "on", ""), 1.0, 0.0), (("on", "", ""), 0.0, 1.0), (("on", ""), 1.0, 1.0)],
)
def test_a_lone_box_that_is_compared_as_words_is_voted_on(labels, ticked, not_ticked):
    assert points("checkbox", labels, ("on",), quirks.WORDS, options=("on",)) == ticked
    assert points("checkbox", labels, (), quirks.WORDS, options=("on",)) == not_ticked


@pytest.mark.parametrize("options", [("1", "2"), ()])
def test_without_quirks_labels_vote_for_the_option_or_the_label_that_they_mean(options):
    assert points("radio", ("1.0", "1", "2", "2.0", "1"), ("1.00",), options=options) == 1.0
    assert points("radio", ("1.0", "1", "2", "2.0", "1"), ("2",), options=options) == 0.0


def test_every_quirk_of_fields_is_shown_at_work():
    assert {quirk for quirk in QUIRKS if quirk.kinds} == {case[0] for case in CASES}


def test_a_range_counts_as_one_in_the_mean_only():
    kinds, scores = ("range", "text"), (0.2, 0.4)
    assert Mixed(frozenset()).instance_points(kinds, scores) == pytest.approx(0.3)
    assert Mixed(frozenset({quirks.RANGE_IS_ONE})).instance_points(kinds, scores) == pytest.approx(0.7)
    assert Mixed(ALL).instance_points((), ()) is None


@pytest.mark.slow
@settings(deadline=None, max_examples=200)
@given(st.lists(st.tuples(KINDS, st.floats(0, 1)), max_size=6))
def test_the_mean_of_an_instance_is_that_of_the_profile_at_both_ends(fields):
    kinds, scores = [kind for kind, _ in fields], [score for _, score in fields]
    scored = [(kind, FieldScore(score, 1.0, None, tied=False, explanation="")) for kind, score in fields]
    for name, held in (("standard", frozenset()), ("turkingbench-2024", ALL)):
        assert Mixed(held).instance_points(kinds, scores) == PROFILES[name].instance_score(scored)
        assert Mixed(held).scores_invisible == PROFILES[name].scores_invisible


def test_what_cannot_be_scored_is_refused():
    with pytest.raises(ValueError, match="date"):
        points("date", ("1",), ("1",))
    with pytest.raises(ValueError, match="without workers"):
        points("text", (), ("1",))
