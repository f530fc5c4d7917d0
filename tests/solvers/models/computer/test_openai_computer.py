"""OpenAI's computer tool, spoken by a scripted model over the provider's own library."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from openai.types.responses.response_create_params import ResponseCreateParamsNonStreaming

from tests.models.published import problems
from tests.models.servers import Answer, Asked, answer
from tests.site import Shown
from tests.solvers.models.computer.driving import Step, solve_bundled_form, solve_bundled_site

CHECK = {"id": "check_1", "code": "irrelevant_domain", "message": "The page is strange."}


class Responses:
    """A model with the tool of 2026: encrypted thoughts, a commentary, and a safety check on each of its clicks."""

    preset, path, model = "openai-computer", "/v1", ""

    def __init__(self) -> None:
        self.said: list[dict] = []

    def check(self, asked: Asked) -> None:
        request = asked.json
        assert asked.path == "/v1/responses"
        for item in request["input"]:
            if item.get("type") == "computer_call_output":
                # In the guide, and not in the library's types.
                assert item["output"].pop("detail") == "original"
        assert problems(request, ResponseCreateParamsNonStreaming) == []
        assert request["tools"][0] == {"type": "computer"}
        assert (request["store"], request["include"]) == (False, ["reasoning.encrypted_content"])
        items = request["input"]
        kept = [item for item in items if item.get("id") in {each["id"] for each in self.said}]
        assert kept == self.said, "what it said comes back as it was"
        for call in (item for item in self.said if item["type"] == "computer_call"):
            (output,) = [item for item in items if item.get("type") == "computer_call_output" and _answers(item, call)]
            assert output.get("acknowledged_safety_checks", []) == call["pending_safety_checks"]

    def answer(self, steps: Sequence[Step], number: int) -> Answer:
        items: list[dict] = [
            {"type": "reasoning", "id": f"rs_{number}", "summary": [], "encrypted_content": f"hidden {number}"}
        ]
        actions = [_action(step) for step in steps if step.do != "end"]
        if actions:
            checks = [CHECK] if actions[0]["type"] == "click" else []
            call = {"type": "computer_call", "id": f"cu_{number}", "call_id": f"call_{number}", "status": "completed"}
            items.append({**call, "pending_safety_checks": checks, "actions": actions})
        if steps[-1].do == "end":
            content = [{"type": "output_text", "text": steps[-1].text, "annotations": []}]
            message = {"type": "message", "id": f"msg_{number}", "role": "assistant", "status": "completed"}
            items.append({**message, "content": content, "phase": "final_answer"})
        self.said += items
        return reply(items)


class Preview(Responses):
    """The model of the preview: one action a call, and no actions in the plural."""

    model = "computer-use-preview"

    def check(self, asked: Asked) -> None:
        request = asked.json
        assert problems(request, ResponseCreateParamsNonStreaming) == []
        size = {"display_width": 1280, "display_height": 800, "environment": "browser"}
        assert request["tools"][0] == {"type": "computer_use_preview", **size}
        assert request["truncation"] == "auto"

    def answer(self, steps: Sequence[Step], number: int) -> Answer:
        (step,) = steps
        if step.do == "end":
            return super().answer(steps, number)
        call = {"type": "computer_call", "id": f"cu_{number}", "call_id": f"call_{number}", "status": "completed"}
        return reply([{**call, "pending_safety_checks": [], "action": _action(step)}])


def _answers(output: dict, call: dict) -> bool:
    return output["call_id"] == call["call_id"]


def reply(items: list[dict], **more: object) -> Answer:
    usage = {"input_tokens": 1000, "output_tokens": 50, "total_tokens": 1050}
    details = {"input_tokens_details": {"cached_tokens": 400}, "output_tokens_details": {"reasoning_tokens": 20}}
    told = {"id": "resp_1", "object": "response", "created_at": 1, "status": "completed", "model": "gpt-6-astra"}
    return answer({**told, "output": items, "usage": {**usage, **details}, **more})


def _action(step: Step) -> dict:
    x, y = map(round, step.at)
    match step.do:
        case "click":
            return {"type": "click", "button": "left", "x": x, "y": y}
        case "type":
            return {"type": "type", "text": step.text}
        case "key":
            return {"type": "keypress", "keys": [step.text.upper()]}
        case "scroll":
            return {"type": "scroll", "x": x, "y": y, "scroll_x": 0, "scroll_y": 300}
    return {"type": "screenshot"}


def test_the_computer_tool_solves_a_bundled_form_and_its_safety_checks_are_recorded(show, tmp_path):
    shown: Shown = solve_bundled_form(Responses(), show, tmp_path)
    clicks = [turn for turn in shown.actions.trajectory.turns if turn.calls and turn.calls[0].startswith("click(")]
    said = "safety check acknowledged: irrelevant_domain: The page is strange."
    assert {turn.note for turn in clicks} == {said}
    assert shown.actions.trajectory.turns[0].usage.cached_input_tokens == 400


@pytest.mark.slow
def test_the_computer_tool_solves_a_bundled_site(shop, tmp_path):
    solve_bundled_site(Responses(), shop, tmp_path)


@pytest.mark.slow
def test_the_preview_solves_a_bundled_form(show, tmp_path):
    solve_bundled_form(Preview(), show, tmp_path)
