"""Asking a model within a run's means, with a scripted client and a clock that tests set."""

from __future__ import annotations

import contextlib
import json
import multiprocessing
from collections.abc import Callable, Iterator
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any, NoReturn

import pytest

from harness.episode.trajectory import LimitReached
from harness.models.accounts import ReplyCache, Slots
from harness.models.client import Client, FailureKind, MalformedCall, ModelError, NoAccess, RequestRefused, Retryable
from harness.models.cost import Price, TokenRates
from harness.models.ledger import Ledger, SpendingLimits, Totals
from harness.models.messages import Message, Reply, Request, Text, Usage
from harness.models.presets import resolve
from harness.models.retry import ProviderDown, ProviderGone, RetryPolicy
from harness.models.service import Calling, ModelService, NoPrice, open_service
from harness.models.tokens.counting import Tokens
from tests.models.servers import Server, openai_reply

PRICE = Price(TokenRates(Decimal(10), Decimal(20), Decimal(1)))
EXACT = Tokens("o200k_base", "none", "", len, lambda width, height: width * height)
GUESS = Tokens("estimate", "none", "", len, lambda width, height: width * height)
REPLY = Reply("modify_text('a', 'b')", usage=Usage(100, 10, 40), model="model-1-2026")
COST = 0.00084  # 60 at 10, 40 at 1 and 10 at 20 dollars a million


def question(text: str = "Which?", max_tokens: int = 10) -> Request:
    return Request("model-1", (Message("user", (Text(text),)),), max_tokens=max_tokens)


class Time:
    """Time that passes while somebody sleeps, and only then."""

    def __init__(self) -> None:
        self.now = 5_000.0
        self.slept: list[float] = []

    def clock(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds


class Episode:
    """What a service needs of an episode's actions."""

    def __init__(self) -> None:
        self.waits = 0
        self.is_waiting = False
        self.limit = ""
        self.unanswered: ModelError | None = None

    @contextlib.contextmanager
    def waiting(self, _asked: Request | None = None) -> Iterator[None]:
        self.waits += 1
        self.is_waiting = True
        try:
            yield
        finally:
            self.is_waiting = False

    def not_answered(self, error: ModelError) -> None:
        self.unanswered = error

    def stop_at(self, which: str) -> NoReturn:
        assert not self.is_waiting
        self.limit = which
        raise LimitReached(which)


class Scripted:
    """A client that answers by a script; exceptions in it are raised."""

    def __init__(self, *answers: Reply | BaseException | Callable[[], Reply]) -> None:
        self.answers = list(answers)
        self.timeouts: list[float] = []

    def complete(self, request: Request, *, timeout: float) -> Reply:
        assert request.messages
        self.timeouts.append(timeout)
        answer = self.answers.pop(0)
        if isinstance(answer, BaseException):
            raise answer
        return answer if isinstance(answer, Reply) else answer()


Make = Callable[..., ModelService]


@pytest.fixture
def passing() -> Time:
    return Time()


@pytest.fixture
def act() -> Episode:
    return Episode()


@pytest.fixture
def make(tmp_path: Path, passing: Time) -> Make:
    """``make(client, ...)``: a service of the run in ``tmp_path``, as each worker has one."""

    def service(client: Client, **more: Any) -> ModelService:
        parts = {
            "price": PRICE,
            "tokens": EXACT,
            "ledger": Ledger(tmp_path / "ledger.jsonl", passing.clock),
            "cache": ReplyCache(tmp_path / "replies", "openai"),
        }
        how = {name: more.pop(name) for name in ("policy", "slots", "timeout", "sleep") if name in more}
        calling = Calling(**{"clock": passing.clock, "sleep": passing.sleep, **how})
        return ModelService(lambda: client, **{**parts, **more}, calling=calling)

    return service


def lines(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "ledger.jsonl").read_text().splitlines()]


# ---- a reply -------------------------------------------------------------------------------------------------------


def test_a_reply_comes_with_its_exact_cost(make: Make, act: Episode) -> None:
    exchange = make(Scripted(REPLY)).complete(question(), act)
    assert exchange.reply == REPLY
    assert exchange.cost == COST
    assert (exchange.cached, exchange.attempts) == (False, 1)


def test_the_ledger_knows_the_call_before_the_reply_is_handed_on(make: Make, act: Episode, tmp_path: Path) -> None:
    service = make(Scripted(REPLY))
    service.complete(question(), act, where="reviews/3")
    assert service.totals() == Totals(1, 0, REPLY.usage, Decimal("0.00084"))
    paid = lines(tmp_path)[-1]
    assert (paid["what"], paid["where"], paid["model"], paid["cost"]) == (
        "paid",
        "reviews/3",
        "model-1-2026",
        "0.00084",
    )


