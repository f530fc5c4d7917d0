"""Collecting the mirror: each wanted address from where it can be had, checked; with a style all that it refers to."""

from __future__ import annotations

import hashlib
import posixpath
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Protocol
from urllib.parse import urlsplit

from harness.catalog.mirror.addresses import absolute, file_name, is_remote, join, key
from harness.catalog.mirror.building.packages import Package, Packages, Unavailable
from harness.catalog.mirror.manifest import Entry, PackageSource, entries
from harness.catalog.mirror.mirror import stand_in_for
from harness.catalog.mirror.references import StyleAddress, rewrite
from harness.catalog.mirror.rules import candidates, find_file
from harness.catalog.mirror.store import Index, MirroredAddress, Store, integrity_of, matches

_TYPES = {
    ".js": "text/javascript; charset=utf-8",
    ".mjs": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".woff2": "font/woff2",
    ".woff": "font/woff",
    ".ttf": "font/ttf",
    ".otf": "font/otf",
    ".eot": "application/vnd.ms-fontobject",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".gif": "image/gif",
    ".jpg": "image/jpeg",
    ".jpeg": "image/jpeg",
    ".webp": "image/webp",
    ".ico": "image/x-icon",
    ".cur": "image/x-icon",
    ".json": "application/json",
}
_KINDS = {"script": ".js", "style": ".css"}
_DEEPEST = 5
"""Levels of styles that import styles."""


@dataclass(frozen=True)
class WantedAddress:
    """An address that pages ask for.

    Attributes:
        url: The address.
        kind: script, style, font or image.
        integrity: The integrity attributes that templates give for it.
        sure: Whether a page is sure to ask for it; else it stands in a script, which may have no use for it.
    """

    url: str
    kind: str
    integrity: frozenset[str] = frozenset()
    sure: bool = True


@dataclass(frozen=True)
class BuildOutcome:
    """What became of a wanted address.

    Attributes:
        wanted: The address.
        state: "mirrored" now, "kept" from before, "stood in" for by code of ours, "known gap" that nobody can close,
            "refused" because no source had the right bytes, "missing".
        record: What is served for it now.
        why: What went wrong with the sources that were tried; for a stand-in its name.
    """

    wanted: WantedAddress
    state: str
    record: MirroredAddress | None = None
    why: str = ""


class Web(Protocol):
    """The original addresses."""

    def try_hosts(self, urls: Iterable[str]) -> None:
        """Learn which hosts answer."""

    def fetch(self, url: str) -> bytes:
        """Return what is at an address.

        Raises:
            Unavailable: If it cannot be had.
        """


class _Refused(Exception):
    """A source has other bytes than those that were wanted."""


@dataclass(frozen=True)
class _Part:
    """A file, and where the files are that it refers to: beside it in a package, or at its address."""

    data: bytes
    package: Package | None = None
    file: str = ""


@dataclass(frozen=True)
class _Found:
    """What a source has for an address: files, written one after the other."""

    parts: tuple[_Part, ...]
    status: str
    origin: str

    @property
    def data(self) -> bytes:
        return b"".join(part.data for part in self.parts)

    @property
    def packages(self) -> tuple[Package, ...]:
        found = {part.package.spec: part.package for part in self.parts if part.package}
        return tuple(found.values())


