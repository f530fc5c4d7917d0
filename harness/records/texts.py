"""Texts by content: what is long in a request is kept once, however many requests hold it.

A run asks about one page many times and shows the same demonstrations each time. So a long text stands in a file of its
own, and the request that holds it refers to it. Each file is JSON and bears the SHA-256 of its bytes as its name.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from harness.kit.files.inside import MOST, read_inside
from harness.kit.files.writing import indented
from harness.kit.text import joined_surrogates, shorten

LONG = 1_000
"""Characters from which on a text gets a file of its own."""
_NAME = re.compile(r"[0-9a-f]{64}")
REFERENCE = "$text"
"""The key under which an object names the file of the text that it stands for."""


def named(record: object) -> tuple[str, str]:
    """The name of a record and its JSON text."""
    text = joined_surrogates(indented(record))
    return name_of(text), text


def name_of(text: str) -> str:
    """The name under which a text is kept: SHA-256 of its UTF-8 bytes, in hexadecimal digits."""
    return hashlib.sha256(text.encode()).hexdigest()


def packed(record: object) -> tuple[str, dict[str, str]]:
    """A record with its long texts taken out.

    Args:
        record: A JSON value.

    Returns:
        The name of the record, and the JSON texts to keep by name: the record's and those of its long texts.
    """
    texts: dict[str, str] = {}
    name, text = named(_taken_out(record, texts))
    return name, {**texts, name: text}


def unpacked(folder: Path, name: str) -> Any:
    """The record that ``packed`` made, with its long texts put back.

    Args:
        folder: The folder of the files.
        name: The record's name.

    Raises:
        FileNotFoundError: it, or a text that it refers to, is not there.
        ValueError: a file is no JSON, or a name is none.
    """
    try:
        return _put_back(read_text(folder, name), folder, [MOST])
    except RecursionError as error:
        raise ValueError("it is nested too deep") from error


def read_text(folder: Path, name: str) -> Any:
    """The JSON value in a file, in which long texts stand by their names; errors as for ``unpacked``."""
    if not _NAME.fullmatch(name):
        raise ValueError(f"{shorten(name)!r} is no name of a text")
    try:
        return json.loads(read_inside(folder, f"{name}.json", MOST))
    except RecursionError as error:
        raise ValueError("it is nested too deep") from error


def _taken_out(value: object, texts: dict[str, str]) -> object:
    match value:
        case str() if len(value) >= LONG:
            name, text = named(value)
            texts[name] = text
            return {REFERENCE: name, "characters": len(value)}
        case Mapping():
            return {key: _taken_out(item, texts) for key, item in value.items()}
        case list() | tuple():
            return [_taken_out(item, texts) for item in value]
    return value


def _put_back(value: Any, folder: Path, left: list[int]) -> Any:
    """A value with its texts in it; ``left`` are the bytes that these may have: one file can be named many times."""
    match value:
        case {"$text": str(name), "characters": int()} if len(value) == 2:
            text = read_text(folder, name)
            left[0] -= (folder / f"{name}.json").stat().st_size
            if left[0] < 0:
                raise ValueError(f"its texts have more than {MOST:,} bytes together")
            return text
        case dict():
            return {key: _put_back(item, folder, left) for key, item in value.items()}
        case list():
            return [_put_back(item, folder, left) for item in value]
    return value
