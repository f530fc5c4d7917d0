"""The name under which a command was called: ``turkbench score``, or ``python -m harness.score``."""

from __future__ import annotations

import sys

CALLERS = ("turkbench", "python -m harness")
"""The console script and its twin, which run the commands as subcommands (``harness.cli.turkbench``)."""


def program(module: str) -> str:
    """Return what stands in front of a command's options, for its usage line.

    Args:
        module: The command's module as ``python -m`` is given it.
    """
    caller, _, _ = sys.argv[0].rpartition(" ")
    return sys.argv[0] if caller in CALLERS else f"python -m {module}"
