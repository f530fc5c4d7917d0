"""From a template and a row's values to the page that a browser gets."""

from harness.catalog.template.instantiation import instantiate, placeholders, render, variables

__all__ = ["instantiate", "placeholders", "render", "variables"]
