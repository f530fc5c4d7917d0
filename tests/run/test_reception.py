"""Lines between machines: who is let in at a run, and what it may ask there."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest

from harness.models.asked_accounts import AskedAccounts
from harness.models.ledger import LEDGER, CallClaim, ClaimRefused, Ledger, SpendingLimits
from harness.models.messages import Message, Reply, Request, Text, Usage
from harness.run.key_keeper import KeyKeeper
from harness.run.line import LineCut, NetworkLine
from harness.run.reception import Reception
from harness.run.run_clerk import RunClerk
from harness.run.work_place import FarAttempts, FarFiles
from harness.runlog.config import Limits
from harness.runlog.lost_attempts import KeptAttempts, LostAttempts

USAGE = Usage(input_tokens=100, output_tokens=20)
NAME = "a" * 64


@pytest.fixture
def reception(tmp_path: Path) -> Iterator[Reception]:
    """The port of a run whose folder is that of the test."""

    def no_desk():
        raise LookupError("no page is asked for")

    with (
        KeyKeeper(no_desk, lambda: iter(()), lambda: RunClerk(tmp_path, None)) as keeper,
        Reception("127.0.0.1", keeper.admit) as reception,
    ):
        yield reception


@pytest.mark.claim("run-port")
def test_whoever_does_not_know_the_secret_is_told_nothing_and_others_are(reception: Reception) -> None:
    stranger = NetworkLine(replace(reception.address, key=b"guessed"))
    with pytest.raises(LineCut, match="digest"):
        stranger.ask("hello")
    assert NetworkLine(reception.address).ask("hello") is None
    assert "key" not in repr(reception.address)


def test_strangers_who_say_nothing_keep_nobody_waiting(reception: Reception) -> None:
    with ExitStack() as stack:
        for _ in range(3):
            stack.enter_context(socket.create_connection((reception.address.host, reception.address.port)))
        assert NetworkLine(reception.address).ask("hello") is None


def test_limits_of_a_run_hold_for_all_its_machines_and_replies_are_shared(reception: Reception, tmp_path: Path) -> None:
    one, other = (AskedAccounts(NetworkLine(reception.address).ask) for _ in range(2))
    limits = SpendingLimits(max_tokens=150)
    claim = one.ledger().claim(USAGE, Decimal(1), limits, 60.0)
    assert isinstance(claim, CallClaim)
    one.ledger().pay(claim, USAGE, Decimal(1), model="m")
    assert other.ledger().claim(USAGE, Decimal(1), limits, 60.0) == ClaimRefused("tokens")
    assert other.ledger().totals() == Ledger(tmp_path / LEDGER).totals()
    request = Request(model="m", messages=(Message("user", (Text("what?"),)),), max_tokens=10)
    assert other.replies("m").get(request) is None
    one.replies("m").put(request, Reply("this", usage=USAGE))
    found = other.replies("m").get(request)
    assert found is not None
    assert found.text == "this"


def test_a_place_for_calls_is_free_again_when_the_line_of_who_had_it_is_cut(reception: Reception) -> None:
    def no_sleep(_seconds: float) -> None:
        raise TimeoutError("there is no place")

    one = NetworkLine(reception.address)
    with AskedAccounts(one.ask).places(1).hold():
        pass
    assert one.ask("take_place", 1)
    other = AskedAccounts(NetworkLine(reception.address).ask, no_sleep).places(1)
    with pytest.raises(TimeoutError), other.hold():
        pass
    del one  # as its machine would
    while True:  # until the keeper has noticed
        try:
            with other.hold():
                return
        except TimeoutError:
            os.sched_yield()


@pytest.mark.claim("run-port")
def test_a_worker_names_no_file_of_the_run_but_by_its_content(reception: Reception, tmp_path: Path) -> None:
    files = FarFiles(NetworkLine(reception.address))
    files.keep({NAME: b"picture"}, {NAME: "text"})
    assert (tmp_path / "images" / f"{NAME}.png").read_bytes() == b"picture"
    with pytest.raises(ValueError, match="by its content"):
        files.keep({"../../out": b"x"}, {})
    with pytest.raises(LookupError, match="nobody answers"):
        NetworkLine(reception.address).ask("read_file", "/etc/passwd")


def test_what_came_to_nothing_is_written_down_where_the_run_is(reception: Reception, tmp_path: Path) -> None:
    lost = LostAttempts(1, "the page died", Limits(), None)
    FarAttempts(reception.address).write("T", 3, lost)
    assert KeptAttempts(tmp_path).read("T", 3) == lost


def test_a_line_to_a_run_that_has_ended_is_an_error_that_says_so(reception: Reception) -> None:
    line = NetworkLine(reception.address)
    line.ask("hello")
    reception.__exit__(None, None, None)
    another = NetworkLine(reception.address)
    with pytest.raises(LineCut, match="cannot be reached"):
        another.ask("hello")
