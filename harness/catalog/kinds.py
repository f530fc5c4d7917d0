"""The kinds of fields, the sets of them that are treated alike, and the table of the kinds of tasks."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Literal

from harness.kit.registry import Registry, registry

Kind = Literal["text", "textarea", "radio", "checkbox", "select", "range", "hidden"]
KINDS: tuple[Kind, ...] = ("text", "textarea", "radio", "checkbox", "select", "range", "hidden")
"""``text`` stands for every typed one-line input: number, date, e-mail, ..."""
SETTERS: Mapping[Kind, str] = MappingProxyType(
    {
        "text": "modify_text",
        "textarea": "modify_text",
        "radio": "modify_radio",
        "checkbox": "modify_checkbox",
        "select": "modify_select",
        "range": "modify_range",
    }
)
"""Kind of field -> the name of the action that fills it in; a hidden field has none."""
TYPED = frozenset({"text", "textarea"})
"""Kinds that a person types into."""
TEXTS = TYPED | {"hidden"}
"""Kinds whose value is any text."""
VOTES = frozenset({"radio", "select"})
"""Kinds of which a worker gives one option."""
CHOICES = VOTES | {"checkbox"}
"""Kinds whose answers are options."""
NO_FIELDS = frozenset({"submit", "button", "image", "reset", "file"})
"""Types of inputs that hold no answer."""


def kind_of_control(element: str, type_: str) -> Kind:
    """The kind of field that a control makes, as its markup says it.

    Args:
        element: ``input``, ``textarea`` or ``select``.
        type_: The type of an ``input``, in lower case, none of ``NO_FIELDS``; empty where it has none.
    """
    if element == "textarea":
        return "textarea"
    if element == "select":
        return "select"
    match type_:
        case "radio" | "checkbox" | "range" | "hidden":
            return type_
    return "text"


KindName = str
"""The name of a kind of task, as a ``task.json`` has it."""
FORM: KindName = "form"
"""The kind of a task that says nothing of it: one page whose fields are scored."""

TASK_KINDS: Registry[Any] = registry("task_kinds")
"""Name -> ``harness.run.task_kind.TaskKind``, which stands above this folder."""
