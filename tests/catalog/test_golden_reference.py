"""Golden references: what a trace and the evaluators of a task say, in words."""

from __future__ import annotations

from typing import get_args

import pytest

from harness.catalog.golden_reference import golden_reference
from harness.catalog.site_facts import (
    AnswerRule,
    Check,
    Condition,
    ConditionIs,
    Evaluators,
    KeyNode,
    Look,
    SiteFacts,
    Wanted,
)
from harness.catalog.trace import ElementMark, Trace, TraceAction, TraceStep


def facts(**evaluators) -> SiteFacts:
    return SiteFacts(
        goal="Buy a red kettle",
        start="http://shop.test/",
        origins=("http://shop.test",),
        evaluators=Evaluators(**evaluators),
    )


def trace(*steps: TraceStep) -> Trace:
    return Trace(goal="Buy a red kettle", start="http://shop.test/", steps=steps)


def test_it_tells_goal_steps_and_every_condition():
    told = golden_reference(
        facts(
            key_nodes=(
                KeyNode(target="url", match="include", reference="shop.test/cart", note="the cart"),
                KeyNode(target="url", match="exact", reference="red", key="colour"),
                KeyNode(target="element_path", match="exact", reference="#buy"),
                KeyNode(target="element_value", match="semantic", reference="a kettle", path="#search"),
            ),
            final_state=(Condition(at="/orders", how="count", value=1),),
            answer=AnswerRule(match="exact", reference="19.90"),
            page_reward=True,
        ),
        trace(
            TraceStep(do="fill_search", value="kettle", element=ElementMark(css="#search", tag="input")),
            TraceStep(do="click", element=ElementMark(css="#buy", tag="button", text="Buy"), note="the red one"),
        ),
    )
    assert told.splitlines() == [
        "Goal: Buy a red kettle",
        "Steps that reach it:",
        "1. search for 'kettle' with input #search",
        "2. press button 'Buy' (the red one)",
        "It is reached when all of this has been met:",
        "- the cart: the address contains 'shop.test/cart'",
        "- the part 'colour' of the address is 'red'",
        "- the element '#buy' was acted on",
        "- what the element '#search' holds fits the rule 'a kettle'",
        "- the site's /orders has 1 entries",
        "- the answer is '19.90'",
        "- the page itself counts the task as done",
    ]


def test_checks_of_the_end_are_told_with_all_that_is_enough():
    one = (Wanted(match="word", reference="6"),)
    two = (Wanted(match="include", reference="/cart"), Wanted(match="exact", reference="/bag"))
    checks = (
        Check(of="answer", any_of=one),
        Check(of="address", any_of=two),
        Check(of="page", any_of=one, look=Look(css="#lines")),
        Check(of="page", any_of=one, look=Look(url="http://shop.test/cart", reads="markup")),
    )
    assert golden_reference(facts(checks=checks), None).splitlines()[2:] == [
        "- the answer contains the word '6'",
        "- the address of the page in front in the end contains '/cart' or is '/bag'",
        "- '#lines' of the page in front in the end contains the word '6'",
        "- the page http://shop.test/cart contains the word '6'",
    ]


def test_without_a_trace_it_tells_the_conditions_alone():
    told = golden_reference(facts(answer=AnswerRule(match="include", reference="7")), None)
    assert told.splitlines()[1:] == ["It is reached when all of this has been met:", "- the answer contains '7'"]


@pytest.mark.parametrize("do", get_args(TraceAction))
def test_every_action_of_a_trace_is_told_in_words(do):
    step = TraceStep(do=do, value="v", element=ElementMark(css="#e", tag="a", attributes={"title": "More"}))
    said = golden_reference(facts(), trace(step)).splitlines()[-1]
    assert said.startswith("1. ")
    assert "{" not in said


@pytest.mark.parametrize("how", get_args(ConditionIs))
def test_every_condition_is_told_in_words(how):
    said = golden_reference(facts(final_state=(Condition(at="/cart", how=how, value=3),)), None).splitlines()[-1]
    assert said.startswith("- the site's /cart ")
    assert "{" not in said
