"""The name under which a command was called: ``turkbench score``, or ``python -m harness.score``."""

from __future__ import annotations

import sys

from harness.kit.files.command_hints import called_as


def program(module: str) -> str:
    """Return what stands in front of a command's options, for its usage line.

    Args:
        module: The command's module as ``python -m`` is given it.
    """
    return sys.argv[0] if called_as() else f"python -m {module}"
