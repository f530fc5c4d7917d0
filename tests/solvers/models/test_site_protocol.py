"""Protocol ``site`` in a browser, with a model that answers by a script."""

from __future__ import annotations

import json
import re

import pytest

from harness.episode.trajectory import LimitReached
from harness.models.messages import Image
from harness.observe import numbered
from harness.solvers.models.asking import NoUsableReply
from harness.solvers.models.site_protocol import SiteProtocol
from tests.solvers.models.site_pages import GOAL, ORIGIN, recipe, shop_browser, visit, work
from tests.solvers.scripted import ScriptedService, Words, text_of, tool_reply

THINK = "Thought: it is needed\nAction: {}"
NUMBER = r"(?:\[| id=)(\d+)[^\[=\n]*?"
"""How the encodings write an element's number, before what it says."""


@pytest.fixture(scope="module")
def browser(site):
    with shop_browser(site) as live:
        yield live


def number(act, words: str) -> int:
    """The number of what says ``words`` on the page that is shown."""
    snapshot = act.observation.snapshot("text")
    return next(snapshot.nodes[node.parent].ref for node in snapshot.nodes if words in node.text and node.parent >= 0)


def judged(status: str, score: int = 7, description: str = "half way") -> str:
    return json.dumps({"status": status, "score": score, "reason": "seen", "description": description})


@pytest.mark.parametrize("encoding", numbered())
def test_it_walks_to_the_goal_by_the_numbers_that_it_is_shown(browser, encoding):
    shop = visit(browser)

    def answer(request) -> str:
        wanted = {"/": "Red kettle", "/kettle": "Add to cart"}
        path = shop.act.tabs()[0].url.removeprefix(ORIGIN)
        if path not in wanted:
            return THINK.format("finish('19.90')")
        page = request.messages[-1].text.partition("The page begins here.")[2]
        (ref,) = re.findall(NUMBER + wanted[path], page)
        return THINK.format(f"click_element({ref})")

    service = work(shop, answer, encoding=encoding)
    assert shop.act.tabs()[0].url == f"{ORIGIN}/cart"
    assert (shop.act.finished, shop.act.answer) == (True, "19.90")
    assert len(service.requests) == len(shop.act.trajectory.turns) == 3
    assert [turn.steps for turn in shop.act.trajectory.turns] == [(0, 1), (1, 2), (2, 3)]


def test_each_turn_is_one_request_with_goal_tabs_steps_and_the_page_as_it_is_now(browser):
    shop = visit(browser)
    service = work(
        shop,
        [THINK.format("goto('/kettle')"), THINK.format("new_tab('http://shop.test/cart')"), THINK.format("finish()")],
    )
    assert [[message.role for message in each.messages] for each in service.requests] == [["system", "user"]] * 3
    first, last = text_of(service.requests[0]), service.said()
    assert f"Goal: {GOAL}" in first
    assert "You have done nothing yet." in first
    assert "0: Shop, http://shop.test/ (shown)" in first
    assert "0: Red kettle, http://shop.test/kettle\n1: Cart, http://shop.test/cart (shown)" in last
    assert "1. goto('/kettle') -> ok: " in last
    assert "What you thought before it: it is needed" in last
    assert "1 red kettle" in last
    assert "19.90" not in last


def test_a_step_names_the_element_that_it_was_done_to(browser):
    shop = visit(browser)
    ref = number(shop.act, "Red kettle")
    service = work(shop, [THINK.format(f"click_element({ref})"), THINK.format("finish()")])
    assert f"1. click_element({ref}) [link 'Red kettle'] -> ok: " in service.said()


@pytest.mark.parametrize("ref", ["1" * 5000, "-1", "", "one"])
def test_a_number_of_no_element_is_a_failed_step_and_not_the_end(browser, ref):
    shop = visit(browser)
    work(shop, [THINK.format(f"click_element('{ref}')"), THINK.format("finish()")])
    assert [step.ok for step in shop.act.trajectory.steps] == [False, True]
    assert shop.act.finished


