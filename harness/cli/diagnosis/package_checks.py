"""Python, and the packages that the project needs."""

from __future__ import annotations

import platform
import re
import sys
from collections.abc import Iterable, Iterator

from harness.cli.diagnosis.checks import Look
from harness.kit.files.installation import declared, installed_version, installing, is_checkout
from harness.kit.text import counted

OLDEST = (3, 11)
DEVELOPMENT = frozenset({"dev", "mutants"})
"""Extras of those who change the code."""
_NAME = re.compile(r"[\w.-]+")


def check_packages() -> Iterator[Look]:
    """Python itself, and what every command needs."""
    version = platform.python_version()
    if sys.version_info < OLDEST:
        wanted = ".".join(map(str, OLDEST))
        yield Look("Python", "problem", version, f"install Python {wanted} or newer, and make the environment anew")
        return
    yield Look("Python", "ok", f"{version}, {sys.executable}")
    needed = declared()[""]
    if wrong := amiss(needed):
        yield Look("packages", "problem", "; ".join(wrong), _remedy())
    else:
        yield Look("packages", "ok", f"{counted(len(needed), 'package')}, all of versions that are supported")


def _remedy() -> str:
    """What to do about packages that every command needs."""
    if not is_checkout():
        return "install the project again from its checkout"
    if sys.prefix == sys.base_prefix:  # Python of the system, which is not ours to install into
        return "`make evaluate`, which makes an environment with them"
    return f"`{installing('desktop')}`"


def check_extras() -> Iterator[Look]:
    """The extras that are there as a whole, and those of which something is amiss."""
    if sys.version_info < OLDEST:  # which reads no TOML, and is to be replaced with all that is installed for it
        return
    there, absent = [], []
    for extra, needed in sorted(declared().items()):
        if not extra or extra in DEVELOPMENT:
            continue
        if not any(installed_version(_name(each)) for each in needed):
            absent.append(extra)
        elif wrong := amiss(needed):
            yield Look(f"extra {extra}", "warning", "; ".join(wrong), f"`{installing(extra)}`")
        else:
            there.append(extra)
    words = f"installed: {', '.join(there) or 'none'}; not installed: {', '.join(absent) or 'none'}"
    yield Look("extras", "ok", words)


def amiss(needed: Iterable[str]) -> list[str]:
    """What is wrong with the installed packages, in words.

    Args:
        needed: Requirements in the words of pip, without markers.
    """
    missing, others = [], []
    for each in needed:
        name = _name(each)
        version = installed_version(name)
        if version is None:
            missing.append(name)
        elif wanted := _other_than(each, version):
            others.append(f"{name} is {version}, not {wanted}")
    return [*([f"not installed: {', '.join(missing)}"] if missing else []), *others]


def _name(requirement: str) -> str:
    found = _NAME.match(requirement)
    return found[0] if found else requirement


def _other_than(requirement: str, version: str) -> str:
    """The versions that a requirement allows, if this is none of them; else empty."""
    try:
        from packaging.requirements import Requirement  # noqa: PLC0415 - the doctor is asked before it is installed, too
    except ImportError:
        return ""
    allowed = Requirement(requirement).specifier
    return "" if allowed.contains(version, prereleases=True) else str(allowed)
