"""What to type to run a command of this copy of the project: text that works when it is pasted."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from pathlib import Path

SCRIPT = "turkbench"
"""The console script, whose subcommands are the commands."""
CALLERS = (SCRIPT, "python -m harness")
"""The console script and its twin, which run every command by its name (``harness.cli.turkbench``)."""
_MODULES = {"evaluate": "harness.evaluate", "tasks check": "oracle.check", "serve": "turkle_app"}
"""Commands that are also run by a module of their own."""


def called_as() -> str:
    """The one of ``CALLERS`` by which this process was started; empty if it was a command's own module.

    ``harness.cli.turkbench`` leaves it in front of the command's name.
    """
    return next((caller for caller in CALLERS if sys.argv[0].startswith(f"{caller} ")), "")


def without_caller(command: str) -> list[str]:
    """What follows ``python`` to run a command where the console script was not typed.

    Args:
        command: Its name, such as ``report`` or ``tasks check``.
    """
    return ["-m", _MODULES[command]] if command in _MODULES else ["-m", "harness", *command.split()]


def to_type(command: str, *words: str | Path) -> str:
    """Return what runs a command, in the way in which this process was started and with its interpreter.

    Args:
        command: Its name, such as ``report`` or ``tasks check``.
        words: Its arguments, which are quoted as a shell needs it; a path is told from the working folder if it is
            in there.
    """
    arguments = [word if isinstance(word, str) else shown_path(word) for word in words]
    if called_as() == SCRIPT and (script := _script()):
        start = [_as_found(script), *command.split()]
    else:
        start = [python(), *without_caller(command)]
    return shlex.join([*start, *arguments])


def python() -> str:
    """What to type for this interpreter: its name if it is found by that, else its path."""
    return _as_found(Path(sys.executable or "python3"))


def shown_path(path: Path) -> str:
    """A path as it is told: from the working folder if it is in there."""
    relative = os.path.relpath(path)
    return str(path) if relative.startswith(os.pardir) else relative


def _script() -> Path | None:
    """The console script: the file that was started, or that beside the interpreter; None if there is neither."""
    # A process of our own, such as a worker, was not started by the script, and comes from beside it.
    places = (*map(Path, sys.orig_argv[1:2]), Path(sys.executable).with_name(SCRIPT))
    return next((each.absolute() for each in places if each.name == SCRIPT and each.is_file()), None)


def _as_found(program: Path) -> str:
    """A program's name if a shell finds that very file by it, else its path."""
    found = shutil.which(program.name)
    # Not resolved: the interpreters of environments are links to the same file.
    if found and Path(found).absolute() == program:
        return program.name
    path = shown_path(program)
    return path if os.sep in path else f"{os.curdir}{os.sep}{path}"
