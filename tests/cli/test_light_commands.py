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
        "harness.plan",
        "harness.cli.commands.people.workers",
        "harness.maintain",
        "harness.cli.commands.papers.mind2web",
        "harness.judge",
        "harness.cli.commands.judge.trust",
        "harness.replay",
        "harness.review",
        "harness.agreement",
        "harness.doctor",
        "harness.document",
        "harness.key_nodes",
        "harness.log",
        "harness.new_task",
        "harness.offline_eval",
        "harness.cli.commands.papers.turkingbench",
        "harness.cli.commands.papers.webcanvas",
        "harness.record",
        "harness.view",
        "harness.cli.commands.setup.index",
    ],
)
def test_help_imports_nothing_that_is_slow_to_import(module):
    assert imported(module, "--help").isdisjoint(HEAVY)


@pytest.mark.parametrize("module", ["harness.evaluate", "oracle.check.__main__"])
def test_what_makes_workers_does_not_fill_their_memory_with_what_they_do_not_need(module):
    # A worker has all that its parent had imported: pandas alone takes 40 MB of each.
    assert imported(module, "--help").isdisjoint({"pandas", "scipy", "nltk", "sklearn", "matplotlib"})
