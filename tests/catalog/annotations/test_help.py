from __future__ import annotations

import pytest

from harness.catalog.annotations.help_drawing import is_drawn
from harness.catalog.annotations.help_effect import TimedAnswers, help_effect
from harness.catalog.annotations.help_text import help_rows, help_text
from harness.kit.text import NOTHING

INSTANCES = [f"{number:012x}" for number in range(2000)]


def drawn(share: float, seed: int = 0, worker: str = "3") -> list[bool]:
    return [is_drawn(seed, share, worker, each) for each in INSTANCES]


def test_the_share_of_instances_that_was_asked_for_gets_help():
    assert sum(drawn(0.3)) == pytest.approx(600, abs=60)
    assert not any(drawn(0.0))
    assert all(drawn(1.0))


def test_the_draw_is_the_same_whenever_it_is_made_and_another_for_each_worker_and_seed():
    assert drawn(0.5) == drawn(0.5)
    for other in (drawn(0.5, seed=1), drawn(0.5, worker="4")):
        alike = sum(first == second for first, second in zip(drawn(0.5), other, strict=True))
        assert alike == pytest.approx(1000, abs=120)


def test_who_got_help_at_a_small_share_gets_it_at_a_greater_one():
    assert all(more for few, more in zip(drawn(0.2), drawn(0.6), strict=True) if few)


def timed(worker: str, instance: str, seconds: float, answer: str, *, helped: bool) -> TimedAnswers:
    return TimedAnswers(worker, instance, helped, seconds, {"a": [answer]}, {"a": ["model"], "b": []})


def test_time_and_agreement_are_compared_within_workers():
    effect = help_effect(
        [
            timed("ann", "1", 10, "model", helped=True),
            timed("ann", "2", 20, "right", helped=False),
            timed("bob", "1", 40, "right", helped=False),
            timed("bob", "2", 20, "model", helped=True),
            timed("eve", "1", 1, "right", helped=False),
            timed("eve", "2", 1, "right", helped=False),
        ]
    )
    assert (effect.helped, effect.alone, effect.one_sided) == (2, 4, 1)
    assert (effect.seconds.helped.value, effect.seconds.alone.value) == (15, 30)
    assert effect.seconds.difference.value == -15  # of -10 and -20, each worker's own
    assert effect.seconds.difference.low < -15 < effect.seconds.difference.high
    assert (effect.seconds.workers, effect.seconds.assignments) == (2, 4)
    # Of others those count who had no help: with help both follow the model, without both agree with eve.
    assert (effect.with_people.helped.value, effect.with_people.alone.value) == (0, 1)
    assert effect.with_people.difference.value == -1
    assert (effect.with_run.helped.value, effect.with_run.alone.value) == (1, 0)


def test_answers_agree_whatever_their_order_spelling_of_numbers_and_outer_spaces():
    one = TimedAnswers("ann", "1", True, 1, {"a": ["x", "y"], "n": ["1.0"]}, {"a": ["y", "x "], "n": ["1"]})
    other = TimedAnswers("ann", "2", False, 1, {"a": ["x"], "n": ["1"]}, {"a": ["x", "y"], "n": ["1"]})
    effect = help_effect([one, other])
    assert (effect.with_run.helped.value, effect.with_run.alone.value) == (1, 0.5)


def test_what_cannot_be_compared_is_unknown_and_no_zero():
    effect = help_effect([timed("ann", "1", 10, "model", helped=True), timed("bob", "1", 20, "x", helped=False)])
    assert effect.one_sided == 2
    assert effect.seconds.difference.value is None
    assert effect.with_people.workers == 0


def test_one_worker_gives_a_difference_without_an_interval():
    effect = help_effect([timed("ann", "1", 10, "x", helped=True), timed("ann", "2", 30, "x", helped=False)])
    assert (effect.seconds.difference.value, effect.seconds.difference.low) == (-20, None)


def test_rows_tell_seconds_with_a_decimal_and_a_difference_with_its_sign_and_interval():
    held = [("ann", "1", 30, True), ("ann", "2", 10, False), ("bob", "1", 50, True), ("bob", "2", 20, False)]
    effect = help_effect([timed(*who, seconds, "x", helped=helped) for *who, seconds, helped in held])
    _, helped, alone, difference, interval, workers = help_rows(effect)[0].cells
    assert (helped, alone, difference, workers) == ("40.0", "15.0", "+25.0", "2")
    low, high = interval.split(" to ")
    assert float(low) < 25 < float(high)
    assert interval in help_text(effect)


def test_rows_tell_what_is_unknown_as_nothing():
    effect = help_effect([timed("ann", "1", 10, "model", helped=True), timed("bob", "1", 20, "x", helped=False)])
    assert help_rows(effect)[0].cells[1:5] == (NOTHING,) * 4
