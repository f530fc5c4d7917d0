"""The tasks on the travel portal: their traces reach every key node and the final state, and doing nothing does not."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

import pytest

from harness.catalog import Catalog
from harness.catalog.trace import ElementMark, TraceStep
from harness.records.site_record import SiteRecord
from harness.scoring.evaluators.evaluate import evaluate
from tests.checkout import PROJECT
from tests.sites.maintenance.planted import MET
from tests.sites.served import assert_reached, replay_task, site_browser, untouched
from tests.sites.trace_player import TracePlayer
from tests.sites.visits import visit

CATALOG = Catalog(PROJECT / "tasks" / "_sites")
NAMES = [name for name in CATALOG.names() if name.startswith("Travel - ")]
SEEDS = range(5)


@pytest.fixture(scope="module")
def session():
    with site_browser("travel") as live:
        yield live


def test_there_are_twelve_or_more_of_three_levels_and_a_third_has_several_right_ways():
    assert [problem for problem in CATALOG.check() if problem.task in NAMES] == []
    facts = [CATALOG.task(name).site for name in NAMES]
    assert len(facts) >= 12
    levels = [each.level for each in facts]
    assert all(levels.count(level) >= 3 for level in ("easy", "medium", "hard"))
    assert sum("several right ways" in CATALOG.task(name).facts.description for name in NAMES) >= len(NAMES) / 3


@pytest.mark.slow
# Those of the others are tried by tests/sites/maintenance/test_planted.py.
@pytest.mark.parametrize("name", sorted({*NAMES} - {*MET}))
def test_in_a_browser_the_trace_reaches_every_key_node_and_the_final_state(session, name):
    task = CATALOG.task(name)
    replay = replay_task(session, task, seed=SEEDS[NAMES.index(name) % len(SEEDS)])
    assert replay.error == ""
    assert_reached(task, replay.evaluations)


@pytest.mark.parametrize("name", NAMES)
def test_doing_nothing_meets_no_key_node_and_not_the_final_state(name):
    evaluations = untouched(CATALOG.task(name).site)
    assert evaluations["key_nodes"].score == 0
    assert evaluations["final_state"].score == 0


def without_scripts(steps: Sequence[TraceStep]) -> Iterator[TraceStep]:
    """The steps of somebody without scripts, who writes what others choose from a list or in a calendar."""
    for step, following in zip(steps, [*steps[1:], None], strict=True):
        css = step.element.css if step.element else ""
        chosen = re.fullmatch(
            r"#\S+-options \[data-code='(\w+)'\]", following.element.css if following and following.element else ""
        )
        day = re.fullmatch(r"#(\S+)-calendar \[data-date='(\S+)'\]", css)
        if chosen:
            yield replace(step, value=chosen[1])
        elif day:
            yield replace(step, do="fill", element=ElementMark(css=f"#{day[1]}"), value=day[2])
        elif not re.search(r"-options |-open$|-calendar ", css):
            yield step


@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(("name", "row"), [(name, row.index) for name in NAMES for row in CATALOG.task(name).pages])
def test_without_scripts_too_the_goal_is_reached_with_any_seed(name, row, seed):
    task = CATALOG.task(name)
    facts, trace = task.site_of(task.pages[row]), task.trace_of(task.pages[row])
    with visit("travel", seed) as portal:
        steps = tuple(without_scripts(trace.steps))
        played = TracePlayer(portal.client, facts.start).play(replace(trace, steps=steps))
        record = SiteRecord(task=facts, moments=tuple(played.moments), answer=played.answer, state=portal.told)
    found = {one.evaluator: one.success for one in evaluate(record, played.texts.get, None)}
    assert found == dict.fromkeys(found, True)
