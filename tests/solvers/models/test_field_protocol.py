"""Protocol ``field`` on real pages, with a model that answers by a script."""

from __future__ import annotations

import pytest

from harness.browser.input_back_end import DevtoolsInput
from harness.episode.library import Actions
from harness.episode.trajectory import LimitReached, Trajectory
from harness.records.config import Limits
from harness.solvers.models.asking import NoUsableReply
from tests.solvers.scripted import (
    ScriptedService,
    field_asked,
    page_of,
    protocol,
    solve,
    text_of,
    tool_reply,
)

FORM = """<p>A dog barks.</p>
<label><input type=radio name=mood value=good> good</label><label><input type=radio name=mood value=bad> bad</label>
<label><input type=checkbox name=tags value=dog> dog</label><label><input type=checkbox name=tags value=cat> cat</label>
<input name=title><select name=size><option value=s>small</option><option value=l>large</option></select>
<input type=hidden name=secret value=x>"""

ANSWERS = {
    "mood": "modify_radio('mood', 'bad')",
    "tags": "modify_checkbox('tags', 'dog|cat')",
    "title": "modify_text('title', 'Barking')",
    "size": "I would say:\n```python\nself.actions.modify_select('size', 'large')\n```",
}


def by_field(request) -> str:
    return ANSWERS[field_asked(request)]


def test_each_field_that_can_be_seen_is_asked_for_once_in_page_order(show):
    shown = show(FORM)
    service = solve(shown, by_field)
    assert [field_asked(request) for request in service.requests] == ["mood", "tags", "title", "size"]
    assert shown.sent() == {
        "mood": ("bad",),
        "tags": ("dog", "cat"),
        "title": ("Barking",),
        "size": ("l",),
        "secret": ("x",),
    }


def test_fields_that_it_was_not_told_of_are_not_asked_for(show):
    service = solve(show(FORM), by_field, names=["title", "mood", "elsewhere"])
    assert [field_asked(request) for request in service.requests] == ["title", "mood"]


def test_a_field_that_an_answer_brings_out_is_asked_for(show):
    body = """<input name=b style='display:none'>
    <input name=a oninput='document.querySelector("[name=b]").style.display = "inline"'>"""
    shown = show(body)
    service = solve(shown, lambda request: f"modify_text('{field_asked(request)}', 'x')")
    assert [field_asked(request) for request in service.requests] == ["a", "b"]


def test_each_request_shows_the_page_as_it_is_then(show):
    service = solve(show(FORM), by_field, encoding="simplified")
    assert ["Barking" in service.said(place) for place in range(4)] == [False, False, False, True]


def test_a_reply_may_hold_several_actions(show):
    shown = show("<input name=a><input name=b>")
    service = solve(shown, ["modify_text('a', '1')\nmodify_text('b', '2')", "modify_text('b', '3')"])
    assert shown.sent() == {"a": ("1",), "b": ("3",)}
    assert shown.actions.trajectory.turns[0].calls == ("modify_text('a', '1')", "modify_text('b', '2')")
    assert [turn.steps for turn in shown.actions.trajectory.turns] == [(0, 2), (2, 3)]
    assert len(service.requests) == 2


def test_a_reply_without_an_action_is_told_why_and_gets_another_try(show):
    shown = show("<input name=a>")
    service = solve(shown, ["modify_text('a')", "modify_text('a', 'x')"])
    assert shown.sent() == {"a": ("x",)}
    assert "missing: 'value'" in service.said()
    assert "[assistant] modify_text('a')" in service.said()
    assert shown.actions.trajectory.turns[0].calls[0].startswith("error: modify_text('a')")


@pytest.mark.parametrize("retries", [0, 2])
def test_after_the_last_try_the_next_field_is_asked_for(show, retries):
    shown = show("<input name=a><input name=b>")
    replies = ["no"] * (1 + retries) + ["modify_text('b', 'x')"]
    service = solve(shown, replies, retries=retries)
    assert len(service.requests) == 2 + retries
    assert shown.sent() == {"a": ("",), "b": ("x",)}


def test_a_model_that_never_acts_is_an_error_of_the_agent(show):
    with pytest.raises(NoUsableReply, match="none of the replies about 2 fields"):
        solve(show("<input name=a><input name=b>"), lambda _: "Let me think about it.")


