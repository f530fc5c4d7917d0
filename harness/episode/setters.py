"""Which action fills in which kind of field."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

SETTERS: Mapping[str, str] = MappingProxyType(
    {
        "text": "modify_text",
        "textarea": "modify_text",
        "radio": "modify_radio",
        "checkbox": "modify_checkbox",
        "select": "modify_select",
        "range": "modify_range",
    }
)
"""Kind of field -> the name of the action of ``FieldActions``; a hidden field has none."""
