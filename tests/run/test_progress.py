from __future__ import annotations

import io
import json
import os
import sys
from decimal import Decimal

import pytest

from harness.models.cost import Spending
from harness.models.ledger import Totals
from harness.models.messages import Usage
from harness.run import progress as module
from harness.run.progress import MODES, BarProgress, JsonProgress, PlainProgress, QuietProgress, progress


@pytest.fixture(autouse=True)
def clock(monkeypatch):
    """A clock that goes on when it is told to."""
    now = [100.0]
    monkeypatch.setattr(module.time, "monotonic", lambda: now[0])

    def wait(seconds):
        now[0] += seconds

    return wait


def told(kind, clock, seconds=1.0, spending=None) -> str:
    """A phase of three pieces, so many seconds each."""
    stream = io.StringIO()
    shown = kind(stream)
    shown.start("oracle", None, 1, spending)
    shown.expect(4)
    for outcome, score in (("scored", 1.0), ("limit", 0.0), ("harness_error", None)):
        clock(seconds)
        shown.advance(outcome, score)
    shown.note("the cache is full")
    shown.finish()
    return stream.getvalue()


def test_no_score_is_shown_before_one_was_earned(clock):
    stream = io.StringIO()
    shown = PlainProgress(stream)
    shown.start("model", 3)
    for outcome, score, earned in (("agent_error", 0.5, False), ("agent_error", 0.5, False), ("scored", 0.8, True)):
        clock(20)
        shown.advance(outcome, score, earned=earned)
    *before, _, after = [line for line in stream.getvalue().splitlines() if "/3" in line]
    assert not any("score " in line.replace("scored", "") for line in before)
    assert "score 60.0" in after


def test_lines_for_a_log_have_rate_time_to_go_score_and_outcomes(clock):
    lines = told(PlainProgress, clock, 20).splitlines()
    assert lines == [
        "oracle: 1/?",
        "oracle: 2/4 (50%) · 3.0/min · 0:40 to go · score 100.0 · scored 1",
        "oracle: 3/4 (75%) · 3.0/min · 0:20 to go · score 50.0 · limit 1 · scored 1",
        "oracle: 4/4 (100%) · 3.0/min · score 50.0 · harness_error 1 · limit 1 · scored 1",
        "the cache is full",
        "oracle: 4/4 (100%) · 3.0/min · score 50.0 · harness_error 1 · limit 1 · scored 1",
    ]


def test_lines_for_a_log_are_few(clock):
    assert len(told(PlainProgress, clock, 0.5).splitlines()) == 4  # begin, first piece, note, end


def test_json_lines_say_the_same_to_a_program(clock):
    lines = [json.loads(line) for line in told(JsonProgress, clock).splitlines()]
    assert lines[-2] == {"note": "the cache is full"}
    assert lines[-1] == {
        "phase": "oracle",
        "done": 4,
        "total": 4,
        "seconds": 3.0,
        "rate": 1.0,
        "to_go": 0.0,
        "score": 0.5,
        "outcomes": {"harness_error": 1, "limit": 1, "scored": 1},
    }


def spends(cost="0.42", **budgets):
    """Tells of more at each look, and of nothing at the first."""
    amounts = [None, *[None if cost is None else Decimal(cost)] * 9]
    looks = iter(range(10))

    def spending():
        look = next(looks)
        totals = Totals(calls=look, usage=Usage(1_000 * look, 10), cost=amounts[look])
        return Spending(totals, **budgets) if look else None

    return spending


def test_what_is_spent_is_told_while_the_run_goes_on(clock):
    budgets = {"max_cost": Decimal(5), "max_tokens": 10_000}
    lines = told(PlainProgress, clock, 20, spends(**budgets)).splitlines()
    assert lines[0] == "oracle: 1/?"
    assert " · 1,010 of 10,000 tokens (10%) · $0.4200 of $5.00 (8%) · scored 1" in lines[1]
    assert " · 3,010 of 10,000 tokens (30%) · $0.4200 of $5.00 (8%) · " in lines[3]


def test_without_a_budget_there_is_no_share_and_without_a_price_no_cost(clock):
    assert " · 1,010 tokens · cost unknown · " in told(PlainProgress, clock, 20, spends(cost=None))
    assert " · 1,010 tokens · $0.4200 · " in told(PlainProgress, clock, 20, spends())


def test_a_program_is_told_numbers_and_null_for_what_is_not_known(clock):
    lines = [json.loads(line) for line in told(JsonProgress, clock, 20, spends(cost=None, max_tokens=50)).splitlines()]
    assert "spent" not in lines[0]
    assert lines[1]["spent"] == {"tokens": 1_010, "max_tokens": 50, "cost": None, "max_cost": None}


def test_a_bar_is_one_line_that_is_written_over(clock):
    text = told(BarProgress, clock)
    assert text.endswith("\n")
    pieces = text.split("\r\033[K")
    assert "oracle: 3/4 (75%) · 1.0/s · 0:01 to go · score 50.0 · limit 1 · scored 1" in pieces
    assert "the cache is full\n" in pieces


def test_quiet_says_only_what_has_to_be_said(clock):
    assert told(QuietProgress, clock) == "the cache is full\n"


@pytest.mark.parametrize(("terminal", "kind"), [(True, BarProgress), (False, PlainProgress)])
def test_a_terminal_gets_a_bar_and_a_log_lines(monkeypatch, terminal, kind):
    stream = io.StringIO()
    stream.isatty = lambda: terminal  # type: ignore[method-assign]
    monkeypatch.setattr(sys, "stderr", stream)
    assert type(progress()) is kind
    assert type(progress("json")) is JsonProgress


def test_hours_are_shown_as_hours(clock):
    stream = io.StringIO()
    shown = PlainProgress(stream)
    shown.start("x", 3)
    clock(3700)
    shown.advance(None, None)
    assert "2:03:20 to go" in stream.getvalue()


@pytest.mark.parametrize("mode", MODES)
def test_a_run_goes_on_when_nobody_reads_its_progress_any_more(mode):
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "w", buffering=1) as stream:
        shown = type(progress(mode))(stream)
        shown.start("oracle", 2)
        shown.note("something")
        shown.advance("scored", 1.0)
        shown.interrupted()
        shown.finish()
        # What could not be written must not be tried again when the stream is closed.
        os.dup2(os.open(os.devnull, os.O_WRONLY), writing)
