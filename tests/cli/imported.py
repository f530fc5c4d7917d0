"""What a command imports, seen in a process of its own."""

from __future__ import annotations

import subprocess
import sys

_PROGRAM = """
import sys
from importlib import import_module
try:
    import_module(sys.argv[1]).main(sys.argv[2:])
except SystemExit:
    pass
print(*sys.modules, file=sys.stderr)
"""


def imported(module: str, *arguments: str) -> set[str]:
    """The packages that are imported when a command is done, which must have printed something."""
    command = [sys.executable, "-c", _PROGRAM, module, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout
    return {name.partition(".")[0] for name in done.stderr.split()}
