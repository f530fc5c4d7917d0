"""This copy of the project: where it is, what to type to use or complete it, what its processes are given."""

from __future__ import annotations

import hashlib
import importlib.metadata
import os
import re
import shlex
import shutil
import sys
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Protocol

NAMESPACE = __name__.partition("harness.")[0]
"""What stands before ``harness``, ``oracle`` and ``turkle_app`` in names of modules: nothing in a checkout,
``turkbench.`` in an installed copy, where all that is ours is in one package (``tools/build_hook.py``)."""
PACKAGES = Path(__file__).resolve().parents[3]
"""The folder that holds ``harness``, ``oracle`` and ``turkle_app``: a checkout, or ``site-packages/turkbench``."""
IMPORT_ROOT = PACKAGES.parent if NAMESPACE else PACKAGES
"""The folder that all of these are imported from: a checkout, or ``site-packages``.

A process of ours finds them from whichever folder it is started in if this is its working folder or on its path."""
OURS = ("harness", "oracle", "turkle_app")
"""The packages of the project."""


def is_ours(module: str) -> bool:
    """Whether a module, told by its name, is one of the project."""
    return module.removeprefix(NAMESPACE).partition(".")[0] in OURS and module.startswith(NAMESPACE)


def module_here(name: str) -> str:
    """The name that a module has in this copy, where a checkout and an installed copy call it differently.

    So what was written down by one, such as the solver of a run, is found by the other. Of two packages called
    ``harness``, ours is meant where it has that module.

    Args:
        name: As somebody wrote it, such as ``oracle.floors``, or that with ``turkbench.`` before it.
    """
    bare = name.removeprefix(f"{PACKAGE}.")
    first, *rest = bare.split(".")
    if first not in OURS or not rest:
        return name
    place = PACKAGES.joinpath(first, *rest)
    return f"{NAMESPACE}{bare}" if place.is_dir() or place.with_name(f"{rest[-1]}.py").is_file() else name


def check_system() -> None:
    """End with one line where the operating system is one on which nothing of this can run.

    Raises:
        SystemExit: it is Windows, where locks of files and forked processes are missing.
    """
    if sys.platform == "win32":
        print(
            "error: turkbench runs on Linux and on macOS. On Windows it runs in WSL 2: `wsl --install`, "
            "then install it in there",
            file=sys.stderr,
        )
        raise SystemExit(2)


def _bundled_tasks() -> Path:
    # A checkout has them at its top; a wheel must not bring a top-level package of so common a name.
    installed = PACKAGES / "harness" / "tasks"
    return installed if installed.is_dir() else IMPORT_ROOT / "tasks"


BUNDLED_TASKS = _bundled_tasks()
"""The tasks that come with the project."""
SITE_TASKS = BUNDLED_TASKS / "_sites"
"""Those of them that are on the bundled websites."""


def task_set_name(folder: Path) -> str:
    """What people call a folder of tasks: its own name, or where that is only ``tasks``, that of the one above it."""
    if folder == BUNDLED_TASKS:
        return "bundled tasks"
    return (folder.parent.name if folder.name == "tasks" else folder.name) or str(folder)


def importing_environment() -> dict[str, str]:
    """Our environment for a Python process in whichever folder, which then finds the project's packages."""
    python_path = os.pathsep.join(filter(None, (str(IMPORT_ROOT), os.environ.get("PYTHONPATH"))))
    return {**os.environ, "PYTHONPATH": python_path}


BASIC = ("PATH", "LANG", "LANGUAGE", "LC_ALL", "LC_CTYPE", "TZ", "LD_LIBRARY_PATH")
"""What every process needs: where programs are, and the language that it speaks."""
PYTHON = (
    "HOME", "TMPDIR", "PYTHONPATH", "PYTHONWARNINGS", "PYTHONDONTWRITEBYTECODE", "PYTHONPYCACHEPREFIX", "VIRTUAL_ENV",
    "XDG_CACHE_HOME",
)  # fmt: skip
"""What one of our own Python processes needs besides."""
SCREEN = ("DISPLAY", "XAUTHORITY", "WAYLAND_DISPLAY", "XDG_RUNTIME_DIR", "FONTCONFIG_FILE", "FONTCONFIG_PATH")
"""What a program needs that draws."""


def allowed(names: Iterable[str]) -> dict[str, str]:
    """The variables of our environment that are named and set."""
    return {name: os.environ[name] for name in names if name in os.environ}


OWN_BROWSER = "TURKBENCH_CHROMIUM"
"""The variable of our environment that names the browser's program."""
_BEFORE = "HARNESS"
"""What names of variables of our environment began with before they began with ``TURKBENCH``."""


def variable(name: str) -> str:
    """A variable of our environment, such as ``TURKBENCH_CHROMIUM``; empty if it is not set.

    Its name of before, ``TURKBENCH_CHROMIUM``, is read, too, which is said once.
    """
    before = _before(name)
    if name not in os.environ and before in os.environ:
        _say_renamed(before, name)
        return os.environ[before]
    return os.environ.get(name, "")


def by_both_names(variables: Mapping[str, str]) -> dict[str, str]:
    """Variables for a program from outside, which may have been written when they had their names of before."""
    return {**variables, **{_before(name): value for name, value in variables.items()}}


