"""The fields that a template itself declares, found without a browser.

The page that a browser shows can have more: fields that script builds, or that stand in a table's values. What is
found here is enough to look a whole task set over in seconds; runs use the fields of the live page
(`harness.browser.form.fields`). It reads the template piece by piece and not with BeautifulSoup: with Python's own
parser that puts an option without an end tag, which HTML allows, around all that follow.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from html import unescape
from itertools import islice, takewhile

from harness.browser.form.fields import Field, Option
from harness.catalog.kinds import NO_FIELDS, Kind, kind_of_control
from harness.catalog.template.markup import Piece, scan

_VARIABLE = "${"


@dataclass
class _Control:
    """What is known of the controls of one name."""

    kind: Kind
    multiple: bool = False
    values: list[str] = field(default_factory=list)


def declared_fields(template: str) -> list[Field]:
    """Find the fields that stand in a template.

    Args:
        template: The text of template.html.

    Returns:
        By first occurrence. Controls whose name holds a variable are left out, and so are the options of a field one
        of whose values does. Visibility and initial values are those of a plain page.
    """
    found: dict[str, _Control] = {}
    for name, kind, value, multiple in _controls(template):
        control = found.setdefault(name, _Control(kind, multiple))
        if control.kind == "hidden" != kind:  # what a person can work decides
            control.kind, control.multiple, control.values = kind, multiple, []
        if control.kind == kind and value is not None and value not in control.values:
            control.values.append(value)
    return [_field(name, control) for name, control in found.items() if name and _VARIABLE not in name]


def _field(name: str, control: _Control) -> Field:
    values = [] if any(_VARIABLE in value for value in control.values) else control.values
    return Field(
        name=name,
        kind=control.kind,
        type=control.kind,
        options=tuple(Option(value, value, visible=True) for value in values),
        visible=control.kind != "hidden",
        disabled=False,
        multiple=control.multiple,
        scale=None,
        initial=(),
    )


def _controls(template: str) -> Iterator[tuple[str, Kind, str | None, bool]]:
    """Name and kind of each control, the value of the option for choices, and whether several can be chosen."""
    select, multiple = "", False
    pieces = list(scan(template))
    for place, piece in enumerate(pieces):
        if piece.kind == "end" and piece.name == "select":
            select = ""
        if piece.kind != "start":
            continue
        attributes = piece.attributes
        name = attributes.get("name", "")
        if piece.name == "input":
            kind = attributes.get("type", "").strip().lower()
            if kind not in NO_FIELDS:
                is_choice = kind in {"radio", "checkbox"}
                yield name, kind_of_control("input", kind), attributes.get("value", "on") if is_choice else None, False
        elif piece.name == "textarea":
            yield name, "textarea", None, False
        elif piece.name == "select":
            select, multiple = name, "multiple" in attributes
            yield name, "select", None, multiple
        elif piece.name == "option" and select:
            # Without the attribute the option's text is its value (HTML standard, section 4.10.10).
            value = attributes["value"] if "value" in attributes else _text(template, islice(pieces, place + 1, None))
            yield select, "select", value, multiple


def _text(template: str, pieces: Iterable[Piece]) -> str:
    """The text up to the next tag, white space collapsed."""
    texts = takewhile(lambda piece: piece.kind not in {"start", "end"}, pieces)
    shown = "".join(template[piece.start : piece.end] for piece in texts if piece.kind == "text")
    return " ".join(unescape(shown).split())
