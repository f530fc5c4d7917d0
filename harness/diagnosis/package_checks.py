"""Python, and the packages that the project pins."""

from __future__ import annotations

import importlib.metadata
import platform
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from harness.diagnosis.finding import Look
from harness.files.installation import PACKAGE, installed_version, installing
from harness.files.places import IMPORT_ROOT
from harness.text.numbers import counted

OLDEST = (3, 11)
RUNTIME = "requirements.txt"
DEVELOPMENT = frozenset({"dev", "mutants"})
"""Extras of those who change the code."""
_PIN = re.compile(r"(?P<name>[\w.-]+)(?:\[[^]]*\])?\s*(?:==\s*(?P<version>[^\s;]+)|@[^;]*)?(?:\s*;(?P<when>.*))?")
_EXTRA = re.compile(r"extra\s*==\s*['\"]([\w-]+)['\"]")


def check_packages() -> Iterator[Look]:
    """Python itself, and what every command needs."""
    version = platform.python_version()
    if sys.version_info < OLDEST:
        wanted = ".".join(map(str, OLDEST))
        yield Look("Python", "problem", version, f"install Python {wanted} or newer, and make the environment anew")
    else:
        yield Look("Python", "ok", f"{version}, {sys.executable}")
    pins = pinned()
    if wrong := amiss(pins[""]):
        yield Look("packages", "problem", "; ".join(wrong), _remedy())
    else:
        yield Look("packages", "ok", f"{counted(len(pins['']), 'package')}, all of the pinned versions")


def _remedy() -> str:
    """What to do about packages that every command needs."""
    if not (IMPORT_ROOT / RUNTIME).is_file():
        return "install the project again from its checkout"
    if sys.prefix == sys.base_prefix:  # Python of the system, which is not ours to install into
        return "`make evaluate`, which makes an environment with them"
    return f"`{installing(RUNTIME)}`"


def check_extras() -> Iterator[Look]:
    """The extras that are there as a whole, and those of which something is amiss."""
    there, absent = [], []
    for extra, pins in sorted(pinned().items()):
        own = {name: version for name, version in pins.items() if name not in pinned()[""]}
        if not extra or extra in DEVELOPMENT or not own:
            continue
        wrong = amiss(own)
        if not any(installed_version(name) for name in own):
            absent.append(extra)
        elif wrong:
            yield Look(f"extra {extra}", "warning", "; ".join(wrong), f"`{installing(f'requirements-{extra}.txt')}`")
        else:
            there.append(extra)
    words = f"installed: {', '.join(there) or 'none'}; not installed: {', '.join(absent) or 'none'}"
    yield Look("extras", "ok", words)


def pinned() -> dict[str, dict[str, str]]:
    """Extra, empty for what every command needs -> package -> its version; empty for any.

    A checkout's requirements files say so, or what an installed copy says of itself.
    """
    if (IMPORT_ROOT / RUNTIME).is_file():
        files = {"": IMPORT_ROOT / RUNTIME}
        files |= {file.stem.removeprefix("requirements-"): file for file in IMPORT_ROOT.glob("requirements-*.txt")}
        return {extra: dict(_of_file(file)) for extra, file in files.items()}
    found: dict[str, dict[str, str]] = {"": {}}
    for line in importlib.metadata.requires(PACKAGE) or ():
        if pin := _PIN.fullmatch(line):
            extra = _EXTRA.search(pin["when"] or "")
            found.setdefault(extra[1] if extra else "", {})[pin["name"]] = pin["version"] or ""
    return found


def _of_file(file: Path) -> Iterator[tuple[str, str]]:
    for line in file.read_text(encoding="utf-8").splitlines():
        wanted = line.partition(" #")[0].strip()
        # Not other files, nor folders, of whose packages one is as good as another.
        if not wanted.startswith(("-", ".")) and (pin := _PIN.fullmatch(wanted)):
            yield pin["name"], pin["version"] or ""


def amiss(pins: dict[str, str]) -> list[str]:
    """What is wrong with the installed packages, in words.

    Args:
        pins: Package -> its version; empty for any.
    """
    found = {name: installed_version(name) for name in pins}
    missing = [name for name, version in found.items() if version is None]
    others = [
        f"{name} is {version}, not {pins[name]}"
        for name, version in found.items()
        if version is not None and pins[name] not in ("", version)
    ]
    return [*([f"not installed: {', '.join(missing)}"] if missing else []), *others]
