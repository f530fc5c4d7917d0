"""The encoding ``simplified``: short HTML of what can be operated or read.

After AutoWebGLM (Lai et al., KDD 2024): elements stay that can be operated or carry text, wrappers are merged into what
they hold, and what can be operated gets a short id. A wrapper around several lines with a control stays, since it shows
what belongs together.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from harness.observe.encoding import Encoding, Version, numbers
from harness.observe.html import escape, quoted
from harness.observe.layout import caption, choices, lines
from harness.observe.reduce import MORE, rounds, shorten
from harness.observe.snapshot import Node, Snapshot

TAGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6", "li", "tr", "td", "th", "legend", "summary", "caption", "dt"})
"""Elements whose tag is kept without an id: it tells what the text is."""
TELLING = ("placeholder", "title", "aria-label", "min", "max", "step", "maxlength", "pattern", "role")
"""Attributes of what can be operated that say what it is for and what it takes."""
LONGEST_ATTRIBUTE = 200
LONGEST_VALUE = 2000


class Simplified:
    """How this encoding writes elements (a ``harness.observe.layout.LayoutStyle``)."""

    groups = True

    def atom(self, snapshot: Snapshot, place: int, content: str) -> str:
        """A control with its id, type, name, value and states; a picture with its text."""
        node = snapshot.nodes[place]
        control = node.control
        if not control:
            return _picture(snapshot, place)
        if control.kind == "button":
            shown = content or control.value or ""
            return f"<button{_id(node)}{_states(node)}{_telling(node)}>{escape(shown)}</button>"
        named = f' name="{quoted(control.field)}"' if control.field else ""
        if node.text == "select":
            options = "".join(
                f"<option{'' if value == text else _pair('value', value)}{' selected' if chosen else ''}>{escape(text)}"
                for value, text, chosen in choices(snapshot, place)
            )
            more = f"<!-- {node.get(MORE)} more -->" if node.get(MORE) else ""
            return f"<select{_id(node)}{named}{_states(node)}{_telling(node)}>{options}{more}</select>"
        value = shorten(control.value or "", LONGEST_VALUE)
        if node.text == "textarea":
            return f"<textarea{_id(node)}{named}{_states(node)}{_telling(node)}>{escape(value)}</textarea>"
        type_ = (node.get("type") or "text").lower()
        held = _pair("value", value) if value or control.kind in ("radio", "checkbox") else ""
        return f'<input{_id(node)} type="{quoted(type_)}"{named}{held}{_states(node)}{_telling(node)}>'

    def tags(self, snapshot: Snapshot, place: int) -> tuple[str, str]:
        """Tags of what can be operated, and of what says by its tag what it is; others are merged away."""
        node = snapshot.nodes[place]
        if node.text == "svg" and caption(snapshot, place):
            return _picture(snapshot, place), ""
        if node.ref:
            return f"<{node.text}{_id(node)}{_states(node)}{_telling(node)}>", f"</{node.text}>"
        return (f"<{node.text}>", f"</{node.text}>") if node.text in TAGS else ("", "")

    def cells(self, cells: Sequence[str]) -> str:
        """Cells have tags of their own."""
        return "".join(cells)


def _picture(snapshot: Snapshot, place: int) -> str:
    node = snapshot.nodes[place]
    text = caption(snapshot, place)
    return f"<{node.text}{_id(node)}{_pair('alt', text) if text else ''}>"


def _id(node: Node) -> str:
    return f" id={node.ref}" if node.ref else ""


def _states(node: Node) -> str:
    return "".join(f" {state}" for state in node.control.states) if node.control else ""


def _telling(node: Node) -> str:
    return "".join(_pair(name, value) for name in TELLING if (value := node.get(name)))


def _pair(name: str, value: str) -> str:
    return f' {name}="{quoted(shorten(value, LONGEST_ATTRIBUTE) if name in TELLING else value)}"'


def render(snapshot: Snapshot) -> str:
    """The page in simplified HTML, a line a paragraph."""
    title = f"<title>{escape(snapshot.title)}</title>\n" if snapshot.title else ""
    return title + "\n".join(lines(snapshot, Simplified()))


def versions(snapshot: Snapshot, field: str | None) -> Iterator[Version]:
    """The whole page, then around the fields (``harness.observe.reduce.rounds``)."""
    for left_out, version in rounds(snapshot, field):
        yield Version(render(version), left_out, numbers(version))


SIMPLIFIED = Encoding("simplified", versions, numbered=True)
