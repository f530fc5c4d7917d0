"""What the templates of task folders ask for, as far as it can be mirrored."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path

from harness.catalog.mirror.addresses import key
from harness.catalog.mirror.building.build import WantedAddress
from harness.catalog.mirror.manifest import entries
from harness.catalog.mirror.references import references
from harness.catalog.mirror.rules import candidates
from harness.kit.files.inside import ForeignFile, read_inside

_KINDS = frozenset({"script", "style", "font"})


def listed() -> Iterator[WantedAddress]:
    """Yield the assets that are known one by one."""
    for entry in entries().values():
        yield WantedAddress(entry.url, entry.kind)


def wanted_of(template: str) -> Iterator[WantedAddress]:
    """Yield what a template asks for that can be mirrored; not what depends on its variables.

    Pictures are among it only where the address is that of a file of a package.
    """
    for reference in references(template):
        if "${" in reference.url or reference.place == "value":
            continue
        if reference.kind in _KINDS or (reference.kind == "image" and candidates(reference.url)):
            integrity = reference.tag.attributes.get("integrity", "").strip() if reference.tag else ""
            hashes = frozenset({integrity}) if integrity else frozenset()
            yield WantedAddress(reference.url, reference.kind, hashes, reference.place != "code")


def wanted_by(folders: Iterable[Path]) -> list[WantedAddress]:
    """Return what the listed assets and the templates of task folders ask for, each address once."""
    return _each_once(chain(listed(), _asked_by(folders)))


def asked_by(folders: Iterable[Path]) -> list[WantedAddress]:
    """Return what the templates of task folders ask for, each address once."""
    return _each_once(_asked_by(folders))


def _asked_by(folders: Iterable[Path]) -> Iterator[WantedAddress]:
    for folder in folders:
        for file in sorted(folder.glob("*/template.html")):
            try:
                text = read_inside(file.parent, file.name).decode("utf-8-sig", errors="replace")
            except ForeignFile:  # which keeps its task from being used, and is told there
                continue
            yield from wanted_of(text)


def _each_once(wanted: Iterable[WantedAddress]) -> list[WantedAddress]:
    found: dict[str, WantedAddress] = {}
    for each in wanted:
        before = found.setdefault(key(each.url), each)
        if before is not each:
            found[key(each.url)] = WantedAddress(
                before.url, before.kind, before.integrity | each.integrity, before.sure or each.sure
            )
    return list(found.values())
