"""Protocol ``form`` on real pages, with a model that answers by a script."""

from __future__ import annotations

import itertools

import pytest

from harness.browser.input_back_end import DevtoolsInput
from harness.episode.library import Actions
from harness.episode.trajectory import LimitReached, Trajectory
from harness.records.config import Limits
from harness.solvers.models.asking import NoUsableReply
from tests.solvers.scripted import ScriptedService, page_of, protocol, solve, text_of, tool_reply

TWO = "<p>Name the dog.</p><input name=a><input name=b>"


def form(shown, script, **recipe) -> ScriptedService:
    return solve(shown, script, protocol="form", **recipe)


def test_the_model_acts_until_it_says_that_the_form_is_complete(show):
    shown = show(TWO)
    service = form(shown, ["modify_text('a', 'Rex')", "modify_text('b', 'Bo')", "finish()"])
    assert shown.sent() == {"a": ("Rex",), "b": ("Bo",)}
    assert len(service.requests) == 3
    assert [turn.calls for turn in shown.actions.trajectory.turns][-1] == ("finish()",)


def test_it_is_told_what_its_actions_did_and_shown_the_page_again(show):
    service = form(show(TWO), ["modify_text('a', 'Rex')\nmodify_text('c', 'x')", "finish()"], encoding="full")
    said = service.said()
    assert "modify_text('a', 'Rex') -> ok: " in said
    assert "modify_text('c', 'x') -> error: " in said
    assert said.count("The page begins here.") == 2


def test_the_fields_are_told_by_name(show):
    assert "The fields of the form, by name:\n'a'\n'b'" in form(show(TWO), ["finish()"]).said()


def test_without_field_names_it_has_to_find_them(show):
    service = form(show(TWO), ["finish()"], field_names=False)
    assert "Find out from the page which fields its form has." in service.said()
    assert "by name" not in service.said()


def test_actions_after_the_end_are_not_done(show):
    shown = show(TWO)
    form(shown, ["modify_text('a', 'Rex')\nfinish()\nmodify_text('b', 'late')"])
    assert shown.sent() == {"a": ("Rex",), "b": ("",)}


def test_results_of_tools_go_back_as_such(show):
    shown = show(TWO)
    replies = [
        tool_reply(("modify_text", {"name": "a", "value": "Rex"}), ("modify_text", {"name": "zz", "value": "x"})),
        tool_reply(("finish", {})),
    ]
    service = form(shown, replies, output="tools")
    results = [part for message in service.requests[1].messages if message.role == "tool" for part in message.parts]
    assert [result.id for result in results] == ["c0", "c1"]
    assert [result.text.split(":")[0] for result in results] == ["ok", "error"]
    assert shown.sent()["a"] == ("Rex",)


def test_with_tools_finish_as_text_ends_it(show):
    service = form(show(TWO), ["finish()"], output="tools")
    assert len(service.requests) == 1


def test_what_an_action_gives_is_shown(show):
    service = form(show(TWO), ["get_html('a')", "finish()"])
    assert '<input name="a"' in service.said().replace("\\", "")


def test_a_picture_that_an_action_takes_is_shown(show):
    service = form(show(TWO), ["capture_screen('full')", "finish()"], screenshot="viewport")
    last = service.requests[-1].messages[-1]
    assert sum(type(part).__name__ == "Image" for part in last.parts) == 2


def test_replies_without_an_action_in_a_row_end_it_with_the_reason(show):
    with pytest.raises(NoUsableReply, match=r'3 replies .* could be done; turkbench answers to that: "Your reply'):
        form(show(TWO), lambda _: "Hm.", retries=2)


def test_a_usable_reply_begins_the_count_of_tries_anew(show):
    shown = show(TWO)
    form(shown, ["Hm.", "modify_text('a', 'x')", "Hm.", "modify_text('b', 'y')", "Hm.", "finish()"], retries=1)
    assert shown.sent() == {"a": ("x",), "b": ("y",)}


def test_a_limit_ends_a_loop_that_would_never_end(show):
    shown = show(TWO)
    act = Actions(shown.browser, DevtoolsInput(shown.browser), Trajectory(Limits(max_steps=3)))
    numbers = iter(range(9))
    service = ScriptedService(lambda _: f"modify_text('a', '{next(numbers)}')")
    with pytest.raises(LimitReached):
        protocol(service, protocol="form").solve(page_of(shown), act)
    assert len(act.trajectory.turns) == len(service.requests) == 3


@pytest.mark.parametrize(("values", "turns"), [("x", 4), ("xy", 6)])
def test_a_model_that_goes_in_circles_is_stopped(show, values, turns):
    shown = show(TWO)
    answers = itertools.cycle(values)
    with pytest.raises(LimitReached, match="repeats"):
        form(shown, lambda _: f"modify_text('a', '{next(answers)}')")
    assert len(shown.actions.trajectory.turns) <= turns + 1
    assert shown.sent()["a"][0] in values


def test_scrolling_on_is_no_circle(show):
    shown = show("<p style='height: 9000px'>long</p><input name=a>")
    service = form(shown, [*["scroll(0, 600)"] * 10, "finish()"])
    assert len(service.requests) == 11


def test_the_form_that_was_sent_ends_it(show):
    shown = show(TWO)
    assert len(form(shown, ["modify_text('a', '1')\nclick_element(3)"]).requests) == 1
    assert shown.actions.submitted


def test_history_is_kept_within_the_budget(show):
    shown = show("<p>" + "word " * 600 + "</p><input name=a>")
    answers = [f"modify_text('a', '{number}')" for number in range(8)]
    service = form(shown, [*answers, "finish()"], max_input_tokens=2_500)
    assert all(len(text_of(request).split()) <= 2_500 for request in service.requests)
    assert "The page as it was then is left out here." in service.said()
    assert "earlier page" in shown.actions.trajectory.turns[-1].note
    assert "modify_text('a', '0')" in service.said()


def test_what_would_be_asked_first_can_be_seen_without_asking(show):
    shown = show(TWO)
    service = ScriptedService(["finish()"])
    (planned,) = protocol(service, protocol="form").first_requests(page_of(shown), shown.actions)
    protocol(service, protocol="form").solve(page_of(shown), shown.actions)
    assert planned.request == service.requests[0]
