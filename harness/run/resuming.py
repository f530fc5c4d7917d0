"""What a run that is gone on with must have in common with what it was, and which budgets may change."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any

from harness.browser.form.inventory import code_hash
from harness.catalog.mirror.outside import Outside
from harness.kit.options import options_in
from harness.kit.text import counted
from harness.models.call_options import CallOptions
from harness.models.cost import dollars
from harness.models.ledger import Totals
from harness.records.budgets import Budgets, EarlierBudgets
from harness.records.config import Limits, RunConfig
from harness.records.fatal import CannotResume
from harness.records.provenance import fingerprint_of
from harness.records.run_record import RunFingerprint, RunRecord
from harness.run.run_tasks import RunTasks

_WORDS = {
    "overlay": "the overlay",
    "task_set": "the task set",
    "page_code": "the code that looks at pages",
    "mirror": "the mirror",
}


def run_fingerprint_of(tasks: RunTasks, outside: Outside) -> RunFingerprint:
    """What they are now, as hashes.

    Args:
        tasks: Of the run.
        outside: What its pages reach.
    """
    return RunFingerprint(
        overlay=fingerprint_of(tasks.decisive),
        task_set=tasks.task_set(tasks.names),
        page_code=code_hash(),
        mirror=outside.fingerprint(),
    )


def refuse_others(folder: Path, before: RunFingerprint, now: RunFingerprint) -> None:
    """Refuse to go on with a run on other foundations.

    Args:
        folder: The run directory.
        before: On which it began.
        now: What they are now.

    Raises:
        CannotResume: they differ; the message says in what.
    """
    changed = [words for name, words in _WORDS.items() if getattr(now, name) != getattr(before, name)]
    if changed:
        raise CannotResume(
            f"{folder} cannot be resumed: since it began, {' and '.join(changed)} changed, so that old and new "
            "episodes could not be compared. Put back what was, or begin a new run"
        )


FLAGS = {
    each.name: each.flag
    for record in (CallOptions, Limits)
    for each in options_in(record)
    if each.about.on_resume == "raise"
}
"""Attribute of ``Budgets`` -> its argument."""


def raised(before: RunRecord, given: Mapping[str, Any], spent: Totals) -> RunConfig:
    """What a run is asked for when it is gone on with under other budgets.

    Args:
        before: The run as it stands.
        given: The attributes of ``Budgets`` that are to be others.
        spent: What it has spent.

    Raises:
        CannotResume: a budget that is spent already, or that would change the numbers of what was played.
    """
    config = before.config
    for name, value in given.items():
        if reason := _refusal(name, value, before, spent):
            raise CannotResume(f"{FLAGS[name]} {value:g}: {reason}")
    return replace(Budgets.of(config), **given).put_into(config) if given else config


def _refusal(name: str, value: float, before: RunRecord, spent: Totals) -> str:
    if value <= 0:
        return "that leaves room for nothing; give more than 0"
    match name:
        case "max_cost":
            return _refused_cost(Decimal(str(value)), before, spent)
        case "max_tokens":
            tokens = spent.usage.input_tokens + spent.usage.output_tokens + spent.open_tokens
            return f"the run has used {counted(tokens, 'token')} already; give more" if value < tokens else ""
        case "max_seconds" if value < (most := before.config.limits.max_seconds):
            return f"pages were played with {most:g} s, which would change their scores; give more, or leave it out"
    return ""


def _refused_cost(value: Decimal, before: RunRecord, spent: Totals) -> str:
    if spent.cost is None or before.solver.get("price", {}) is None:
        return "the price of this run's model is not known; use --max-tokens instead"
    cost = spent.cost + spent.open_cost
    return f"the run has spent {dollars(cost)} already; give more" if value < cost else ""


def budgets_before(before: RunRecord, config: RunConfig, now: str) -> tuple[EarlierBudgets, ...]:
    """What a run that is gone on with might use until then.

    Args:
        before: Its record, as it was.
        config: Its configuration from now on.
        now: ISO 8601, UTC.
    """
    earlier, budgets = before.budgets_before, Budgets.of(before.config)
    if budgets == Budgets.of(config):
        return earlier
    return (*earlier, EarlierBudgets(until=now, budgets=budgets))
