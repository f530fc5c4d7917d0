"""Packages out of the registries' programs, which are stood in for by small scripts: no network in tests."""

from __future__ import annotations

import io
import json
import os
import sys
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from harness.catalog.mirror.building import packages as packages_module
from harness.catalog.mirror.building.packages import RegistryPackages, Unavailable


def _tarball(files: dict[str, bytes], folder: str = "package") -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz") as tar:
        for name, data in files.items():
            member = tarfile.TarInfo(f"{folder}/{name}")
            member.size = len(data)
            tar.addfile(member, io.BytesIO(data))
        link = tarfile.TarInfo(f"{folder}/link")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
        tar.addfile(link)
    return out.getvalue()


def _wheel(files: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as wheel:
        for name, data in files.items():
            wheel.writestr(name, data)
    return out.getvalue()


@pytest.fixture
def npm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder in which each call of a made-up `npm` leaves its arguments."""
    files = {"package.json": json.dumps({"license": "MIT", "main": "a.js"}).encode(), "a.js": b"a()"}
    (tmp_path / "a.tgz").write_bytes(_tarball(files))
    program = tmp_path / "bin" / "npm"
    program.parent.mkdir()
    program.write_text(
        f"#!{sys.executable}\nimport sys, shutil, json\n"
        f"open({str(tmp_path / 'calls')!r}, 'a').write(json.dumps(sys.argv[1:]) + '\\n')\n"
        "spec = sys.argv[-1]\n"
        "if spec.startswith('gone'): sys.exit('npm error code E404\\nnpm error 404 Not Found')\n"
        "if spec.startswith('far'): sys.exit('npm error code EAI_AGAIN\\nnpm error request failed')\n"
        "if spec.startswith('odd'): sys.exit('npm warn x\\nnpm error code EODD\\nnpm error something odd')\n"
        f"shutil.copy({str(tmp_path / 'a.tgz')!r}, sys.argv[sys.argv.index('--pack-destination') + 1])\n"
        "print(json.dumps([{'version': '1.2.3'}]))\n"
    )
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(program.parent), prepend=os.pathsep)
    return tmp_path


def _calls(folder: Path) -> list[list[str]]:
    file = folder / "calls"
    return [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []


def test_a_package_is_unpacked_in_memory_and_its_scripts_do_not_run(npm: Path) -> None:
    package = RegistryPackages(npm).get("npm", "@scope/thing", "1")
    assert (package.spec, package.licence, package.main) == ("npm:@scope/thing@1.2.3", "MIT", "a.js")
    assert package.files["a.js"] == b"a()"
    assert "link" not in package.files
    (call,) = _calls(npm)
    assert "--ignore-scripts" in call
    assert call[-2:] == ["--", "@scope/thing@1"]


def test_a_package_is_asked_for_once(npm: Path) -> None:
    packages = RegistryPackages(npm)
    for _ in range(2):
        for number in range(6):
            assert packages.get("npm", f"thing{number}", "").files
    assert len(_calls(npm)) == 6


@pytest.mark.parametrize(("name", "why"), [("gone", "no such package"), ("odd", "something odd")])
def test_a_package_that_cannot_be_had_says_why_and_is_not_asked_for_again(npm: Path, name: str, why: str) -> None:
    packages = RegistryPackages(npm)
    for _ in range(2):
        with pytest.raises(Unavailable, match=why):
            packages.get("npm", name, "1.0.0")
    assert len(_calls(npm)) == 1


@pytest.mark.parametrize(
    ("name", "version"),
    [
        ("--help", ""),
        ("../a", ""),
        ("/etc", ""),
        ("git+https://x.org/a", ""),
        ("a", "npm:b"),
        ("a", "1 2"),
        ("a", "file:b"),
        ("", ""),
    ],
)
def test_what_is_no_name_of_a_package_is_never_passed_on(npm: Path, name: str, version: str) -> None:
    with pytest.raises(Unavailable, match="no name of a package"):
        RegistryPackages(npm).get("npm", name, version)
    assert _calls(npm) == []


def test_without_npm_the_message_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(Unavailable, match="npm is not installed"):
        RegistryPackages(tmp_path).get("npm", "a", "")


def test_a_registry_that_nobody_reaches_is_asked_once(npm: Path) -> None:
    packages = RegistryPackages(npm)
    for name in ("far-away", "thing", "thing"):
        with pytest.raises(Unavailable, match="npm pack: request failed"):
            packages.get("npm", name, "1")
    assert len(_calls(npm)) == 1


def test_wheels_and_source_packages_are_read_alike(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def download(command: list[str]) -> str:
        folder, spec = Path(command[command.index("--dest") + 1]), command[-1]
        if spec == "wheel==1.0":
            with zipfile.ZipFile(folder / "wheel-1.0-py3-none-any.whl", "w") as wheel:
                wheel.writestr("js/a.js", b"a()")
        else:
            (folder / "source-1.0.tar.gz").write_bytes(_tarball({"js/a.js": b"a()"}, "source-1.0"))
        return ""

    monkeypatch.setattr(packages_module, "_run", download)
    packages = RegistryPackages(tmp_path)
    assert [packages.get("pypi", name, "1.0").files["js/a.js"] for name in ("wheel", "source")] == [b"a()", b"a()"]


@pytest.mark.claim("mirror-packages")
@pytest.mark.parametrize("packed", [_tarball, _wheel], ids=["tarball", "wheel"])
def test_a_package_that_is_larger_unpacked_than_any_is_not_unpacked(npm: Path, packed: Callable[..., bytes]) -> None:
    (npm / "a.tgz").write_bytes(packed({"a.js": bytes(60_000), "b.js": bytes(60_000)}))
    with pytest.raises(Unavailable, match="holds more than 100,000 bytes"):
        RegistryPackages(npm, most_bytes=100_000).get("npm", "bomb", "1")


@pytest.mark.claim("mirror-packages")
@pytest.mark.parametrize("damage", ["cut", "spoiled", "no archive", "encrypted"])
def test_an_archive_that_cannot_be_read_is_a_package_that_cannot_be_had(npm: Path, damage: str) -> None:
    files = {"a.js": bytes(range(256)) * 40}
    data = {"encrypted": _wheel(files), "no archive": b"words"}.get(damage, _tarball(files))
    if damage == "cut":
        data = data[: len(data) // 2]
    elif damage == "spoiled":
        data = data[:60] + bytes(40) + data[100:]
    elif damage == "encrypted":
        flags = data.index(b"PK\1\2") + 8
        data = data[:flags] + b"\1" + data[flags + 1 :]
    (npm / "a.tgz").write_bytes(data)
    with pytest.raises(Unavailable, match=r"a\.tgz cannot be unpacked"):
        RegistryPackages(npm).get("npm", "thing", "1")
