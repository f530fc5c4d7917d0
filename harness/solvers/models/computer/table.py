"""The dialects of computer use by name, and which of them a model speaks."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from harness.solvers.models.computer.dialect import Dialect
from harness.solvers.models.computer.dialects.anthropic_computer import (
    LARGE,
    STANDARD,
    AnthropicTool,
    AnthropicToolset,
)
from harness.solvers.models.computer.dialects.computer_use import ComputerUse
from harness.solvers.models.computer.dialects.gemini_computer import GeminiComputer
from harness.solvers.models.computer.dialects.openai_computer import OpenAIComputer, OpenAIComputerPreview
from harness.solvers.models.computer.dialects.pyautogui_code import PyAutoGui
from harness.solvers.models.computer.dialects.ui_tars import Glm, UiTars
from harness.solvers.models.computer.screen import ScreenRule, as_wide_as, smart_resize


@dataclass(frozen=True)
class KnownDialect:
    """A dialect.

    Attributes:
        dialect: It.
        provider: Over whose protocol it is spoken.
        models: What the names of models match that speak it.
        source: Where it is described.
    """

    dialect: Dialect
    provider: str
    models: str
    source: str


_PATCHES = smart_resize(28, least=100 * 28**2, most=16_384 * 28**2)
"""Of UI-TARS 1.5, Qwen2.5-VL and OpenCUA: what their servers run, which a picture of this size passes unchanged."""
_GRID = ScreenRule(units=1000.0)
_GOOGLE = 'Google, "Computer use"; google-gemini/computer-use-preview; google-genai 3.6.1, types.ComputerUse'
_OPENAI = 'OpenAI, "Computer use"; openai 3.57.0, types/responses/computer_*'
_ANTHROPIC = 'Anthropic, "Computer use tool"; anthropic 2.14.0, types/computer_*'
_UI_TARS = "bytedance/UI-TARS, action_parser.py and prompt.py, September 2025"
_QWEN = "QwenLM/Qwen3-VL, agent_function_call.py, January 2026; trycua/cua, qwen35.py, August 2026"
_CHAT = "openai"

DIALECTS: Mapping[str, KnownDialect] = {
    "openai": KnownDialect(OpenAIComputer(), "openai-responses", r"gpt-(5\.[4-9]|[6-9])", _OPENAI),
    "openai-preview": KnownDialect(OpenAIComputerPreview(), "openai-responses", r"computer-use-preview", _OPENAI),
    "gemini": KnownDialect(GeminiComputer(), "google", r"gemini-(2\.5-computer-use|3|[4-9])", _GOOGLE),
    "anthropic-20260801": KnownDialect(
        AnthropicToolset(LARGE),
        "anthropic",
        r"claude-(opus-(4-8|5)|sonnet-5|haiku-5|fable-5|mythos-5)",
        _ANTHROPIC,
    ),
    "anthropic-20251124": KnownDialect(
        AnthropicTool("computer_20251124", STANDARD, zooms=True),
        "anthropic",
        r"claude-(opus-4-[5-7]|sonnet-4-6)",
        _ANTHROPIC,
    ),
    "anthropic-20250124": KnownDialect(
        AnthropicTool("computer_20250124", STANDARD, zooms=False),
        "anthropic",
        r"claude-(sonnet-4|haiku-4|opus-4|3-7-sonnet)",
        _ANTHROPIC,
    ),
    "ui-tars-1.5": KnownDialect(UiTars(ScreenRule(_PATCHES), images=5), _CHAT, r"ui-tars-(1\.5|7b-1\.5)", _UI_TARS),
    "ui-tars": KnownDialect(UiTars(_GRID, images=5), _CHAT, r"(ui-tars|doubao-.*ui-tars)", _UI_TARS),
    "gui-owl": KnownDialect(
        ComputerUse(_GRID, images=5), _CHAT, r"gui-owl-1\.5", "X-PLUG/MobileAgent, Mobile-Agent-v3.5, July 2026"
    ),
    "fara-1.5": KnownDialect(
        ComputerUse(ScreenRule(as_wide_as(1440), 1000.0), images=3),
        _CHAT,
        r"fara-?1\.5",
        "ports of microsoft/fara, July 2026",
    ),
    "fara": KnownDialect(
        ComputerUse(ScreenRule(as_wide_as(1440, _PATCHES)), images=3),
        _CHAT,
        r"fara",
        "microsoft/fara, December 2025",
    ),
    "qwen2.5-vl": KnownDialect(ComputerUse(ScreenRule(_PATCHES), images=5), _CHAT, r"qwen2\.5-vl", _QWEN),
    "qwen3-vl": KnownDialect(ComputerUse(_GRID, images=5), _CHAT, r"qwen3(-vl|\.[5-9])", _QWEN),
    "opencua": KnownDialect(
        PyAutoGui(ScreenRule(_PATCHES), images=3), _CHAT, r"opencua", "xlang-ai/OpenCUA, opencua.py, August 2025"
    ),
    "kimi": KnownDialect(
        PyAutoGui(ScreenRule(units=1.0, whole=False), images=3),
        _CHAT,
        r"kimi-k2\.[5-9]",
        "OSWorld-style adapters of Kimi K2.5 and K2.6, 2026",
    ),
    "glm-4.5v": KnownDialect(
        Glm(_GRID, images=5), _CHAT, r"glm-4\.[5-9]v", "zai-org/GLM-V, gui_agent_45v.py, August 2025"
    ),
}
"""In the order in which models are looked up: the first whose pattern the beginning of a name matches."""


def dialect_for(provider: str, model: str) -> str | None:
    """The dialect that a model is known to speak; None if none is.

    Args:
        provider: As in ``harness.models.presets.Preset``.
        model: As in ``harness.models.presets.Preset``.
    """
    name = model.rpartition("/")[2]
    for dialect, known in DIALECTS.items():
        if known.provider == provider and known.models and re.match(known.models, name, re.IGNORECASE):
            return dialect
    return None
