"""The tasks on the community board: other ways than their traces, and where evaluators disagree."""

from __future__ import annotations

from dataclasses import replace

import pytest

from harness.catalog.trace import ElementMark, TraceStep
from tests.sites.maintenance.planted import CATALOG
from tests.sites.served import replay_task, site_browser


@pytest.fixture(scope="module")
def session():
    with site_browser("board") as live:
        yield live


def steps(*done):
    """A trace's steps of pairs: what is done, the element's selector and, where there is one, a value."""
    return tuple(
        TraceStep(do=do, element=ElementMark(css=css), value=value[0] if value else "") for do, css, *value in done
    )


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
