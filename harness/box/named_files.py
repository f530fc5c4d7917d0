"""What a command names: the files of a program and the environment of its interpreter, for a box to show."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

_MOST_LINKS = 40


def named_files(command: Sequence[str]) -> list[Path]:
    """What a program needs so that it can be started, as far as its command tells.

    Args:
        command: The program and its arguments.

    Returns:
        Absolute paths: the program, what its links lead to, the interpreter in its first line, the environments of
        Python and Node in which these lie, and the arguments that are files. No folder that is an argument, which may
        hold anything.
    """
    found: list[Path] = []
    program = shutil.which(command[0]) if command else None
    for place in _programs(program):
        found += [place, *_environment(place)]
    found += [Path(word).absolute() for word in command[1:] if _is_file(word)]
    return list(dict.fromkeys(found))


def environment_of(program: str) -> list[Path]:
    """The program and the environment in which it lies."""
    return [each for place in _programs(program) for each in (place, *_environment(place))]


def _programs(program: str | None) -> Iterator[Path]:
    """A program, each place to which its links lead, and the same for its interpreter."""
    if program is None:
        return
    place = Path(program).absolute()
    for _ in range(_MOST_LINKS):
        yield place
        if not place.is_symlink():
            break
        place = Path(os.path.normpath(place.parent / place.readlink()))
    yield Path(os.path.realpath(program))
    with suppress(OSError), Path(program).open("rb") as file:
        if file.read(2) == b"#!":
            words = file.readline(1_000).decode("utf-8", "replace").split()
            if words and words[0] != program:
                yield from _programs(words[0])


def _environment(program: Path) -> Iterator[Path]:
    """The environment in whose ``bin`` a program lies."""
    above = program.parent.parent
    signs = (above / "pyvenv.cfg", above / "conda-meta", above / "lib" / "node_modules")
    if program.parent.name == "bin" and (any(each.exists() for each in signs) or any(above.glob("lib/python3*/os.py"))):
        yield above


def _is_file(word: str) -> bool:
    try:
        return Path(word).is_file()
    except (OSError, ValueError):  # such as a prompt, which is no name of a file
        return False
