"""The page about statistics, and the note with its simulations, keep up with the code."""

import re
from pathlib import Path

import pytest

from benchmarks.coverage import BOOTSTRAPS, OURS, SPREADS
from harness.kit.statistics import clustered
from harness.kit.statistics.estimate import NO_INTERVAL

DOCS = Path(__file__).parents[3] / "docs"
PAGE = DOCS / "explanation" / "statistics.md"
TABLES = DOCS / "notes" / "statistics.md"


@pytest.mark.parametrize("method", [NO_INTERVAL, clustered.EXACT, clustered.PERCENTILE])
def test_every_other_method_stands_in_the_table_of_exceptions(method):
    assert f"| `{method}` |" in PAGE.read_text(encoding="utf-8")


def test_the_printed_coverage_is_that_of_the_benchmark():
    """Its rows, not its figures: they take minutes."""
    text = TABLES.read_text(encoding="utf-8")
    assert re.search(r"they differ +" + " +".join([*BOOTSTRAPS, "Student t", OURS]), text)
    for tasks in (16, 100):
        for name in SPREADS:
            assert len(re.findall(rf"^{tasks} +{name}( +\d+\.\d \(\d+\)){{5}}$", text, re.MULTILINE)) == 1
