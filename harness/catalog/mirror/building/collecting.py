"""Collecting what pages ask for from the web and the registries into the mirror in the user's cache."""

from __future__ import annotations

import tempfile
import threading
import time
import urllib.error
import urllib.request
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from http.client import HTTPException
from itertools import chain
from pathlib import Path

from harness.catalog.mirror.addresses import absolute, key, split
from harness.catalog.mirror.building.build import Builder, BuildOutcome, WantedAddress
from harness.catalog.mirror.building.packages import RegistryPackages, Unavailable
from harness.catalog.mirror.manifest import entries
from harness.catalog.mirror.references import references
from harness.catalog.mirror.rules import candidates
from harness.catalog.mirror.store import Store
from harness.kit.files.inside import ForeignFile, read_inside
from harness.kit.text import counted

_SECONDS = 6
_LARGEST = 32 * 1024 * 1024
# Font services give today's formats to browsers that know them.
_HEADERS = {
    "User-Agent": "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120 Safari/537.36"
}


class Origin:
    """The web. A host that did not answer is not asked again."""

    def __init__(self) -> None:
        self._got: dict[str, bytes] = {}
        self._silent: dict[str, str] = {}

    def try_hosts(self, urls: Iterable[str]) -> None:
        """Ask for one address of each host, all at once, to learn which hosts answer.

        On a closed network a look-up of a name takes seconds and cannot be broken off; one after the other, they would
        take minutes.
        """
        first = {_host(url): url for url in reversed(list(urls))}
        threads = {host: threading.Thread(target=self._try, args=(url,), daemon=True) for host, url in first.items()}
        for thread in threads.values():
            thread.start()
        until = time.monotonic() + _SECONDS
        for host, thread in threads.items():
            thread.join(max(0.0, until - time.monotonic()))
            if thread.is_alive():
                self._silent.setdefault(host, f"no answer within {_SECONDS} seconds")

    def _try(self, url: str) -> None:
        try:
            self._got[url] = self._ask(url)
        except Unavailable:
            return  # noted by host, where it was the host

    def fetch(self, url: str) -> bytes:
        """Return what is at an address.

        Raises:
            Unavailable: If it cannot be had.
        """
        if url in self._got:
            return self._got.pop(url)
        return self._ask(url)

    def _ask(self, url: str) -> bytes:
        host = _host(url)
        if host in self._silent:
            raise Unavailable(f"{host}: {self._silent[host]}")
        request = urllib.request.Request(absolute(url), headers=_HEADERS)  # noqa: S310 - http or https, see `split`
        try:
            with urllib.request.urlopen(request, timeout=_SECONDS) as answer:  # noqa: S310
                data: bytes = answer.read(_LARGEST + 1)
        except urllib.error.HTTPError as error:
            raise Unavailable(f"{host}: status {error.code}") from error
        except (OSError, HTTPException, ValueError) as error:
            reason = getattr(error, "reason", None) or error
            self._silent[host] = str(getattr(reason, "strerror", None) or reason)
            raise Unavailable(f"{host}: {self._silent[host]}") from error
        if len(data) > _LARGEST:
            raise Unavailable(f"{host}: more than {_LARGEST} bytes")
        return data


def _host(url: str) -> str:
    parts = split(url)
    return parts.hostname or "" if parts else ""


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