def _before(name: str) -> str:
    return name.replace(PACKAGE.upper(), _BEFORE, 1)


@cache
def _say_renamed(before: str, name: str) -> None:
    print(f"note: the environment variable {before} is called {name} now", file=sys.stderr)


def cores() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


SCRIPT = "turkbench"
"""The console script, whose subcommands are the commands."""
_TWIN = SCRIPT if NAMESPACE else "harness"
CALLERS = (SCRIPT, f"python -m {_TWIN}")
"""The console script and its twin, which run every command by its name (``harness.cli.turkbench``)."""
_MODULES = {} if NAMESPACE else {"evaluate": "harness.evaluate", "tasks check": "oracle.check", "serve": "turkle_app"}
"""Commands that are also run by a module of their own, in a checkout."""


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
    return ["-m", _MODULES[command]] if command in _MODULES else ["-m", _TWIN, *command.split()]


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


_AT_ONCE = 1 << 18


class Digest(Protocol):
    """A hash that grows, as of ``hashlib``."""

    def update(self, data: bytearray | memoryview, /) -> None:
        """Add some bytes."""


def add_file(digest: Digest, descriptor: int) -> None:
    """Add the bytes of a file to a hash, and leave nothing of them in the memory of this process.

    Memory that is freed keeps what was in it, also in processes that are forked later: here it is wiped first.

    Args:
        digest: The hash.
        descriptor: The file, open to be read.

    Raises:
        OSError: it cannot be read.
    """
    buffer = bytearray(_AT_ONCE)
    view = memoryview(buffer)
    while read := os.readv(descriptor, [buffer]):
        digest.update(view[:read])
    buffer[:] = bytes(len(buffer))


def hash_of_code(sources: Iterable[tuple[str, str]]) -> str:
    """A hash of code of ours, by which is told whether what it has made is still what it would make.

    Args:
        sources: Folders of ``harness``, each with a pattern of file names, which some have.
    """
    digest = hashlib.sha256()
    for folder, pattern in sources:
        files = sorted((PACKAGES / "harness" / folder).glob(pattern))
        assert files, f"no file of {folder} is called {pattern}"  # noqa: S101 - else nothing would be told apart
        for file in files:
            digest.update(code_in(file))
    return digest.hexdigest()


def code_in(file: Path) -> bytes:
    """A file of our code as a checkout has it, so that the same code has the same hash in an installed copy."""
    code = file.read_bytes()
    return re.sub(rf"\b{re.escape(NAMESPACE)}(?=(?:{'|'.join(OURS)})\b)".encode(), b"", code) if NAMESPACE else code


PACKAGE = "turkbench"
"""The name of the package, as pyproject.toml has it."""

_OF_EXTRA = re.compile(r"extra\s*==\s*['\"](?P<extra>[\w-]+)['\"]")


def own_version() -> str:
    """The version of this copy: a checkout's ``pyproject.toml`` has it, and an installed copy says it of itself."""
    said: str = _project()["version"] if is_checkout() else importlib.metadata.version(PACKAGE)
    return said


def installed_version(package: str) -> str | None:
    """The installed version of a package; None for one that this machine does without."""
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return None


def is_checkout() -> bool:
    """Whether this copy is a checkout, which has the files that pip installs from."""
    return not NAMESPACE and (IMPORT_ROOT / "pyproject.toml").is_file()


def _project() -> Mapping[str, Any]:
    import tomllib  # noqa: PLC0415 - read by few commands, and not there in a Python that is too old

    found: Mapping[str, Any] = tomllib.loads((IMPORT_ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return found


def declared() -> Mapping[str, list[str]]:
    """Extra, empty for what every command needs -> requirements, in the words of pip without markers.

    A checkout's ``pyproject.toml`` says so, or what an installed copy says of itself.
    """
    if is_checkout():
        project = _project()
        given = {"": project["dependencies"], **project["optional-dependencies"]}
        return {extra: [line.partition(";")[0].strip() for line in lines] for extra, lines in given.items()}
    found: dict[str, list[str]] = {"": []}
    for line in importlib.metadata.requires(PACKAGE) or ():
        wanted, _, marker = line.partition(";")
        extra = _OF_EXTRA.search(marker)
        found.setdefault(extra["extra"] if extra else "", []).append(wanted.strip())
    return found


def installing(extra: str) -> str:
    """Return the command that installs what an optional part needs.

    Args:
        extra: The name of the extra that has it. In a checkout the project is installed with it, in the versions of its
            lock.
    """
    pip = [python(), "-m", "pip", "install"]
    if not is_checkout():
        return shlex.join([*pip, f"{PACKAGE}[{extra}]"])
    own = IMPORT_ROOT / f"constraints-{extra}.txt"  # of an extra that cannot be installed beside the others
    lock = own if own.is_file() else IMPORT_ROOT / "constraints.txt"
    return shlex.join([*pip, "-c", shown_path(lock), "-e", f"{shown_path(IMPORT_ROOT)}[{extra}]"])


def installing_alone(requirement: str) -> str:
    """Return the command that installs a package without those that it depends on."""
    return shlex.join([python(), "-m", "pip", "install", "--no-deps", requirement])
