"""Anthropic's computer tools, spoken by a scripted model over the provider's own library."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from anthropic.types.beta.message_create_params import MessageCreateParamsNonStreaming as Beta
from anthropic.types.message_create_params import MessageCreateParamsNonStreaming

from tests.models.published import problems
from tests.models.servers import Answer, Asked, answer
from tests.site import Shown
from tests.solvers.models.computer.driving import Step, solve_bundled_form, solve_bundled_site


class Toolset:
    """A model with the toolset of 2026: thoughts that are signed, and several calls a turn."""

    preset, path, model = "claude-computer", "", ""

    def __init__(self) -> None:
        self.said: list[list[dict]] = []

    def check(self, asked: Asked) -> None:
        request = asked.json
        assert asked.headers["anthropic-beta"] == "context-management-2025-06-27"
        management = request.pop("context_management")
        assert problems(request, MessageCreateParamsNonStreaming) == []
        assert problems({**request, "context_management": management}, Beta) == []
        assert request["tools"][0]["type"] == "computer_toolset_20260801"
        replies = [message for message in request["messages"] if message["role"] == "assistant"]
        assert [message["content"] for message in replies] == self.said, "what it said comes back as it was"
        for before, message in zip(request["messages"][1::2], request["messages"][2::2], strict=True):
            called = [
                (each["id"], each.get("toolset_name")) for each in before["content"] if each["type"] == "tool_use"
            ]
            told = message["content"][: len(called)]
            assert [(each["tool_use_id"], each.get("toolset_name")) for each in told] == called
            assert all(piece["type"] == "text" for each in told if each.get("is_error") for piece in each["content"])

    def answer(self, steps: Sequence[Step], number: int) -> Answer:
        content: list[dict] = [{"type": "thinking", "thinking": "I see.", "signature": f"signed-{number}"}]
        for place, step in enumerate(steps):
            if step.do == "end":
                content.append({"type": "text", "text": step.text})
                continue
            name, given = _called(step)
            call = {"type": "tool_use", "id": f"toolu_{number}_{place}", "name": name, "input": given}
            content.append({**call, "toolset_name": "computer"})
        self.said.append(content)
        return reply(content)


class Tool(Toolset):
    """A model with the beta tool of 2025: one tool, whose arguments name the action."""

    model = "claude-opus-4-5"

    def check(self, asked: Asked) -> None:
        request = asked.json
        assert asked.headers["anthropic-beta"] == "computer-use-2025-11-24"
        assert problems(request, Beta) == []
        size = {"display_width_px": 1280, "display_height_px": 800, "enable_zoom": True}
        assert request["tools"][0] == {"type": "computer_20251124", "name": "computer", **size}
        shown = str(request["messages"]).count("'type': 'image'")
        assert shown == min(20, len(self.said) + 1)

    def answer(self, steps: Sequence[Step], number: int) -> Answer:
        (step,) = steps
        content: list[dict] = [{"type": "text", "text": step.text or "I go on."}]
        if step.do != "end":
            name, given = _called(step)
            call = {"type": "tool_use", "id": f"toolu_{number}", "name": "computer"}
            content.append({**call, "input": {"action": name, **given}})
        self.said.append(content)
        return reply(content)


def reply(content: list[dict], stop: str = "") -> Answer:
    calls = any(each["type"] == "tool_use" for each in content)
    usage = {"input_tokens": 1000, "output_tokens": 50, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0}
    return answer(
        {
            "id": "msg_1",
            "type": "message",
            "role": "assistant",
            "model": "claude-sonnet-5-5",
            "content": content,
            "stop_reason": stop or ("tool_use" if calls else "end_turn"),
            "stop_sequence": None,
            "usage": usage,
        }
    )


def _called(step: Step) -> tuple[str, dict]:
    point = [round(each) for each in step.at]
    match step.do:
        case "click":
            return "left_click", {"coordinate": point}
        case "type":
            return "type", {"text": step.text}
        case "key":
            return "key", {"text": {"Enter": "Return"}.get(step.text, step.text)}
        case "scroll":
            return "scroll", {"coordinate": point, "scroll_direction": "down", "scroll_amount": 3}
    return "screenshot", {}


@pytest.mark.slow
def test_the_toolset_solves_a_bundled_form(show, tmp_path):
    shown: Shown = solve_bundled_form(Toolset(), show, tmp_path)
    assert all(turn.thought == "I see." for turn in shown.actions.trajectory.turns)


@pytest.mark.slow
def test_the_toolset_solves_a_bundled_site(shop, tmp_path):
    solve_bundled_site(Toolset(), shop, tmp_path)


@pytest.mark.slow
def test_the_beta_tool_solves_a_bundled_form(show, tmp_path):
    solve_bundled_form(Tool(), show, tmp_path)
