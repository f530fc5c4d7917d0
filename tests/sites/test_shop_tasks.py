"""The tasks on the shop: traces reach everything, doing nothing reaches nothing, and where evaluators disagree."""

from __future__ import annotations

from collections import Counter

import pytest

from harness.catalog import Catalog
from harness.catalog.site_facts import SiteFacts
from harness.catalog.trace import ElementMark, Trace, TraceStep
from harness.records.site_record import Evaluation, SiteRecord
from harness.scoring.evaluators.evaluate import evaluate
from tests.checkout import PROJECT
from tests.sites.trace_player import TracePlayer
from tests.sites.visits import visit

CATALOG = Catalog(PROJECT / "tasks" / "_sites")
TASKS = [name for name in CATALOG.names() if name.startswith("Shop - ")]
SEEDS = (0, 1, 2, 3, 4)


def facts_of(name: str, row: int = 0) -> SiteFacts:
    task = CATALOG.task(name)
    return task.site_of(task.pages[row])


def trace_of(name: str, row: int = 0) -> Trace:
    task = CATALOG.task(name)
    trace = task.trace_of(task.pages[row])
    assert trace is not None
    return trace


def evaluated(facts: SiteFacts, steps: tuple[TraceStep, ...], seed: int = 0) -> dict[str, Evaluation]:
    """What the evaluators say of steps that were done on the shop."""
    with visit("shop", seed) as shop:
        before = shop.told
        played = TracePlayer(shop.client, facts.start).play(Trace(goal=facts.goal, start=facts.start, steps=steps))
        record = SiteRecord(
            task=facts, moments=tuple(played.moments), answer=played.answer, state_before=before, state=shop.told
        )
    return {each.evaluator: each for each in evaluate(record, played.texts.get, None)}


def test_there_are_tasks_of_each_level_and_the_catalog_finds_nothing_wrong():
    levels = Counter(facts_of(name).level for name in TASKS)
    assert sum(levels.values()) >= 12
    assert min(levels[level] for level in ("easy", "medium", "hard")) >= 3
    assert [problem for problem in CATALOG.check() if problem.task in TASKS] == []
    assert sum("Several right ways" in CATALOG.facts(name).description for name in TASKS) >= 4


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(("name", "row"), [(name, row.index) for name in TASKS for row in CATALOG.task(name).pages])
def test_the_trace_reaches_all_that_a_task_is_judged_by(name: str, row: int, seed: int):
    said = evaluated(facts_of(name, row), trace_of(name, row).steps, seed)
    assert {evaluator: each.success for evaluator, each in said.items()} == dict.fromkeys(said, True)
    assert {"key_nodes", "final_state"} <= set(said)


@pytest.mark.parametrize("name", TASKS)
def test_who_does_nothing_reaches_nothing(name: str):
    said = evaluated(facts_of(name), ())
    assert {each.score for each in said.values()} == {0}
    assert {each.floor for each in said.values()} == {0}


@pytest.mark.parametrize("name", TASKS)
def test_a_trace_names_the_nodes_that_each_of_its_steps_meets(name: str):
    met = evaluated(facts_of(name), trace_of(name).steps)["key_nodes"].parts
    by_step = {
        number: tuple(place for place, part in enumerate(met) if part.step == number)
        for number in range(len(trace_of(name).steps))
    }
    assert {number: step.nodes for number, step in enumerate(trace_of(name).steps)} == by_step


def step(do: str, css: str, value: str = "") -> TraceStep:
    return TraceStep(do=do, element=ElementMark(css=css), value=value)  # type: ignore[arg-type]


def test_the_right_jacket_without_the_filters_is_a_final_state_whose_key_nodes_were_not_met():
    name = "Shop - A rain jacket within limits"
    assert "Key nodes and final state disagree" in CATALOG.facts(name).known_issues[0]
    said = evaluated(
        facts_of(name),
        (
            step("fill_search", "input[name='q']", "packable"),
            step("click", "#results a[href='/product/kestrel-packable-jacket/']"),
            step("click", ".buy input[name='colour'][value='Blue']"),
            step("select_option", "select#size", "L"),
            step("click", "#add-to-cart"),
        ),
    )
    assert said["final_state"].success is True
    assert said["key_nodes"].score == pytest.approx(3 / 5)


def test_an_address_that_is_changed_into_the_new_one_is_a_final_state_whose_key_nodes_were_not_met():
    name = "Shop - Move house"
    assert CATALOG.facts(name).known_issues
    fields = {"label": "New home", "name": "Noor Vermeer", "street": "12 Orchard Way", "city": "Kilmarra"}
    said = evaluated(
        facts_of(name),
        (
            step("click", "nav.own a[href='/account/']"),
            step("click", "#account-menu a[href='/account/addresses/']"),
            step("click", "a[href='/account/addresses/1/']"),
            *(step("fill", f"#{field}", value) for field, value in (fields | {"postcode": "KM4 9XY"}).items()),
            step("click", "#save-address"),
            step("click", "#account-menu a[href='/account/orders/']"),
            step("click", "a[href='/account/orders/HH-10447/']"),
            step("select_option", "select#to", "New home: 12 Orchard Way, Kilmarra"),
            step("click", "#change-address"),
        ),
    )
    assert said["final_state"].success is True
    assert said["key_nodes"].score == pytest.approx(3 / 5)


def test_an_undone_action_keeps_its_nodes_and_loses_the_final_state():
    name = "Shop - Save a tent for later"
    undo = (
        step("click", "nav.own a[href='/account/wish-list/']"),
        step("click", "li[data-product='kestrel-ultralight-tent-for-1'] button[value='remove']"),
    )
    said = evaluated(facts_of(name), (*trace_of(name).steps, *undo))
    assert (said["key_nodes"].success, said["final_state"].success) == (True, False)
