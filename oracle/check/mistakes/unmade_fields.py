"""Elements of a template that have the name of a field and make none: pure, the text of a template in.

Custom elements make their fields by a script, which may not be there; a control may be of a form that is not there.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from harness.catalog.template.markup import scan

_AMT = "crowd-"
_AMT_FILE = "crowd-html-elements"
_AMT_SCRIPT = f'<script src="https://assets.crowd.aws/{_AMT_FILE}.js"></script>'


@dataclass(frozen=True)
class UnmadeField:
    """An element that makes no field.

    Attributes:
        name: What its field would be called; AMT's elements add a dot and a word to it.
        line: Of the template.
        why: Why it makes none.
        remedy: What to do.
    """

    name: str
    line: int
    why: str
    remedy: str

    def would_be(self, field: str) -> bool:
        """Whether a field of this name would be of this element."""
        return field == self.name or field.startswith(self.name + ".")


def unmade_fields(template: str, fields: Collection[str]) -> Iterator[UnmadeField]:
    """Find the elements that make no field.

    Args:
        template: The text of template.html.
        fields: The names of the fields that its pages have. Where one is a custom element's, their script is there.
    """
    named = [piece for piece in scan(template) if piece.kind == "start" and piece.attributes.get("name")]
    forms = {piece.attributes.get("id") for piece in scan(template) if piece.kind == "start" and piece.name == "form"}
    custom = []
    for piece in named:
        name, form = piece.attributes["name"], piece.attributes.get("form")
        line = template.count("\n", 0, piece.start) + 1
        if "-" in piece.name:
            why = f"<{piece.name}> makes its field by a script, which is not here"
            custom.append(UnmadeField(name, line, why, _script_of(piece.name, template)))
        elif form is not None and form not in forms:
            why = f"its control is of the form {form!r}, and no form has this id, so that it is not sent"
            yield UnmadeField(name, line, why, f'Take form="{form}" out of the control, or give the form this id')
    if not any(each.would_be(field) for each in custom for field in fields):
        yield from custom


def _script_of(element: str, template: str) -> str:
    if not element.startswith(_AMT):
        return f"Write the script that defines <{element}> into the page"
    if _AMT_FILE not in template:
        return f"Write {_AMT_SCRIPT} into the page"
    return "Leave the network at `mirror`, which has a script of its own for AMT's elements, or write one into the page"
