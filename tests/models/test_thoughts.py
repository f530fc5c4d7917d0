"""Thoughts of models are parted from their answers, however servers hand them on."""

from __future__ import annotations

import pytest

from harness.models.messages import Reply
from harness.models.thoughts import parted, without_thoughts

CALL = "modify_text('q', 'a')"


@pytest.mark.parametrize(
    ("text", "thought", "answer"),
    [
        (CALL, "", CALL),
        (f"  {CALL}\n", "", f"  {CALL}\n"),
        (f"<think>{CALL}</think>\n\n{CALL}", CALL, CALL),
        (f"<think>\nfirst\n{CALL}\n</think>finish()", f"first\n{CALL}", "finish()"),
        (f"<think>{CALL}", CALL, ""),
        (f"{CALL}\n<think>{CALL}", CALL, CALL),
        (f"I begin.\n{CALL}\n</think>\nfinish()", f"I begin.\n{CALL}", "finish()"),
        (f"{CALL} </think>\nfinish()", CALL, "finish()"),
        (f"{CALL} <think>then {CALL}</think>", f"then {CALL}", CALL),
        ("<think>a</think>\none\n<think>b</think>\ntwo", "a\n\nb", "one\n\ntwo"),
        ("<think>a <think> b</think>finish()", "a <think> b", "finish()"),
        ("<THINK >a</Think>b", "a", "b"),
        ("[THINK]a[/THINK]b", "a", "b"),
        ("<seed:think>a</seed:think>b", "a", "b"),
        ("<think></think>\n\nb", "", "b"),
        ("<thought>a</thought>b", "a", "b"),
    ],
)
def test_thoughts_are_parted_from_the_answer(text, thought, answer):
    assert parted(text) == (thought, answer)


@pytest.mark.parametrize(
    "text",
    [
        "modify_text('q', 'write <think> here')",
        "modify_text('q', 'write </think> here')",
        """modify_text("it's", "<think>a</think>")""",
        r"modify_text('it\'s', '<think>')",
        "a < think > b, <thinker>, think>",
    ],
)
def test_tags_in_an_argument_belong_to_the_answer(text):
    assert parted(text) == ("", text)


def test_a_tag_in_an_argument_does_not_hide_a_thought_behind_it():
    text = "modify_text('q', '<think>')\n<think>modify_text('q', 'b')</think>"
    assert parted(text) == ("modify_text('q', 'b')", "modify_text('q', '<think>')")


def test_a_reply_keeps_the_thought_that_came_apart_from_it():
    reply = without_thoughts(Reply("<think>b</think>c", thought="a"))
    assert (reply.thought, reply.text) == ("a\n\nb", "c")
    assert without_thoughts(reply) is reply


def test_long_texts_are_read_in_time_that_grows_with_them():
    text = "modify_text('" + "<think>" * 200_000 + "\\\\" * 50_001
    assert parted(text) == ("", text)
