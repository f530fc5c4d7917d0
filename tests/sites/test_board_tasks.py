"""The tasks on the community board: their traces reach every key node and the final state; doing nothing does not."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from harness.catalog import Catalog
from harness.catalog.trace import ElementMark, TraceStep
from harness.records.site_record import SiteRecord
from harness.scoring.evaluators.evaluate import evaluate
from tests.sites.maintenance.planted import MET
from tests.sites.served import assert_reached, replay_task, site_browser, untouched
from tests.sites.trace_player import TracePlayer
from tests.sites.visits import visit

FOLDER = Path(__file__).parents[2] / "tasks" / "_sites"
CATALOG = Catalog(FOLDER)
NAMES = sorted(folder.name for folder in FOLDER.glob("Board - *"))
SEEDS = range(5)


@pytest.fixture(scope="module")
def session():
    with site_browser("board") as live:
        yield live


def steps(*done):
    """A trace's steps of pairs: what is done, the element's selector and, where there is one, a value."""
    return tuple(
        TraceStep(do=do, element=ElementMark(css=css), value=value[0] if value else "") for do, css, *value in done
    )


def test_there_are_twelve_or_more_of_three_levels_and_a_third_has_several_right_ways():
    tasks = [CATALOG.task(name) for name in NAMES]
    assert len(tasks) >= 12
    levels = [task.site.level for task in tasks]
    assert all(levels.count(level) >= 3 for level in ("easy", "medium", "hard"))
    assert sum("several right ways" in task.facts.description for task in tasks) >= len(tasks) / 3
    assert any(task.facts.known_issues for task in tasks)
    assert [problem for problem in CATALOG.check() if problem.task in NAMES] == []


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(("name", "row"), [(name, row.index) for name in NAMES for row in CATALOG.task(name).pages])
def test_the_trace_reaches_all_that_a_task_is_judged_by_whatever_the_seed(name, row, seed):
    task = CATALOG.task(name)
    facts, trace = task.site_of(task.pages[row]), task.trace_of(task.pages[row])
    with visit("board", seed) as board:
        played = TracePlayer(board.client, facts.start).play(trace)
        record = SiteRecord(task=facts, moments=tuple(played.moments), answer=played.answer, state=board.told)
    said = evaluate(record, played.texts.get, None)
    assert {each.evaluator: each.success for each in said} == dict.fromkeys(facts.evaluators.given, True)


@pytest.mark.slow
# Those of the others are tried by tests/sites/maintenance/test_planted.py.
@pytest.mark.parametrize("name", sorted({*NAMES} - {*MET}))
def test_the_trace_reaches_every_key_node_when_it_says_and_the_final_state(session, name):
    task = CATALOG.task(name)
    replay = replay_task(session, task, seed=SEEDS[NAMES.index(name) % len(SEEDS)])
    assert replay.error == ""
    assert_reached(task, replay.evaluations)


@pytest.mark.parametrize("name", NAMES)
def test_doing_nothing_meets_no_key_node_and_not_the_final_state(name):
    evaluations = untouched(CATALOG.task(name).site)
    assert evaluations["key_nodes"].score == 0
    assert evaluations["final_state"].score == 0


@pytest.mark.slow
def test_a_vote_that_is_taken_back_meets_the_key_nodes_and_not_the_final_state(session):
    task = CATALOG.task("Board - A vote for an answer")
    twice = replace(task.trace, steps=(*task.trace.steps, task.trace.steps[-1]))
    replay = replay_task(session, task, seed=0, trace=twice)
    assert replay.error == ""
    assert replay.evaluations["key_nodes"].success
    assert not replay.evaluations["final_state"].success


def test_decisions_that_are_chosen_and_not_sent_meet_the_key_nodes_and_not_the_final_state(session):
    task = CATALOG.task("Board - The moderators' queue")
    chosen = tuple(step for step in task.trace.steps[:-1] if "button" not in step.element.css)
    replay = replay_task(session, task, seed=0, trace=replace(task.trace, steps=(*chosen, task.trace.steps[-1])))
    assert replay.error == ""
    assert replay.evaluations["key_nodes"].success
    assert list(replay.told["moderation"]) == ["73"]


OTHER_WAYS = {
    "Board - Follow a thread": steps(
        ("fill_search", "#search-box", "steel frame"),
        ("click", ".hits a[href='/post/100301/']"),
        ("click", ".thread-head form.follow button"),
    ),
    "Board - Come to an event": steps(("click", "aside a[href='/events/33/']"), ("click", "#attend")),
    "Board - A question in private": steps(
        ("click", "nav.mine a[href='/messages/']"),
        ("click", "#compose"),
        ("fill", "#f-to", "quiet_lathe"),
        ("fill", "#f-subject", "Band saw"),
        ("fill", "#f-text", "May I borrow your band saw next week?"),
        ("click", "#send"),
    ),
    "Board - The best advice on blight": steps(
        ("click", "nav.main a[href='/members/']"),
        ("fill_search", "#name", "marsh wren"),
        ("click", ".people a[href='/member/marsh_wren/']"),
        ("click", "section.head form.follow button"),
        ("fill_search", "#search-box", "blight tomatoes worked"),
        ("click", ".hits a[href='/post/101101/']"),
        ("click", "#p101101 button.vote-up"),
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", OTHER_WAYS)
def test_another_right_way_reaches_the_same(session, name):
    task = CATALOG.task(name)
    replay = replay_task(session, task, seed=0, trace=replace(task.trace, steps=OTHER_WAYS[name]))
    assert replay.error == ""
    assert {one: each.score for one, each in replay.evaluations.items()} == {"key_nodes": 1, "final_state": 1}
