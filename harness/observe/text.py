"""The encoding ``text``: what a person reads, line by line, with a mark in brackets for all that can be operated."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from harness.observe.encoding import Encoding, Version, numbers
from harness.observe.layout import caption, choices, lines
from harness.observe.reduce import MORE, rounds, shorten
from harness.observe.snapshot import Node, Snapshot

LONGEST_VALUE = 2000
STATES = {"checked": "chosen", "readonly": "read-only"}
"""What a state is called where the word of HTML is not a reader's."""


class Reading:
    """How this encoding writes elements (a ``harness.observe.layout.LayoutStyle``)."""

    groups = False

    def atom(self, snapshot: Snapshot, place: int, content: str) -> str:
        """A control with its number, kind, field, value and states; a picture with its text."""
        node = snapshot.nodes[place]
        control = node.control
        if not control:
            text = caption(snapshot, place)
            return _mark(node, f"picture {_written(text)}" if text else "picture")
        if control.kind == "button":
            return _mark(node, f"button {_written(content or control.value or '')}")
        words = [control.kind]
        if control.field is not None:
            words.append(_written(control.field))
        if control.value is not None and control.kind != "select":
            words += ["=", _written(shorten(control.value, LONGEST_VALUE))]
        words += [f"({hint})" for hint in (node.get("placeholder"), _scale(node)) if hint]
        mark = " ".join([*words, *_states(node)])
        return _mark(node, mark + (_options(snapshot, place) if node.text == "select" else ""))

    def tags(self, snapshot: Snapshot, place: int) -> tuple[str, str]:
        """A number before what can be pressed, a dash before an item of a list, what a drawing is said to show."""
        node = snapshot.nodes[place]
        if node.text == "svg" and (text := caption(snapshot, place)):
            return _mark(node, f"picture {_written(text)}"), ""
        if node.ref:
            told = node.get("aria-label") or node.get("title") or ""
            return f"[{node.ref}{f' {_written(told)}' if told else ''}] ", ""
        return ("- ", "") if node.text == "li" else ("", "")

    def cells(self, cells: Sequence[str]) -> str:
        """Cells side by side."""
        return " | ".join(cells)


def _scale(node: Node) -> str:
    low, high = node.get("min"), node.get("max")
    return f"{low} to {high}" if low and high else f"from {low}" if low else f"up to {high}" if high else ""


def _mark(node: Node, words: str) -> str:
    return f"[{node.ref} {words}]" if node.ref else f"[{words}]"


def _written(text: str) -> str:
    return json.dumps(" ".join(text.split()) if "\n" not in text else text, ensure_ascii=False)


def _states(node: Node) -> list[str]:
    return [STATES.get(state, state) for state in node.control.states] if node.control else []


def _options(snapshot: Snapshot, select: int) -> str:
    told = []
    for value, text, chosen in choices(snapshot, select):
        words = _written(value) + ("" if text == value else f" {text}") + (" (chosen)" if chosen else "")
        told.append(words)
    if more := snapshot.nodes[select].get(MORE):
        told.append(f"{more} more")
    return f": {'; '.join(told)}"


def render(snapshot: Snapshot) -> str:
    """What a person reads."""
    return "\n".join(lines(snapshot, Reading()))


def versions(snapshot: Snapshot, field: str | None) -> Iterator[Version]:
    """The whole page, then around the fields (``harness.observe.reduce.rounds``)."""
    for left_out, version in rounds(snapshot, field):
        yield Version(render(version), left_out, numbers(version))


TEXT = Encoding("text", versions, numbered=True)
