"""Whoever asks for help does not wait for libraries that are slow to import."""

from __future__ import annotations

import pytest

from tests.cli.imported import imported

HEAVY = ("selenium", "django", "pandas", "scipy", "numpy", "nltk", "sklearn", "matplotlib", "tiktoken")


@pytest.mark.parametrize(
    "module",
    [
        "harness.score",
        "harness.report",
        "harness.compare",
        "harness.power",
        "harness.people.__main__",
        "harness.replay",
        "harness.agreement",
        "harness.document",
        "harness.new_task",
    ],
)
def test_help_imports_nothing_that_is_slow_to_import(module):
    assert imported(module, "--help").isdisjoint(HEAVY)
