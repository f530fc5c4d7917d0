"""Take the words of a paper's prompts from its repository into the user's cache."""

from __future__ import annotations

import hashlib
import shutil
import tempfile
import urllib.request
from collections.abc import Iterator, Mapping
from http.client import HTTPException
from pathlib import Path
from urllib.parse import quote

from harness.datasets.gittree import Commit, GitFailed
from harness.kit.errors import UserError
from harness.kit.files.codec import plain
from harness.kit.files.writing import write_bytes, write_json
from harness.kit.words import hash_of_words
from harness.papers.wording.original_words import SOURCE, WordingSource, folder_of
from harness.papers.wording.places import NoSuchPlace, text_at
from harness.papers.wording.wording import Wording, WordingPart


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


FILES_AT = "https://raw.githubusercontent.com"
"""Where GitHub hands out files of a commit."""
_SECONDS = 60
_LARGEST = 2**24
"""Bytes of a file."""


class CannotTake(UserError):
    """The words of a paper cannot be taken; says why, and what to do."""


def take(paper: str, wording: Wording, source: Path | None) -> WordingSource:
    """Put a paper's words into the user's cache; what was there is replaced once all of them are there.

    Args:
        paper: Its name.
        wording: Where they stand.
        source: A clone of the repository, or a folder with its files; None to get them from GitHub.

    Raises:
        CannotTake: a file cannot be had, is not the one that is known, or has no text where one is looked for.
        OSError: the cache cannot be written.
    """
    files = _checked(wording, _files(wording, source))
    texts = {each.name: "".join(_part(part, files) for part in each.parts) for each in wording.texts}
    folder = folder_of(paper)
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent) as scratch:
        made = Path(scratch) / folder.name
        for name, text in texts.items():
            write_bytes(made / f"{name}.md", text.encode())
        known = dict(wording.files)
        record = WordingSource(
            repository=wording.repository, commit=wording.commit, files=known, words=hash_of_words(made)
        )
        write_json(made / SOURCE, plain(record))
        shutil.rmtree(folder, ignore_errors=True)
        made.rename(folder)
    hash_of_words.cache_clear()
    return record


def _files(wording: Wording, source: Path | None) -> Mapping[str, bytes]:
    """The files of the repository that words are in, unchecked."""
    if source is None:
        return {path: _downloaded(wording, path) for path in wording.files}
    if not source.is_dir():
        raise CannotTake(f"{source} is no folder; --from takes a clone of {wording.repository}")
    commit = Commit(source, wording.commit)
    is_repository = (source / ".git").exists() or (source / "objects").is_dir()
    try:
        if is_repository and commit.is_there():
            return _of_commit(wording, commit)
        return {path: (source / path).read_bytes() for path in wording.files}
    except (OSError, GitFailed) as error:
        missing = f"it has neither commit {wording.commit[:7]} nor the file" if is_repository else "it lacks the file"
        at = f"{missing} {error.filename}" if isinstance(error, FileNotFoundError) else str(error)
        raise CannotTake(f"{source} is no copy of {wording.repository} that words can be taken from: {at}") from error


def _downloaded(wording: Wording, path: str) -> bytes:
    """A file as GitHub hands it out: not a clone, since a repository may hold gigabytes of recordings."""
    address = f"{FILES_AT}/{wording.repository}/{wording.commit}/{quote(path)}"
    try:
        with urllib.request.urlopen(address, timeout=_SECONDS) as answer:  # noqa: S310 - https, see FILES_AT
            data: bytes = answer.read(_LARGEST)
    except (OSError, HTTPException) as error:
        reason = getattr(error, "reason", None) or error
        raise CannotTake(
            f"{address} cannot be had: {reason}. Without a network, --from DIR takes a clone of {wording.repository}, "
            "or a folder with its files"
        ) from error
    return data


def _of_commit(wording: Wording, commit: Commit) -> Mapping[str, bytes]:
    blobs = commit.blobs(tuple(wording.files))
    paths = [path for path in wording.files if path in blobs]
    return dict(zip(paths, commit.contents(blobs[path] for path in paths), strict=True))


def _checked(wording: Wording, files: Mapping[str, bytes]) -> Mapping[str, bytes]:
    for path, known in wording.files.items():
        if path not in files:
            raise CannotTake(f"{wording.repository} has no {path} at commit {wording.commit[:7]}")
        if (found := hashlib.sha256(files[path]).hexdigest()) != known:
            raise CannotTake(
                f"{path} is not the file of {wording.repository} at commit {wording.commit[:7]}: its SHA-256 begins "
                f"with {found[:12]}, not with {known[:12]}. Give a clone that holds that commit"
            )
    return files


def _part(part: WordingPart, files: Mapping[str, bytes]) -> str:
    """A piece as the text of a template."""
    if not part.file:
        return part.text
    try:
        text = text_at(files[part.file], part.file, part.place)
    except NoSuchPlace as error:
        raise CannotTake(f"{part.file}: {error}") from error
    for mark, is_kept in ((part.after, False), (part.before, True)):
        before, found, behind = text.partition(mark) if mark else ("", "-", text)
        if not found:
            raise CannotTake(f"{part.file}: {mark!r} is not in {part.place}")
        text = before if mark and is_kept else behind
    text = text.replace("$", "$$")
    for there, here in part.names.items():
        if there not in text:
            raise CannotTake(f"{part.file}: {there} is not in {part.place}")
        text = text.replace(there, f"${{{here}}}")
    return text
