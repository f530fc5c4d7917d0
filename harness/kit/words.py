"""Words for models: a folder of Markdown files, each with ``${names}`` that are filled in."""

from __future__ import annotations

import hashlib
from functools import cache, lru_cache
from importlib.resources import files
from pathlib import Path
from string import Template

from harness.kit.files.codec import JsonObject


class Words:
    """The texts of one folder, each by its file's name."""

    def __init__(self, package: str, folder: str = "prompts") -> None:
        """Of a folder in a package.

        Args:
            package: The package's dotted name.
            folder: The folder's path in there.
        """
        self._folder = Path(str(files(package) / folder))
        self._template = cache(self._read)

    @property
    def folder(self) -> Path:
        """Where they are."""
        return self._folder

    @property
    def missing(self) -> str:
        """Why nothing can be said in these words; empty if it can."""
        return ""

    @property
    def source(self) -> JsonObject:
        """Where they were taken from, if they are somebody else's; empty if they are ours."""
        return {}

    def has(self, name: str) -> bool:
        """Whether there is a text of that name."""
        return (self.folder / f"{name}.md").is_file()

    def say(self, name: str, /, **values: object) -> str:
        """A text with its names filled in, in one pass: nothing in a value can stand for a name.

        Args:
            name: The file's name, without its suffix.
            values: Name -> what stands for it.
        """
        return self._template(name).substitute(values)

    def _read(self, name: str) -> Template:
        return Template((self.folder / f"{name}.md").read_text(encoding="utf-8").strip())


@lru_cache(maxsize=64)
def hash_of_words(*folders: Path) -> str:
    """SHA-256 over all texts of some folders, names and texts: equal hashes mean equal words.

    Args:
        folders: The folders, whose order counts.
    """
    digest = hashlib.sha256()
    for folder in folders:
        for file in sorted(folder.glob("*.md")):
            data = file.read_bytes()
            digest.update(f"{file.name}:{len(data)}\n".encode() + data)
    return digest.hexdigest()
