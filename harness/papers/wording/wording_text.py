"""What was taken of a paper's words, in words."""

from __future__ import annotations

from collections.abc import Iterator

from harness.papers.wording.original_words import WordingSource, folder_of
from harness.papers.wording.wording import Wording


def taken(paper: str, wording: Wording, source: WordingSource) -> str:
    """What was taken, from where, what stays in our words, and how to ask with it."""
    return "\n".join(_lines(paper, wording, source))


def _lines(paper: str, wording: Wording, source: WordingSource) -> Iterator[str]:
    yield f"{source.repository} at {source.commit}:"
    yield from (f"  {digest[:12]}  {path}" for path, digest in source.files.items())
    names = ", ".join(each.name for each in wording.texts)
    yield f"Texts in {folder_of(paper)}, together {source.words[:12]}: {names}."
    yield from (f"In our words: {what} ({why})." for what, why in wording.without.items())
    if wording.shown:
        yield f"Otherwise than there: {wording.shown}."
    yield f"To ask with them: {wording.chosen}"
