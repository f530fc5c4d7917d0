"""How large pictures may be that a provider takes, and pictures made smaller to fit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from harness.kit import picture
from harness.models.messages import Image, Message, ToolResult


@dataclass(frozen=True)
class PictureLimits:
    """What a provider takes.

    Attributes:
        edge: The longest side of a picture, in pixels.
        many: From how many pictures in one request the other limit holds.
        edge_of_many: The longest side then, in pixels.
        source: Where it is said.
    """

    edge: int
    many: int
    edge_of_many: int
    source: str


LIMITS: Mapping[str, PictureLimits] = {
    "anthropic": PictureLimits(8000, 21, 2000, "Anthropic, Vision, general limits (November 2026)"),
}
"""By provider; OpenAI and Google make large ones smaller themselves ("Images and vision", "Image understanding")."""


def fitted(messages: Sequence[Message], provider: str) -> tuple[tuple[Message, ...], str]:
    """Messages whose pictures a provider takes.

    Args:
        messages: The conversation.
        provider: As in ``harness.models.providers.provider_table``.

    Returns:
        The messages, and what was done to their pictures; empty if nothing was.
    """
    limits = LIMITS.get(provider)
    pictures = [image for message in messages for image in message.images]
    if limits is None or not pictures:
        return tuple(messages), ""
    edge = limits.edge_of_many if len(pictures) >= limits.many else limits.edge
    small = {image.sha256: _smaller(image, edge) for image in pictures}
    shrunk = sum(small[each.sha256] is not each for each in pictures)
    if not shrunk:
        return tuple(messages), ""
    note = f"{shrunk} of {len(pictures)} pictures made smaller, to the {edge:,} pixels a side that the provider takes"
    return tuple(_with(message, small) for message in messages), note


def _with(message: Message, small: Mapping[str, Image]) -> Message:
    def fit(part: object) -> object:
        match part:
            case Image():
                return small[part.sha256]
            case ToolResult():
                return replace(part, images=tuple(small[each.sha256] for each in part.images))
        return part

    if message.native:  # its pictures are those that the model points at
        return message
    return Message(message.role, tuple(map(fit, message.parts)))  # type: ignore[arg-type]


@lru_cache(maxsize=64)
def _smaller(image: Image, edge: int) -> Image:
    png = picture.within(image.png, edge)
    return image if png is image.png else Image(png)
