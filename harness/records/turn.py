"""One exchange with a model, as an episode keeps it."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from harness.actions.call import ActionCall, ActionError
from harness.actions.result import Step
from harness.kit.files.codec import plain
from harness.kit.text import shorten
from harness.models.client import Exchange
from harness.models.messages import Request, ToolCall, Usage
from harness.records.texts import LONG, packed

MOST_OF_A_REPLY = 20_000
"""Characters of a reply that stand in the episode; of a longer one, its beginning."""


@dataclass(frozen=True)
class Turn:
    """What was sent, what came back, and what was made of it.

    Attributes:
        sent: Request: its name in ``texts/`` without ``.json``; empty if not kept.
        images: Pictures that were sent: names in ``images/``.
        reply: What the model wrote; its first 20,000 characters.
        whole: If ``reply``, ``tool_calls`` or ``thought`` were shortened: the whole reply's name in ``texts/``.
        tool_calls: Tools that it called.
        calls: What was read in the reply, in order: action text, or ``error:`` and the message.
        steps: Its first step, and the one after its last.
        page: Digest of the state of the page that was shown.
        usage: Tokens, as the provider counted; None if nobody did.
        counted_by: How the harness counted them instead; else empty.
        cost: US dollars: 0 for a reply paid before; None if unknown.
        finish: Why the reply ended: ``stop``, ``length``, ``tool_calls``, ``refused``, ``malformed``, or the provider's
            word.
        model: The model that answered, as its provider names it.
        ms: Milliseconds from request to reply, further tries included.
        cached: Whether the reply came from the cache on disk.
        attempts: How often it was sent.
        note: What else to know, such as what was left out to keep a budget.
        likelihood: How likely the reply's tokens were to the model: geometric mean, 0 to 1; None if not told.
        thought: What the model thought, if told; nothing in it is done.
    """

    sent: str = ""
    images: tuple[str, ...] = ()
    reply: str = ""
    whole: str = ""
    tool_calls: tuple[ToolCall, ...] = ()
    calls: tuple[str, ...] = ()
    steps: tuple[int, int] = (0, 0)
    page: str = ""
    usage: Usage | None = None
    cost: float | None = None
    finish: str = ""
    model: str = ""
    ms: float = 0.0
    cached: bool = False
    attempts: int = 1
    note: str = ""
    thought: str = ""
    counted_by: str = ""
    likelihood: float | None = None


ERROR = "error: "
"""Begins what is no action in ``Turn.calls``."""


class TurnRecorder(Protocol):
    """What turns are recorded in: ``harness.episode.trajectory.Trajectory``.

    Attributes:
        steps: The steps so far.
    """

    steps: list[Step]

    def record_turn(self, turn: Turn, texts: Mapping[str, str] = ..., images: Mapping[str, bytes] = ...) -> None:
        """Add a turn."""


class OpenTurn:
    """A turn whose reply is being read and acted on.

    Attributes:
        calls: As in ``Turn``, so far.
        note: As in ``Turn``.
    """

    def __init__(self, note: str = "") -> None:
        self.calls: list[str] = []
        self.note = note

    def read(self, *found: ActionCall | ActionError) -> None:
        """Add what the reply was read as."""
        self.calls += [str(each) if isinstance(each, ActionCall) else f"{ERROR}{each}" for each in found]


@contextlib.contextmanager
def turn_of(
    recorder: TurnRecorder,
    request: Request,
    exchange: Exchange,
    *,
    page: str = "",
    note: str = "",
) -> Iterator[OpenTurn]:
    """A context for reading a reply and acting on it; at its end, however it ends, the turn is recorded.

    The steps that are done within it are the turn's.

    Args:
        recorder: The episode's trajectory.
        request: What was sent.
        exchange: What came back, and what that took.
        page: As in ``Turn``.
        note: As in ``Turn``, to begin with; ``reply.note`` is added to it.
    """
    first, reply = len(recorder.steps), exchange.reply
    opened = OpenTurn("; ".join(filter(None, (note, reply.note))))
    try:
        yield opened
    finally:
        sent, texts = packed(request.to_json())
        images = {image.sha256: image.png for message in request.messages for image in message.images}
        head, calls = reply.text[:MOST_OF_A_REPLY], tuple(map(_short, reply.tool_calls))
        thought = reply.thought[:MOST_OF_A_REPLY]
        whole = ""
        if (head, calls, thought) != (reply.text, reply.tool_calls, reply.thought):
            written = {"text": reply.text, "tool_calls": plain(reply.tool_calls)}
            whole, more = packed({**written, "thought": reply.thought} if thought else written)
            texts |= more
        turn = Turn(
            sent=sent,
            images=tuple(images),
            reply=head,
            whole=whole,
            tool_calls=calls,
            calls=tuple(opened.calls),
            steps=(first, len(recorder.steps)),
            page=page,
            usage=exchange.usage,
            counted_by=exchange.counted_by,
            cost=exchange.cost,
            finish=reply.finish,
            model=reply.model,
            ms=round(exchange.ms, 2),
            cached=exchange.cached,
            attempts=exchange.attempts,
            note=opened.note,
            thought=thought,
            likelihood=reply.likelihood,
        )
        recorder.record_turn(turn, texts, images)


def _short(call: ToolCall) -> ToolCall:
    arguments: Any = _short_texts(call.arguments)
    return ToolCall(call.id, call.name, arguments, shorten(call.malformed, LONG), call.signature)


def _short_texts(value: Any) -> Any:
    match value:
        case str():
            return shorten(value, LONG)
        case Mapping():
            return {key: _short_texts(item) for key, item in value.items()}
        case list() | tuple():
            return [_short_texts(item) for item in value]
    return value
