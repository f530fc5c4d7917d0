"""What to type to complete or to use this copy of the project, be it a checkout or an installed package."""

from __future__ import annotations

import importlib.metadata
import re
import shlex
from collections.abc import Mapping

from harness.kit.files.command_hints import python, shown_path
from harness.kit.files.places import IMPORT_ROOT

PACKAGE = "turkbench"
"""The name of the package, as pyproject.toml has it."""

_OF_EXTRA = re.compile(r"extra\s*==\s*['\"](?P<extra>[\w-]+)['\"]")


def installed_version(package: str = PACKAGE) -> str | None:
    """The installed version of a package, by default of the project; None for one that this machine does without."""
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return None


def is_checkout() -> bool:
    """Whether this copy is a checkout, which has the files that pip installs from."""
    return (IMPORT_ROOT / "pyproject.toml").is_file()


def declared() -> Mapping[str, list[str]]:
    """Extra, empty for what every command needs -> requirements, in the words of pip without markers.

    A checkout's ``pyproject.toml`` says so, or what an installed copy says of itself.
    """
    if is_checkout():
        import tomllib  # noqa: PLC0415 - read by few commands, and not there in a Python that is too old

        project = tomllib.loads((IMPORT_ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
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
            lock; elsewhere, where no registry has the project, only what the extra names.
    """
    pip = [python(), "-m", "pip", "install"]
    if not is_checkout():
        return shlex.join([*pip, *declared().get(extra, ())])
    own = IMPORT_ROOT / f"constraints-{extra}.txt"  # of an extra that cannot be installed beside the others
    lock = own if own.is_file() else IMPORT_ROOT / "constraints.txt"
    return shlex.join([*pip, "-c", shown_path(lock), "-e", f"{shown_path(IMPORT_ROOT)}[{extra}]"])


def installing_alone(requirement: str) -> str:
    """Return the command that installs a package without those that it depends on."""
    return shlex.join([python(), "-m", "pip", "install", "--no-deps", requirement])
