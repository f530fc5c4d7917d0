"""Open models that write their actions into the text, each as a scripted model behind a server of chat completions."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import pytest
from openai.types.chat.completion_create_params import CompletionCreateParamsNonStreaming

from harness.browser.launch import SCREEN
from harness.kit import picture
from harness.solvers.models.computer.screen import Screen
from harness.solvers.models.computer.table import DIALECTS, dialect_for
from tests.models.published import problems
from tests.models.servers import Answer, Asked, openai_reply
from tests.solvers.models.computer.driving import Step, solve_bundled_form, solve_bundled_site


@dataclass
class Chat:
    """A model that writes in a dialect."""

    model: str
    writes: Callable[[Step, str, str], str]
    preset: str = "ui-tars"
    path: str = "/v1"
    said: list[str] = field(default_factory=list)

    @property
    def screen(self) -> Screen:
        name = dialect_for("openai", self.model)
        assert name
        return DIALECTS[name].dialect.rule.screen(SCREEN)

    def check(self, asked: Asked) -> None:
        request = asked.json
        assert problems(request, CompletionCreateParamsNonStreaming) == []
        assert "tools" not in request
        messages = request["messages"]
        assert [each["content"] for each in messages if each["role"] == "assistant"] == self.said
        pictures = [
            part["image_url"]["url"] for each in messages for part in _parts(each) if part["type"] == "image_url"
        ]
        most = DIALECTS[dialect_for("openai", self.model)].dialect.images
        assert len(pictures) == min(most, len(self.said) + 1)
        assert {_size(url) for url in pictures} == {self.screen.sent}

    def answer(self, steps: Sequence[Step], number: int) -> Answer:  # noqa: ARG002
        (step,) = steps
        x, y = self.screen.from_page(*step.at)
        self.said.append(self.writes(step, f"{x:g}", f"{y:g}"))
        return openai_reply(self.said[-1])


def _parts(message: dict) -> list[dict]:
    return message["content"] if isinstance(message["content"], list) else []


def _size(url: str) -> tuple[int, int]:
    return picture.size(base64.b64decode(url.partition(",")[2]))


def ui_tars(step: Step, x: str, y: str) -> str:
    calls = {
        "click": f"click(point='<point>{x} {y}</point>')",
        "type": f"type(content={step.text!r})",
        "key": f"hotkey(key='{step.text.lower()}')",
        "scroll": f"scroll(point='<point>{x} {y}</point>', direction='down')",
        "look": f"scroll(point='<point>{x} {y}</point>', direction='up')",
        "end": f"finished(content={step.text!r})",
    }
    return f"Thought: I go on.\nAction: {calls[step.do]}"


def ui_tars_1(step: Step, x: str, y: str) -> str:
    return ui_tars(step, x, y).replace(
        f"point='<point>{x} {y}</point>'", f"start_box='<|box_start|>({x},{y})<|box_end|>'"
    )


def _arguments(step: Step, x: str, y: str) -> dict:
    point = [json.loads(x), json.loads(y)]
    return {
        "click": {"action": "left_click", "coordinate": point},
        "type": {"action": "type", "text": step.text},
        "key": {"action": "key", "keys": [step.text.lower()]},
        "scroll": {"action": "scroll", "coordinate": point, "pixels": -300},
        "look": {"action": "wait", "time": 0},
        "end": {"action": "terminate", "status": "success"},
    }[step.do]


def computer_use(step: Step, x: str, y: str) -> str:
    call = json.dumps({"name": "computer_use", "arguments": _arguments(step, x, y)})
    return f"Action: I go on.\n<tool_call>\n{call}\n</tool_call>"


def xml(step: Step, x: str, y: str) -> str:
    written = [
        (name, value if isinstance(value, str) else json.dumps(value)) for name, value in _arguments(step, x, y).items()
    ]
    inside = "\n".join(f"<parameter={name}>\n{value}\n</parameter>" for name, value in written)
    return f"<tool_call>\n<function=computer_use>\n{inside}\n</function>\n</tool_call>"


def pyautogui(step: Step, x: str, y: str) -> str:
    code = {
        "click": f"pyautogui.click(x={x}, y={y})",
        "type": f"pyautogui.write(message={step.text!r})",
        "key": f"pyautogui.press({step.text.lower()!r})",
        "scroll": f"pyautogui.moveTo(x={x}, y={y})\npyautogui.scroll(-3)",
        "look": "computer.wait(0)",
        "end": "computer.terminate(status='success')",
    }
    return f"## Thought:\nI go on.\n\n## Action:\nGo on.\n\n## Code:\n```python\n{code[step.do]}\n```"


def glm(step: Step, x: str, y: str) -> str:
    calls = {
        "click": f"left_click(start_box='[{x},{y}]', element_info='a field')",
        "type": f"type(content={step.text!r})",
        "key": f"key(keys='{step.text.lower()}')",
        "scroll": f"scroll(start_box='[{x},{y}]', direction='down', step=3, element_info='')",
        "look": "hover(start_box='[1,1]', element_info='')",
        "end": "DONE()",
    }
    return f"I go on.\n<|begin_of_box|>{calls[step.do]}<|end_of_box|>"


MODELS = [
    ("ByteDance-Seed/UI-TARS-1.5-7B", ui_tars),
    ("ByteDance-Seed/UI-TARS-7B-DPO", ui_tars_1),
    ("Qwen/Qwen2.5-VL-7B-Instruct", computer_use),
    ("Qwen/Qwen3-VL-8B-Instruct", computer_use),
    ("Qwen/Qwen3.5-9B", xml),
    ("mPLUG/GUI-Owl-1.5-8B", computer_use),
    ("microsoft/Fara-7B", computer_use),
    ("xlangai/OpenCUA-32B", pyautogui),
    ("moonshotai/Kimi-K2.6", pyautogui),
    ("zai-org/GLM-4.5V", glm),
]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("model", "writes"),
    [
        pytest.param(*each, id=each[0].rpartition("/")[2], marks=[pytest.mark.slow] if each in MODELS[1:] else [])
        for each in MODELS
    ],
)
def test_an_open_model_solves_a_bundled_form(show, tmp_path, model, writes):
    solve_bundled_form(Chat(model, writes), show, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize(("model", "writes"), MODELS[:1] + MODELS[3:4], ids=["UI-TARS", "Qwen3-VL"])
def test_an_open_model_solves_a_bundled_site(shop, tmp_path, model, writes):
    solve_bundled_site(Chat(model, writes), shop, tmp_path)