def test_a_model_without_a_price_has_an_unknown_cost_not_none_at_all(make: Make, act: Episode) -> None:
    service = make(Scripted(REPLY), price=None)
    assert service.complete(question(), act).cost is None
    assert service.totals().cost is None
    assert service.totals().usage == REPLY.usage


def test_a_server_that_counts_no_tokens_is_counted_for(make: Make, act: Episode, tmp_path: Path) -> None:
    service = make(Scripted(Reply("twelve chars")))
    exchange = service.complete(question("Which 0"), act)
    assert service.totals() == Totals(1, 0, Usage(14, 12), Decimal("0.00038"))
    assert exchange.cost == 0.00038
    assert lines(tmp_path)[-1]["counted_by"] == "o200k_base"
    again = service.complete(question("Which 0"), act)
    assert {(each.usage, each.counted_by) for each in (exchange, again)} == {(Usage(14, 12), "o200k_base")}


def test_thoughts_are_no_part_of_an_answer_and_count_as_its_tokens(make: Make, act: Episode) -> None:
    service = make(Scripted(Reply("<think>finish()</think>twelve chars", thought="Hm.")))
    exchange = service.complete(question("Which 0"), act)
    assert (exchange.reply.text, exchange.reply.thought) == ("twelve chars", "Hm.\n\nfinish()")
    assert exchange.usage == Usage(14, 12 + len(exchange.reply.thought))
    assert service.complete(question("Which 0"), act).reply == exchange.reply


def test_thoughts_are_parted_from_an_answer_that_was_kept_before(make: Make, act: Episode, tmp_path: Path) -> None:
    service = make(Scripted())
    kept = Reply("<think>finish()</think>no", usage=Usage(1, 1))
    ReplyCache(tmp_path / "replies", "openai").put(question(), kept)
    assert service.complete(question(), act).reply.text == "no"


def test_each_try_has_the_time_out(make: Make, act: Episode) -> None:
    client = Scripted(Retryable("slow"), REPLY)
    make(client, timeout=7.0).complete(question(), act)
    assert client.timeouts == [7.0, 7.0]


def test_all_waiting_is_the_providers_time(make: Make, act: Episode, passing: Time) -> None:
    waited: list[bool] = []

    def answer() -> Reply:
        waited.append(act.is_waiting)
        passing.now += 2.0
        return REPLY

    def sleep(seconds: float) -> None:
        waited.append(act.is_waiting)
        passing.sleep(seconds)

    exchange = make(Scripted(Retryable("busy", 5.0), answer), sleep=sleep).complete(question(), act)
    assert waited == [True, True]
    assert act.waits == 1
    assert 7_000 <= exchange.ms <= 8_000


# ---- replies that are there already --------------------------------------------------------------------------------


def test_a_reply_is_paid_for_once_in_all_workers_and_resumed_runs(make: Make, act: Episode) -> None:
    make(Scripted(REPLY)).complete(question(), act)
    again = make(Scripted()).complete(question(), act)
    assert again.reply == REPLY
    assert (again.cost, again.cached, again.attempts) == (0.0, True, 0)
    assert make(Scripted()).totals() == Totals(1, 1, REPLY.usage, Decimal("0.00084"))


def test_a_reply_from_disk_needs_neither_library_nor_key(make: Make, act: Episode, tmp_path: Path) -> None:
    make(Scripted(REPLY)).complete(question(), act)

    def connect() -> Client:
        raise RequestRefused("no key")

    cache, ledger = ReplyCache(tmp_path / "replies", "openai"), Ledger(tmp_path / "ledger.jsonl")
    service = ModelService(connect, price=PRICE, tokens=EXACT, ledger=ledger, cache=cache)
    assert service.complete(question(), act).cached
    with pytest.raises(RequestRefused, match="no key"):
        service.complete(question("another"), act)


def test_a_reply_from_disk_is_given_when_the_money_is_spent(make: Make, act: Episode) -> None:
    make(Scripted(REPLY)).complete(question(), act)
    service = make(Scripted(), limits=SpendingLimits(max_cost=Decimal("0.0000001")))
    assert service.complete(question(), act).cached
    with pytest.raises(LimitReached):
        service.complete(question("another"), act)


# ---- further tries -------------------------------------------------------------------------------------------------


