"""What of a run's configuration may be published: no key, no password, no path of somebody's machine."""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping
from pathlib import PurePosixPath, PureWindowsPath
from typing import Any
from urllib.parse import urlsplit, urlunsplit

from harness.browser.box.program_options import Programs
from harness.kit.options import names_of
from harness.records.config import option_names
from harness.run.task_kind import task_kind

LEFT_OUT = "(left out)"

_SHARED = (
    "solver",
    "split",
    "tasks",
    "max_instances",
    "seed",
    "solver_seed",
    "limits",
    "network",
    "input",
    "display",  # of entries that were made before it was called input
    "live_clock",
    "visitor",
    "skip_missing_media",
    "exclude_content_warnings",
)
"""Keys of ``run.json``'s ``config`` that decide numbers; paths and the number of workers are not among them."""
_SECRET_NAME = re.compile(r"key|token|secret|passw|credential|auth|cookie", re.IGNORECASE)
_SECRET = re.compile(r"(sk|pk|hf|gh[pousr]|xox[a-z]|glpat|AIza|AKIA|ya29|Bearer)[-_. ]?[A-Za-z0-9_\-]{12,}")
_WINDOWS = re.compile(r"[A-Za-z]:[\\/]")


def public_configuration(config: Mapping[str, Any]) -> dict[str, Any]:
    """What decides a run's numbers, as it may be published.

    Args:
        config: The ``config`` of a ``run.json``.

    Returns:
        The settings that numbers depend on, with ``options``, those of the solver. Of programs the name alone is left,
        of files their name, of addresses neither user nor query; what looks like a key is ``LEFT_OUT``.
    """
    private, programs = option_names(private=True), names_of(Programs)
    options = {name: value for name, value in config.get("options", {}).items() if name not in private}
    shown = {name: _program(value) if name in programs else value for name, value in options.items()}
    names = (*_SHARED, *task_kind(config.get("kind")).published)
    return {**{name: public(config[name]) for name in names if name in config}, "options": public(shown)}


def public(value: Any) -> Any:
    """A JSON value without what should not be published; what is there already without stays as it is."""
    if isinstance(value, Mapping):
        return {
            str(name): LEFT_OUT if isinstance(each, str) and each and _SECRET_NAME.search(str(name)) else public(each)
            for name, each in value.items()
        }
    if isinstance(value, list | tuple):
        return [public(each) for each in value]
    return _text(value) if isinstance(value, str) else value


def _text(text: str) -> str:
    if _SECRET.search(text):
        return LEFT_OUT
    if "://" in text:
        return _address(text)
    path, colon, rest = text.rpartition(":")
    if colon and path.endswith(".py"):  # a solver of one's own: file.py:Class
        return f"{_name(path)}:{rest}"
    return _name(text) if text.startswith(("/", "~", ".")) or _WINDOWS.match(text) else text


def _address(text: str) -> str:
    """An address without user, password, query and fragment."""
    try:
        parts = urlsplit(text)
        host = parts.hostname or ""
        port = f":{parts.port}" if parts.port else ""
    except ValueError:
        return LEFT_OUT
    return urlunsplit((parts.scheme, f"[{host}]{port}" if ":" in host else host + port, parts.path, "", ""))


def _name(path: str) -> str:
    """The last part of a path of any system."""
    return PureWindowsPath(path).name or PurePosixPath(path).name or LEFT_OUT


def _program(command: object) -> str:
    """The name of the program that a command runs; its arguments may hold anything."""
    try:
        words = shlex.split(str(command))
    except ValueError:
        return LEFT_OUT
    return _name(words[0]) if words else LEFT_OUT