@dataclass
class Builder:
    """Builds a mirror.

    Attributes:
        store: Where to.
        packages: Where packages come from.
        web: Where original files come from.
        say: Is told what became of each address, as soon as that is known.
    """

    store: Store
    packages: Packages
    web: Web
    say: Callable[[BuildOutcome], None]
    _index: Index = field(default_factory=Index)

    def build(self, wanted: Iterable[WantedAddress]) -> list[BuildOutcome]:
        """Collect addresses; those that are there already are left alone. May be interrupted at any point.

        Raises:
            MirrorError: If another build is under way, or the index cannot be read.
            OSError: If the store cannot be written.
        """
        ordered = sorted(wanted, key=_package_first)
        with self.store.alone():
            self._index = self.store.read()
            self.web.try_hosts([each.url for each in ordered if self._settled(each) is None and _from_web(each)])
            return [self._one(each) for each in ordered]

    def _settled(self, wanted: WantedAddress) -> BuildOutcome | None:
        """Return what needs no source."""
        stand_in = stand_in_for(wanted.url)
        if stand_in:
            return BuildOutcome(wanted, "stood in", None, stand_in)
        entry = entries().get(key(wanted.url))
        record = self._index.assets.get(key(wanted.url))
        if record and self._is_current(record, wanted, entry):
            return BuildOutcome(wanted, "kept", record)
        if entry and entry.source is None and not wanted.integrity:
            return BuildOutcome(wanted, "known gap", None, entry.basis)
        return None

    def _is_current(self, record: MirroredAddress, wanted: WantedAddress, entry: Entry | None) -> bool:
        """Whether what was mirrored is what is wanted now, and all of it is there."""
        if entry and entry.sha256:
            right = record.checked == entry.sha256
        else:
            right = not wanted.integrity or any(matches(each, record.hashes) for each in wanted.integrity)
        return right and all(self.store.file(sha256).exists() for sha256 in (record.sha256, *record.parts))

    def _one(self, wanted: WantedAddress) -> BuildOutcome:
        outcome = self._settled(wanted) or self._get(wanted)
        self.say(outcome)
        return outcome

    def _get(self, wanted: WantedAddress) -> BuildOutcome:
        entry = entries().get(key(wanted.url))
        complaints: list[str] = []
        refused = False
        for attempt in self._attempts(wanted, entry):
            try:
                found = attempt()
                checked, status = self._check(found, wanted, entry)
                record = self._keep(wanted, entry, found, checked, status)
            except Unavailable as error:
                complaints.append(str(error))
            except _Refused as error:
                complaints.append(str(error))
                refused = True
            else:
                self._index.assets[key(wanted.url)] = record
                self.store.write(self._index)
                return BuildOutcome(wanted, "mirrored", record)
        why = "; ".join(dict.fromkeys(complaints)) or "no package is known to hold it"
        return BuildOutcome(wanted, "refused" if refused else "missing", None, why)

    def _attempts(self, wanted: WantedAddress, entry: Entry | None) -> Iterator[Callable[[], _Found]]:
        if _from_web(wanted):
            yield lambda: self._original(wanted)
        recipes = ((entry.source,),) if entry and entry.source else candidates(wanted.url)
        for recipe in recipes:
            yield lambda recipe=recipe: self._packaged(recipe, listed=bool(entry and entry.source))  # type: ignore[misc]

    def _original(self, wanted: WantedAddress) -> _Found:
        data = self.web.fetch(wanted.url)
        if wanted.kind in _KINDS and data.lstrip()[:1] == b"<":
            raise Unavailable(f"{urlsplit(absolute(wanted.url)).hostname}: gives a web page")
        return _Found((_Part(data),), "original", "its own address")

    def _packaged(self, recipe: tuple[PackageSource, ...], *, listed: bool) -> _Found:
        """Get the files of a recipe, written one after the other."""
        parts: list[_Part] = []
        status = recipe[0].status
        for source in recipe:
            package = self.packages.get(source.registry, source.package, source.version)
            before = len(parts)
            for wanted in source.files:
                name = wanted or package.main
                found = (name, True) if listed and name in package.files else find_file(package.files.keys(), name)
                if found:
                    parts.append(_Part(package.files[found[0]], package, found[0]))
                    status = status if found[1] else "near"
            if len(parts) == before:
                raise Unavailable(f"{package.spec} has no {' or '.join(source.files) or 'main file'}")
        files = " + ".join(part.file for part in parts)
        specs = ", ".join(dict.fromkeys(part.package.spec.replace(":", " ") for part in parts if part.package))
        return _Found(tuple(parts), status, f"{specs}: {files}")

    def _check(self, found: _Found, wanted: WantedAddress, entry: Entry | None) -> tuple[str, str]:
        """Compare bytes with the recorded hash, else with the templates' integrity attributes.

        Returns:
            Their hash, and how sure it is that they are right.

        Raises:
            _Refused: If they are others.
        """
        sha256 = hashlib.sha256(found.data).hexdigest()
        if entry and entry.sha256:
            if sha256 != entry.sha256:
                raise _Refused(f"{found.origin} has SHA-256 {sha256}, not {entry.sha256} as recorded")
            return sha256, entry.source.status if entry.source else "exact"
        if wanted.integrity:
            hashes = integrity_of(found.data)
            if not any(matches(each, hashes) for each in wanted.integrity):
                raise _Refused(f"{found.origin} does not match integrity={' or '.join(sorted(wanted.integrity))}")
            return sha256, "exact"
        return sha256, found.status

    def _keep(
        self, wanted: WantedAddress, entry: Entry | None, found: _Found, checked: str, status: str
    ) -> MirroredAddress:
        collected = _Collected()
        data = found.data
        if wanted.kind == "style":
            url = absolute(wanted.url)
            data = b"".join(self._rewritten(part, url, collected, 0) for part in found.parts)
        name = file_name(wanted.url, wanted.kind)
        if wanted.kind in _KINDS and PurePosixPath(name).suffix.lower() not in _TYPES:
            name += _KINDS[wanted.kind]
        sha256 = self._stored(data, name)
        licence = entry.licence if entry else " AND ".join(package.licence for package in found.packages)
        return MirroredAddress(
            url=absolute(wanted.url),
            kind=wanted.kind,
            sha256=sha256,
            checked=checked,
            status=status,
            origin=found.origin,
            package=" ".join(package.spec for package in found.packages),
            files=tuple(part.file for part in found.parts if part.file),
            licence=licence,
            proprietary=bool(entry and entry.proprietary),
            parts=tuple(collected.files),
            missing=tuple(collected.missing),
            hashes=integrity_of(found.data),
        )

    def _stored(self, data: bytes, name: str) -> str:
        sha256, stored = self.store.keep(data, name, content_type(name))
        self._index.files[sha256] = stored
        return sha256

    def _rewritten(self, style: _Part, base: str, collected: _Collected, depth: int) -> bytes:
        """Return a style with the addresses in it led to files of the store, which are collected for it."""

        def replaced(address: StyleAddress) -> str | None:
            if address.url.startswith(("#", "data:", "about:", "blob:")):
                return None
            url = join(base, address.url)
            try:
                found = self._beside(style, address.url, url)
            except Unavailable:
                collected.missing[url] = None
                return url
            data = found.data
            if address.imports and depth < _DEEPEST:
                data = b"".join(self._rewritten(part, url, collected, depth + 1) for part in found.parts)
            name = file_name(url, "style.css" if address.imports else "file")
            sha256 = self._stored(data, name)
            collected.files[sha256] = None
            # What stands behind "#" chooses a part of the file, in the browser.
            return f"/asset/{sha256}/{name}" + (f"#{address.url.partition('#')[2]}" if "#" in address.url else "")

        text = style.data.decode("utf-8", "surrogateescape")
        return rewrite(text, replaced).encode("utf-8", "surrogateescape")

    def _beside(self, style: _Part, relative: str, url: str) -> _Found:
        """Get a file that a style refers to: from the style's package, else as any other file of a network.

        Raises:
            Unavailable: If it cannot be had.
        """
        plain = relative.partition("#")[0].partition("?")[0]
        if style.package and not is_remote(relative) and not plain.startswith("/"):
            path = posixpath.normpath(posixpath.join(posixpath.dirname(style.file), plain))
            if path in style.package.files:
                return _Found((_Part(style.package.files[path], style.package, path),), "", "")
        for recipe in candidates(url):
            try:
                return self._packaged(recipe, listed=False)
            except Unavailable:
                continue
        return _Found((_Part(self.web.fetch(absolute(url))),), "original", "")


@dataclass
class _Collected:
    """What a style refers to, in order: hashes of files in the store, and addresses that could not be had."""

    files: dict[str, None] = field(default_factory=dict)
    missing: dict[str, None] = field(default_factory=dict)


def content_type(name: str) -> str:
    """Return what a file is served as, by its name."""
    return _TYPES.get(PurePosixPath(name).suffix.lower(), "application/octet-stream")


def _from_web(wanted: WantedAddress) -> bool:
    """Whether the original address could have the right bytes: what only resembles it has another hash."""
    entry = entries().get(key(wanted.url))
    return entry is None or entry.source is None or entry.source.status != "near"


def _package_first(wanted: WantedAddress) -> tuple[str, str, str]:
    """Sort so that the files of one package follow each other."""
    entry = entries().get(key(wanted.url))
    if entry and entry.source:
        return entry.source.package, entry.source.version, wanted.url
    first = next(iter(candidates(wanted.url)), None)
    return (first[0].package, first[0].version, wanted.url) if first else ("~", "", wanted.url)
