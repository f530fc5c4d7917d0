"""The words of a paper in the user's cache, where ``turkbench papers prompts`` has put them."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from string import Template

import msgspec

from harness.kit.files.codec import JsonObject, Malformed, plain, read
from harness.kit.files.installation import to_type
from harness.kit.files.writing import cache_folder
from harness.kit.words import Words, hash_of_words

SOURCE = "source.json"
"""Beside the texts of a set: where they were taken from."""


class WordingSource(msgspec.Struct, frozen=True, kw_only=True):
    """Where a set of texts was taken from, and what it became.

    Attributes:
        repository: ``owner/name`` at GitHub.
        commit: Of the repository.
        files: Path in there -> SHA-256 of the file.
        words: SHA-256 over the texts that were made of them.
    """

    repository: str
    commit: str
    files: dict[str, str]
    words: str


class OriginalWords(Words):
    """A paper's own words where a user has taken them, ours where its repository has none."""

    def __init__(self, paper: str, ours: Words) -> None:
        """Of a paper.

        Args:
            paper: Its name, as on command lines.
            ours: The texts that stand for what its repository does not have.
        """
        self.paper = paper
        self._ours = ours
        self._text = cache(_template)

    @property
    def folder(self) -> Path:
        """Where its texts are, or will be."""
        return folder_of(self.paper)

    @property
    def missing(self) -> str:
        """Why nothing can be asked in these words; empty if it can."""
        if (self.folder / SOURCE).is_file():
            return ""
        command = to_type("papers prompts", self.paper)
        return f"the words of {self.paper} are not on this machine: take them from its repository with {command}"

    @property
    def source(self) -> JsonObject:
        """Where they are from: repository, commit, hashes; empty if that cannot be read."""
        found = source_of(self.paper)
        return plain(found) if found else {}

    def has(self, name: str) -> bool:
        """Whether there is a text of the paper's own of that name."""
        return (self.folder / f"{name}.md").is_file()

    def say(self, name: str, /, **values: object) -> str:
        """A text with its names filled in, to the letter: blanks at its ends are the paper's, too."""
        if not self.has(name):
            return self._ours.say(name, **values)
        return self._text(self.folder / f"{name}.md").substitute(values)


def folder_of(paper: str) -> Path:
    """Where the words of a paper are kept."""
    return cache_folder() / "prompts" / f"{paper}-original"


def source_of(paper: str) -> WordingSource | None:
    """Where the words of a paper were taken from; None if they are not here, or changed since."""
    folder = folder_of(paper)
    try:
        found = read(folder / SOURCE, WordingSource)
    except (OSError, Malformed):
        return None
    return found if found.words == hash_of_words(folder) else None


def _template(file: Path) -> Template:
    return Template(file.read_bytes().decode("utf-8"))
