"""Counts of tokens for budgets and limits before a call; what it really cost is known from the reply alone.

Texts are counted with tiktoken. Without the vocabulary of a model's encoding a count is an estimate, and says so
(``Tokens.name``).
"""

from __future__ import annotations

import functools
import json
from collections.abc import Callable
from dataclasses import dataclass

from tiktoken.model import encoding_name_for_model

from harness.kit import picture
from harness.models.images import rule_for
from harness.models.messages import Image, Message, Part, Reasoning, Request, Text, ToolResult
from harness.models.providers.provider_table import vendor_of
from harness.models.tokens.vocabulary import FETCH, VOCABULARIES, Vocabulary, VocabularyError, encoding_of, find

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
        images: How pictures are counted, see ``harness.models.images``.
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