def test_what_may_succeed_later_is_tried_again_after_a_wait(make: Make, act: Episode, passing: Time) -> None:
    client = Scripted(Retryable("rate limit", 12.0), Retryable("500"), REPLY)
    exchange = make(client).complete(question(), act)
    assert exchange.attempts == 3
    assert 12 <= passing.slept[0] <= 13
    assert 0 <= passing.slept[1] <= 2
    assert make(Scripted()).totals() == Totals(1, 0, REPLY.usage, Decimal("0.00084"))


def test_a_provider_that_never_answers_is_no_fault_of_the_agent(make: Make, act: Episode) -> None:
    service = make(Scripted(*[Retryable("503")] * 4), policy=RetryPolicy(attempts=4))
    with pytest.raises(ProviderDown, match="no answer after 4 tries: 503") as error:
        service.complete(question(), act)
    assert act.unanswered is error.value  # the episode knows that this was seen here
    assert service.totals() == Totals()


def test_what_never_succeeds_is_not_tried_again(make: Make, act: Episode, passing: Time) -> None:
    service = make(Scripted(RequestRefused("unknown model")))
    with pytest.raises(RequestRefused, match="unknown model"):
        service.complete(question(), act)
    assert passing.slept == []
    assert service.totals() == Totals()


def gone(times: int, kind: FailureKind = "unreachable") -> Scripted:
    return Scripted(*[Retryable("nobody is there", kind=kind) for _ in range(times)], REPLY)


def test_a_provider_that_is_gone_is_given_up_for_all_workers_before_all_tries_are_used_up(
    make: Make, act: Episode
) -> None:
    with pytest.raises(ProviderGone, match="nobody is there"):
        make(gone(5)).complete(question(), act, where="/page/T/0/")
    others = gone(1)
    with pytest.raises(ProviderGone):
        make(others).complete(question("another"), act, where="/page/T/1/")
    # Nothing is claimed by what failed, and one answer is enough.
    assert make(Scripted()).totals() == Totals()
    assert make(others).complete(question("another"), act, where="/page/T/1/").reply == REPLY
    assert make(gone(1)).complete(question("a third"), act, where="/page/T/2/").attempts == 2


def test_a_server_that_breaks_over_one_page_is_not_gone(make: Make, act: Episode) -> None:
    with pytest.raises(ProviderDown, match="no answer after 6 tries"):
        make(gone(6, "server error")).complete(question(), act, where="/page/T/0/")
    assert make(Scripted(REPLY)).complete(question("another"), act, where="/page/T/1/").reply == REPLY


def test_a_web_page_is_no_provider(make: Make, act: Episode) -> None:
    with pytest.raises(ProviderGone) as caught:
        make(gone(1, "web page")).complete(question(), act)
    assert caught.value.lasting


def test_a_process_that_ends_in_the_midst_of_a_call_leaves_it_claimed(make: Make, act: Episode) -> None:
    service = make(Scripted(KeyboardInterrupt()))
    with pytest.raises(KeyboardInterrupt):
        service.complete(question(), act)
    assert service.totals().open_calls == 1


def test_no_more_calls_are_made_at_once_than_there_are_places(make: Make, act: Episode, tmp_path: Path) -> None:
    slots = Slots(tmp_path / "calls", 1)
    waited: list[float] = []

    def sleep(seconds: float) -> None:
        waited.append(seconds)
        held.close()

    held = contextlib.ExitStack()
    held.enter_context(slots.hold())
    service = make(Scripted(REPLY), slots=Slots(tmp_path / "calls", 1, sleep))
    assert service.complete(question(), act).reply == REPLY
    assert len(waited) == 1


def test_a_place_is_not_held_while_waiting_for_the_next_try(
    make: Make, act: Episode, tmp_path: Path, passing: Time
) -> None:
    def sleep(seconds: float) -> None:
        passing.sleep(seconds)
        assert others.complete(question(f"{passing.now}"), Episode()).reply == REPLY

    def no_sleep(_seconds: float) -> NoReturn:
        pytest.fail("there was no place")

    others = make(Scripted(REPLY), slots=Slots(tmp_path / "calls", 1, no_sleep))
    service = make(Scripted(Retryable("busy"), REPLY), slots=Slots(tmp_path / "calls", 1, no_sleep), sleep=sleep)
    assert service.complete(question(), act).attempts == 2


# ---- limits --------------------------------------------------------------------------------------------------------


def test_a_limit_in_money_ends_the_episode_before_the_call_that_could_exceed_it(make: Make, act: Episode) -> None:
    # A question of 7 characters and the frame of a message: 14 tokens, and 10 of the reply.
    client = Scripted(*[Reply("", usage=Usage(14, 10))] * 9)
    service = make(client, limits=SpendingLimits(max_cost=Decimal("0.001")))
    for number in range(2):
        service.complete(question(f"Which {number}"), act)
    with pytest.raises(LimitReached) as reached:
        service.complete(question("Which 2"), act)
    assert (reached.value.which, act.limit) == ("cost", "cost")
    assert len(client.answers) == 7


