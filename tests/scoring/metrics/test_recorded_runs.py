"""The profile turkingbench-2024 against the runs that the benchmark's authors recorded."""

from __future__ import annotations

import json
from typing import Any

import pytest

from harness.scoring.metrics import PROFILES
from harness.scoring.metrics.turkingbench_2024 import score_recorded
from tests.needs import needs, real_data
from tests.scoring.metrics.recorded import FILES

pytestmark = needs(real_data("recorded"))


def scored_records() -> list[dict[str, Any]]:
    lines = (line for file in FILES for line in file.read_text(encoding="utf-8").splitlines())
    return [record for line in lines if (record := json.loads(line))["status"] == "scored"]


def test_every_recorded_score_is_reproduced() -> None:
    records = scored_records()
    wrong = [
        (record["task"], record["row_number"], record["field"])
        for record in records
        if score_recorded(record["type"], record["gold"], record["value_scored"])
        != pytest.approx(record["score"], abs=1e-9)
    ]
    assert records
    assert wrong == []


def test_the_profile_gives_the_same_scores_from_cells_and_sent_values() -> None:
    profile = PROFILES["turkingbench-2024"]
    for record in scored_records():
        cells = ["" if label is None else str(label) for label in record["gold"]]
        sent = record["value_scored"].split("|") if record["value_scored"] else []
        result = profile.score_field(record["type"], (), cells, sent)
        assert result is not None, record["field"]
        assert result.score == pytest.approx(record["score"], abs=1e-9), record["field"]
