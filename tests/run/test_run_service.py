"""What workers on other machines ask of a run, and how processes of one machine ask each other."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from decimal import Decimal
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from pathlib import Path

import pytest

from harness.models.ledger import LEDGER, CallClaim, ClaimRefused, Ledger, SpendingLimits
from harness.models.messages import Message, Reply, Request, Text, Usage
from harness.records.config import Limits
from harness.records.lost_attempts import KeptAttempts, LostAttempts
from harness.run.forked import ChildAnswer
from harness.run.label_process import LabelProcess
from harness.run.node_pool import RemoteAccounts
from harness.run.rpc import LabelProcessGone, Remote, RpcClient
from harness.run.run_service import RunService

USAGE = Usage(input_tokens=100, output_tokens=20)
NAME = "a" * 64


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Callable[[], RunService]]:
    """Makes what answers a further worker of a run whose folder is that of the test."""

    def no_store():
        raise LookupError("no page is asked for")

    with LabelProcess(no_store, lambda: iter(())) as labels:
        ledger = Ledger(tmp_path / LEDGER)
        yield lambda: RunService(tmp_path, None, labels.store(), ledger)


def test_limits_of_a_run_hold_for_all_its_machines_and_replies_are_shared(
    service: Callable[[], RunService], tmp_path: Path
) -> None:
    one, other = (RemoteAccounts(service().answer) for _ in range(2))
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


def test_a_place_for_calls_is_free_again_when_who_had_it_is_gone(service: Callable[[], RunService]) -> None:
    def no_sleep(_seconds: float) -> None:
        raise TimeoutError("there is no place")

    one, other = service(), RemoteAccounts(service().answer, no_sleep).places(1)
    with RemoteAccounts(one.answer).places(1).hold():
        pass
    assert one.answer("places.take", 1)
    with pytest.raises(TimeoutError), other.hold():
        pass
    one.close()
    with other.hold():
        pass


@pytest.mark.claim("run-questions")
def test_a_worker_names_no_file_of_the_run_but_by_its_content(
    service: Callable[[], RunService], tmp_path: Path
) -> None:
    ask = service().answer
    ask("files.keep", {NAME: b"picture"}, {NAME: "text"})
    assert (tmp_path / "images" / f"{NAME}.png").read_bytes() == b"picture"
    with pytest.raises(ValueError, match="by its content"):
        ask("files.keep", {"../../out": b"x"}, {})


@pytest.mark.claim("run-questions")
@pytest.mark.parametrize("name", ["read_file", "result", "next_task", "ledger.__init__", "labels.close"])
def test_a_worker_asks_what_is_on_the_list_and_nothing_else(service: Callable[[], RunService], name: str) -> None:
    with pytest.raises(LookupError, match="nobody answers"):
        service().answer(name, "/etc/passwd")


def test_what_came_to_nothing_is_written_down_where_the_run_is(
    service: Callable[[], RunService], tmp_path: Path
) -> None:
    lost = LostAttempts(1, "the page died", Limits(), None)
    Remote(service().answer, "lost").write("T", 3, lost)
    assert KeptAttempts(tmp_path).read("T", 3) == lost


def test_what_the_keeper_meets_is_raised_where_it_was_asked(service: Callable[[], RunService]) -> None:
    with pytest.raises(LookupError, match="no page is asked for"):
        service().answer("labels.work_item", None, "")


class Late(Connection):
    """A pipe on which a question is broken off before its answer comes."""

    def recv(self) -> object:
        raise RuntimeError("time is up")


def test_after_a_question_that_was_broken_off_nobody_has_its_answer() -> None:
    ends = [Pipe(), Pipe()]
    pipes = iter([Late(os.dup(ends[0][0].fileno())), ends[1][0]])
    client = RpcClient(lambda: next(pipes))
    with pytest.raises(RuntimeError, match="time is up"):
        client.ask("first")
    ends[1][1].send(ChildAnswer("second"))
    assert client.ask("second") == "second"


def test_to_ask_who_has_ended_is_an_error_that_says_so() -> None:
    ours, theirs = Pipe()
    theirs.close()
    with pytest.raises(LabelProcessGone, match="has ended"):
        RpcClient(lambda: ours).ask("hello")
