"""What a person did, as it was heard, and the step of a trace that is made of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from harness.catalog.site_facts import KeyNode
from harness.catalog.trace import ElementMark, TraceAction
from harness.kit.text import shorten

ActKind = Literal[
    "click", "hover", "input", "change", "key", "moved", "opened", "closed", "goto", "go_back", "go_forward", "reload"
]
NOT_RECORDED = "(not recorded)"
"""Stands wherever a password would."""
_SAID = 60


@dataclass(frozen=True, kw_only=True)
class PersonAct:
    """Something that happened in the recorded browser.

    Attributes:
        kind: ``click``, ``hover``, ``input`` (an element was written in or set), ``change`` (a drop-down list shows
            something else), ``key``; ``moved`` (a tab shows another address, because of what was done before),
            ``opened``, ``closed`` (a tab); and what the person asked of the browser itself: ``goto``, ``go_back``,
            ``go_forward``, ``reload``.
        tab: The number of the tab.
        url: The tab's address; of ``moved`` and of what was asked of the browser the one that it came to.
        element: What was acted on; None if nothing was.
        label: What a person calls that.
        control: ``text``, ``list``, ``slider`` or ``other``.
        value: What the element holds then, the text that a list shows, the key; None if it holds nothing.
        secret: Whether that is a password.
        by_page: Of ``opened`` and ``closed``: whether a page did it.
        idle: Of ``click``: whether nothing says that the element is there to be pressed.
        picture: The name of a picture of the page before it; empty for none.
    """

    kind: ActKind
    tab: int = 0
    url: str = ""
    element: ElementMark | None = None
    label: str = ""
    control: str = "other"
    value: str | None = None
    secret: bool = False
    by_page: bool = False
    idle: bool = False
    picture: str = ""


@dataclass(frozen=True, kw_only=True)
class RecordedStep:
    """A step of the trace to be.

    Attributes:
        number: By which it is known while it is recorded; never another step's.
        do: As in ``TraceStep``.
        element: As in ``TraceStep``; of a key also what had the focus.
        value: As in ``TraceStep``.
        url: Where its tab was before.
        after: Where that is since.
        tab: The number of the tab.
        label: What a person calls the element.
        control: As in ``PersonAct``.
        held: What the element held afterwards; None if nothing.
        secret: Whether a password was written.
        focused: Of a key: whether the element has the focus already, so that the step need not go there.
        picture: The name of a picture of the page before it; empty for none.
        nodes: The key nodes that were put on it.
    """

    number: int
    do: TraceAction
    element: ElementMark | None = None
    value: str = ""
    url: str = ""
    after: str = ""
    tab: int = 0
    label: str = ""
    control: str = "other"
    held: str | None = None
    secret: bool = False
    focused: bool = False
    picture: str = ""
    nodes: tuple[KeyNode, ...] = ()

    @property
    def words(self) -> str:
        """What was done, for people."""
        what = f"“{shorten(self.label, _SAID)}”" if self.label else (self.element.tag if self.element else "")
        value = "a password" if self.secret else f"“{shorten(self.value, _SAID)}”"
        match self.do:
            case "click":
                return f"Click {what}"
            case "hover":
                return f"Point at {what}"
            case "fill":
                return f"Write {value} into {what}"
            case "fill_search":
                return f"Write {value} into {what} and press Enter"
            case "select_option":
                return f"Choose {value} in {what}"
            case "press":
                return f"Press {self.value}"
            case "goto":
                return f"Go to {shorten(self.value, _SAID)}"
            case "new_tab" | "switch_tab" | "close_tab":
                verb = {"new_tab": "Open a new tab", "switch_tab": "Go to tab", "close_tab": "Close tab"}[self.do]
                return f"{verb} {self.value}".strip()
            case "finish":
                return f"Answer {value}"
        return {"go_back": "Go back", "go_forward": "Go forward", "reload": "Load the page anew"}[self.do]
