"""Put wanted values into a field with the action of its kind."""

from __future__ import annotations

from collections.abc import Sequence

from harness.actions.result import ActionResult
from harness.browser.form.fields import Field
from harness.catalog.kinds import SETTERS
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
    if field.kind not in SETTERS:
        raise ValueError(f"{field.name!r} is a hidden field")
    value = list(values) if field.kind == "checkbox" or field.multiple else next(iter(values), "")
    done: ActionResult = getattr(act, SETTERS[field.kind])(field.name, value)
    return done
