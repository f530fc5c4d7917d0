from __future__ import annotations

import pytest

from harness.actions.call import ActionCall, ActionError
from harness.episode.library import ACTIONS
from harness.models.messages import Reply, ToolCall
from harness.solvers.models.prompting import FINISH, offered
from harness.solvers.models.recipe import Recipe
from harness.solvers.models.replies import complaints, note_of_text, read_reply, shown_again

FIELD = offered(Recipe("m"), ACTIONS)
FORM = offered(Recipe("m", protocol="form"), ACTIONS)


def read(text: str, specs=FIELD):
    return [item.what for item in read_reply(Reply(text), specs, "text")]


def call(name: str, arguments: dict, **more) -> Reply:
    return Reply("", (ToolCall("1", name, arguments, **more),))


def test_actions_in_a_text_are_read_in_order():
    assert list(map(str, read("modify_text('a', 'x')\nmodify_radio('b', '1')"))) == [
        "modify_text('a', 'x')",
        "modify_radio('b', '1')",
    ]


def test_an_action_that_was_not_offered_is_an_error():
    (found,) = read("```python\nget_html()\n```")
    assert isinstance(found, ActionError)
    assert "get_html is not an action" in found.reason


def test_finish_is_offered_for_forms_alone():
    assert FINISH.name in FORM
    assert FINISH.name not in FIELD
    assert read_reply(Reply("finish()"), FORM, "text")[0].is_end


def test_a_tool_call_is_bound_to_the_action():
    (item,) = read_reply(call("modify_text", {"name": "a", "value": 3}), FIELD, "tools")
    assert item.what == ActionCall("modify_text", {"name": "a", "value": "3"})
    assert item.id == "1"


def test_a_tool_call_that_does_not_fit_is_an_error_that_says_why():
    cases = [
        (call("modify_txt", {}), "modify_txt is not an action (did you mean modify_text?)"),
        (call("modify_text", {"name": "a"}), "missing: 'value'"),
        (call("modify_text", {}, malformed="{oops"), "the arguments are no JSON object"),
    ]
    for reply, said in cases:
        (item,) = read_reply(reply, FIELD, "tools")
        assert isinstance(item.what, ActionError)
        assert said in item.what.reason


@pytest.mark.parametrize(
    "text",
    [
        "I could say modify_text('a', 'x').",
        "modify_text('a', 'x') is what I think of.\nNot yet.",
        "First modify_text('a', 'x'), then finish()",
    ],
)
def test_with_tools_calls_among_words_are_not_done_and_do_not_end_the_work(text):
    assert read_reply(Reply(text), FORM, "tools") == ()


def test_with_tools_the_text_beside_them_is_not_read():
    beside = Reply("modify_text('a', 'x')", (ToolCall("1", "modify_text", {"name": "a", "value": "y"}),))
    assert [str(item.what) for item in read_reply(beside, FORM, "tools")] == ["modify_text('a', 'y')"]
    assert note_of_text(beside, read_reply(beside, FORM, "tools"), "tools") == ""


@pytest.mark.parametrize("text", ["modify_text('a', 'x')\nfinish()", "```python\nmodify_text('a', 'x')\nfinish()\n```"])
def test_with_tools_a_text_of_calls_alone_is_done_where_no_tool_was_called_and_that_is_noted(text):
    items = read_reply(Reply(text), FORM, "tools")
    assert [str(item.what) for item in items] == ["modify_text('a', 'x')", "finish()"]
    assert note_of_text(Reply(text), items, "tools") == "no tool was called: the calls in its text were done"


def test_with_tools_finish_as_text_ends_the_work():
    (item,) = read_reply(Reply("All done. finish()"), FORM, "tools")
    assert item.is_end


def test_a_reply_without_actions_is_told_what_is_wrong():
    reply = Reply("I think so", finish="length")
    assert "cut off after 64 tokens" in complaints(reply, (), "text", 64)
    assert "No call of an action" in complaints(Reply("Hello"), (), "text", 64)
    assert "No tool was called" in complaints(Reply("Hello"), (), "tools", 64)
    assert "It was declined" in complaints(Reply("", finish="refused"), (), "text", 64)


def test_an_endless_reply_is_shown_again_in_part_and_an_empty_one_as_nothing():
    message, _ = shown_again(Reply("x" * 1_000_000), FIELD)
    assert len(message.text) == 4_000
    assert shown_again(Reply(" \n"), FIELD)[0].text == "(nothing)"


def test_tool_calls_are_shown_again_unless_there_is_no_such_tool():
    reply = Reply("", (ToolCall("1", "modify_text", {"name": "a", "value": "v" * 9_000}), ToolCall("2", "rm", {})))
    message, kept = shown_again(reply, FIELD)
    assert kept == {"1"}
    assert [part.arguments for part in message.parts] == [{"left_out": "too long to be repeated"}]
