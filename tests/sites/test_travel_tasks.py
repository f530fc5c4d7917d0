"""The tasks on the travel portal: their traces reach every key node and the final state, and doing nothing does not."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.catalog import Catalog
from tests.sites.served import replay_task, site_browser, untouched

FOLDER = Path(__file__).parents[2] / "tasks" / "_sites"
CATALOG = Catalog(FOLDER)
NAMES = sorted(folder.name for folder in FOLDER.glob("Travel - *"))
SEEDS = range(5)


@pytest.fixture(scope="module")
def session():
    with site_browser("travel") as live:
        yield live


def test_there_are_twelve_or_more_of_three_levels_and_a_third_has_several_right_ways():
    facts = [CATALOG.task(name).site for name in NAMES]
    assert len(facts) >= 12
    levels = [each.level for each in facts]
    assert all(levels.count(level) >= 3 for level in ("easy", "medium", "hard"))
    assert sum("several right ways" in CATALOG.task(name).facts.description for name in NAMES) >= len(NAMES) / 3


@pytest.mark.parametrize("name", NAMES)
def test_the_trace_reaches_every_key_node_and_the_final_state(session, name):
    task = CATALOG.task(name)
    seed = SEEDS[NAMES.index(name) % len(SEEDS)]
    replay = replay_task(session, task, seed=seed)
    missed = {
        evaluator: [(part.name, part.why) for part in evaluation.parts if part.score != 1]
        for evaluator, evaluation in replay.evaluations.items()
        if not evaluation.success
    }
    assert (replay.error, missed) == ("", {})
    claimed = {node: place for place, step in enumerate(task.trace.steps) for node in step.nodes}
    assert claimed == {node: part.step for node, part in enumerate(replay.evaluations["key_nodes"].parts)}


@pytest.mark.parametrize("name", NAMES)
def test_doing_nothing_meets_no_key_node_and_not_the_final_state(name):
    evaluations = untouched(CATALOG.task(name).site)
    assert evaluations["key_nodes"].score == 0
    assert evaluations["final_state"].score == 0
