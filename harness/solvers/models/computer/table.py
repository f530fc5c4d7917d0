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
from harness.solvers.models.computer.dialects.gemini_computer import GeminiComputer
from harness.solvers.models.computer.dialects.openai_computer import OpenAIComputer, OpenAIComputerPreview


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


_GOOGLE = 'Google, "Computer use"; google-gemini/computer-use-preview; google-genai 3.6.1, types.ComputerUse'
_OPENAI = 'OpenAI, "Computer use"; openai 3.57.0, types/responses/computer_*'
_GUIDE = 'Anthropic, "Computer use tool"; anthropic 2.14.0, types/computer_*'
DIALECTS: Mapping[str, KnownDialect] = {
    "openai": KnownDialect(OpenAIComputer(), "openai-responses", r"gpt-(5\.[4-9]|[6-9])", _OPENAI),
    "openai-preview": KnownDialect(OpenAIComputerPreview(), "openai-responses", r"computer-use-preview", _OPENAI),
    "gemini": KnownDialect(GeminiComputer(), "google", r"gemini-(2\.5-computer-use|3|[4-9])", _GOOGLE),
    "anthropic-20260801": KnownDialect(
        AnthropicToolset(LARGE),
        "anthropic",
        r"claude-(opus-(4-8|5)|sonnet-5|haiku-5|fable-5|mythos-5)",
        _GUIDE,
    ),
    "anthropic-20251124": KnownDialect(
        AnthropicTool("computer_20251124", STANDARD, zooms=True),
        "anthropic",
        r"claude-(opus-4-[5-7]|sonnet-4-6)",
        _GUIDE,
    ),
    "anthropic-20250124": KnownDialect(
        AnthropicTool("computer_20250124", STANDARD, zooms=False),
        "anthropic",
        r"claude-(sonnet-4|haiku-4|opus-4|3-7-sonnet)",
        _GUIDE,
    ),
}
"""In the order in which models are looked up."""


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
