"""How episodes on websites went: key nodes by step, and ways through the sites."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from harness.analysis.site_courses import EpisodeCourse, NodeTime, course_of, curve_of, place_of, timings_of
from harness.analysis.site_flows import FURTHER, MOST_PLACES, MOST_VISITS, OTHERS, flows_of
from harness.records.site_record import Moment
from tests.reports.watch.made_site import HOME, MOMENTS, on_shop

MISSED, UNKNOWN, UNTIMED = NodeTime("missed"), NodeTime("unknown"), NodeTime("untimed")


def met(step: int) -> NodeTime:
    return NodeTime("met", step)


def course(*nodes: NodeTime, **values: Any) -> EpisodeCourse:
    given: dict[str, Any] = {"site": "shop", "level": "easy", "steps": 4, "is_ended_by_itself": True}
    return EpisodeCourse(**{**given, "nodes": nodes, "places": (), "reached": False, **values})


def of(**values: Any) -> EpisodeCourse:
    made = on_shop(**values)
    assert made.site
    return course_of(made, made.site)


def test_course_has_the_step_of_each_node_and_the_places_in_order():
    found = of()
    assert (found.site, found.level, found.steps, found.reached) == ("shop", "easy", 3, False)
    assert found.nodes == (met(1), MISSED, UNKNOWN)
    assert found.places == ("/", "/search", "/product")


def test_node_that_the_start_meets_is_met_at_step_0():
    moments = (replace(MOMENTS[0], url=f"{HOME}/search?q=kettle"),)
    assert of(moments=moments).nodes[0] == met(0)


def test_what_a_program_did_past_the_actions_has_no_step():
    found = of(moments=tuple(replace(each, step=None) for each in MOMENTS), steps=(), unseen=True)
    assert found.nodes == (UNTIMED, UNTIMED, UNKNOWN)
    assert found.steps is None


def test_step_that_there_is_not_is_no_time():
    assert of(moments=tuple(replace(each, step=50) for each in MOMENTS)).nodes[0] == UNTIMED


@pytest.mark.parametrize(
    ("values", "ended"),
    [
        ({}, True),
        ({"outcome": "unscored"}, True),
        ({"outcome": "limit", "detail": "steps"}, False),
        ({"outcome": "agent_error", "detail": "it broke"}, False),
    ],
)
def test_only_a_limit_or_an_error_cuts_an_episode_off(values, ended):
    assert of(**values).is_ended_by_itself is ended


@pytest.mark.parametrize(
    ("url", "place"),
    [
        (f"{HOME}/", "/"),
        (HOME, "/"),
        (f"{HOME}/product/4?colour=red#top", "/product"),
        ("http://other.test/a/b", "other.test/a"),
        ("about:blank", "about:/blank"),
        ("http://[", "http://["),
    ],
)
def test_place_is_the_first_part_of_the_path_and_names_another_host(url, place):
    assert place_of(url, "shop.test") == place


def test_curve_counts_unmet_nodes_to_the_end_where_the_agent_ended_it_itself():
    curve = curve_of([course(met(1), MISSED), course(met(3))])
    assert [(each.at, each.at_risk) for each in curve.points] == [(0, 3), (1, 3), (2, 2), (3, 2)]
    assert curve.points[-1].share == pytest.approx(2 / 3)


def test_curve_cuts_unmet_nodes_off_where_a_limit_ended_it():
    curve = curve_of([course(met(1), MISSED, steps=2, is_ended_by_itself=False), course(met(3))])
    assert [(each.at, each.at_risk, each.censored) for each in curve.points] == [
        *((0, 3, 0), (1, 3, 0), (2, 2, 1), (3, 1, 0))
    ]


def test_nodes_that_nobody_can_place_are_counted_and_in_no_curve():
    curve = curve_of([course(UNKNOWN, UNTIMED, met(2)), course(MISSED, steps=None)])
    assert (curve.nodes, curve.unknown, curve.untimed) == (1, 1, 2)


def test_timings_add_up_to_the_episodes_that_have_such_a_node():
    rows = timings_of(
        [course(met(2), MISSED), course(met(2)), course(met(0), UNKNOWN), course(UNTIMED, level="hard", steps=None)]
    )
    assert [(row.level, row.number, dict(row.met), row.missed, row.unknown, row.episodes) for row in rows] == [
        ("easy", 1, {0: 1, 2: 2}, 0, 0, 3),
        ("easy", 2, {}, 1, 1, 2),
        ("hard", 1, {}, 0, 1, 1),
    ]


def test_flows_lead_from_place_to_place_and_to_how_it_ended():
    ways = [
        course(places=("/", "/search"), reached=True),
        course(places=("/", "/search"), reached=False),
        course(places=("/",), reached=None),
        course(),
    ]
    found = flows_of(ways)
    said = [(each.start.column, each.start.name, each.end.name, each.end.kind, each.episodes) for each in found.flows]
    assert said == [
        (0, "/", "/search", "place", 2),
        (0, "/", "not known", "unknown", 1),
        (1, "/search", "goal reached", "reached", 1),
        (1, "/search", "not reached", "missed", 1),
    ]
    assert (found.episodes, found.nowhere) == (3, 1)


def test_long_ways_and_many_places_are_put_together_and_nobody_is_lost():
    long = course(places=tuple(f"/{n}" for n in range(MOST_VISITS + 3)))
    many = [course(places=("/", f"/p{n}")) for n in range(MOST_PLACES + 2)]
    found = flows_of([long, *many])
    assert {each.start.name for each in found.flows if each.start.column == MOST_VISITS} == {FURTHER}
    second = {
        each.end.name: each.episodes for each in found.flows if each.start.column == 0 and each.end.kind == "place"
    }
    assert (len(second), second[OTHERS]) == (MOST_PLACES + 1, len(many) + 1 - MOST_PLACES)
    assert sum(each.episodes for each in found.flows if each.end.kind == "missed") == len(many) + 1


def test_moments_that_close_a_tab_or_have_no_address_are_no_visit():
    moments = (*MOMENTS, Moment(kind="opened", tab=2), Moment(kind="moved", step=1, url=f"{HOME}/product/9"))
    assert of(moments=moments).places == ("/", "/search", "/product")
