"""Options of ``serve`` that decide which apps Django starts: they have to be known before it is set up."""

from __future__ import annotations

import argparse
import contextlib
import os
from collections.abc import Sequence

_OF_ANNOTATION = frozenset({"annotators", "copilot", "results"})
"""Commands that are there only where annotation is on."""


def take_early_options(command: str, arguments: Sequence[str]) -> None:
    """Put what a command line says of the apps that it needs into the environment, where the settings look for it.

    What is wrong with the arguments is said later, when all of them are read.

    Args:
        command: The name of the command.
        arguments: Those behind it.
    """
    if command in _OF_ANNOTATION:
        os.environ["TURKLE_ANNOTATION"] = "1"
    parser = argparse.ArgumentParser(add_help=False, exit_on_error=False)
    parser.add_argument("--runs")
    parser.add_argument("--record")
    parser.add_argument("--agent", action="store_true")
    parser.add_argument("--annotate", action="store_true")
    parser.add_argument("--database")
    with contextlib.suppress(argparse.ArgumentError):
        options, _ = parser.parse_known_args(list(arguments))
        if options.runs:
            os.environ["TURKLE_RUNS_DIR"] = options.runs
        if options.record:
            os.environ["TURKLE_RECORD_DIR"] = options.record
        if options.agent:
            os.environ["TURKLE_AGENT_MODE"] = "1"
        if options.annotate:
            os.environ["TURKLE_ANNOTATION"] = "1"
        if options.database:
            os.environ["DATABASE_URL"] = options.database
