"""Passwords that a person types while recorded: known as long as that lasts, so that they are written nowhere."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any
from urllib.parse import quote, quote_plus

from harness.catalog.trace import ElementMark
from harness.sites.recording.recorded_step import NOT_RECORDED, PersonAct

SHORTEST = 4
"""Characters of a password that is looked for in addresses and texts: what is shorter stands in too many by chance."""


class SecretWords:
    """The passwords of one recording."""

    def __init__(self) -> None:
        self._by_field: dict[tuple[int, str, str], str] = {}

    def learn(self, act: PersonAct) -> None:
        """Take down what a password field holds; each further character makes it anew."""
        if act.secret and act.element and act.value:
            self._by_field[act.tab, act.url, act.element.css] = act.value

    def without(self, text: str) -> str:
        """A text with no password in it, be it as it is or as an address writes it."""
        for word in sorted(set(self._by_field.values()), key=len, reverse=True):
            if len(word) >= SHORTEST:
                for form in {word, quote(word), quote(word, safe=""), quote_plus(word)}:
                    text = text.replace(form, NOT_RECORDED)
        return text

    def cleaned(self, act: PersonAct) -> PersonAct:
        """An act with no password in it."""
        value = None if act.value is None else NOT_RECORDED if act.secret else self.without(act.value)
        element = act.element and self._cleaned_mark(act.element)
        return replace(act, url=self.without(act.url), label=self.without(act.label), element=element, value=value)

    def _cleaned_mark(self, mark: ElementMark) -> ElementMark:
        attributes: Mapping[str, Any] = {name: self.without(value) for name, value in mark.attributes.items()}
        return replace(mark, css=self.without(mark.css), text=self.without(mark.text), attributes=attributes)
