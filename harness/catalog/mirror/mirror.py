"""What is served for an outside address: the mirror as pages use it."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from pathlib import Path

from harness.catalog.mirror import standins
from harness.catalog.mirror.addresses import key, split, without_query
from harness.catalog.mirror.rules import candidates
from harness.catalog.mirror.store import Index, MirroredAddress, Store, integrity_of

# The script that shows a placeholder for pictures, videos and frames that script asks for.
MEDIA = "media.js"

CONTENT_TYPES = {".js": "text/javascript; charset=utf-8", ".json": "application/json", ".txt": "text/plain"}


@dataclass(frozen=True)
class ReplacedService:
    """Addresses that a stand-in answers for.

    Attributes:
        address: What their `addresses.key` looks like.
        stand_in: The stand-in.
    """

    address: re.Pattern[str]
    stand_in: str


# Services that tell a page where its reader is.
_PLACES = r"""(?:[\w-]+\.)*(?:geobytes\.com|geoplugin\.net|geoiplookup\.(?:net|io)|freegeoip\.(?:net|app|io)|ipinfo\.io
    |ip-api\.(?:com|io)|ipapi\.(?:co|com)|ipstack\.com|geojs\.io|get\.geojs\.io|ipify\.org|ipdata\.co|db-ip\.com
    |smart-ip\.net|hostip\.info|ipgeolocation\.io|ipwhois\.app|ipwho\.is|ipregistry\.co|extreme-ip-lookup\.com|telize\.com
    |jsonip\.com|icanhazip\.com|l2\.io|geoip-db\.com|geolocation-db\.com)"""


def _service(pattern: str, stand_in: str) -> ReplacedService:
    return ReplacedService(re.compile(pattern, re.VERBOSE | re.IGNORECASE), stand_in)


# The first that matches counts.
SERVICES = (
    _service(r".*/crowd-html-elements[\w.-]*\.js(?:\?.*)?", "crowd-html-elements.js"),
    _service(r".*/externalHIT_v1(?:\.min)?\.js(?:\?.*)?", "externalHIT_v1.js"),
    _service(r"[^/]+/cdn-cgi/trace", "geolocation.txt"),
    _service(
        r"(?:api(?:\d|64)?\.)?ipify\.org/(?:\?format=text)?|(?:ipv4\.)?icanhazip\.com/|ipinfo\.io/ip", "geolocation.txt"
    ),
    # A script that sets variables, or calls the function that its address names.
    _service(_PLACES + r"/(?:[^?]*\.(?:js|gp)|gd)(?:\?.*)?", "geolocation.js"),
    _service(_PLACES + r"/.*[?&](?:callback|jsonp|jsoncallback|cb)=.*", "geolocation.js"),
    _service(r"j\.maxmind\.com/app/.*|l2\.io/.*|(?:www\.)?google\.com/jsapi(?:\?.*)?", "geolocation.js"),
    _service(_PLACES + r"/.*", "geolocation.json"),
)


def stand_in_for(url: str) -> str:
    """Return the name of the stand-in that answers for an address; "" if none does."""
    plain = key(url)
    if not plain:
        return ""
    return next((service.stand_in for service in SERVICES if service.address.fullmatch(plain)), "")


@dataclass(frozen=True)
class Asset:
    """A file that is served for an address.

    Attributes:
        sha256: Of its bytes.
        name: The last part of the address it is served at.
        content_type: What it is served as.
        exact: Whether the bytes are known to be those of the original address, addresses in styles apart.
        hashes: Its hashes as integrity attributes write them, e.g. "sha384-…".
        query: What the address it is served at holds behind "?".
    """

    sha256: str
    name: str
    content_type: str
    exact: bool
    hashes: tuple[str, ...] = ()
    query: str = ""

    @property
    def path(self) -> str:
        """Where the task server has it."""
        return f"/asset/{self.sha256}/{self.name}{'?' if self.query else ''}{self.query}"


class Mirror:
    """The files that are served for outside addresses.

    Args:
        index: What was built.
        store: Where the files are.
    """

    def __init__(self, index: Index, store: Store) -> None:
        self._index = index
        self._store = store
        self._by_package: dict[str, list[MirroredAddress]] = {}
        for record in index.assets.values():
            if record.package and len(record.files) == 1:
                self._by_package.setdefault(record.package, []).append(record)

    @classmethod
    def load(cls) -> Mirror:
        """Return the mirror in the user's cache, with nothing but our stand-ins in it if none was built.

        Raises:
            MirrorError: If it cannot be read.
        """
        store = Store.default()
        return _loaded(store, _stamp(store.index_file))

    @property
    def built(self) -> bool:
        """Whether anything was ever collected; else `python -m harness setup mirror build` is what to do first."""
        return bool(self._index.assets)

    def lookup(self, url: str) -> Asset | None:
        """Return what is served for an address, None if nothing is.

        An address that was not mirrored itself is served if one that names the same file of the same release was.
        """
        stand_in = stand_in_for(url)
        if stand_in:
            return _stand_in(stand_in, url)
        plain = key(url)
        if not plain:
            return None
        record = self._index.assets.get(plain) or self._index.assets.get(without_query(url))
        exact = record is not None and record.status == "exact"
        if record is None:
            record = self._same_file(url)
        stored = self._index.files.get(record.sha256) if record else None
        if record is None or stored is None:
            return None
        return Asset(record.sha256, stored.name, stored.content_type, exact, stored.hashes)

    def _same_file(self, url: str) -> MirroredAddress | None:
        """Return what was mirrored for another address of the same file."""
        for sources in candidates(url):
            source = sources[0]
            for record in self._by_package.get(f"{source.registry}:{source.package}@{source.version}", ()):
                path = f"/{record.files[0]}"
                if len(sources) == len(source.files) == 1 and path.endswith(f"/{source.files[0]}"):
                    return record
        return None

    def stand_in(self, name: str) -> Asset:
        """Return a stand-in by its name."""
        return _stand_ins()[name]

    def content(self, sha256: str) -> tuple[bytes, str] | None:
        """Return the bytes of a file and what it is served as; None if there is no such file."""
        for asset in _stand_ins().values():
            if asset.sha256 == sha256:
                return standins.source(asset.name), asset.content_type
        stored = self._index.files.get(sha256)
        if stored is None:
            return None
        try:
            return self._store.file(sha256).read_bytes(), stored.content_type
        except OSError:
            return None

    def fingerprint(self) -> str:
        """Return a hash of everything that pages may get from here."""
        served = [f"{address} {record.sha256}" for address, record in sorted(self._index.assets.items())]
        ours = [asset.sha256 for asset in _stand_ins().values()]
        return hashlib.sha256("\n".join([*served, *ours]).encode()).hexdigest()[:16]


@lru_cache(maxsize=2)
def _loaded(store: Store, _stamp: tuple[int, int]) -> Mirror:
    return Mirror(store.read(), store)


def _stamp(file: Path) -> tuple[int, int]:
    try:
        stat = file.stat()
    except OSError:
        return 0, 0
    return stat.st_mtime_ns, stat.st_size


@cache
def _stand_ins() -> Mapping[str, Asset]:
    """Return our stand-ins by name."""
    found = {}
    for name in standins.PARTS:
        data = standins.source(name)
        sha256 = hashlib.sha256(data).hexdigest()
        found[name] = Asset(sha256, name, CONTENT_TYPES[Path(name).suffix], False, integrity_of(data))
    return found


def _stand_in(name: str, url: str) -> Asset:
    # The name of the function that waits for the answer stands in the query of the address.
    parts = split(url) if name.startswith("geolocation") else None
    return replace(_stand_ins()[name], query=parts.query if parts else "")
