"""What came of each step of an episode on a website."""

from __future__ import annotations

from dataclasses import replace

from harness.catalog.site_facts import Check, Evaluators, Look, Wanted
from harness.reports.watch.site_marks import event_words, marks_of
from harness.reports.watch.site_view import MOST_LISTED, site_view
from tests.reports.watch.made_site import FACTS, HOME, MOMENTS, on_shop
from tests.samples import episode


def test_each_step_has_its_address_what_happened_and_the_nodes_that_it_met():
    marks = marks_of(on_shop())
    assert [marks[step].address for step in (None, 0, 1, 2)] == [
        f"{HOME}/",
        f"{HOME}/search?q=kettle",
        f"{HOME}/product/4",
        f"{HOME}/product/4",
    ]
    assert [marks[step].tab for step in (None, 0, 1)] == [1, 1, 2]
    assert marks[0].events == (
        "click on button “Search”",
        f"tab 1 went to another address: {HOME}/search?q=kettle",
    )
    assert [marks[step].met for step in (None, 0, 1, 2)] == [(), ((1, "kettles were looked for"),), (), ()]


def test_node_that_the_start_meets_is_marked_before_the_first_step():
    met_at_once = replace(FACTS, start=f"{HOME}/search?q=kettle")
    moments = (replace(MOMENTS[0], url=met_at_once.start), *MOMENTS[1:])
    assert marks_of(on_shop(met_at_once, moments=moments))[None].met == ((1, "kettles were looked for"),)


def test_what_a_program_did_past_the_actions_is_in_no_mark():
    without_steps = tuple(replace(moment, step=None) for moment in MOMENTS)
    found = on_shop(moments=without_steps, steps=(), unseen=True)
    marks = marks_of(found)
    assert (marks[None].address, marks[None].met) == (f"{HOME}/", ())
    site = site_view(found)
    assert site
    assert site.evaluators[0].conditions[0].when == "after 90 ms"


def test_forms_have_no_marks_and_nothing_to_show_of_a_site():
    assert marks_of(episode()) == {}
    assert site_view(episode()) is None


def test_element_says_what_it_holds_and_long_texts_are_cut():
    element = MOMENTS[1].element
    assert element
    moment = replace(MOMENTS[1], event="input", element=replace(element, tag="input", value="x" * 500))
    words = event_words(moment)
    assert words.startswith("input on input “Search” with 'xxx")
    assert len(words) < 130


def test_checks_of_the_end_are_shown_with_what_they_look_at():
    either = (Wanted(match="exact", reference="N/A"), Wanted(match="semantic", reference="Decide"))
    in_cart = Check(
        of="page", any_of=(Wanted(match="include", reference="red"),), look=Look(url=f"{HOME}/cart", css="#lines")
    )
    facts = replace(FACTS, evaluators=Evaluators(checks=(Check(of="answer", any_of=either), in_cart)))
    site = site_view(on_shop(facts))
    assert site
    ((shown,), name) = site.evaluators, site.by
    assert (name, shown.why, shown.score) == ("checks", "0 of 2 checks hold, 2 not known", "unknown")
    assert [(each.looks_at, each.how, each.reference) for each in shown.conditions] == [
        ("answer", "exact or semantic", "N/A or Decide"),
        (f"#lines of {HOME}/cart", "include", "red"),
    ]


def test_long_episode_lists_its_first_moments_and_counts_the_others():
    site = site_view(on_shop(moments=MOMENTS[:1] * (MOST_LISTED + 5), moments_lost=3))
    assert site
    assert (len(site.moments), site.moments_more, site.moments_lost) == (MOST_LISTED, 5, 3)


def test_record_that_names_moments_and_conditions_that_there_are_not_is_shown():
    found = on_shop()
    assert found.site
    nodes = found.site.evaluations[0]
    strange = replace(nodes, parts=(*nodes.parts, replace(nodes.parts[0], moment=99, step=77)))
    site = site_view(replace(found, site=replace(found.site, evaluations=(strange,))))
    assert site
    last = site.evaluators[0].conditions[-1]
    assert (last.when, last.page, last.looks_at) == ("–", "", "–")
