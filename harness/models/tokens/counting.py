"""Counts of tokens for budgets and limits before a call; what it really cost is known from the reply alone.

Texts are counted with tiktoken. Without the vocabulary of a model's encoding a count is an estimate, and says so
(``Tokens.name``).
"""

from __future__ import annotations

import functools
import json
import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from tiktoken.model import encoding_name_for_model

from harness.kit import picture
from harness.models.messages import Image, Message, Part, Reasoning, Request, Text, ToolResult
from harness.models.providers.provider_table import vendor_of
from harness.models.tokens.vocabulary import FETCH, VOCABULARIES, Vocabulary, VocabularyError, encoding_of, find


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


BYTES_A_TOKEN = 3
"""Of the estimate: UTF-8 bytes a token. HTML pages of the benchmark have 2.9 to 7.5 (o200k_base; median 4.1; 95 % have
more than 3.06), so that the estimate is rather too high, as a limit needs it."""

PIECE = 16_384
"""Characters that are counted at once. tiktoken takes time in the square of a long word and runs out of stack on a
million spaces; each cut adds a token at most, or two."""

REMEMBERED = 128
"""Texts whose count is kept: the same demonstrations stand in all requests of a run, a page in those of its fields."""

MESSAGE_TOKENS, REPLY_TOKENS = 4, 3
"""What a message and the beginning of the reply add (OpenAI Cookbook, "How to count tokens with tiktoken"); others have
not published theirs."""


@dataclass(frozen=True)
class Tokens:
    """Counts tokens for one model.

    Attributes:
        name: How texts are counted: the name of a tiktoken encoding that is the model's own; the same with
            ``(stand-in)`` where the model's own vocabulary is not public; or ``estimate (UTF-8 bytes / 3)``.
        images: How pictures are counted, see ``harness.models.tokens.counting``.
        advice: What would make the count better; empty if nothing.
    """

    name: str
    images: str
    advice: str
    _count: Callable[[str], int]
    _picture: Callable[[int, int], int]

    @property
    def exact(self) -> bool:
        """Whether texts are counted with the model's own vocabulary."""
        return self.name in {vocabulary.name for vocabulary in VOCABULARIES}

    def text(self, text: str) -> int:
        """Tokens of a text."""
        return self._count(text)

    def picture(self, width: int, height: int) -> int:
        """Tokens of a picture of that many pixels, by the provider's published rule."""
        return self._picture(width, height)

    def request(self, request: Request) -> int:
        """Tokens of a whole request."""
        tools = (
            self.text(json.dumps([dict(tool) for tool in request.tools], ensure_ascii=False)) if request.tools else 0
        )
        return sum(map(self.message, request.messages)) + tools + REPLY_TOKENS

    def message(self, message: Message) -> int:
        """Tokens of one message."""
        return MESSAGE_TOKENS + sum(map(self._part, message.parts))

    def _part(self, part: Part) -> int:
        match part:
            case Text():
                return self.text(part.text)
            case Image():
                return self.picture(*picture.size(part.png))
            case ToolResult():
                return self.text(part.text) + sum(map(self._part, part.images))
            case Reasoning():
                return self.text(json.dumps([dict(piece) for piece in part.pieces], ensure_ascii=False))
        return self.text(part.name) + self.text(json.dumps(dict(part.arguments), ensure_ascii=False))


def tokens_for(model: str, provider: str = "openai") -> Tokens:
    """How tokens of a model are counted; the vocabulary is loaded at the first count.

    Args:
        model: The provider's name of the model.
        provider: As in ``harness.models.providers.provider_table``.

    Returns:
        Its counter. Nothing is fetched: where the vocabulary is not in the cache, it is an estimate by name.
    """
    provider = vendor_of(provider)
    own = _own_encoding(model) if provider == "openai" else None
    rule = rule_for(model, provider)
    vocabulary = next(each for each in VOCABULARIES if each.name == (own or VOCABULARIES[0].name))
    if find(vocabulary) is None:
        estimate = f"estimate (UTF-8 bytes / {BYTES_A_TOKEN})"
        return Tokens(estimate, rule.name, f"For better counts: {FETCH}", _estimate, rule.count)
    name = vocabulary.name if own else f"{vocabulary.name} (stand-in)"
    return Tokens(name, rule.name, "", functools.partial(_count, vocabulary), rule.count)


def count(text: str, model: str) -> int:
    """Tokens of a text, see ``tokens_for``."""
    return tokens_for(model).text(text)


def counter(name: str) -> Callable[[str], int]:
    """What counts the tokens of texts by a vocabulary, for no model in particular: ``counter("gpt2")("a text")``.

    Args:
        name: Of one of ``VOCABULARIES``.

    Raises:
        VocabularyError: there is none of that name, or it has not been fetched; there is no estimate in its place.
    """
    named = {vocabulary.name: vocabulary for vocabulary in VOCABULARIES}
    if name not in named:
        raise VocabularyError(f"there is no vocabulary {name!r}; there are {', '.join(named)}")
    if find(named[name]) is None:
        raise VocabularyError(f"the vocabulary {name} is not in the cache; fetch it: {FETCH}")
    return functools.partial(_count, named[name])


def _own_encoding(model: str) -> str | None:
    """The encoding that OpenAI has published for a model, if it is one of ``VOCABULARIES``."""
    try:
        name = encoding_name_for_model(model)
    except KeyError:
        return None
    # gpt-oss's encoding has the same vocabulary, and marks of its own for the frame of a conversation.
    name = "o200k_base" if name == "o200k_harmony" else name
    return name if name in {vocabulary.name for vocabulary in VOCABULARIES} else None


def _estimate(text: str) -> int:
    return -(-len(text.encode("utf-8", "surrogatepass")) // BYTES_A_TOKEN)


@functools.lru_cache(maxsize=REMEMBERED)
def _count(vocabulary: Vocabulary, text: str) -> int:
    encoding = encoding_of(vocabulary)
    return sum(len(encoding.encode_ordinary(text[start : start + PIECE])) for start in range(0, len(text), PIECE))
