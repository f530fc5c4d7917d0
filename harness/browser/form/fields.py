"""The fields of a form as the live page has them: native inputs, fields built by script, fields inside CSV values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from harness.catalog.kinds import Kind
from harness.catalog.labels import one_answer
from harness.kit.files.codec import typed


@dataclass(frozen=True)
class Option:
    """One choice of a radio group, checkbox group or select.

    Attributes:
        value: What the form sends.
        text: What a person reads beside it.
        visible: Whether a person can see and press it.
    """

    value: str
    text: str
    visible: bool


@dataclass(frozen=True)
class Field:
    """The controls of one name in the answer form.

    Attributes:
        name: The controls' name.
        kind: One of ``KINDS``, by the controls that a person can work; ``hidden`` if there is none.
        type: The input's own type (``number``, ``date``, ...), or the kind; ``submit`` of buttons of which the one that
            is pressed is the answer, and the element's name of a custom element that holds a hidden field's value.
        options: In page order; empty unless the kind is a choice. A checkbox with one option is a lone box.
        visible: Whether any of its controls can be seen.
        disabled: Whether all of its controls are disabled; a disabled control sends nothing.
        multiple: Whether several options of a select can be chosen.
        scale: Lowest value, highest value and step of a range (step 0: any value goes); None for other kinds.
        initial: The values that the controls hold when the page has loaded; of radio buttons with a text box what is
            written there, if anything is.
        open: Whether a text box of the same name stands beside its boxes or radio buttons ("other: which?"): a value
            that is none of the options goes in there.
    """

    name: str
    kind: Kind
    type: str
    options: tuple[Option, ...]
    visible: bool
    disabled: bool
    multiple: bool
    scale: tuple[int | float, int | float, int | float] | None
    initial: tuple[str, ...]
    open: bool = False

    @property
    def values(self) -> tuple[str, ...]:
        """The options' values, in page order."""
        return tuple(option.value for option in self.options)

    @property
    def has_other(self) -> bool:
        """Whether its one answer is an option or else what is written beside them."""
        return self.open and self.kind == "radio"

    def answered(self, values: Iterable[str]) -> tuple[str, ...]:
        """What values sent under its name come to: one answer if it ``has_other``, else themselves."""
        return tuple(filter(None, [one_answer(values, self.values)])) if self.has_other else tuple(values)

    @property
    def is_custom(self) -> bool:
        """Whether a custom element holds it, which is worked by what is inside."""
        return self.kind == "hidden" and "-" in self.type

    @property
    def submits(self) -> bool:
        """Whether its options are buttons, of which the one that is pressed submits the form."""
        return self.type == "submit"


class HasFields(Protocol):
    """A browser with a page open (``harness.browser.browser.Browser``)."""

    def run(self, function: str, *arguments: object) -> Any:
        """Call a function of the in-page library."""


def find_fields(browser: HasFields) -> list[Field]:
    """The fields of the open page's answer form, in page order, as they are now."""
    return typed([_told(record) for record in browser.run("fields.list")], list[Field])


def _told(record: Mapping[str, Any]) -> dict[str, Any]:
    """What the page says of a field, as a ``Field`` is written: the parts of its scale have no names there."""
    scale = record["scale"]
    return {**record, "scale": scale and [scale["low"], scale["high"], scale["step"]]}
