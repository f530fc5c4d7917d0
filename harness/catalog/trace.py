"""A trace: how a goal was reached, step by step, by a person, a program or an agent; ``trace.json`` of a site task."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from harness.catalog.problems import Problem
from harness.catalog.site_reading import fault_of_path
from harness.kit.files.codec import Malformed, decode
from harness.kit.files.inside import ForeignFile, read_inside
from harness.kit.text import shorten

TRACE = "trace.json"
"""The file of a task's reference trace."""
TraceAction = Literal[
    "goto",
    "go_back",
    "go_forward",
    "reload",
    "click",
    "hover",
    "fill",
    "fill_search",
    "select_option",
    "press",
    "new_tab",
    "switch_tab",
    "close_tab",
    "finish",
]

_OF_TABS = frozenset({"switch_tab", "close_tab"})


@dataclass(frozen=True, kw_only=True)
class ElementMark:
    """By what an element is known again.

    Attributes:
        css: A CSS selector that finds it alone.
        xpath: The same as XPath; empty if not known.
        tag: Its tag, in small letters.
        text: What it says, shortened to 200 characters.
        attributes: Those that tell it from others: id, name, type, value, href, role, aria-label, placeholder, title.
    """

    css: str
    xpath: str = ""
    tag: str = ""
    text: str = ""
    attributes: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class TraceStep:
    """One step.

    Attributes:
        do: What is done.
        element: To what; None if to none.
        value: The text, the option's text, the key, the address, the number of the tab (from 0), or the answer.
        url: Where the page was before it.
        nodes: The key nodes that are met once it is done, by their place in the task's list.
        picture: File name of a picture of the page before it, beside ``trace.json``; empty for none.
        note: For people.
    """

    do: TraceAction
    element: ElementMark | None = None
    value: str = ""
    url: str = ""
    nodes: tuple[int, ...] = ()
    picture: str = ""
    note: str = ""


@dataclass(frozen=True, kw_only=True)
class Trace:
    """A way to the goal.

    Attributes:
        goal: As it was told.
        start: Where it begins.
        steps: In order.
        made_by: Who or what made it, in words, e.g. ``a person``, ``the task's author``.
        variant: The layout of the bundled site that it was made on; empty for the usual one.
    """

    goal: str
    start: str
    steps: tuple[TraceStep, ...]
    made_by: str = ""
    variant: str = ""


def tab_number(value: str) -> int | None:
    """The number of the tab that a step's value names; None if it names none, such as one that nobody ever opens."""
    return int(value) if re.fullmatch(r"[0-9]{1,6}", value) else None


def read_trace(folder: Path, nodes: int) -> tuple[Trace | None, list[Problem]]:
    """Read the reference trace of a task.

    Args:
        folder: The task's folder; its name is the task's.
        nodes: How many key nodes the task has.

    Returns:
        The trace, variables and all; None if there is none or it cannot be used, and what is wrong with it.
    """
    file = folder / TRACE

    def wrong(at: str | None, what: str, remedy: str) -> tuple[None, list[Problem]]:
        return None, [Problem(folder.name, file, None, at, what, remedy)]

    try:
        trace = decode(read_inside(folder, TRACE), Trace)
    except FileNotFoundError:
        return None, []
    except ForeignFile as error:
        return wrong(None, f"the trace is not read: {error}", "Put the file itself into the folder of the task")
    except OSError as error:
        return wrong(None, f"the trace cannot be read: {error.strerror}", "Check the file and its permissions")
    except Malformed as error:
        return wrong(None, f"it is no trace: {error}", "Correct the file, or remove it")
    for number, step in enumerate(trace.steps):
        if strange := [node for node in step.nodes if not 0 <= node < nodes]:
            what = f"there is no key node {strange[0]}: the task has {nodes}, counted from 0"
            return wrong(f"steps[{number}].nodes", what, "Correct the number")
        if step.element and (why := fault_of_path(step.element.css, "css")):
            return wrong(f"steps[{number}].element.css", why, "Correct the path")
        if step.do in _OF_TABS and step.value and "${" not in step.value and tab_number(step.value) is None:
            what = f"{shorten(step.value, 40)!r} is the number of no tab"
            return wrong(f"steps[{number}].value", what, "Give the tab's number, from 0 in the order they were opened")
    return trace, []
