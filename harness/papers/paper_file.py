"""A file of data beside the code of a paper."""

from __future__ import annotations

import tomllib
from importlib.resources import files
from typing import TypeVar

from harness.kit.files.codec import Malformed, typed

T = TypeVar("T")


def paper_file(package: str, name: str, kind: type[T]) -> T | None:
    """The content of a TOML file; None if there is no such file.

    Args:
        package: The name of the paper's package, for example ``harness.papers.webcanvas``.
        name: Of the file in its folder.
        kind: The record's class.

    Raises:
        Malformed: the file is not well formed; says where.
    """
    file = files(package) / name
    if not file.is_file():
        return None
    try:
        return typed(tomllib.loads(file.read_text(encoding="utf-8")), kind)
    except (tomllib.TOMLDecodeError, Malformed) as error:
        raise Malformed(f"{file}: {error}") from error
