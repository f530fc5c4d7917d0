"""The check of requests against the providers' published types: what is wrong is found."""

from __future__ import annotations

import pytest

from tests.models.published import problems
from tests.needs import extra

openai = pytest.importorskip("openai.types.responses.response_input_item_param", reason=extra("openai"))
anthropic = pytest.importorskip("anthropic.types.message_create_params", reason=extra("anthropic"))

OUTPUT = {
    "type": "computer_call_output",
    "call_id": "c",
    "output": {"type": "computer_screenshot", "image_url": "data:"},
}
ASKED = {"model": "m", "max_tokens": 5, "messages": [{"role": "user", "content": [{"type": "text", "text": "go"}]}]}


def test_what_is_of_the_published_shape_has_no_problems():
    assert problems(OUTPUT, openai.ComputerCallOutput) == []
    assert problems(ASKED, anthropic.MessageCreateParamsNonStreaming) == []


@pytest.mark.parametrize(
    ("value", "kind", "found"),
    [
        ({**OUTPUT, "call_id": None}, openai.ComputerCallOutput, ".call_id: None is no str"),
        ({**OUTPUT, "current_url": "x"}, openai.ComputerCallOutput, ".current_url: not named by ComputerCallOutput"),
        ({"type": "computer_call_output", "call_id": "c"}, openai.ComputerCallOutput, ".output: missing"),
        (
            {**ASKED, "messages": [{"role": "user", "content": [{"type": "text"}]}]},
            None,
            ".messages[0].content[0].text: missing",
        ),
        (
            {**ASKED, "tools": [{"type": "computer_toolset_20260801", "name": "x"}]},
            None,
            ".tools[0].name: not named by",
        ),
        ({**ASKED, "max_tokens": True}, None, ".max_tokens: True is no int"),
    ],
)
def test_what_is_not_is_told_with_its_place(value, kind, found):
    assert any(found in each for each in problems(value, kind or anthropic.MessageCreateParamsNonStreaming))
