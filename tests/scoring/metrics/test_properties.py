"""What must hold for every field: the best answer reaches the ceiling, and no answer passes it."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.scoring.metrics import PROFILES
from tests.scoring.metrics.drawn import KINDS, LABELS, OPTIONS, PROFILE, VALUES


@pytest.mark.slow
@settings(deadline=None, max_examples=600)
@given(PROFILE, KINDS, OPTIONS, LABELS)
def test_the_best_answer_reaches_the_ceiling(name: str, kind: str, options: list[str], labels: list[str]) -> None:
    profile = PROFILES[name]
    best = profile.best_answer(kind, options, labels)
    result = profile.score_field(kind, options, labels, best)
    assert result is None or result.score == result.ceiling


@pytest.mark.slow
@settings(deadline=None, max_examples=600)
@given(PROFILE, KINDS, OPTIONS, LABELS, st.data())
def test_no_answer_that_a_page_can_send_passes_the_ceiling(
    name: str, kind: str, options: list[str], labels: list[str], data: st.DataObject
) -> None:
    if kind in ("radio", "select"):
        least = int(kind == "select" and bool(options))
        sent = data.draw(st.lists(st.sampled_from(options), min_size=least, max_size=1)) if options else []
    elif kind == "checkbox":
        sent = [option for option in options if data.draw(st.booleans())]
    elif kind == "range":
        sent = [data.draw(st.integers(-99, 99).map(str))]
    else:
        sent = [data.draw(VALUES)]
    result = PROFILES[name].score_field(kind, options, labels, sent)
    assert result is None or result.score <= result.ceiling + 1e-12


@settings(deadline=None, max_examples=300)
@given(KINDS, OPTIONS, LABELS, st.lists(VALUES, max_size=3))
def test_standard_scores_lie_between_zero_and_one(
    kind: str, options: list[str], labels: list[str], sent: list[str]
) -> None:
    result = PROFILES["standard"].score_field(kind, options, labels, sent)
    if result is not None:
        assert 0 <= result.score <= 1
        assert 0 <= result.ceiling <= 1
        assert result.agreement is None or 0 <= result.agreement <= 1
        assert result.explanation


@pytest.mark.parametrize("name", sorted(PROFILES))
def test_profiles_are_found_by_their_names(name: str) -> None:
    assert PROFILES[name].name == name
