"""Where the words of a paper's prompts stand: ``wording.toml`` of its folder, which holds none of them."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from harness.papers.paper import paper_file

FILE = "wording.toml"
"""Beside the code of a paper."""


class WordingPart(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A piece of a text.

    Attributes:
        text: The piece itself, where it is no words but a name of ours such as ``${options}``; else empty.
        file: The file of the repository that it stands in.
        place: Where it stands in there; see ``harness.papers.wording.taking``.
        after: What it begins behind; empty for its beginning.
        before: What it ends in front of; empty for its end.
        names: What stands there for a value -> the name that it has here.
    """

    text: str = ""
    file: str = ""
    place: str = ""
    after: str = ""
    before: str = ""
    names: Mapping[str, str] = {}


class WordingText(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A text of a set of prompts, which takes the place of ours.

    Attributes:
        name: Its file in our set, without its suffix.
        parts: What it is put together of, in order.
    """

    name: str
    parts: tuple[WordingPart, ...]


class Wording(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The words of a paper.

    Attributes:
        repository: ``owner/name`` at GitHub.
        commit: Of the repository, in full.
        files: Path in there -> SHA-256 of the file.
        texts: The texts that are put together of them.
        chosen: What is typed to ask with them.
        without: What of a prompt stays in our words, each with the reason.
        shown: What of these words is asked otherwise than there.
    """

    repository: str
    commit: str
    files: Mapping[str, str]
    texts: tuple[WordingText, ...]
    chosen: str
    without: Mapping[str, str] = {}
    shown: str = ""

    def __post_init__(self) -> None:
        """See that every file is known by its hash, and none is without use.

        Raises:
            ValueError: one is not, or is.
        """
        used = {part.file for text in self.texts for part in text.parts if part.file}
        if odd := used ^ set(self.files):
            raise ValueError(f"files that have a hash and files that words are in differ in {', '.join(sorted(odd))}")

    @property
    def url(self) -> str:
        """Where a reader sees that commit."""
        return f"https://github.com/{self.repository}/tree/{self.commit}"


def wording_in(package: str) -> Wording | None:
    """What the folder of a paper says of its words; None if nothing.

    Args:
        package: The name of its package.

    Raises:
        Malformed: the file is not well formed.
    """
    return paper_file(package, FILE, Wording)