def test_an_action_that_fails_is_told_in_the_next_turn_alone(browser):
    shop = visit(browser)
    service = work(shop, [THINK.format("go_back()"), THINK.format("goto('/cart')"), THINK.format("finish()")])
    assert "Your last action could not be done: go_back(): " in service.said(1)
    assert "1. go_back() -> error: " in service.said(2)
    assert "could not be done" not in service.said(2)


def test_one_action_of_a_reply_is_done_and_the_others_are_told_to_be_undone(browser):
    shop = visit(browser)
    service = work(shop, ["goto('/kettle')\ngoto('/cart')", "finish()"], {"planning": "none"})
    assert [step.action for step in shop.act.trajectory.steps] == ["goto('/kettle')", "finish(None)"]
    assert "the first was done, and the others were not" in service.said()


def test_what_a_model_thinks_is_no_action(browser):
    shop = visit(browser)
    service = work(
        shop,
        [
            "Thought: I could go_back() or goto('/cart')\nAction: goto('/kettle')\n"
            "Thought: done\nAction: goto('/cart')",
            THINK.format("finish()"),
        ],
    )
    assert shop.act.tabs()[0].url == f"{ORIGIN}/kettle"
    assert "I could go_back() or goto('/cart')" in service.said()


def test_a_reply_without_a_line_of_action_is_told_and_tried_again(browser):
    shop = visit(browser)
    service = work(shop, ["goto('/cart')", THINK.format("finish()")])
    assert 'No line of it begins with "Action:".' in service.said()
    assert "goto('/cart')" in service.said()
    assert [step.action for step in shop.act.trajectory.steps] == ["finish(None)"]
    (error,) = shop.act.trajectory.turns[0].calls
    assert error.startswith("error: ")


def test_replies_without_an_action_in_a_row_end_it_with_the_reason(browser):
    shop = visit(browser)
    with pytest.raises(NoUsableReply, match="3 replies in a row held no action that could be done"):
        work(shop, lambda _: "Hm.", retries=2)
    assert len(shop.act.trajectory.turns) == 3


def test_an_action_that_is_not_in_the_set_is_an_error(browser):
    shop = visit(browser)
    service = work(shop, ["```python\nmodify_text('q', 'kettle')\n```", "finish()"], {"planning": "none"})
    assert "modify_text is not an action" in service.said()


@pytest.mark.slow
def test_only_the_last_steps_are_remembered(browser):
    def walk(memory):
        shop = visit(browser)
        script = [THINK.format(f"goto('/?page={place}')") for place in range(4)]
        return work(shop, [*script, THINK.format("finish()")], {"memory": memory}).said()

    two = walk(2)
    assert "Earlier steps are left out here: 2." in two
    assert "3. goto('/?page=2')" in two
    assert "goto('/?page=1')" not in two
    assert "1. goto('/?page=0')" in walk(None)
    assert "You have done nothing yet." in walk(0)


def test_without_planning_no_thought_is_asked_for(browser):
    shop = visit(browser)
    service = work(shop, ["goto('/cart')", "finish()"], {"planning": "none"})
    assert "Thought:" not in service.said()
    assert "What you thought" not in service.said()


def test_with_tools_the_first_call_is_done_and_the_text_beside_it_is_the_thought(browser):
    shop = visit(browser)
    replies = [
        tool_reply(("goto", {"url": "/cart"}), text="It is in the cart."),
        tool_reply(("finish", {"answer": "1"})),
    ]
    service = work(shop, replies, output="tools")
    names = [tool["name"] for tool in service.requests[0].tools]
    assert {"goto", "click_element", "finish"} <= set(names)
    assert "modify_text" not in names
    assert "What you thought before it: It is in the cart." in service.said()
    assert shop.act.answer == "1"


