"""A request that would be sent: for looking at prompts and for reckoning what a run costs."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harness.catalog.kinds import KindName
from harness.kit.text import counted
from harness.models.messages import Image, Part, Reasoning, Request, Text, ToolCall, ToolResult
from harness.models.tokens.counting import Tokens


@dataclass(frozen=True)
class PlannedRequest:
    """A request before it is sent.

    Attributes:
        field: The field that it asks about; empty for a whole form or a website.
        request: The request.
        tokens: Of its texts, pictures and tools, as counted here.
        shrunk: What was left out of the page to keep within the budget, in words.
        kind: Of the task.
    """

    field: str
    request: Request
    tokens: int
    shrunk: tuple[str, ...]
    kind: KindName = "form"

    def text_tokens(self, count: Callable[[str], int]) -> int:
        """Tokens of the texts of its messages by a vocabulary of one's choice; pictures and tools are not counted.

        Args:
            count: Such as ``harness.models.tokens.counting.counter("gpt2")``.
        """
        return sum(count(message.text) for message in self.request.messages)


WHOLE: Mapping[KindName, str] = {"form": "form", "site": "website"}
"""What a request is about that is about no one field."""


def as_json(planned: PlannedRequest, counts: Mapping[str, int]) -> str:
    """The request as one line of JSON.

    Args:
        planned: The request.
        counts: Vocabulary -> tokens of its texts, for those that were asked for.
    """
    record: dict[str, Any] = {"field": planned.field, "tokens": planned.tokens, "left_out": list(planned.shrunk)}
    record |= {"text_tokens": dict(counts)} if counts else {}
    return json.dumps({**record, "request": planned.request.to_json()}, ensure_ascii=False)


def as_text(planned: PlannedRequest, tokens: Tokens, counts: Mapping[str, int]) -> str:
    """The request as people read it.

    Args:
        planned: The request.
        tokens: How its tokens were counted.
        counts: As in ``as_json``.
    """
    request = planned.request
    about = f"field {planned.field!r}" if planned.field else f"the {WHOLE[planned.kind]}"
    head = f"==== {request.model}, {about}: {counted(planned.tokens, 'token')} ({tokens.name})"
    head += "".join(f"; its texts {count:,} ({name})" for name, count in counts.items())
    left_out = [f"left out of the page: {', '.join(planned.shrunk)}"] if planned.shrunk else []
    messages = [
        f"---- {message.role}\n" + "\n".join(_part(part) for part in message.parts) for message in request.messages
    ]
    tools = [f"---- tools\n{json.dumps([dict(tool) for tool in request.tools], ensure_ascii=False, indent=1)}"]
    grammar = [f"---- grammar\n{request.grammar}"] if request.grammar else []
    return "\n".join([head, *left_out, *messages, *(tools if request.tools else []), *grammar])


def _part(part: Part) -> str:
    match part:
        case Text():
            return part.text
        case Image():
            return f"[picture {part.sha256}, {len(part.png):,} bytes]"
        case ToolCall():
            return f"[call {part.id}: {part.name}({json.dumps(dict(part.arguments), ensure_ascii=False)})]"
        case ToolResult():
            return f"[result of {part.id}: {part.text}]"
        case Reasoning():
            return f"[thoughts: {json.dumps([dict(piece) for piece in part.pieces], ensure_ascii=False)}]"


def keep_images(request: Request, folder: Path) -> None:
    """Write the pictures of a request into a folder, named by their SHA-256."""
    folder.mkdir(parents=True, exist_ok=True)
    for message in request.messages:
        for part in message.parts:
            if isinstance(part, Image):
                (folder / f"{part.sha256}.png").write_bytes(part.png)
