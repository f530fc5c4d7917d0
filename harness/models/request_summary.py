"""What a request asks of a provider, told where it was refused: its size, and what not every model takes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Self

from harness.kit import picture
from harness.kit.options import view
from harness.kit.text import counted
from harness.models.asking_options import PresetChange
from harness.models.messages import Request, Text, ToolResult


@dataclass(frozen=True)
class RequestSummary:
    """The size and the features of a request.

    Attributes:
        tokens: Of its input, as counted here.
        characters: Of its texts.
        messages: How many it has.
        pictures: Width and height of each picture, in pixels.
        tools: Tools that it offers.
        features: What else is sent that a server may not take, in words.
    """

    tokens: int
    characters: int
    messages: int
    pictures: tuple[tuple[int, int], ...] = ()
    tools: int = 0
    features: tuple[str, ...] = ()

    @classmethod
    def of(cls, request: Request, tokens: int) -> Self:
        """Of a request with so many tokens."""
        parts = [part for message in request.messages for part in message.parts]
        return cls(
            tokens,
            sum(len(part.text) for part in parts if isinstance(part, Text | ToolResult)),
            len(request.messages),
            tuple(picture.size(image.png) for message in request.messages for image in message.images),
            len(request.tools),
            tuple(_features(request)),
        )

    def __str__(self) -> str:
        size = f"about {counted(self.tokens, 'token')} ({counted(self.characters, 'character')})"
        parts = [f"{size} in {counted(self.messages, 'message')}"]
        if self.pictures:
            sizes = dict.fromkeys(f"{width} x {height}" for width, height in self.pictures)
            parts.append(f"{counted(len(self.pictures), 'picture')} ({', '.join(sizes)} pixels)")
        if self.tools:
            parts.append(counted(self.tools, "tool"))
        return ", ".join([*parts, *self.features])

    def advice(self, options: Mapping[str, Any]) -> str:
        """What to try, as far as a solver with these options can ask otherwise.

        Args:
            options: Of the run.
        """
        tries = []
        asked = view(PresetChange, options)
        if self.pictures and asked.vision is not None:
            tries.append("--no-vision, if the model takes no pictures")
        if self.tools and asked.output == "tools":
            tries.append("--output text, if it calls no tools")
        if asked.max_input_tokens is not None:
            tries.append(f"--max-input-tokens with less than {self.tokens}, if its context is smaller")
        return "; ".join([*tries, "another --model, or a server that takes such requests"])


def _features(request: Request) -> Iterator[str]:
    if request.temperature is not None:
        yield f"temperature {request.temperature:g}"
    if request.seed is not None:
        yield f"seed {request.seed}"
    if request.stop:
        yield counted(len(request.stop), "stop text")
    if request.grammar is not None:
        yield "a grammar"
    yield f"at most {counted(request.max_tokens, 'token')} of answer"