def test_the_request_stays_within_its_budget_and_says_what_it_left_out(browser):
    shop = visit(browser, "/long")
    thought = "Thought: " + "a reason " * 60 + "\nAction: goto('/long?{}')"
    script = [*(thought.format(place) for place in range(8)), THINK.format("finish()")]
    service = work(shop, script, max_input_tokens=1_600)
    assert all(Words().request(request) <= 1_600 for request in service.requests)
    note = shop.act.trajectory.turns[-1].note
    assert "remembered steps left out" in note
    assert "left out of the page" in note


def test_a_limit_ends_it(browser):
    shop = visit(browser, max_steps=2)
    with pytest.raises(LimitReached, match="steps"):
        work(shop, lambda _: THINK.format("reload()"))
    assert len(shop.act.trajectory.steps) == 2


def test_the_words_of_a_judgement_go_into_the_next_turn_and_into_the_memory(browser):
    shop = visit(browser)
    script = [
        THINK.format("goto('/kettle')"),
        judged("doing", description="the kettle is shown"),
        THINK.format("goto('/cart')"),
        judged("loop", 1, "it stands still"),
        THINK.format("finish()"),
    ]
    service = work(shop, script, {"reward": "text"})
    assert "How far you are, as you judged it just now: doing. the kettle is shown" in service.said(2)
    assert "What you thought of it afterwards: doing. the kettle is shown" in service.said(4)
    assert "as you judged it just now: loop. it stands still" in service.said(4)
    assert "as you judged it just now: doing" not in service.said(4)
    notes = [turn.note for turn in shop.act.trajectory.turns]
    assert [note for note in notes if note.startswith("progress")] == ["progress: doing, 7", "progress: loop, 1"]


def test_work_that_is_judged_to_be_finished_ends(browser):
    shop = visit(browser)
    service = work(
        shop, [THINK.format("goto('/cart')"), judged("finished", 10, "it is in the cart")], {"reward": "text"}
    )
    assert len(service.requests) == 2
    assert [step.action for step in shop.act.trajectory.steps] == ["goto('/cart')"]


def test_a_judgement_that_cannot_be_read_is_told_and_in_the_end_unknown(browser):
    shop = visit(browser)
    script = [THINK.format("goto('/cart')"), "It goes well.", '{"status": "done"}', THINK.format("finish()")]
    service = work(shop, script, {"reward": "text"}, retries=1)
    assert "It cannot be read: it is no JSON object" in service.said(2)
    assert "as you judged it" not in service.said()
    errors = [call for turn in shop.act.trajectory.turns for call in turn.calls if call.startswith("error: ")]
    assert len(errors) == 2


@pytest.mark.parametrize(("reward", "text", "pictures"), [("text", True, 0), ("picture", False, 1), ("both", True, 1)])
def test_a_judgement_is_made_of_what_was_chosen(browser, reward, text, pictures):
    shop = visit(browser)
    service = work(shop, [THINK.format("goto('/cart')"), judged("finished")], {"reward": reward})
    parts = service.requests[1].messages[-1].parts
    assert sum(isinstance(part, Image) for part in parts) == pictures
    assert ("1 red kettle" in service.said()) is text
    assert not any(isinstance(part, Image) for part in service.requests[0].messages[-1].parts)


def test_the_golden_reference_is_told_to_who_judges_and_not_to_who_acts(browser):
    shop = visit(browser, guide="1. press the red kettle")
    service = work(shop, [THINK.format("goto('/cart')"), judged("doing"), THINK.format("finish()")], {"reward": "text"})
    assert [("press the red kettle" in text_of(request)) for request in service.requests] == [False, True, False]


def test_what_would_be_asked_first_can_be_seen_without_asking(browser):
    shop = visit(browser)
    service = ScriptedService([THINK.format("finish()")])
    protocol = SiteProtocol(recipe(), service, Words())
    (planned,) = protocol.first_requests(shop.page, shop.act)
    protocol.solve(shop.page, shop.act)
    assert planned.request == service.requests[0]
    assert planned.kind == "site"
