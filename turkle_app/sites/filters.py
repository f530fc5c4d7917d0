"""Filters that the templates of all sites have."""

from __future__ import annotations

from django.template import Library

register = Library()


@register.filter
def euros(cents: int) -> str:
    """An amount of cents as people read it: ``€1,234.50``."""
    return f"€{cents / 100:,.2f}"
