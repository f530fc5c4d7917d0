"""Asking a model within a run's means: replies that are there already, limits, pace, further tries, accounts."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Collection, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from decimal import Decimal
from pathlib import Path
from typing import Any, NoReturn, Protocol

from harness.kit.errors import UserError
from harness.kit.options import flag, given, view
from harness.models.accounts import Accounts, DiskAccounts, SharedLedger, SharedPlaces, SharedReplies
from harness.models.call_options import Budget, CallOptions
from harness.models.client import Client, Exchange, MalformedCall, ModelError, NoAccess, RequestRefused, Retryable
from harness.models.cost import Price
from harness.models.keys import redacted
from harness.models.ledger import CallClaim, ClaimRefused, SpendingLimits, Totals
from harness.models.messages import MALFORMED, Reply, Request, Usage, with_fit_calls
from harness.models.presets import Preset
from harness.models.providers.provider_table import load_library, make_client
from harness.models.request_summary import RequestSummary
from harness.models.retry import ProviderGone, RetryPolicy, RetryWaits
from harness.models.thoughts import without_thoughts
from harness.models.tokens.counting import MESSAGE_TOKENS, Tokens, tokens_for

TIMEOUT = 180.0
"""Seconds for which one try waits for its answer."""

MARGIN = 1.5
"""How much more input a call claims than was counted, where the model's own vocabulary is not known: Claude's newer
ones, for example, make up to 35 % more of a text than its older ones (Anthropic, "What's new in Claude Opus 4.7")."""


MALFORMED_TRIES = 3
"""How often a model is asked until what it wrote of a call that cannot be read is its answer."""

CUT = 2
"""How many times as many tokens as the server has read a prompt has at least, if it was cut: counts of one text by
vocabularies of different models differ less."""

LEAST_READ_OF_CUT = 512
"""Tokens. No server has so small a context; what counts fewer counts only what it had not cached."""

MOST_READ_OF_CUT = 65_536
"""Tokens. No server cuts what is longer without a word, and counting takes time."""

MOST_SAID = 1_000
"""Characters of what failed tries said that a turn keeps."""

_NO_PRICE = (
    "--max-cost cannot be kept: what this model costs where it is asked is not known. Use --max-tokens "
    "instead, or write a preset with its address, and its price, into harness/models/presets.toml"
)


class CostNotTold(NoAccess):
    """A limit in money on a model whose price is not known, at a server that does not tell what it charges."""


class NoPrice(ModelError, UserError):
    """A limit in money on a model whose price is not known; the message says what to do."""


class CallingEpisode(Protocol):
    """What a service needs of an episode (``harness.episode.trajectory.Trajectory``)."""

    def waiting(self, asked: Request | None = None) -> AbstractContextManager[None]:
        """A context whose time is not the agent's: in it the reply to a request is waited for."""

    def stop_at(self, which: str) -> NoReturn:
        """End the episode at a limit."""

    def not_answered(self, error: ModelError) -> None:
        """Know that a call of this service was not answered, which whoever asked is about to be told."""


@dataclass(frozen=True)
class RequestEstimate:
    """What a request will take, before it is sent.

    Attributes:
        usage: Its input tokens as counted here, and the most output tokens that it allows.
        cost: What that costs, in US dollars; None if the model has no price.
        counted_by: How tokens were counted, see ``harness.models.tokens.counting.Tokens``.
    """

    usage: Usage
    cost: Decimal | None
    counted_by: str


def warm_up(preset: Preset) -> None:
    """Load what the services of a model share in processes that are forked from this one: a library, a vocabulary."""
    load_library(preset.provider)
    tokens_for(preset.model, preset.provider).text("a")


@dataclass(frozen=True)
class Calling:
    """How the calls of a model are made.

    Attributes:
        policy: How often and when to try again.
        slots: Limits how many calls are made at once; None for any number.
        timeout: Seconds for which one try waits for its answer.
        clock: Seconds, from any beginning.
        sleep: Waits so many seconds.
    """

    policy: RetryPolicy = field(default_factory=RetryPolicy)
    slots: SharedPlaces | None = None
    timeout: float = TIMEOUT
    clock: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep


