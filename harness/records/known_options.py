"""The options of all solvers that have a name, as records of runs have them."""

from __future__ import annotations

from typing import Any

from harness.kit.options.option import NamedOption, names_of, options_in
from harness.kit.registry.loading import load

_OPTIONS = (
    "harness.solvers.solver_options:ModelOptions",
    "harness.papers.mind2web.mindact_options:MindActOptions",
    "harness.solvers.solver_options:OfflineOptions",
    "harness.solvers.solver_options:HumanOptions",
    "harness.solvers.solver_options:McpOptions",
)
"""Dotted paths of the records of options of these solvers, which name them in a light module of their own."""


def known_options() -> tuple[type[Any], ...]:
    """The records of options of the solvers that have a name."""
    return tuple(map(load, _OPTIONS))


def solver_options() -> tuple[NamedOption, ...]:
    """Their options, each once."""
    found: dict[str, NamedOption] = {}
    for record in known_options():
        for each in options_in(record):
            found.setdefault(each.name, each)
    return tuple(found.values())


def option_names(**about: Any) -> tuple[str, ...]:
    """The names of their options.

    Args:
        **about: Only those of which ``harness.kit.options.option.Option`` has these attributes.
    """
    return tuple(dict.fromkeys(name for record in known_options() for name in names_of(record, **about)))
