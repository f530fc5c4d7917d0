"""Answers that a page's script writes into fields which nobody can type into, produced by working its widgets."""

from oracle.widgets.widget_registry import write_by_widgets

__all__ = ["write_by_widgets"]
