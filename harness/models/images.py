"""How many tokens a picture is, by each provider's published rule."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial


@dataclass(frozen=True)
class Rule:
    """A rule for the tokens of pictures.

    Attributes:
        name: For records.
        count: Tokens by width and height in pixels.
    """

    name: str
    count: Callable[[int, int], int]


def rule_for(model: str, provider: str) -> Rule:
    """The rule of a model; for a model without a published one, a rule that counts rather too much.

    Args:
        model: The provider's name of the model.
        provider: As in ``harness.models.providers.provider_table``.
    """
    rules = {"openai": _OPENAI, "anthropic": _ANTHROPIC, "google": _GOOGLE}.get(provider, {})
    for prefix in sorted(rules, key=len, reverse=True):
        if model.startswith(prefix):
            return rules[prefix]
    return _OTHER


def tiles(width: int, height: int, *, base: int, tile: int) -> int:
    """OpenAI's older rule: fit into 2048 x 2048, then the shorter side to 768, then count tiles of 512 x 512.

    Source: OpenAI, "Images and vision", "Calculating costs", detail ``high``.
    """
    scale = min(1.0, 2048 / max(width, height))
    scale = min(scale, 768 / min(width, height))
    # A tenth of a pixel less: 2048 * (768 / 2048) must not begin another tile.
    across, down = (max(1, math.ceil(side * scale / 512 - 1e-4)) for side in (width, height))
    return base + tile * across * down


def patches(width: int, height: int, *, side: int, most: int, edge: int = 0, factor: float = 1.0) -> int:
    """Patches of ``side`` x ``side`` pixels, after the picture was made smaller until there are ``most`` at most.

    Sources: OpenAI, "Images and vision" (32 pixels); Anthropic, "Vision" (28 pixels; its older rule, width * height /
    750, gives about the same).

    Args:
        width: Pixels.
        height: Pixels.
        side: Of a patch, in pixels.
        most: Patches.
        edge: The longest edge in pixels before the picture is made smaller; 0 for any.
        factor: Tokens a patch.
    """
    scale = min(1.0, edge / max(width, height)) if edge else 1.0
    count = math.ceil(width * scale / side) * math.ceil(height * scale / side)
    return math.ceil(min(count, most) * factor)


def gemini_tiles(width: int, height: int) -> int:
    """Gemini 2's rule: 258 tokens if both sides are 384 pixels at most, else 258 for each tile of 768 x 768.

    Source: Google, "Understand and count tokens". The tiles are cut in steps of the shorter side / 1.5, between 256 and
    768 pixels.
    """
    if max(width, height) <= 384:
        return 258
    step = min(max(math.floor(min(width, height) / 1.5), 256), 768)
    return 258 * math.ceil(width / step) * math.ceil(height / step)


def _tiles(base: int, tile: int) -> Rule:
    return Rule(f"tiles of 512 pixels, {base} + {tile} each", partial(tiles, base=base, tile=tile))


def _patches(side: int, most: int, edge: int = 0, factor: float = 1.0) -> Rule:
    name = f"patches of {side} pixels, {most} at most" + (f", x {factor:g}" if factor != 1 else "")
    return Rule(name, partial(patches, side=side, most=most, edge=edge, factor=factor))


# The factor since gpt-5.4 is what the provider counted for pictures of ten sizes (image-token-cost, Hugging Face);
# for gpt-5 itself, whose rule is of tiles, it is rather too much.
_OPENAI = {
    "gpt-4": _tiles(85, 170),
    "chatgpt-4o": _tiles(85, 170),
    "gpt-4o-mini": _tiles(2833, 5667),
    "gpt-4.1-mini": _patches(32, 1536, factor=1.62),
    "gpt-4.1-nano": _patches(32, 1536, factor=2.46),
    "gpt-5": _patches(32, 10_000, factor=1.2),
    "gpt-6": _patches(32, 20_000, factor=1.2),
    "o1": _tiles(75, 150),
    "o3": _tiles(75, 150),
    "o4-mini": _patches(32, 1536, factor=1.72),
}
# Models since 4.7 take pictures of up to 2576 pixels; a name that is not listed counts as one of them.
_ANTHROPIC = {
    "claude": _patches(28, 4784, edge=2576),
    "claude-2": _patches(28, 1568, edge=1568),
    "claude-3": _patches(28, 1568, edge=1568),
    "claude-haiku-4": _patches(28, 1568, edge=1568),
    "claude-sonnet-4": _patches(28, 1568, edge=1568),
    "claude-opus-4-1": _patches(28, 1568, edge=1568),
    "claude-opus-4-5": _patches(28, 1568, edge=1568),
    "claude-opus-4-6": _patches(28, 1568, edge=1568),
}
_GOOGLE = {
    "gemini-": Rule("1120 a picture", lambda _width, _height: 1120),
    "gemini-1": Rule("tiles of 768 pixels, 258 each", gemini_tiles),
    "gemini-2": Rule("tiles of 768 pixels, 258 each", gemini_tiles),
}
# Of open models with published code, Qwen2-VL (28 x 28 pixels a token, any size) makes the most of a screenshot.
_OTHER = _patches(28, 16_384)
