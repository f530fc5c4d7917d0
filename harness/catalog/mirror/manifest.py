"""The assets that are known one by one: `assets.json`, which says what package holds the file of an address."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from harness.catalog.mirror.addresses import key

FILE = files(__package__) / "assets.json"


@dataclass(frozen=True)
class PackageSource:
    """Where a file can be had, other than at its address.

    Attributes:
        registry: "npm" or "pypi".
        package: The name of the package.
        version: Its version; for npm a range such as "3" or "4.1" will do, "" is the newest.
        files: Paths in the package, written one after the other. Of several, those that are not there are left out.
        status: How sure it is that this is what the address serves: exact, same-release or near.
    """

    registry: str
    package: str
    version: str
    files: tuple[str, ...]
    status: str

    def __str__(self) -> str:
        """For people: registry, package and version."""
        return f"{self.registry} {self.package}{' ' if self.version else ''}{self.version}"


@dataclass(frozen=True)
class Entry:
    """A known asset.

    Attributes:
        url: Its address.
        kind: script or style.
        source: Where its file can be had; None if nowhere.
        sha256: Of the file, or of several written one after the other.
        basis: What its status rests on.
        licence: Of the file.
        proprietary: Whether the licence forbids to pass it on.
    """

    url: str
    kind: str
    source: PackageSource | None
    sha256: str
    basis: str
    licence: str
    proprietary: bool


@cache
def entries() -> dict[str, Entry]:
    """Return the known assets by the `addresses.key` of their address."""
    found = {}
    for record in json.loads(FILE.read_text(encoding="utf-8"))["assets"]:
        source = None
        if record["status"] != "none":
            origin = record["source"]
            source = PackageSource(
                origin["registry"], origin["package"], origin["version"], tuple(origin["files"]), record["status"]
            )
        found[key(record["url"])] = Entry(
            record["url"],
            record["kind"],
            source,
            record.get("sha256", ""),
            record["basis"],
            record.get("licence", ""),
            record.get("proprietary", False),
        )
    return found
