"""Sources of files for tests: packages and a web that are nothing but dictionaries."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from harness.catalog.mirror.building.packages import Package, Unavailable


@dataclass
class FakePackages:
    """Packages by "registry:name@version"; counts what was asked for."""

    packages: Mapping[str, Mapping[str, bytes]] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)

    def get(self, registry: str, name: str, version: str) -> Package:
        spec = f"{registry}:{name}@{version}"
        self.asked.append(spec)
        if spec not in self.packages:
            raise Unavailable(f"no {spec}")
        return Package(registry, name, version or "9.9.9", self.packages[spec], licence="MIT", main="main.js")


@dataclass
class FakeWeb:
    """Files by address."""

    files: Mapping[str, bytes] = field(default_factory=dict)
    tried: list[str] = field(default_factory=list)

    def try_hosts(self, urls: Iterable[str]) -> None:
        self.tried += urls

    def fetch(self, url: str) -> bytes:
        if url not in self.files:
            raise Unavailable(f"nothing at {url}")
        return self.files[url]