def test_a_limit_in_tokens_ends_the_episode(make: Make, act: Episode) -> None:
    service = make(Scripted(Reply("", usage=Usage(14, 10))), limits=SpendingLimits(max_tokens=40))
    service.complete(question("Which 0"), act)
    with pytest.raises(LimitReached, match="tokens"):
        service.complete(question("Which 1"), act)
    assert act.limit == "tokens"


def test_a_call_whose_tokens_are_only_estimated_claims_half_as_much_input_again(make: Make, act: Episode) -> None:
    limits = SpendingLimits(max_tokens=30)
    assert make(Scripted(REPLY), limits=limits).complete(question("Which 0"), act).reply == REPLY
    with pytest.raises(LimitReached):
        make(Scripted(REPLY), limits=SpendingLimits(max_tokens=140), tokens=GUESS).complete(question("Which 1"), act)


def test_calls_wait_for_the_tokens_of_the_next_minute(make: Make, act: Episode, passing: Time) -> None:
    service = make(Scripted(REPLY, REPLY), limits=SpendingLimits(tokens_per_minute=110))
    service.complete(question("Which 0"), act)
    service.complete(question("Which 1"), act)
    assert sum(passing.slept) == 60


def test_money_is_limited_by_what_a_server_says_that_it_charges(make: Make, act: Episode) -> None:
    told = replace(REPLY, cost=0.6)
    service = make(Scripted(told, told), price=None, limits=SpendingLimits(max_cost=Decimal(1)))
    assert service.complete(question("Which 0"), act).cost == 0.6
    service.complete(question("Which 1"), act)
    with pytest.raises(LimitReached):
        service.complete(question("Which 2"), act)
    assert service.totals().cost == Decimal("1.2")


def test_money_cannot_be_limited_where_neither_price_nor_server_tells_it(make: Make, act: Episode) -> None:
    service = make(Scripted(REPLY), price=None, limits=SpendingLimits(max_cost=Decimal(1)))
    with pytest.raises(NoAccess, match=r"--max-cost cannot be kept: .*Use --max-tokens instead"):
        service.complete(question("Which 0"), act)


def test_the_price_that_a_server_tells_counts_more_than_the_list(make: Make, act: Episode) -> None:
    assert make(Scripted(replace(REPLY, cost=0.25))).complete(question(), act).cost == 0.25


def test_an_estimate_tells_tokens_and_cost_of_the_longest_reply(make: Make) -> None:
    estimate = make(Scripted()).estimate(question("Which 0", max_tokens=100))
    assert estimate.usage == Usage(14, 100)
    assert estimate.cost == Decimal("0.00214")
    assert estimate.counted_by == "o200k_base"


# ---- many workers --------------------------------------------------------------------------------------------------


class Endless:
    """Uses up all that was claimed, every time."""

    def complete(self, request: Request, *, timeout: float) -> Reply:  # noqa: ARG002
        return Reply("", usage=Usage(EXACT.request(request), request.max_tokens))


def ask_until_the_end(folder: Path, worker: int) -> None:
    limits = SpendingLimits(max_cost=Decimal("0.0123"))
    service = ModelService(
        Endless,
        price=PRICE,
        tokens=EXACT,
        ledger=Ledger(folder / "ledger.jsonl"),
        cache=ReplyCache(folder / "replies", "openai"),
        limits=limits,
        calling=Calling(slots=Slots(folder / "calls", 2, lambda _seconds: None), sleep=lambda _seconds: None),
    )
    with contextlib.suppress(LimitReached):
        for number in range(1_000):
            service.complete(question(f"{worker:3} {number:4}"), Episode())


