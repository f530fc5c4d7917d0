"""What is observed and what can be done, as spaces of Gymnasium."""

from __future__ import annotations

import base64
import io
import string
from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from PIL import Image

from harness.actions.call import ActionCall, Literal
from harness.browser.form.fields import Field
from harness.browser.launch import SCREEN

WIDTH, HEIGHT = SCREEN
LONGEST_PAGE = 65_536
"""Characters of a page's text."""
LONGEST_ACTION = 4_096
"""Characters of an action as text."""


class AnyText(spaces.Text):
    """Texts of any characters. ``sample`` draws from those of ASCII that are printed, which are the charset."""

    def __init__(self, longest: int) -> None:
        """Of texts up to a length.

        Args:
            longest: In characters.
        """
        super().__init__(longest, min_length=0, charset=string.printable)

    def contains(self, x: Any) -> bool:
        """Whether it is a text that is not too long."""
        return isinstance(x, str) and len(x) <= self.max_length


class Choices:
    """Fields and options by number: the n-th field of those that the page tells, the n-th option of it."""

    def __init__(self, max_fields: int, max_options: int) -> None:
        """Of forms up to a size; what goes beyond is not offered.

        Args:
            max_fields: Fields.
            max_options: Options of a field.
        """
        self.shape = (max_fields, max_options)

    @property
    def action_space(self) -> spaces.MultiDiscrete:
        """Number of the field and of the option; the field ``max_fields`` stands for Submit."""
        fields, options = self.shape
        return spaces.MultiDiscrete([fields + 1, options])

    @property
    def observation_space(self) -> spaces.Dict:
        """What can be chosen, and what is chosen."""
        return spaces.Dict({"offered": spaces.MultiBinary(self.shape), "held": spaces.MultiBinary(self.shape)})

    def observe(self, names: Sequence[str], fields: Sequence[Field]) -> dict[str, NDArray[np.int8]]:
        """What can be chosen now, and what is chosen.

        Args:
            names: The names of the fields that the page tells, in its order.
            fields: The form's fields as they are now.
        """
        offered, held = np.zeros(self.shape, np.int8), np.zeros(self.shape, np.int8)
        now = {field.name: field for field in fields}
        for row, name in enumerate(names[: self.shape[0]]):
            if (field := now.get(name)) is None:
                continue
            for column, option in enumerate(field.options[: self.shape[1]]):
                offered[row, column] = option.visible and not field.disabled
                held[row, column] = option.value in field.initial
        return {"offered": offered, "held": held}

    def call(self, action: Sequence[int], names: Sequence[str], fields: Sequence[Field]) -> ActionCall | None:
        """The call that an action stands for: to choose an option, of a checkbox to switch it; None if there is none.

        Args:
            action: Of the action space.
            names: As of ``observe``.
            fields: As of ``observe``.
        """
        row, column = map(int, action)
        if row == self.shape[0]:
            return ActionCall("finish", {})
        now = {field.name: field for field in fields}
        field = now.get(names[row]) if row < len(names) else None
        if field is None or column >= len(field.options):
            return None
        value = field.options[column].value
        match field.kind:
            case "checkbox":
                kept: list[Literal] = [each for each in field.values if (each in field.initial) != (each == value)]
                return ActionCall("modify_checkbox", {"name": field.name, "value": kept})
            case "select" if field.multiple:
                return ActionCall("modify_select", {"name": field.name, "value": [value]})
            case "select" | "radio":
                return ActionCall(f"modify_{field.kind}", {"name": field.name, "value": value})
        return None


PICTURE = spaces.Box(0, 255, (HEIGHT, WIDTH, 3), np.uint8)
"""What the screen shows of a page."""


def pixels(picture: str) -> NDArray[np.uint8]:
    """A picture of a page as an array.

    Args:
        picture: PNG in base64.
    """
    with Image.open(io.BytesIO(base64.b64decode(picture))) as image:
        return np.asarray(image.convert("RGB")).copy()
