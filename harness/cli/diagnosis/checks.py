"""All that is looked at, in the order in which it is told."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Literal

State = Literal["ok", "warning", "problem"]
"""``warning``: something that only some commands need is missing, or less safe than it could be; ``problem``: nothing
can be evaluated before it is mended."""
ASK_SECONDS = 15
"""How long another program may take to say how it is."""


@dataclass(frozen=True)
class Look:
    """What was found out about one thing.

    Attributes:
        what: The thing.
        state: How it is.
        words: What was seen.
        remedy: What to do about it; empty where it is ok.
    """

    what: str
    state: State
    words: str
    remedy: str = ""


Check = Callable[[], Iterator[Look]]
"""Looks at one or several things. It needs no network."""


@dataclass(frozen=True)
class Said:
    """What another program said.

    Attributes:
        ok: Whether it ended well.
        text: The first line that it wrote; what it complained of if it did not end well.
    """

    ok: bool
    text: str


def ask(command: Sequence[str]) -> Said | None:
    """Let a program say how it is.

    Args:
        command: Its name, found on ``PATH``, or its path, and arguments.

    Returns:
        What it said; None if there is no such program.
    """
    if not shutil.which(command[0]):
        return None
    try:
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, timeout=ASK_SECONDS, check=False, errors="replace"
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return Said(ok=False, text=str(error))
    text = (done.stdout if done.returncode == 0 else done.stderr or done.stdout).strip()
    return Said(done.returncode == 0, text.partition("\n")[0])


CHECKS = {
    "packages": "harness.cli.diagnosis.package_checks:check_packages",
    "browser": "harness.cli.diagnosis.browser_checks:check_browser",
    "display": "harness.cli.diagnosis.display_checks:check_display",
    "fonts": "harness.cli.diagnosis.display_checks:check_fonts",
    "mirror": "harness.cli.diagnosis.collected_checks:check_mirror",
    "vocabularies": "harness.cli.diagnosis.collected_checks:check_vocabularies",
    "extras": "harness.cli.diagnosis.package_checks:check_extras",
    "programs": "harness.cli.diagnosis.program_checks:check_programs",
    "space": "harness.cli.diagnosis.display_checks:check_space",
}
"""What is looked at -> module and function (a ``Check``). They are imported one by one: a package that one needs may be
what is missing."""


def findings() -> Iterator[Look]:
    """Look at everything, one thing after another."""
    for what, place in CHECKS.items():
        module, _, function = place.partition(":")
        try:
            check = getattr(import_module(module), function)
        except ModuleNotFoundError as error:
            words = f"cannot be looked at: the package {error.name} is not installed"
            yield Look(what, "problem", words, "what stands beside the packages")
            continue
        yield from check()
