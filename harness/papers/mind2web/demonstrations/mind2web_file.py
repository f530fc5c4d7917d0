"""Files of demonstrations as Mind2Web publishes them: read and written one demonstration at a time."""

from __future__ import annotations

import gzip
import io
import json
import re
import zlib
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, BinaryIO, TextIO, cast

from harness.kit.files.writing import whole_file
from harness.papers.mind2web.demonstrations.demonstration import Demonstration
from harness.papers.mind2web.demonstrations.mind2web_json import DemonstrationError, as_json, demonstration_of

_AT_ONCE = 1 << 20
_SPACE = re.compile(r"[ \t\r\n]*")
LONGEST = 1 << 28
"""Characters of the longest element that is read: none that is honest comes near."""


class JsonList:
    """A list whose elements are objects, read once from front to back.

    Args:
        stream: The text, from its beginning.
        longest: Characters that an element may have.
    """

    def __init__(self, stream: TextIO, longest: int = LONGEST) -> None:
        self._stream = stream
        self._longest = longest
        self._decoder = json.JSONDecoder()
        self._text = ""
        self._at = 0

    def __iter__(self) -> Iterator[Any]:
        """The elements.

        Raises:
            ValueError: it is no such list, or an element is too long; the message says which.
            OSError: the stream cannot be read.
        """
        if self._sign() != "[":
            raise ValueError("it does not begin with [: no list")
        self._at += 1
        sign = self._sign()
        while sign != "]":
            yield self._element()
            sign = self._sign()
            if sign not in {",", "]"}:
                raise ValueError("the list does not go on after an element: neither , nor ]")
            if sign == ",":
                self._at += 1
                self._sign()
        self._at += 1
        if self._sign():
            raise ValueError("something follows the list")

    def _element(self) -> Any:
        while True:
            try:
                element, self._at = self._decoder.raw_decode(self._text, self._at)
            except json.JSONDecodeError:
                # It may only be that the rest of it has not been read yet.
                if not self._read_on():
                    raise
            except RecursionError as error:
                raise ValueError("it is nested too deep") from error
            else:
                return element

    def _sign(self) -> str:
        """The next character that is no space; empty at the end."""
        while True:
            space = _SPACE.match(self._text, self._at)
            self._at = space.end() if space else self._at
            if self._at < len(self._text):
                return self._text[self._at]
            if not self._read_on():
                return ""

    def _read_on(self) -> bool:
        """Read as much again as there is, so that a long element is tried a few times only; whether there was more."""
        rest = self._text[self._at :]
        if len(rest) > self._longest:
            raise ValueError(f"an element has more than {self._longest:,} characters")
        more = self._stream.read(max(_AT_ONCE, len(rest)))
        self._text, self._at = rest + more, 0
        return bool(more)


ENDINGS = (".json", ".jsonl", ".json.gz", ".jsonl.gz")
"""How the names of files of demonstrations end."""


def read_demonstrations(path: Path) -> Iterator[Demonstration]:
    """The demonstrations of a file, or of a folder of files, in order; no more than one is in memory.

    Args:
        path: A ``.json`` file with a list, a ``.jsonl`` file with one a line, either of them packed (``.gz``), or a
            folder of such files, which are read in the order of their names; other files in it are passed over.

    Raises:
        DemonstrationError: there is no such file, it cannot be read, or it holds what is no demonstration; the message
            says which file, demonstration, step and key.
    """
    for file in demonstration_files(path):
        for number, value in enumerate(_values(file), start=1):
            yield demonstration_of(value, f"{file}, demonstration {number}")


def written(demonstrations: Iterable[Demonstration], path: Path) -> int:
    """Write demonstrations as a file that ``read_demonstrations`` reads; it is there whole or not at all.

    Args:
        demonstrations: They are asked for one by one.
        path: Its name says in which form, by one of ``ENDINGS``.

    Returns:
        How many there were.

    Raises:
        DemonstrationError: its name ends otherwise.
        OSError: it cannot be written.
    """
    if not path.name.endswith(ENDINGS):
        raise DemonstrationError(f"{path}: a file of demonstrations ends with {', '.join(ENDINGS)}")
    before, between, after = (b"", b"", b"") if _in_lines(path) else (b"[", b",", b"]\n")
    count = 0
    with ExitStack() as stack:
        stream = stack.enter_context(whole_file(path))
        if path.suffix == ".gz":
            # Neither name nor time, so that the same demonstrations make the same bytes.
            packed = gzip.GzipFile(filename="", mode="wb", fileobj=stream, mtime=0)
            stream = cast(BinaryIO, stack.enter_context(packed))
        stream.write(before)
        for demonstration in demonstrations:
            stream.write(between if count else b"")
            stream.write(json.dumps(as_json(demonstration), ensure_ascii=False).encode("utf-8", "backslashreplace"))
            stream.write(b"\n")
            count += 1
        stream.write(after)
    return count


def demonstration_files(path: Path) -> list[Path]:
    """The files that ``read_demonstrations`` reads, in its order; errors as of it."""
    try:
        files = [each for each in sorted(path.iterdir()) if is_demonstration_file(each)] if path.is_dir() else [path]
    except OSError as error:
        raise DemonstrationError(f"{path} cannot be read: {error.strerror}") from error
    if not files:
        raise DemonstrationError(f"{path} holds no file of demonstrations ({', '.join(ENDINGS)})")
    return files


def is_demonstration_file(file: Path) -> bool:
    """Whether there is a file that is named as one of demonstrations; hidden ones are none."""
    return file.name.endswith(ENDINGS) and not file.name.startswith(".") and file.is_file()


def _in_lines(file: Path) -> bool:
    return file.name.removesuffix(".gz").endswith(".jsonl")


def _values(file: Path) -> Iterator[Any]:
    count = 0
    try:
        with _text_of(file) as text:
            if _in_lines(file):
                values: Iterable[Any] = (json.loads(line) for line in text if line.strip())
            else:
                values = JsonList(text)
            for value in values:
                count += 1
                yield value
    except (OSError, EOFError, zlib.error) as error:
        raise DemonstrationError(f"{file} cannot be read: {getattr(error, 'strerror', None) or error}") from error
    except (ValueError, RecursionError) as error:
        raise DemonstrationError(f"{file}, demonstration {count + 1}: {error}") from error


@contextmanager
def _text_of(file: Path) -> Iterator[io.TextIOWrapper]:
    packed = file.suffix == ".gz"
    with (
        cast(BinaryIO, gzip.open(file, "rb")) if packed else file.open("rb") as stream,
        io.TextIOWrapper(stream, encoding="utf-8-sig") as text,
    ):
        yield text
