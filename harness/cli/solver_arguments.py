"""The arguments of solvers: what a user leaves open, the solver or its preset decides."""

from __future__ import annotations

import argparse
from typing import Any

from harness.episode.solver import NoOptions
from harness.kit.arguments import add_options
from harness.kit.options import names_of
from harness.records.config import known_options, option_names


def add_solver_arguments(parse: argparse.ArgumentParser) -> None:
    """Add the options of all solvers that have a name; none has a default here."""
    for record in known_options():
        add_options(parse, record)


def options_of(arguments: argparse.Namespace, own: type[Any] = NoOptions) -> dict[str, Any]:
    """The options that were given, as JSON holds them.

    Args:
        arguments: The parsed command line.
        own: The record of a solver without a name, whose options were added, too.
    """
    names = dict.fromkeys([*option_names(argument=True), *names_of(own, argument=True)])
    found = {name: getattr(arguments, name) for name in names}
    return {name: value for name, value in found.items() if value is not None}
