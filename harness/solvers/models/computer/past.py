"""What is left out of a conversation that holds too many pictures, or is too long."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from harness.models.messages import Image, Message, Part, Text, ToolResult

Turn = tuple[Message, ...]
Note = Mapping[str, Any] | None
LEFT_OUT = Text("(an older screenshot, left out)")


def in_budget(turns: Sequence[Turn], room: int, count: Callable[[Message], int]) -> Sequence[Turn]:
    """The last turns that fit, and always the very last one.

    A turn goes as a whole: a result without its call, or a call without its thought, is refused.

    Args:
        turns: All of them.
        room: Tokens.
        count: Tokens of a message.
    """
    sizes = [sum(map(count, turn)) for turn in turns]
    first = len(turns) - 1
    left = room - sizes[first]
    while first and sizes[first - 1] <= left:
        first -= 1
        left -= sizes[first]
    return turns[first:]


def with_last_pictures(messages: Sequence[Message], most: int | None, instead: Note) -> tuple[Message, ...]:
    """A conversation with its last pictures alone.

    Args:
        messages: The conversation.
        most: How many; None for all.
        instead: As of ``in_place_of_picture`` of ``harness.solvers.models.computer.dialect.Dialect``.
    """
    if most is None:
        return tuple(messages)
    made: list[Message] = []
    left = most
    for message in reversed(messages):
        count = len(message.images)
        # All pictures of a message or none: they were taken together.
        made.append(message if count <= left else _insteads(message, instead))
        left = max(0, left - count)
    return tuple(reversed(made))


def _insteads(message: Message, instead: Note) -> Message:
    parts: list[Part] = []
    for part in message.parts:
        match part:
            case Image():
                parts.append(LEFT_OUT)
            case ToolResult():
                parts.append(replace(part, images=()))
            case _:
                parts.append(part)
    return Message(message.role, tuple(parts), tuple(_cleared(each, instead) for each in message.native))


def _cleared(value: Any, instead: Note) -> Any:
    match value:
        case Mapping():
            return {key: _cleared(item, instead) for key, item in value.items()}
        case list() | tuple():
            kept = [instead if _is_picture(item) else _cleared(item, instead) for item in value]
            return [item for item in kept if item is not None]
    return value


def _is_picture(value: Any) -> bool:
    return isinstance(value, Mapping) and bool({"source", "inline_data"} & set(value))
