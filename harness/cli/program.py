"""The name under which a command was called: ``turkbench score``, or ``python -m harness score``."""

from __future__ import annotations

import sys

from harness.kit.files.installation import called_as, without_caller


def program(command: str) -> str:
    """Return what stands in front of a command's options, for its usage line.

    Args:
        command: Its name, such as ``report`` or ``tasks check``.
    """
    return sys.argv[0] if called_as() else " ".join(["python", *without_caller(command)])
