"""Google's computer use in both of its vocabularies, spoken by a scripted model over the provider's own library."""

from __future__ import annotations

import base64
import json
from collections.abc import Sequence

import pytest
from google.genai import types

from tests.models.servers import Answer, Asked, answer
from tests.site import Shown
from tests.solvers.models.computer.driving import Step, solve_bundled_form, solve_bundled_site


class Generate:
    """A model with the short names: signed thoughts, ids of calls, and a confirmation of each click."""

    preset, path, model = "gemini-computer", "", ""

    def __init__(self) -> None:
        self.said: list[dict] = []

    def check(self, asked: Asked) -> None:
        request = asked.json
        (tool, *_) = [types.Tool.model_validate_json(json.dumps(each)) for each in request["tools"]]
        assert tool.computer_use is not None
        assert tool.computer_use.environment == types.Environment.ENVIRONMENT_BROWSER
        contents = [types.Content.model_validate_json(json.dumps(each)) for each in request["contents"]]
        assert [each.role for each in contents] == [("user", "model")[place % 2] for place in range(len(contents))]
        signatures = [part.thought_signature for each in contents if each.role == "model" for part in each.parts]
        assert signatures == [b"signed-%d" % number for number in range(1, len(self.said) + 1)]
        shown = 0
        for said, content in zip(self.said, contents[2::2], strict=True):
            result = content.parts[0].function_response
            assert (result.name, result.id) == (said["name"], said["id"])
            assert result.response["url"].startswith("http")
            wanted = "true" if "safety_decision" in said["args"] else None
            assert result.response.get("safety_acknowledgement") == wanted
            shown += bool(result.parts)
        first = bool(contents[0].parts[-1].inline_data)
        assert shown + first == min(3, len(self.said) + 1), "the last screenshots alone"

    def answer(self, steps: Sequence[Step], number: int) -> Answer:
        (step,) = steps
        if step.do == "end":
            return reply([{"text": step.text}])
        name, given = self.called(step)
        call = {"id": f"call-{number}", "name": name, "args": {**given, "intent": "to go on"}}
        if step.do == "click":
            call["args"]["safety_decision"] = {"decision": "require_confirmation", "explanation": "It may buy."}
        self.said.append(call)
        return reply([{"functionCall": call, "thoughtSignature": _signed(number)}])

    def called(self, step: Step) -> tuple[str, dict]:
        point = _on_grid(step)
        match step.do:
            case "click":
                return "click", point
            case "type":
                return "type", {"text": step.text, "press_enter": False}
            case "key":
                return "press_key", {"key": step.text}
            case "scroll":
                return "scroll", {**point, "direction": "down", "magnitude_in_pixels": 300}
        return "take_screenshot", {}


class OldGenerate(Generate):
    """The same with the names of before."""

    def called(self, step: Step) -> tuple[str, dict]:
        point = _on_grid(step)
        match step.do:
            case "click":
                return "click_at", point
            case "key":
                return "key_combination", {"keys": step.text}
            case "scroll":
                return "scroll_at", {**point, "direction": "down", "magnitude": 400}
        return super().called(step)


def _on_grid(step: Step) -> dict[str, int]:
    return {"x": int(step.at[0] / 1280 * 1000), "y": int(step.at[1] / 800 * 1000)}


def _signed(number: int) -> str:
    return base64.b64encode(b"signed-%d" % number).decode()


def reply(parts: list[dict]) -> Answer:
    usage = {"promptTokenCount": 1000, "candidatesTokenCount": 50, "totalTokenCount": 1050}
    candidate = {"content": {"role": "model", "parts": parts}, "finishReason": "STOP", "index": 0}
    return answer({"candidates": [candidate], "usageMetadata": usage, "modelVersion": "gemini-3.8-flash"})


@pytest.mark.slow
@pytest.mark.parametrize("speaker", [Generate, OldGenerate])
def test_computer_use_solves_a_bundled_form_and_its_confirmations_are_recorded(show, tmp_path, speaker):
    shown: Shown = solve_bundled_form(speaker(), show, tmp_path)
    notes = {turn.note for turn in shown.actions.trajectory.turns if turn.calls and turn.calls[0].startswith("click(")}
    assert len(notes) == 1
    assert notes.pop().startswith("safety check acknowledged: click")


@pytest.mark.slow
def test_computer_use_solves_a_bundled_site(shop, tmp_path):
    solve_bundled_site(Generate(), shop, tmp_path)
