"""Collecting what pages ask for from the web and the registries into the mirror in the user's cache."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from harness.catalog.mirror.building.build import Builder, BuildOutcome, WantedAddress
from harness.catalog.mirror.building.origin import Origin
from harness.catalog.mirror.building.packages import RegistryPackages
from harness.catalog.mirror.store import Store
from harness.kit.text.numbers import counted

_BAD = frozenset({"missing", "refused"})


def collect(wanted: Iterable[WantedAddress], say: Callable[[BuildOutcome], None]) -> list[BuildOutcome]:
    """Collect addresses; those that are there already are left alone. May be interrupted at any point.

    Args:
        wanted: The addresses.
        say: Is told what became of each, as soon as that is known.

    Raises:
        harness.catalog.mirror.store.MirrorError: Another build is under way, or the index cannot be read.
        OSError: The cache cannot be written.
    """
    with tempfile.TemporaryDirectory(prefix="mirror-") as folder:
        return Builder(Store.default(), RegistryPackages(Path(folder)), Origin(), say).build(wanted)


def lacking(outcomes: Iterable[BuildOutcome]) -> list[BuildOutcome]:
    """Those that a page is sure to ask for, and that could not be had."""
    return [each for each in outcomes if each.state in _BAD and each.wanted.sure]


def summary(outcomes: Sequence[BuildOutcome]) -> str:
    """What became of all of them, on a line."""
    states = Counter(each.state for each in outcomes)
    certainty = Counter(each.record.status for each in outcomes if each.record)
    parts = [f"{count} {state}" for state, count in states.most_common()]
    sure = ", ".join(f"{count} {status}" for status, count in certainty.most_common())
    of_sure = f" ({sure})" if sure else ""
    return f"{counted(len(outcomes), 'address', 'addresses')}: {', '.join(parts)}{of_sure}; in {Store.default().folder}"
