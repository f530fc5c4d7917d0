"""Take the words of a paper's prompts from its repository into the user's cache."""

from __future__ import annotations

import ast
import hashlib
import json
import re
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
from harness.papers.wording.wording import Wording, WordingPart

_STEP = re.compile(r"\[([^\]]*)\]")
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


class NoSuchPlace(ValueError):
    """A file has no text at a place; says which part of the place is not there."""


def text_at(data: bytes, file: str, place: str) -> str:
    """The text at a place, with the values of an f-string as ``{expression}``.

    Args:
        data: The file.
        file: Its name, by whose suffix it is read.
        place: Where; empty for the whole file.

    Raises:
        NoSuchPlace: there is no text, or the file cannot be read as what it is called.
    """
    try:
        text = data.decode("utf-8")
        if not place:
            return text
        if file.endswith(".json"):
            return _of_json(json.loads(text), place)
        return _text(_found(ast.parse(text), place), place)
    except (SyntaxError, ValueError, RecursionError) as error:
        if isinstance(error, NoSuchPlace):
            raise
        raise NoSuchPlace(f"it cannot be read: {error}") from error


def _of_json(value: object, place: str) -> str:
    for step in _STEP.findall(place):
        match value:
            case dict() if step in value:
                value = value[step]
            case list() if step.isdecimal() and int(step) < len(value):
                value = value[int(step)]
            case _:
                raise NoSuchPlace(f"there is no [{step}] of {place}")
    if not isinstance(value, str):
        raise NoSuchPlace(f"{place} is no text")
    return value


def _found(tree: ast.Module, place: str) -> ast.expr:
    """The expression that a place means."""
    path = _STEP.sub("", place)
    scope: ast.AST = tree
    names = path.split(".")
    for name in names[:-1]:
        scope = _definition(scope, name) or _missing(name, place)
    last, _, number = names[-1].partition("#")
    values = list(_assigned(scope, last))
    if values:
        if int(number or 1) > len(values):
            raise NoSuchPlace(f"{last} of {place} is set only {len(values)} times")
        found = values[int(number or 1) - 1]
    else:
        found = _returned(_definition(scope, last) or _missing(last, place), place)
    for step in _STEP.findall(place):
        found = _inside(found, step, place)
    return found


def _missing(name: str, place: str) -> ast.AST:
    raise NoSuchPlace(f"there is no {name} of {place}")


def _definition(scope: ast.AST, name: str) -> ast.AST | None:
    definitions = (each for each in ast.walk(scope) if isinstance(each, (ast.ClassDef, *_FUNCTIONS)))
    return next((each for each in definitions if each.name == name and each is not scope), None)


def _assigned(scope: ast.AST, name: str) -> Iterator[ast.expr]:
    """What is assigned or added to a name in a scope itself, in the order of the text."""
    for each in _own(scope):
        match each:
            case ast.Assign(targets=[ast.Name(id=target)], value=value) if target == name:
                yield value
            case ast.AugAssign(target=ast.Name(id=target), value=value) if target == name:
                yield value
            case ast.AnnAssign(target=ast.Name(id=target), value=ast.expr() as value) if target == name:
                yield value


def _own(scope: ast.AST) -> Iterator[ast.AST]:
    """Statements of a scope, not those of classes and functions in there."""
    for each in ast.iter_child_nodes(scope):
        if not isinstance(each, (ast.ClassDef, *_FUNCTIONS)):
            yield each
            yield from _own(each)


def _returned(definition: ast.AST, place: str) -> ast.expr:
    returned = [each.value for each in _own(definition) if isinstance(each, ast.Return) and each.value]
    if len(returned) != 1:
        raise NoSuchPlace(f"{place} is a function that returns in {len(returned)} places")
    return returned[0]


def _inside(value: ast.expr, step: str, place: str) -> ast.expr:
    match value:
        case ast.Dict(keys=keys, values=values):
            for key, each in zip(keys, values, strict=True):
                if isinstance(key, ast.Constant) and key.value == step:
                    return each
        case ast.List(elts=elements) | ast.Tuple(elts=elements) if step.isdecimal() and int(step) < len(elements):
            return elements[int(step)]
    raise NoSuchPlace(f"there is no [{step}] of {place}")


def _text(value: ast.expr, place: str) -> str:
    """The text that an expression writes down."""
    match value:
        case ast.Constant(value=str() as text):
            return text
        case ast.JoinedStr(values=parts):
            return "".join(_text(part, place) for part in parts)
        case ast.FormattedValue(value=inner):
            return f"{{{ast.unparse(inner)}}}"
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return _text(left, place) + _text(right, place)
        case ast.Call(func=ast.Name(id=name)):
            return f"{{{name}()}}"
    raise NoSuchPlace(f"{place} is no text")


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
        yield f"Differs from the repository: {wording.shown}."
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
