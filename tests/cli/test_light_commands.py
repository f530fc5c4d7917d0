"""Whoever asks for help does not wait for libraries that are slow to import."""

from __future__ import annotations

import pytest

from tests.cli.imported import imported

HEAVY = ("selenium", "django", "pandas", "scipy", "numpy", "nltk", "sklearn", "matplotlib", "tiktoken")


@pytest.mark.parametrize(
    "module",
    [
        "harness.cli.commands.score",
        "harness.cli.commands.report",
        "harness.cli.commands.compare",
        "harness.cli.commands.plan.comparison",
        "harness.cli.commands.plan.run",
        "harness.cli.commands.people.workers",
        "harness.cli.commands.tasks.maintain",
        "harness.cli.commands.papers.mind2web",
        "harness.cli.commands.judge.run",
        "harness.cli.commands.judge.trust",
        "harness.cli.commands.replay",
        "harness.cli.commands.people.review",
        "harness.cli.commands.papers.agreement",
        "harness.cli.commands.setup.doctor",
        "harness.cli.commands.document",
        "harness.cli.commands.papers.key_nodes",
        "harness.cli.commands.export.log",
        "harness.cli.commands.tasks.new",
        "harness.cli.commands.offline_eval",
        "harness.cli.commands.papers.prompts",
        "harness.cli.commands.papers.tables",
        "harness.cli.commands.papers.turkingbench",
        "harness.cli.commands.papers.webcanvas",
        "harness.cli.commands.tasks.record",
        "harness.cli.commands.view",
        "harness.cli.commands.setup.index",
    ],
)
def test_help_imports_nothing_that_is_slow_to_import(module):
    assert imported(module, "--help").isdisjoint(HEAVY)


@pytest.mark.parametrize("module", ["harness.evaluate", "oracle.check.__main__"])
def test_what_makes_workers_does_not_fill_their_memory_with_what_they_do_not_need(module):
    # A worker has all that its parent had imported: pandas alone takes 40 MB of each.
    assert imported(module, "--help").isdisjoint({"pandas", "scipy", "nltk", "sklearn", "matplotlib"})