def test_an_action_that_the_page_refuses_is_not_tried_again(show):
    shown = show(FORM)
    service = solve(shown, lambda _: "modify_radio('mood', 'so-so')", names=["mood"])
    assert len(service.requests) == 1
    assert [step.ok for step in shown.actions.trajectory.steps] == [False]


def test_with_tools_the_actions_are_tools_and_replies_are_calls(show):
    shown = show(FORM)
    service = solve(
        shown,
        [tool_reply(("modify_radio", {"name": "mood", "value": "good"}))],
        output="tools",
        names=["mood"],
    )
    assert [tool["name"] for tool in service.requests[0].tools][:5] == [
        "modify_text",
        "modify_radio",
        "modify_checkbox",
        "modify_select",
        "modify_range",
    ]
    assert "modify_radio(name" not in service.said()
    assert shown.sent()["mood"] == ("good",)


def test_a_tool_call_that_does_not_fit_is_answered_with_the_reason(show):
    shown = show("<input name=a>")
    replies = [tool_reply(("modify_text", {"nam": "a"})), tool_reply(("modify_text", {"name": "a", "value": "x"}))]
    service = solve(shown, replies, output="tools")
    assert [message.role for message in service.requests[1].messages] == ["system", "user", "assistant", "tool", "user"]
    assert "there is no argument 'nam' (did you mean name?)" in service.said()
    assert shown.sent() == {"a": ("x",)}


def test_every_exchange_is_taken_down_with_what_was_sent(show):
    shown = show("<input name=a>")
    solve(shown, ["modify_text('a', 'x')"])
    (turn,) = shown.actions.trajectory.turns
    assert turn.reply == "modify_text('a', 'x')"
    assert turn.usage.input_tokens == 10
    assert turn.note.startswith("field 'a'")
    assert turn.sent in shown.actions.trajectory.texts
    assert turn.page


def test_an_exchange_that_a_limit_ends_is_taken_down_too(show):
    shown = show("<input name=a><input name=b>")
    act = Actions(shown.browser, DevtoolsInput(shown.browser), Trajectory(Limits(max_steps=1)))
    service = ScriptedService(["modify_text('a', '1')\nmodify_text('b', '2')"])
    with pytest.raises(LimitReached):
        protocol(service).solve(page_of(shown), act)
    assert [turn.steps for turn in act.trajectory.turns] == [(0, 1)]


def test_a_form_that_was_sent_is_asked_about_no_more(show):
    shown = show("<input name=a><input name=b>")
    service = solve(shown, ["modify_text('a', '1')\nclick_element(3)"])
    assert len(service.requests) == 1
    assert shown.actions.submitted


def test_a_picture_comes_with_the_page_where_the_recipe_says_so(show):
    shown = show("<input name=a>")
    service = solve(shown, ["modify_text('a', 'x')"], screenshot="element")
    assert "(picture)" in service.said()
    assert "a border around the field" in service.said()
    (turn,) = shown.actions.trajectory.turns
    assert shown.actions.trajectory.images[turn.images[0]].startswith(b"\x89PNG")


def test_pictures_alone_are_sent_without_the_page_as_text(show):
    service = solve(show("<p>A dog barks.</p><input name=a>"), ["click(5, 5)"], screenshot="viewport", encoding="none")
    assert "A dog barks" not in service.said()
    assert "The page is shown as a picture." in service.said()


def test_numbers_in_a_picture_are_told_with_their_fields(show):
    shown = show("<input name=a>")
    service = solve(shown, ["modify_text('a', 'x')"], screenshot="marks")
    assert ": 'a'" in service.said()


def test_the_budget_holds_for_the_page_the_prompt_and_all(show):
    shown = show("<p>" + "word " * 20_000 + "</p><input name=a>")
    budget = 1_500
    service = solve(shown, ["modify_text('a', 'x')"], max_input_tokens=budget)
    assert len(text_of(service.requests[0]).split()) <= budget
    assert "left out of the page" in shown.actions.trajectory.turns[0].note


def test_what_would_be_asked_can_be_seen_without_asking(show):
    shown = show(FORM)
    service = ScriptedService(by_field)
    planned = list(protocol(service).first_requests(page_of(shown), shown.actions))
    assert [each.field for each in planned] == ["mood", "tags", "title", "size"]
    assert service.requests == []
    solve(shown, by_field)
    assert all(each.tokens > 100 for each in planned)