class ModelService:
    """What solvers ask. One object serves one worker; the services of all workers share folder and limits.

    A request is looked up among the replies on disk first. Otherwise it waits for a place among the calls under way,
    claims the most that it can take in the ledger, and is sent; the reply is put on disk, then into the ledger, then
    handed on. A process that is killed in between leaves nothing that is paid twice or counted too low.
    """

    def __init__(
        self,
        connect: Callable[[], Client],
        *,
        price: Price | None,
        tokens: Tokens,
        ledger: SharedLedger,
        cache: SharedReplies,
        limits: SpendingLimits | None = None,
        calling: Calling | None = None,
        prose: Collection[str] = (),
    ) -> None:
        """Put the parts together.

        Args:
            connect: Makes the client, at the first call that is not answered from disk.
            price: Of the model; None if it is not known.
            tokens: Counts the model's tokens.
            ledger: Of the run.
            cache: Replies on disk.
            limits: What the run may spend.
            calling: How calls are made.
            prose: The framings of thoughts by words that the model is known to use.

        Raises:
            NoPrice: If the limits hold an amount of money and the price is not known.
        """
        self._limits = limits or SpendingLimits()
        self._connect = connect
        self._client: Client | None = None
        self._price = price
        self._tokens = tokens
        self._ledger = ledger
        self._cache = cache
        self._calling = calling or Calling()
        self._prose = prose

    def complete(self, request: Request, waiter: CallingEpisode, *, where: str = "") -> Exchange:
        """The reply to a request, from disk or from the model.

        Args:
            request: The request.
            waiter: The episode that asks: waiting does not count as its time.
            where: For the ledger: what the call is for, such as the page's task and index.

        Returns:
            The reply, and what it took.

        Raises:
            harness.episode.trajectory.LimitReached: ``cost`` or ``tokens``: the limit leaves no room for this call.
            ProviderGone: If nobody gets an answer at present.
            ProviderDown: If there is no answer after all tries, while others get theirs.
            RequestRefused: If the provider will never answer this request; it says what was asked for.
            MissingExtra: If the provider's library is not installed.
        """
        start = self._calling.clock()
        known = self._cache.get(request)
        if known is not None:
            known = self._fit(known, request)
            usage, counted_by = self._counted(request, known)
            self._ledger.note_cached(known.usage, model=request.model, where=where)
            ms = self._ms_since(start)
            return Exchange(reply=known, usage=usage, counted_by=counted_by, cost=0.0, cached=True, attempts=0, ms=ms)
        with waiter.waiting(request):
            try:
                outcome = self._ask(request, where)
            except ModelError as error:
                waiter.not_answered(error)
                raise
        if isinstance(outcome, ClaimRefused):
            waiter.stop_at(outcome.which)
        return replace(outcome, ms=self._ms_since(start))

    def estimate(self, request: Request) -> RequestEstimate:
        """What a request will take with the longest reply that it allows, without sending it."""
        usage = Usage(input_tokens=self._tokens.request(request), output_tokens=request.max_tokens)
        return RequestEstimate(usage, None if self._price is None else self._price.cost(usage), self._tokens.name)

    def totals(self) -> Totals:
        """What the run has spent so far, in all its processes."""
        return self._ledger.totals()

    def _ask(self, request: Request, where: str) -> Exchange | ClaimRefused:
        counted = self._tokens.request(request)
        most = Usage(counted if self._tokens.exact else math.ceil(counted * MARGIN), request.max_tokens)
        waits = self._calling.policy.waits(request.key())
        while True:
            with self._calling.slots.hold() if self._calling.slots else nullcontext():
                claim = self._claim(most)
                if isinstance(claim, ClaimRefused):
                    return claim
                outcome = self._try(request, claim, waits, where)
            if not isinstance(outcome, float):
                return outcome
            # Without a place: others may go on meanwhile.
            self._calling.sleep(outcome)

    def _claim(self, most: Usage) -> CallClaim | ClaimRefused:
        cost = None if self._price is None else self._price.most(most)
        while True:
            claim = self._ledger.claim(most, cost, self._limits, self._calling.timeout)
            if isinstance(claim, CallClaim | ClaimRefused):
                return claim
            self._calling.sleep(claim.seconds)

    def _try(self, request: Request, claim: CallClaim, waits: RetryWaits, where: str) -> Exchange | float:
        """Send once: the reply with what it took; or the seconds to wait before the next try."""
        start = self._calling.clock()
        try:
            answer = self._live_client().complete(request, timeout=self._calling.timeout)
        except MalformedCall as failure:
            if waits.failed + 1 < MALFORMED_TRIES:
                self._pay(claim, request, failure.reply, where=where, start=start, attempts=waits.failed + 1)
                return waits.after(failure)
            answer = failure.reply  # the model is told what was wrong with it
        except Retryable as failure:
            if self._ledger.free(claim, str(failure), failure.kind, where).is_outage:
                raise ProviderGone(str(failure), lasting=failure.kind == "web page") from failure
            return waits.after(failure)
        except ModelError as failure:
            # Whatever else ends a call, such as the end of the process, may end it after the provider has answered.
            self._ledger.free(claim, str(failure))
            if isinstance(failure, RequestRefused):
                failure.asked = RequestSummary.of(request, self._tokens.request(request))
            raise
        whole = redacted(answer)
        reply = self._fit(whole, request)
        attempts = waits.failed + 1
        if reply.finish != MALFORMED:
            self._cache.put(request, whole)
        usage, counted_by, cost = self._pay(claim, request, reply, where=where, start=start, attempts=attempts)
        told = [reply.note, self._cut(request, reply)]
        if waits.said:
            told.append(f"asked again, since: {'; '.join(dict.fromkeys(waits.said))}"[:MOST_SAID])
        reply = replace(reply, note="; ".join(filter(None, told)))
        in_dollars = None if cost is None else float(cost)
        return Exchange(reply=reply, usage=usage, counted_by=counted_by, cost=in_dollars, attempts=attempts)

    def _fit(self, reply: Reply, request: Request) -> Reply:
        return with_fit_calls(without_thoughts(reply, self._prose), request)

    def _pay(
        self, claim: CallClaim, request: Request, reply: Reply, *, where: str, start: float, attempts: int
    ) -> tuple[Usage, str, Decimal | None]:
        """Write a call down: its tokens, how they were counted here, and what it costs; what the server says counts."""
        usage, counted_by = self._counted(request, reply)
        cost = None if self._price is None else self._price.cost(usage)
        if reply.cost is not None:
            cost = Decimal(str(reply.cost))
        more: dict[str, Any] = {"counted_by": counted_by} if counted_by else {}
        more |= {"model": reply.model or request.model, "where": where, "attempts": attempts}
        more |= {"cut": True} if self._cut(request, reply) else {}
        self._ledger.pay(claim, usage, cost, **more, ms=self._ms_since(start))
        if cost is None and self._limits.max_cost is not None:
            raise CostNotTold(f"the server does not tell what a call costs: {_NO_PRICE}")
        return usage, counted_by, cost

    def _cut(self, request: Request, reply: Reply) -> str:
        """What to tell of a prompt of which the server has read a part; empty if it has read all, or does not say."""
        read = reply.usage.input_tokens
        if not LEAST_READ_OF_CUT <= read <= MOST_READ_OF_CUT:
            return ""
        sent = sum(self._tokens.text(message.text) for message in request.messages)
        if sent < CUT * read:
            return ""
        return (
            f"the server read {read:,} tokens of a prompt of about {sent:,}: it has cut the prompt; give it a larger "
            "context (Ollama: num_ctx, or OLLAMA_CONTEXT_LENGTH), or --max-input-tokens a smaller number"
        )

    def _counted(self, request: Request, reply: Reply) -> tuple[Usage, str]:
        """The tokens of a call, and how they were counted here where the provider does not count them; else empty."""
        if reply.usage != Usage():
            return reply.usage, ""
        # Else a server that reports nothing would let a run go on beyond every limit.
        written = self._tokens.message(reply.message()) - MESSAGE_TOKENS + self._tokens.text(reply.thought)
        return Usage(self._tokens.request(request), written), self._tokens.name

    def _live_client(self) -> Client:
        if self._client is None:
            self._client = self._connect()
        return self._client

    def _ms_since(self, start: float) -> float:
        return round((self._calling.clock() - start) * 1000, 2)


