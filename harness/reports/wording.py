"""Numbers and names as a reader sees them."""

from __future__ import annotations

from collections.abc import Callable

from harness.catalog.site_facts import EvaluatorName
from harness.runlog.config import RunConfig
from harness.statistics.estimate import Estimate
from harness.text import numbers
from harness.text.numbers import NOTHING


def percent(value: float | None) -> str:
    """A share as a number of per cent with one decimal, as print has it."""
    return NOTHING if value is None else _minus(numbers.percent(value))


def points(value: float | None) -> str:
    """A difference of shares in points, with its sign, as print has it."""
    return NOTHING if value is None else _minus(numbers.points(value))


def interval(estimate: Estimate | None, write: Callable[[float | None], str] = percent) -> str:
    """The interval of an estimate."""
    if not estimate or estimate.low is None or estimate.high is None:
        return NOTHING
    return f"{write(estimate.low)} to {write(estimate.high)}"


def count(number: float | None) -> str:
    """A whole number with its thousands apart."""
    if number is None:
        return NOTHING
    # A run of somebody else's may hold one that is too large for a float.
    written = f"{number:,}" if isinstance(number, int) else f"{number:,.0f}"
    return written.replace(",", "\N{NARROW NO-BREAK SPACE}")


def number(amount: float | None, digits: int = 1) -> str:
    """A number with a fixed count of decimals."""
    return NOTHING if amount is None else f"{amount:,.{digits}f}".replace(",", "\N{NARROW NO-BREAK SPACE}")


def fraction(amount: float | None) -> str:
    """A number about 1 with two decimals."""
    return NOTHING if amount is None else _minus(f"{amount:.2f}")


def dollars(amount: float | None) -> str:
    """US dollars, with as many decimals as a small amount needs."""
    if amount is None:
        return NOTHING
    return f"${amount:,.2f}" if amount >= 1 or amount == 0 else f"${amount:.4f}"


def scored_by(config: RunConfig, profile: str) -> str:
    """By what the episodes of a run are scored: a profile, but on websites, where no score depends on one."""
    return "evaluators of websites" if config.kind == "site" else f"profile {profile}"


def evaluator_words(name: EvaluatorName) -> str:
    """What an evaluator of websites is called."""
    return name.replace("_", " ")


def _minus(shown: str) -> str:
    """A number that was written with a hyphen, with a minus; and zero without a sign, which would say nothing."""
    return shown.lstrip("+-") if float(shown) == 0 else shown.replace("-", "\N{MINUS SIGN}")


def shortened(name: str, most: int) -> str:
    """A name of at most ``most`` characters: the middle goes, since names differ at their ends."""
    if len(name) <= most:
        return name
    end = most // 3
    return f"{name[: most - end - 1]}…{name[-end:]}"


def second_attempts(number: int) -> str:
    """How many episodes had a second attempt, in a sentence; empty if none had."""
    if not number:
        return ""
    return f"{plural(number, 'episode')} had a second attempt: page, browser or process died while the solver worked."


def plural(number: int, one: str, many: str = "") -> str:
    """A count with its noun."""
    return f"{count(number)} {numbers.noun(number, one, many)}"
