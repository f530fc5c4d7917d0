"""Put wanted values into a field with the action of its kind."""

from __future__ import annotations

from collections.abc import Sequence

from harness.actions.result import ActionResult
from harness.browser.form.fields import Field
from harness.episode.library import Actions


def fill(act: Actions, field: Field, values: Sequence[str]) -> ActionResult:
    """Make ``field`` hold ``values``.

    Args:
        act: The actions on its page.
        field: Any field but a hidden one, which no action can write.
        values: One value, or any number for checkboxes and multiple selects; none clears a text.

    Raises:
        ValueError: the field is hidden.
    """
    first = values[0] if values else ""
    match field.kind:
        case "text" | "textarea":
            return act.modify_text(field.name, first)
        case "radio":
            return act.modify_radio(field.name, first)
        case "checkbox":
            return act.modify_checkbox(field.name, list(values))
        case "select":
            return act.modify_select(field.name, list(values) if field.multiple else first)
        case "range":
            return act.modify_range(field.name, first)
        case "hidden":
            raise ValueError(f"{field.name!r} is a hidden field")
