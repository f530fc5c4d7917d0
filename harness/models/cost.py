"""What calls of models cost, exactly: prices per million tokens, in US dollars, as decimal numbers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from harness.kit.options import view
from harness.kit.text import counted
from harness.models.call_options import Budget
from harness.models.ledger import Totals
from harness.models.messages import Usage

MILLION = Decimal(1_000_000)


@dataclass(frozen=True)
class TokenRates:
    """US dollars per million tokens.

    Attributes:
        input: Of what is sent.
        output: Of what the model writes, hidden reasoning included.
        cached: Of what is sent and the provider had in its cache; None if it is billed like the rest.
        written: Of what is sent and the provider puts into its cache; None if it is billed like the rest.
    """

    input: Decimal
    output: Decimal
    cached: Decimal | None = None
    written: Decimal | None = None

    def cost(self, usage: Usage) -> Decimal:
        """What ``usage`` costs, in US dollars, not rounded."""
        cached = self.input if self.cached is None else self.cached
        written = self.input if self.written is None else self.written
        fresh = max(usage.input_tokens - usage.cached_input_tokens - usage.written_input_tokens, 0)
        total = fresh * self.input + usage.cached_input_tokens * cached + usage.output_tokens * self.output
        total += usage.written_input_tokens * written
        return total / MILLION

    def most(self, usage: Usage) -> Decimal:
        """The most that ``usage`` can cost: nothing is in the provider's cache, and all of it is written there."""
        dearest = max(self.input, self.written or self.input)
        return (usage.input_tokens * dearest + usage.output_tokens * self.output) / MILLION

    def to_json(self) -> dict[str, str]:
        """The rates as decimal text; those that are not set are left out."""
        rates = {"input": self.input, "output": self.output, "cached": self.cached, "written": self.written}
        return {name: format(rate, "f") for name, rate in rates.items() if rate is not None}


@dataclass(frozen=True)
class Price:
    """The price of a model.

    Attributes:
        rates: For calls of ordinary length.
        long: For a whole call with more than ``long_from`` input tokens; None if the length does not matter.
        long_from: Input tokens above which ``long`` holds.
    """

    rates: TokenRates
    long: TokenRates | None = None
    long_from: int = 0

    def cost(self, usage: Usage) -> Decimal:
        """What one call costs.

        Args:
            usage: The call's tokens, as the provider counted them.

        Returns:
            US dollars, not rounded. What a provider asks for writing to its cache is in it only as far as ``usage``
            tells what was written.
        """
        return self._rates(usage.input_tokens).cost(usage)

    def most(self, usage: Usage) -> Decimal:
        """The most that one call with these tokens can cost, in US dollars."""
        return self._rates(usage.input_tokens).most(usage)

    def _rates(self, input_tokens: int) -> TokenRates:
        return self.long if self.long is not None and input_tokens > self.long_from else self.rates

    @property
    def free(self) -> bool:
        """Whether calls cost nothing, as those of a model in this process."""
        return not self.rates.input and not self.rates.output

    def to_json(self) -> dict[str, Any]:
        """For ``run.json``: rates as decimal text."""
        record: dict[str, Any] = dict(self.rates.to_json())
        if self.long is not None:
            record["long"] = {"from": self.long_from, **self.long.to_json()}
        return record

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> Price:
        """From a table of ``presets.toml``, or from ``to_json``.

        Raises:
            ValueError: If a rate is missing, no number or negative, or a key is unknown.
        """
        base = {name: value for name, value in record.items() if name != "long"}
        if "long" not in record:
            return cls(_rates(base))
        long = dict(record["long"])
        start = long.pop("from", None)
        if not isinstance(start, int) or start <= 0:
            raise ValueError("the rates for long calls need `from`, the number of input tokens above which they hold")
        return cls(_rates(base), _rates(long), start)


