"""What to type to complete or to use this copy of the project, be it a checkout or an installed package."""

from __future__ import annotations

import importlib.metadata
import re
import shlex

from harness.files.command_hints import python, shown_path
from harness.files.places import IMPORT_ROOT

PACKAGE = "turkbench"
"""The name of the package, as pyproject.toml has it."""

_OF_EXTRA = re.compile(r"(?P<wanted>[^;]+);\s*extra\s*==\s*['\"](?P<extra>[\w-]+)['\"]")


def installed_version(package: str = PACKAGE) -> str | None:
    """The installed version of a package, by default of the project; None for one that this machine does without."""
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return None


def installing(requirements: str) -> str:
    """Return the command that installs what an optional part needs.

    Args:
        requirements: The file that names it in a checkout, e.g. "requirements-openai.txt". An installed package has no
            such file, but the same requirements as an extra.
    """
    pip = [python(), "-m", "pip", "install"]
    if (file := IMPORT_ROOT / requirements).is_file():
        return shlex.join([*pip, "-r", shown_path(file)])
    extra = requirements.removeprefix("requirements-").removesuffix(".txt")
    found = map(_OF_EXTRA.fullmatch, importlib.metadata.requires(PACKAGE) or ())
    return shlex.join([*pip, *(each["wanted"].strip() for each in found if each and each["extra"] == extra)])