def test_many_workers_together_never_exceed_the_limit_and_use_it_up(tmp_path: Path) -> None:
    fork = multiprocessing.get_context("fork")
    workers = [fork.Process(target=ask_until_the_end, args=(tmp_path, number)) for number in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(30)
    assert [worker.exitcode for worker in workers] == [0] * 4
    # Each call takes 15 tokens of input and 10 of output: 0.00035 dollars.
    assert Ledger(tmp_path / "ledger.jsonl").totals() == Totals(35, 0, Usage(525, 350), Decimal("0.01225"))


# ---- from the options of a run -------------------------------------------------------------------------------------


@pytest.fixture
def provider() -> Iterator[Server]:
    """Something that speaks OpenAI's protocol, and answers twice."""
    with Server([openai_reply("done", usage=(1_000, 100, 200), model="gpt-4o-2024-11-20")] * 2) as server:
        yield server


def test_a_run_keeps_accounts_to_the_cent_and_its_replies(provider: Server, act: Episode, tmp_path: Path) -> None:
    preset = replace(resolve("gpt-4o", {}), base_url=f"{provider.url}/v1")
    options = {"max_cost": 0.1, "concurrency": 2, "call_timeout": 20.0, "cache": None}
    for _ in range(2):
        service = open_service(preset, options, tmp_path)
        assert service.complete(question(), act).reply.text == "done"
    # 800 tokens at 2.50, 200 at 1.25 and 100 at 10 dollars a million.
    assert service.totals() == Totals(1, 1, Usage(1_000, 100, 200), Decimal("0.00325"))
    assert len(provider.requests) == 1


def test_a_limit_in_money_is_the_amount_that_was_written(provider: Server, act: Episode, tmp_path: Path) -> None:
    exactly = replace(
        resolve("gpt-4o", {"base_url": f"{provider.url}/v1"}), price=Price(TokenRates(Decimal(0), Decimal(30_000)))
    )
    assert open_service(exactly, {"max_cost": 0.3}, tmp_path).complete(question(max_tokens=10), act).attempts == 1


def test_runs_can_share_replies(provider: Server, act: Episode, tmp_path: Path) -> None:
    preset = replace(resolve("gpt-4o", {}), base_url=f"{provider.url}/v1")
    options = {"cache": str(tmp_path / "shared")}
    open_service(preset, options, tmp_path / "first").complete(question(), act)
    second = open_service(preset, options, tmp_path / "second")
    assert second.complete(question(), act).cached
    assert second.totals().cost == 0
    assert open_service(preset, {}, tmp_path / "third").complete(question(), act).cost == 0.00325


def test_a_key_is_asked_for_at_the_first_call_only(
    act: Episode, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.chdir(tmp_path)
    service = open_service(resolve("gpt-4o", {}), {}, tmp_path)
    assert service.estimate(question()).cost is not None
    with pytest.raises(RequestRefused, match="OPENAI_API_KEY"):
        service.complete(question(), act)


def test_a_run_with_a_limit_in_money_needs_a_model_with_a_price(tmp_path: Path) -> None:
    with pytest.raises(NoPrice):
        open_service(resolve("claude", {"model": "a-model"}), {"max_cost": 1.0}, tmp_path)


@pytest.mark.parametrize("name", ["max_cost", "max_tokens", "tokens_per_minute", "concurrency", "call_timeout"])
def test_a_limit_that_leaves_room_for_no_call_is_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="leaves room for no call: give more than 0"):
        open_service(resolve("gpt-4o", {}), {name: 0}, tmp_path)


def malformed(number: int) -> MalformedCall:
    return MalformedCall(Reply(f"Malformed function call {number}", usage=Usage(900), finish="malformed"))


def test_a_malformed_call_is_asked_for_again_and_paid(make: Make, act: Episode) -> None:
    service = make(Scripted(malformed(0), malformed(1), REPLY))
    answered = service.complete(question(), act)
    assert (answered.reply.text, answered.attempts) == (REPLY.text, 3)
    assert "asked again, since: Malformed function call 0; Malformed function call 1" in answered.reply.note
    assert service.totals().usage.input_tokens == 900 + 900 + 100


def test_a_call_that_stays_malformed_is_the_models_answer_and_not_kept(make: Make, act: Episode) -> None:
    service = make(Scripted(*map(malformed, range(3)), REPLY))
    assert service.complete(question(), act).reply.text == "Malformed function call 2"
    assert service.complete(question(), act).reply.text == REPLY.text


def test_what_a_failed_try_said_is_kept_with_the_answer(make: Make, act: Episode) -> None:
    answered = make(Scripted(Retryable("HTTP 502: reset", kind="server error"), REPLY)).complete(question(), act)
    assert answered.reply.note == "asked again, since: HTTP 502: reset"


@pytest.mark.parametrize(("read", "is_cut"), [(2_048, True), (20_000, False), (0, False)])
def test_a_prompt_that_the_server_has_cut_is_told(make: Make, act: Episode, read: int, is_cut: bool) -> None:
    service = make(Scripted(Reply("finish()", usage=Usage(read, 4))))
    note = service.complete(question("x" * 24_640), act).reply.note
    assert ("read 2,048 tokens of a prompt of about 24,640" in note and "num_ctx" in note) == is_cut