@dataclass(frozen=True)
class CostAtMost:
    """What questions of a model take at most, before any is asked.

    Attributes:
        questions: How many.
        usage: Their tokens at most.
        cost: In US dollars, at most; None if the price is not known.
    """

    questions: int
    usage: Usage
    cost: Decimal | None


def cost_at_most(questions: Iterable[Usage], price: Price | None, times: int = 1) -> CostAtMost:
    """Reckon with what each question takes with its longest reply, and with no reply on disk.

    Args:
        questions: The tokens of each.
        price: Of the model; None if it is not known.
        times: How often all of it is asked.
    """
    number, usage = 0, Usage()
    for each in questions:
        number, usage = number + 1, usage + each
    total = Usage(times * usage.input_tokens, times * usage.output_tokens)
    return CostAtMost(times * number, total, None if price is None else price.cost(total))


def _rates(record: Mapping[str, Any]) -> TokenRates:
    unknown = set(record) - {"input", "output", "cached", "written"}
    if unknown:
        raise ValueError(f"unknown rate {', '.join(sorted(unknown))}: a price has input, output, cached and written")
    missing = {"input", "output"} - set(record)
    if missing:
        raise ValueError(f"a price needs a rate for {' and '.join(sorted(missing))}")
    rates = {}
    for name, value in record.items():
        try:
            rates[name] = Decimal(str(value))
        except ArithmeticError:
            raise ValueError(f"the rate {name} = {value!r} is no number") from None
        if not rates[name].is_finite() or rates[name] < 0:
            raise ValueError(f"the rate {name} = {value!r} is no amount of money")
    return TokenRates(**rates)


def dollars(cost: Decimal | None) -> str:
    """An amount as people read it: to the cent, smaller ones to two digits at least; ``unknown`` for None."""
    if cost is None:
        return "unknown"
    places = Decimal("0.01") if cost == 0 or abs(cost) >= 1 else Decimal("0.0001")
    if 0 < abs(cost) < Decimal("0.001"):
        places = Decimal(1).scaleb(cost.adjusted() - 1)
    return f"${cost.quantize(places, ROUND_HALF_UP):f}"


@dataclass(frozen=True)
class Spending:
    """What a run has spent, and its budgets.

    Attributes:
        totals: By its ledger.
        max_cost: US dollars that it may spend; None for any amount.
        max_tokens: Input and output tokens that it may take; None for any number.
    """

    totals: Totals
    max_cost: Decimal | None = None
    max_tokens: int | None = None

    @classmethod
    def of(cls, totals: Totals, options: Budget | Mapping[str, Any]) -> Spending:
        """Of a run with these options of its solver."""
        budget = view(Budget, options)
        return cls(totals, None if budget.max_cost is None else Decimal(str(budget.max_cost)), budget.max_tokens)

    @property
    def tokens(self) -> int:
        """Of input and output."""
        return self.totals.usage.input_tokens + self.totals.usage.output_tokens

    def tokens_in_words(self) -> str:
        """Such as ``120,000 of 1,000,000 tokens (12%)``."""
        if self.max_tokens is None:
            return counted(self.tokens, "token")
        return f"{self.tokens:,} of {self.max_tokens:,} tokens ({self.tokens / self.max_tokens:.0%})"

    def cost_in_words(self) -> str:
        """Such as ``$0.42 of $5.00 (8%)``; ``cost unknown`` without a price."""
        cost = self.totals.cost
        if cost is None:
            return "cost unknown"
        if self.max_cost is None:
            return dollars(cost)
        return f"{dollars(cost)} of {dollars(self.max_cost)} ({cost / self.max_cost:.0%})"

    def record(self) -> dict[str, Any]:
        """As a JSON object; money in US dollars, null where it is not known or not limited."""
        cost = self.totals.cost
        return {
            "tokens": self.tokens,
            "max_tokens": self.max_tokens,
            "cost": None if cost is None else float(cost),
            "max_cost": None if self.max_cost is None else float(self.max_cost),
        }
