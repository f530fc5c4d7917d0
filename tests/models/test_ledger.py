"""The money of a run, counted by many processes at once, some of which are killed."""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from harness.models.ledger import CallClaim, ClaimMustWait, ClaimRefused, DamagedLedger, Ledger, SpendingLimits, Totals
from harness.models.messages import Usage

CENT = Decimal("0.01")
CALL = Usage(80, 20)
TIMEOUT = 30.0


class Clock:
    """Time that passes when it is told to."""

    def __init__(self) -> None:
        self.now = 1_000_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "run" / "ledger.jsonl"


@pytest.fixture
def clock() -> Clock:
    return Clock()


def claim(
    ledger: Ledger, limits: SpendingLimits | None = None, usage: Usage = CALL, cost: Decimal | None = CENT
) -> Any:
    return ledger.claim(usage, cost, limits or SpendingLimits(), TIMEOUT)


def call(ledger: Ledger, usage: Usage = CALL, cost: Decimal | None = CENT) -> None:
    ledger.pay(claim(ledger, None, usage, cost), usage, cost, model="m")


def in_process(work: Callable[..., None], *arguments: object) -> multiprocessing.process.BaseProcess:
    process = multiprocessing.get_context("fork").Process(target=work, args=arguments)
    process.start()
    return process


def claim_and_die(file: Path) -> None:
    assert isinstance(claim(Ledger(file)), CallClaim)
    os.kill(os.getpid(), signal.SIGKILL)


# ---- accounts ------------------------------------------------------------------------------------------------------


def test_a_ledger_without_a_file_has_spent_nothing_and_makes_none(file: Path) -> None:
    assert Ledger(file).totals() == Totals()
    assert not file.exists()


def test_calls_are_summed_exactly(file: Path) -> None:
    ledger = Ledger(file)
    for _ in range(3):
        call(ledger, Usage(1_000, 100, 10), Decimal("0.0000123"))
    assert ledger.totals() == Totals(3, 0, Usage(3_000, 300, 30), Decimal("0.0000369"))


def test_another_process_and_a_resumed_run_see_the_same_totals(file: Path) -> None:
    first, second = Ledger(file), Ledger(file)
    call(first)
    call(second)
    call(first)
    assert first.totals() == second.totals() == Ledger(file).totals()
    assert first.totals().calls == 3


def test_a_cached_reply_costs_nothing_and_is_counted_apart(file: Path) -> None:
    ledger = Ledger(file)
    ledger.note_cached(Usage(50, 5), model="m")
    assert ledger.totals() == Totals(cached=1)


def test_the_total_is_unknown_as_soon_as_one_call_has_no_price(file: Path) -> None:
    ledger = Ledger(file)
    call(ledger)
    call(ledger, cost=None)
    call(ledger)
    assert ledger.totals().cost is None
    assert Ledger(file).totals().usage == Usage(240, 60)


def test_a_failed_call_owes_nothing(file: Path) -> None:
    ledger = Ledger(file)
    ledger.free(claim(ledger), "429 " * 1_000)
    assert ledger.totals() == Totals()
    assert len(file.read_text().splitlines()[-1]) < 500


def test_each_line_says_when_for_what_and_by_which_model(file: Path, clock: Clock) -> None:
    ledger = Ledger(file, clock)
    ledger.pay(claim(ledger), CALL, CENT, model="m-1", where="reviews/3", attempts=2, ms=12.5)
    paid = json.loads(file.read_text().splitlines()[-1])
    assert paid["what"] == "paid"
    assert paid["time"] == clock.now
    assert (paid["model"], paid["where"], paid["attempts"], paid["ms"]) == ("m-1", "reviews/3", 2, 12.5)
    assert paid["cost"] == "0.01"


# ---- limits --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("limits", "which"),
    [(SpendingLimits(max_cost=3 * CENT), "cost"), (SpendingLimits(max_tokens=300), "tokens")],
    ids=["cost", "tokens"],
)
def test_a_limit_is_used_up_to_the_last_call_that_fits(file: Path, limits: SpendingLimits, which: str) -> None:
    ledger = Ledger(file)
    for _ in range(3):
        ledger.pay(claim(ledger, limits), CALL, CENT)
    assert claim(ledger, limits) == ClaimRefused(which)
    assert isinstance(claim(Ledger(file), limits, Usage(), Decimal(0)), CallClaim)


def test_money_that_calls_under_way_may_take_is_waited_for(file: Path) -> None:
    ledger, limits = Ledger(file), SpendingLimits(max_cost=2 * CENT)
    first, _ = claim(ledger, limits), claim(ledger, limits)
    assert isinstance(claim(Ledger(file), limits), ClaimMustWait)
    ledger.free(first, "it failed")
    assert isinstance(claim(Ledger(file), limits), CallClaim)


def test_a_call_that_took_less_than_its_claim_leaves_the_rest(file: Path) -> None:
    ledger, limits = Ledger(file), SpendingLimits(max_cost=2 * CENT)
    ledger.pay(claim(ledger, limits), CALL, CENT / 2)
    ledger.pay(claim(ledger, limits), CALL, CENT / 2)
    assert isinstance(claim(ledger, limits), CallClaim)


def test_a_call_that_cannot_fit_whatever_becomes_of_others_is_not_waited_for(file: Path) -> None:
    ledger, limits = Ledger(file), SpendingLimits(max_tokens=150)
    claim(ledger, limits)
    assert claim(ledger, limits, Usage(151)) == ClaimRefused("tokens")


