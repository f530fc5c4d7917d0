"""How many pictures a provider takes, and how large ones; pictures made smaller and left out to fit."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache

from harness.kit import picture
from harness.models.messages import Image, Message, Text, ToolResult

LEFT_OUT = "(An earlier picture was left out here.)"
_TEXT_BYTES = 2_000_000
"""Of a request, kept free of pictures for all else."""


@dataclass(frozen=True, kw_only=True)
class PictureLimits:
    """What a provider takes in one request; None where it says nothing, or makes pictures smaller itself.

    Attributes:
        count: The most pictures.
        request_bytes: The most bytes of the whole request, pictures in base64.
        picture_bytes: The most bytes of one picture, in base64.
        edge: The longest side of a picture, in pixels.
        many: From how many pictures the other limit of the side holds.
        edge_of_many: The longest side then, in pixels.
        source: The addresses where it is said.
    """

    count: int
    request_bytes: int
    picture_bytes: int | None = None
    edge: int | None = None
    many: int | None = None
    edge_of_many: int | None = None
    source: str

    def side(self, pictures: int) -> int | None:
        """The longest side, in pixels, of each of so many pictures."""
        return self.edge_of_many if self.many is not None and pictures >= self.many else self.edge

    @property
    def room(self) -> int:
        """For pictures, in bytes of base64."""
        return self.request_bytes - _TEXT_BYTES


LIMITS: Mapping[str, PictureLimits] = {
    # Models with a context of more than 200,000 tokens take 600; which those are, the provider's name does not tell.
    "anthropic": PictureLimits(
        count=100,
        request_bytes=32_000_000,
        picture_bytes=10_000_000,
        edge=8000,
        many=21,
        edge_of_many=2000,
        source="https://platform.claude.com/docs/en/build-with-claude/vision (general limits, maximum size)",
    ),
    "openai": PictureLimits(
        count=1500,
        request_bytes=512_000_000,
        source="https://developers.openai.com/api/docs/guides/images-vision (image input requirements)",
    ),
    "google": PictureLimits(
        count=3600,
        request_bytes=100_000_000,
        source="https://ai.google.dev/gemini-api/docs/image-understanding (file limit), "
        "https://ai.google.dev/gemini-api/docs/file-input-methods (inline data)",
    ),
}
"""By provider, as their pages said in 2026."""


def fitted(messages: Sequence[Message], provider: str) -> tuple[tuple[Message, ...], str]:
    """Messages whose pictures a provider takes: too large ones smaller, and the oldest of too many left out.

    Pictures of messages in the provider's own words stay as they are: the model points at them.

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
    edge = limits.side(min(len(pictures), limits.count))
    small = [_smaller(image, edge, limits.picture_bytes) for image in pictures]
    dropped = len(small) - _newest(small, limits)
    shrunk = sum(fit != image for fit, image in zip(small[dropped:], pictures[dropped:], strict=True))
    if not (shrunk or dropped):
        return tuple(messages), ""
    told = []
    if dropped:
        told.append(
            f"the oldest {dropped} of {len(pictures)} pictures left out: the provider takes {limits.count:,}, and "
            f"{limits.request_bytes / 1e6:,g} MB in a request"
        )
    if shrunk:
        most = [f"{edge:,} pixels a side"] if edge else []
        most += [f"{limits.picture_bytes / 1e6:g} MB"] if limits.picture_bytes else []
        told.append(
            f"{shrunk} of {len(pictures)} pictures made smaller, to the {' and '.join(most)} that the provider takes"
        )
    fits: Iterator[Image | None] = iter((*[None] * dropped, *small[dropped:]))
    return tuple(_with(message, fits) for message in messages), "; ".join(told)


def _newest(pictures: Sequence[Image], limits: PictureLimits) -> int:
    """How many of the last pictures a request can hold."""
    room, number = limits.room, 0
    for image in reversed(pictures[-limits.count :]):
        room -= _encoded(image.png)
        if room < 0:
            break
        number += 1
    return number


def _with(message: Message, fits: Iterator[Image | None]) -> Message:
    """A message with the pictures that come next in place of its own; None leaves one out."""

    def fit(part: object) -> object:
        match part:
            case Image():
                return next(fits) or Text(LEFT_OUT)
            case ToolResult():
                images = [next(fits) for _ in part.images]
                text = part.text if all(images) else f"{part.text}\n{LEFT_OUT}".strip()
                return replace(part, text=text, images=tuple(filter(None, images)))
        return part

    parts = tuple(map(fit, message.parts))
    return message if message.native else Message(message.role, parts)  # type: ignore[arg-type]


def _encoded(png: bytes) -> int:
    """Length of the bytes in base64."""
    return -(-len(png) // 3) * 4


@lru_cache(maxsize=64)
def _smaller(image: Image, edge: int | None, most: int | None) -> Image:
    png = image.png if edge is None else picture.within(image.png, edge)
    with suppress(OSError):  # what is no picture is the provider's to refuse
        while most is not None and _encoded(png) > most:
            png = picture.within(image.png, max(picture.size(png)) * 4 // 5)
    return image if png is image.png else Image(png)
