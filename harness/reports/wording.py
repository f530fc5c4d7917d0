"""Numbers and names as a reader sees them."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from harness.catalog.site_facts import EvaluatorName
from harness.kit import text
from harness.kit.statistics.estimate import Estimate
from harness.kit.text import NOTHING, UNKNOWN, duration
from harness.records.config import RunConfig
from harness.records.fatal import StopKind
from harness.records.results import Work
from harness.records.run_record import RunRecord
from harness.run.task_kind import task_kind

_ERRORS = ("agent_error", "harness_error")
"""Outcomes of episodes that ended by an error."""
_CAUSES: Mapping[StopKind, str] = {
    "interrupt": "The run was told to end.",
    "provider": "The model's provider does not answer, or gives no access.",
    "refused": "The model's provider refuses the requests for what they are.",
    "program": "The agent's program fails before it does anything.",
    "no_reply": "The solver never gave a reply of use.",
    "disk": "The run directory could not be written.",
    "error": "The run ended by an error.",
}


def percent(value: float | None) -> str:
    """A share as a number of per cent with one decimal, as print has it."""
    return NOTHING if value is None else _minus(text.percent(value))


def points(value: float | None) -> str:
    """A difference of shares in points, with its sign, as print has it."""
    return NOTHING if value is None else _minus(text.points(value))


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
    """By what the episodes of a run are scored: a profile, but for kinds of task whose scores depend on none."""
    return task_kind(config.kind).scored_by(profile)


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


def told_of_stop(record: RunRecord) -> str:
    """Why a run stopped, and what to try, in lines; empty if it did not."""
    stopped = record.stopped
    if stopped is None:
        return ""
    advice = f"\nWhat to try: {stopped.advice}." if stopped.advice else ""
    return f"Stopped ({stopped.kind.replace('_', ' ')}) at {stopped.at}: {stopped.words}{advice}"


def told_of_cause(record: RunRecord) -> str:
    """Why a run that nobody is at work on ended before its end, in a sentence; empty if it came to its own end."""
    if record.stopped:
        return _CAUSES[record.stopped.kind]
    if record.status == "running":
        return "The run ended without a word: its process was killed, or its machine went down."
    return "The run was interrupted. It is older than the record of why." if record.status == "interrupted" else ""


def told_of_work(work: Work | None) -> str:
    """What has to be known of the score of a solver that never did anything, in a line; empty of any other.

    Args:
        work: What was done, as ``RunRecord.asked_work`` has it.
    """
    if work and work.never_replied:
        return "no score: the solver never gave a reply of use"
    return "nothing was ever done: this is the score of doing nothing" if work and work.did_nothing else ""


def told_of_time(record: RunRecord) -> str:
    """How long a run took, in sentences; empty of one that was written before that was kept."""
    if (time := record.time) is None:
        return ""
    rate = UNKNOWN if time.pages_per_second is None else f"{time.pages_per_second:.3g}"
    said = f"Wall time: {duration(time.wall_seconds)}; pages a second: {rate}."
    if not record.is_asked:
        return said
    waited = f"{said} Waiting for the model: {duration(time.model_seconds)}"
    return f"{waited}, added up over {plural(time.model_told, 'page')}." if time.model_told else f"{waited}."


def ended_by_error(outcomes: Mapping[str, int]) -> int:
    """How many episodes ended by an error, of the solver's or of the harness.

    Args:
        outcomes: Outcome -> episodes.
    """
    return sum(outcomes.get(name, 0) for name in _ERRORS)


def told_of_errors(outcomes: Mapping[str, int]) -> str:
    """The same in words, to stand beside a score; empty if none did."""
    ended = ended_by_error(outcomes)
    return f"{count(ended)} of {plural(sum(outcomes.values()), 'episode')} ended by an error" if ended else ""


def plural(number: int, one: str, many: str = "") -> str:
    """A count with its noun."""
    return f"{count(number)} {text.noun(number, one, many)}"
