"""What a reply of any dialect asks for, in the action library's words, and what came of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from harness.actions.call import ActionCall, ActionError
from harness.models.messages import Image, Reply

WHEEL = 120.0
"""CSS pixels of one click of a mouse wheel, as Chromium scrolls on a desktop (``harness.browser.desktop.xinput``)."""

Box: TypeAlias = tuple[float, float, float, float]


@dataclass(frozen=True)
class Look:
    """A picture is asked for.

    Attributes:
        box: Of this part of the page alone (left, top, right, lower edge, in pixels of the page); None for all of it.
    """

    box: Box | None = None


@dataclass(frozen=True)
class Tell:
    """Something that can be told without doing anything, such as where the pointer is."""

    text: str


Piece: TypeAlias = ActionCall | ActionError | Look | Tell


def press_key(chord: str) -> ActionCall:
    """A chord of keys, as ``harness.solvers.models.computer.keys.chord`` makes it."""
    return ActionCall("press", {"key": chord})


def type_text(text: str) -> ActionCall:
    """A text on the keyboard."""
    return ActionCall("type", {"text": text})


def wait(seconds: float) -> ActionCall:
    """Some seconds without doing anything."""
    return ActionCall("wait", {"seconds": seconds})


@dataclass(frozen=True)
class ComputerCall:
    """One call of a computer tool.

    Attributes:
        id: The provider's name for it.
        name: What the model called.
        pieces: What it asks for, in order; an error among them ends it.
        extra: What only its dialect knows of it.
    """

    id: str
    name: str
    pieces: tuple[Piece, ...]
    extra: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class ReadTurn:
    """What a reply asks for.

    Attributes:
        calls: In order.
        is_end: Whether the work ends with it, by the dialect's own rule.
        answer: What it answers in the end; empty if nothing.
        notes: For the record: safety checks, and how they were answered.
        trouble: Why it holds nothing that could be done, for the model; empty otherwise.
    """

    calls: tuple[ComputerCall, ...] = ()
    is_end: bool = False
    answer: str = ""
    notes: tuple[str, ...] = ()
    trouble: str = ""


@dataclass(frozen=True)
class Outcome:
    """What came of a call.

    Attributes:
        call: The call.
        text: What it did, or why not.
        ok: Whether all of it was done; None if it was not begun, since one before it failed.
        image: The picture that it asked for, or the screen after it, as it is sent; None for none.
        looked: Whether the picture is what it asked for.
    """

    call: ComputerCall
    text: str
    ok: bool | None
    image: Image | None = None
    looked: bool = False


@dataclass(frozen=True)
class DoneTurn:
    """A turn that is over.

    Attributes:
        reply: What the model wrote.
        read: What was read from it.
        outcomes: One for each call.
        screen: The screen after it, as it is sent.
        news: What else is to be told: the tabs that are open, why nothing was done; empty if nothing.
        url: The address that is shown.
    """

    reply: Reply
    read: ReadTurn
    outcomes: Sequence[Outcome]
    screen: Image
    news: str = ""
    url: str = ""
