"""The kinds of fields, and the sets of them that are treated alike."""

from __future__ import annotations

from typing import Literal

Kind = Literal["text", "textarea", "radio", "checkbox", "select", "range", "hidden"]
KINDS: tuple[Kind, ...] = ("text", "textarea", "radio", "checkbox", "select", "range", "hidden")
"""``text`` stands for every typed one-line input: number, date, e-mail, ..."""
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
