"""What a program needs of this machine, as far as its command tells: its files, its folder and its environment."""

from __future__ import annotations

import itertools
import os
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from harness.browser.box.hidden_places import shared_roots
from harness.kit.files.installation import IMPORT_ROOT
from harness.kit.files.writing import data_folder

_MOST_LINKS = 40
_PARTS = ("bin", "lib", "lib64", "libexec", "include", "share", "etc", "ssl", "pyvenv.cfg", "conda-meta")
"""What belongs to an environment in the folder that it shares with whatever lies there besides."""
_SCRIPTS = frozenset(
    {".py", ".pyz", ".js", ".mjs", ".cjs", ".ts", ".mts", ".sh", ".rb", ".pl", ".php", ".lua", ".jl", ".r", ".jar"}
)
"""How the names of programs end that another program runs."""
_OF_NODE = ("node_modules", "package.json")
"""Where Node looks for a program's modules, and for how to read them, in the program's folder and in those above."""
_VARIABLES = ("PYTHONPATH", "NODE_PATH", "LD_LIBRARY_PATH", "SSL_CERT_FILE", "SSL_CERT_DIR")
"""Variables that say where modules, libraries and certificates are."""


def environments_of(command: Sequence[str], environment: Mapping[str, str]) -> list[Path]:
    """The programs on PATH that a command names, with the environments in which they lie.

    Args:
        command: The program and its arguments, of which one may be a program, too: ``timeout 60 python agent.py``.
        environment: Its variables.

    Returns:
        Absolute paths: each program, what its links lead to, the interpreter in its first line, and the parts of the
        environments of Python and Node in which these lie.
    """
    path = environment.get("PATH")
    words = (*command[:1], *(word for word in command[1:] if "/" not in word))
    found = filter(None, (shutil.which(word, path=path) for word in words))
    return list(dict.fromkeys(place for program in found for place in environment_of(program, path)))


def named_files(command: Sequence[str], environment: Mapping[str, str]) -> list[Path]:
    """What a program needs beside the environments of its interpreters.

    Args:
        command: The program and its arguments.
        environment: Its variables.

    Returns:
        Absolute paths: the folder of the program, be it the first word or what that word runs; arguments that are
        files; modules of Node beside and above the program and the working folder; what variables name. No folder that
        is an argument, which may hold anything.
    """
    own = [Path(os.path.realpath(each)) for each in _own(command)]
    found = [Path(word).absolute() for word in command[1:] if _is_file(word)]
    found += map(folder_of, own)
    found += [above / name for start in (*own, Path.cwd() / "x") for above in start.parents for name in _OF_NODE]
    named = [Path(word) for name in _VARIABLES for word in environment.get(name, "").split(os.pathsep) if word]
    found += [place.absolute() for place in named if place.is_file() or not is_wide(place)]
    return list(dict.fromkeys(found))


def environment_of(program: str, path: str | None = None) -> list[Path]:
    """The program and the environment in which it lies.

    Args:
        program: Its path.
        path: Where the interpreter in its first line is looked for; None for our own PATH.
    """
    return [each for place in _programs(program, path) for each in (place, *_environment(place))]


def folder_of(program: Path) -> Path:
    """The folder of a program, or the program alone where that folder holds more than programs (``is_wide``)."""
    return program if is_wide(program.parent) else program.parent


def is_wide(folder: Path) -> bool:
    """Whether a folder is, or holds, the home of our user, the project or what all users share."""
    return any(each.is_relative_to(folder.resolve()) for each in (Path.home().resolve(), IMPORT_ROOT, *shared_roots()))


def _own(command: Sequence[str]) -> Iterator[str]:
    """Files of the program itself: the first word, if it is a path, and the first script or module among the others."""
    if command and "/" in command[0]:
        yield command[0]
    for before, word in itertools.pairwise(command):
        found = _module(word) if before == "-m" else word if _is_file(word) and _is_script(Path(word)) else ""
        if found:
            yield found
            return


def _module(name: str) -> str:
    """The file of a module of Python that lies in the working folder; empty if it does not."""
    top = name.partition(".")[0]
    return next(filter(_is_file, (f"{top}/__init__.py", f"{top}/__main__.py", f"{top}.py")), "")


def _is_script(file: Path) -> bool:
    return file.suffix.lower() in _SCRIPTS or bool(_first_line(file))


def _programs(program: str, path: str | None) -> Iterator[Path]:
    """A program, each place to which its links lead, and the same for its interpreter."""
    place = Path(program).absolute()
    for _ in range(_MOST_LINKS):
        yield place
        if not place.is_symlink():
            break
        place = Path(os.path.normpath(place.parent / place.readlink()))
    yield Path(os.path.realpath(program))
    # The first line of a script may name `env`, and that the interpreter.
    for word in _first_line(Path(program)):
        if (interpreter := shutil.which(word, path=path)) and interpreter != program:
            yield from _programs(interpreter, path)


def _first_line(script: Path) -> list[str]:
    """The words in which the first line of a script names its interpreter; none if it names none."""
    with suppress(OSError), script.open("rb") as stream:
        if stream.read(2) == b"#!":
            return stream.readline(1_000).decode("utf-8", "replace").split()
    return []


def _environment(program: Path) -> Iterator[Path]:
    """The environment in whose ``bin`` a program lies: its parts, but not where its user's own data are.

    Of a program that stands in for one of several versions (``~/.pyenv/shims/python``), all versions.
    """
    above = program.parent.parent
    if program.parent.name == "shims":
        yield above
    signs = (above / "pyvenv.cfg", above / "conda-meta", above / "lib" / "node_modules")
    if program.parent != above / "bin" or above == Path("/"):
        return
    if any(each.exists() for each in signs) or any(above.glob("lib/python3*/os.py")):
        data = (data_folder().parent, Path.home() / ".local" / "share")
        yield from (part for name in _PARTS if (part := above / name) not in data and part.exists())


def _is_file(word: str) -> bool:
    try:
        return Path(word).is_file()
    except (OSError, ValueError):  # such as a prompt, which is no name of a file
        return False
