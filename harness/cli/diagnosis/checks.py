"""All that is looked at, in the order in which it is told."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module

from harness.cli.diagnosis.finding import Look

CHECKS = {
    "packages": "harness.cli.diagnosis.package_checks:check_packages",
    "browser": "harness.cli.diagnosis.browser_checks:check_browser",
    "display": "harness.cli.diagnosis.display_checks:check_display",
    "fonts": "harness.cli.diagnosis.display_checks:check_fonts",
    "mirror": "harness.cli.diagnosis.collected_checks:check_mirror",
    "vocabularies": "harness.cli.diagnosis.collected_checks:check_vocabularies",
    "extras": "harness.cli.diagnosis.package_checks:check_extras",
    "programs": "harness.cli.diagnosis.program_checks:check_programs",
    "space": "harness.cli.diagnosis.space_checks:check_space",
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