def open_service(
    preset: Preset,
    options: Budget | Mapping[str, Any],
    folder: Path,
    *,
    seed: int = 0,
    accounts: Accounts | None = None,
) -> ModelService:
    """The service of a run, as its options want it.

    Args:
        preset: The model.
        options: Of the run, as a record or by name; those of ``CallOptions`` count. What is not given limits nothing,
            but that a call has ``TIMEOUT`` seconds.
        folder: The run directory.
        seed: Of the waits before further tries.
        accounts: What all calls of the run share; None if that is on disk, in the run directory and the cache.

    Returns:
        The service. The client, with its library and its key, is made at the first call.

    Raises:
        NoPrice: If ``max_cost`` is given and the price of the model is not known.
        ValueError: If a limit is no positive number.
    """
    calls = view(CallOptions, options)
    limits = limits_of(preset, calls)
    accounts = accounts or DiskAccounts(folder, Path(calls.cache) if calls.cache else None)
    return ModelService(
        lambda: make_client(preset.provider, base_url=preset.base_url, api_key_env=preset.api_key_env),
        price=preset.price,
        tokens=tokens_for(preset.model, preset.provider),
        ledger=accounts.ledger(),
        cache=accounts.replies(" ".join(filter(None, (preset.provider, preset.base_url)))),
        limits=limits,
        calling=Calling(
            policy=RetryPolicy(seed=seed),
            slots=None if calls.concurrency is None else accounts.places(calls.concurrency),
            timeout=calls.call_timeout or TIMEOUT,
        ),
        prose=tuple(filter(None, [preset.thoughts])),
    )


def limits_of(preset: Preset, options: Budget | Mapping[str, Any]) -> SpendingLimits:
    """What a run may spend on a model, as its options want it; see ``open_service``, which raises as this does."""
    calls = view(CallOptions, options)
    for name, value in given(calls).items():
        if isinstance(value, int | float) and not value > 0:
            raise ValueError(f"{flag(name)} {value} leaves room for no call: give more than 0")
    most = None if calls.max_cost is None else Decimal(str(calls.max_cost))
    limits = SpendingLimits(most, calls.max_tokens, calls.tokens_per_minute)
    if not _may_tell_costs(preset):
        _check_price(limits, preset.price)
    return limits


def _check_price(limits: SpendingLimits, price: Price | None) -> None:
    if limits.max_cost is not None and price is None:
        raise NoPrice(_NO_PRICE)


def _may_tell_costs(preset: Preset) -> bool:
    """Whether a server may tell what a call costs, as OpenRouter and LiteLLM do: one at an address of its own."""
    return preset.provider == "openai" and preset.base_url is not None
