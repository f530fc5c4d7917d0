"""Options of ``serve`` that decide which apps Django starts: they have to be known before it is set up."""

from __future__ import annotations

import argparse
import contextlib
import os
from collections.abc import Sequence


def take_early_options(arguments: Sequence[str]) -> None:
    """Put what the arguments of ``serve`` say of its apps into the environment, where the settings look for it.

    What is wrong with the arguments is said later, when all of them are read.

    Args:
        arguments: Those behind the name of the command.
    """
    parser = argparse.ArgumentParser(add_help=False, exit_on_error=False)
    parser.add_argument("--runs")
    parser.add_argument("--agent", action="store_true")
    with contextlib.suppress(argparse.ArgumentError):
        options, _ = parser.parse_known_args(list(arguments))
        if options.runs:
            os.environ["TURKLE_RUNS_DIR"] = options.runs
        if options.agent:
            os.environ["TURKLE_AGENT_MODE"] = "1"
