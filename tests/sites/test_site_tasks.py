"""The tasks on the bundled sites: their traces reach all that they are judged by, and doing nothing reaches nothing."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

import pytest

from harness.browser.input_back_end import BrowserSession
from harness.catalog.trace import ElementMark, TraceStep
from tests.sites.maintenance.planted import CATALOG, MET
from tests.sites.served import assert_reached, replay_task, site_browser, untouched
from tests.sites.trace_player import evaluated

SITES = ("shop", "travel", "board")


def site_of(name: str) -> str:
    """The site that a task of that name is done on."""
    return name.split(maxsplit=1)[0].lower()


NAMES = [name for name in CATALOG.names() if site_of(name) in SITES]
SEEDS = range(5)
IN_A_BROWSER = [
    *("Shop - A puzzle as a gift", "Shop - A rain jacket within limits", "Shop - Move house"),
    "Shop - Take the coffee press from the wish list",
    *(name for name in NAMES if not name.startswith("Shop") and name not in MET),
]
"""Those of ``MET`` are tried by ``tests.sites.maintenance.test_planted``."""


def cases(*sites: str) -> list[tuple[str, int]]:
    """The pages of tasks, by name and row."""
    return [(name, row.index) for name in NAMES if site_of(name) in sites for row in CATALOG.task(name).pages]


@pytest.mark.parametrize("site", SITES)
def test_a_site_has_twelve_tasks_of_three_levels_and_several_right_ways_in_a_third(site: str) -> None:
    tasks = [CATALOG.task(name) for name in NAMES if site_of(name) == site]
    levels = Counter(task.site.level for task in tasks if task.site)
    assert levels.total() == len(tasks) >= 12
    assert min(levels[level] for level in ("easy", "medium", "hard")) >= 3
    assert sum("several right ways" in task.facts.description.lower() for task in tasks) >= len(tasks) / 3
    assert any(task.facts.known_issues for task in tasks)


def test_the_catalog_finds_nothing_wrong_with_them() -> None:
    assert [problem for problem in CATALOG.check() if problem.task in NAMES] == []


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(("name", "row"), cases("shop", "board"))
def test_the_trace_reaches_all_that_a_task_is_judged_by_whatever_the_seed(name: str, row: int, seed: int) -> None:
    task = CATALOG.task(name)
    facts, trace = task.site_of(task.pages[row]), task.trace_of(task.pages[row])
    found = evaluated(facts, trace.steps, seed)
    assert {each: one.success for each, one in found.items()} == dict.fromkeys(facts.evaluators.given, True)
    assert {"key_nodes", "final_state"} <= found.keys()
    # Each key node is met by the step that says so.
    met = {node: part.step for node, part in enumerate(found["key_nodes"].parts)}
    assert met == {node: place for place, step in enumerate(trace.steps) for node in step.nodes}


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
@pytest.mark.parametrize(("name", "row"), cases("travel"))
def test_without_scripts_too_the_goal_is_reached_with_any_seed(name: str, row: int, seed: int) -> None:
    task = CATALOG.task(name)
    facts, trace = task.site_of(task.pages[row]), task.trace_of(task.pages[row])
    found = evaluated(facts, tuple(without_scripts(trace.steps)), seed)
    assert {each: one.success for each, one in found.items()} == dict.fromkeys(facts.evaluators.given, True)


@pytest.mark.parametrize("name", NAMES)
def test_who_does_nothing_reaches_nothing(name: str) -> None:
    found = untouched(CATALOG.task(name).site_of(CATALOG.task(name).pages[0]))
    assert {"key_nodes", "final_state"} <= found.keys()
    assert {(each.score, each.floor) for each in found.values()} == {(0, 0)}


@pytest.fixture(scope="module")
def session(request: pytest.FixtureRequest) -> Iterator[BrowserSession]:
    with site_browser(request.param) as live:
        yield live


@pytest.mark.slow
@pytest.mark.parametrize(
    ("session", "name"),
    [(site_of(name), name) for name in IN_A_BROWSER],
    indirect=["session"],
    scope="module",
)
def test_in_a_browser_the_trace_reaches_every_key_node_and_the_final_state(session: BrowserSession, name: str) -> None:
    task = CATALOG.task(name)
    replay = replay_task(session, task, seed=SEEDS[NAMES.index(name) % len(SEEDS)])
    assert replay.error == ""
    assert_reached(task, replay.evaluations)