def test_the_claim_of_a_killed_process_counts_as_spent_and_is_not_waited_for(file: Path) -> None:
    in_process(claim_and_die, file).join()
    ledger = Ledger(file)
    assert ledger.totals() == Totals(open_calls=1, open_tokens=100, open_cost=CENT)
    assert claim(ledger, SpendingLimits(max_cost=CENT)) == ClaimRefused("cost")
    assert isinstance(claim(ledger, SpendingLimits(max_cost=2 * CENT)), CallClaim)


def test_a_claim_long_after_its_time_out_is_not_waited_for(file: Path, clock: Clock) -> None:
    ledger, limits = Ledger(file, clock), SpendingLimits(max_cost=CENT)
    claim(ledger, limits)
    clock.now += 2 * TIMEOUT
    assert isinstance(claim(ledger, limits), ClaimMustWait)
    clock.now += 61
    assert claim(ledger, limits) == ClaimRefused("cost")


def spend(file: Path, limits: SpendingLimits) -> None:
    """Make calls, of which each second one fails, until the limit is used up."""
    ledger = Ledger(file)
    number = 0
    while True:
        mine = claim(ledger, limits)
        if isinstance(mine, ClaimRefused):
            return
        if isinstance(mine, CallClaim):
            number += 1
            ledger.pay(mine, CALL, CENT) if number % 2 else ledger.free(mine, "it failed")


def test_many_processes_spend_a_limit_whole_and_never_more(file: Path) -> None:
    limits = SpendingLimits(max_cost=50 * CENT)
    processes = [in_process(spend, file, limits) for _ in range(4)]
    for process in processes:
        process.join(30)
    assert [process.exitcode for process in processes] == [0] * 4
    assert Ledger(file).totals() == Totals(50, 0, Usage(4_000, 1_000), Decimal("0.50"))


# ---- pace ----------------------------------------------------------------------------------------------------------

PACE = SpendingLimits(tokens_per_minute=250)


def test_no_more_tokens_than_the_pace_allows_begin_within_a_minute(file: Path, clock: Clock) -> None:
    ledger = Ledger(file, clock)
    claim(ledger, PACE)
    clock.now += 20
    claim(Ledger(file, clock), PACE)
    clock.now += 10
    assert claim(ledger, PACE) == ClaimMustWait(30.0)
    clock.now += 30
    assert isinstance(claim(ledger, PACE), CallClaim)
    assert claim(Ledger(file, clock), PACE) == ClaimMustWait(20.0)


def test_what_a_call_really_took_counts_for_the_pace_and_a_failed_one_nothing(file: Path, clock: Clock) -> None:
    ledger = Ledger(file, clock)
    ledger.pay(claim(ledger, PACE), Usage(40, 10), CENT)
    ledger.free(claim(ledger, PACE), "it failed")
    assert isinstance(claim(ledger, PACE), CallClaim)
    assert isinstance(claim(ledger, PACE), CallClaim)
    assert isinstance(claim(ledger, PACE), ClaimMustWait)


def test_a_call_larger_than_the_pace_goes_when_a_minute_was_quiet(file: Path, clock: Clock) -> None:
    ledger, large = Ledger(file, clock), Usage(1_000)
    claim(ledger)
    assert claim(ledger, PACE, large) == ClaimMustWait(60.0)
    clock.now += 60
    assert isinstance(claim(ledger, PACE, large), CallClaim)


# ---- what a crash leaves -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("cut", [1, 10, 40])
def test_half_a_last_line_is_ignored_and_repaired(file: Path, cut: int) -> None:
    ledger = Ledger(file)
    call(ledger)
    before = file.read_bytes()
    call(ledger)
    file.write_bytes(file.read_bytes()[:-cut])
    after = Ledger(file)
    assert after.totals() == Totals(1, 0, CALL, CENT, 1, 100, CENT)
    call(after)
    assert after.totals().calls == Ledger(file).totals().calls == 2
    assert file.read_bytes().startswith(before)
    assert all(json.loads(line) for line in file.read_text().splitlines())


def test_a_line_that_another_process_left_half_is_repaired_by_one_that_was_reading_before(file: Path) -> None:
    ledger = Ledger(file)
    call(ledger)
    with file.open("ab") as stream:
        stream.write(b'{"what": "paid", "ti')
    call(ledger)
    assert Ledger(file).totals() == ledger.totals() == Totals(2, 0, Usage(160, 40), 2 * CENT)


def test_a_line_that_cannot_be_read_is_named(file: Path) -> None:
    call(Ledger(file))
    lines = file.read_text().splitlines()
    file.write_text("\n".join([lines[0], "{}", *lines[1:], ""]))
    with pytest.raises(DamagedLedger, match=r"line 2 of .*ledger\.jsonl cannot be read"):
        Ledger(file).totals()


def spend_for_ever(file: Path) -> None:
    ledger = Ledger(file)
    while True:
        call(ledger)


def test_processes_killed_at_any_moment_leave_a_ledger_that_adds_up(file: Path) -> None:
    reader = Ledger(file)
    for _ in range(3):
        processes = [in_process(spend_for_ever, file) for _ in range(2)]
        target = reader.totals().calls + 30
        while reader.totals().calls < target:
            pass
        for process in processes:
            process.kill()
            process.join()
    totals = reader.totals()
    assert totals == Ledger(file).totals()
    assert totals.cost == totals.calls * CENT
    assert totals.usage.input_tokens == totals.calls * 80
    assert totals.open_calls <= 6
    call(reader)
    assert Ledger(file).totals().calls == totals.calls + 1
