"""Other budgets for a run that is gone on with; see tests/solvers/models/test_budgets.py for whole runs."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.models.ledger import Totals
from harness.records.config import RunConfig
from harness.records.fatal import CannotResume
from harness.run.resuming import raised
from tests.samples import run_record

CONFIG = RunConfig("gpt-4o", Path("tasks"), options={"max_cost": 5.0, "max_tokens": 1_000})


def test_what_is_not_given_stays_as_it_was():
    assert raised(run_record(config=CONFIG), {}, Totals()) is CONFIG
    config = raised(run_record(config=CONFIG), {"max_tokens": 2_000, "max_seconds": 400.0}, Totals())
    assert config.options == {"max_cost": 5.0, "max_tokens": 2_000}
    assert config.limits.max_seconds == 400


def test_money_is_no_budget_for_a_model_without_a_price():
    record = run_record(config=CONFIG, solver={"price": None})
    with pytest.raises(CannotResume, match="the price of this run's model is not known; use --max-tokens instead"):
        raised(record, {"max_cost": 9.0}, Totals())
    with pytest.raises(CannotResume, match="use --max-tokens instead"):
        raised(run_record(config=CONFIG), {"max_cost": 9.0}, Totals(calls=1, cost=None))


def test_a_call_whose_end_nobody_saw_counts_as_spent():
    with pytest.raises(CannotResume, match="the run has used 900 tokens already"):
        raised(run_record(config=CONFIG), {"max_tokens": 800}, Totals(open_calls=1, open_tokens=900))
