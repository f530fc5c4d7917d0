"""A record in a file of a run directory, which somebody else may have written."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from harness.kit.errors.user import UserError
from harness.kit.files import codec
from harness.kit.files.inside import MOST, read_inside
from harness.records.episode import SCHEMA

T = TypeVar("T")


class NotARun(UserError):
    """A folder is no run directory, or one of another schema version."""


class MalformedRun(NotARun):
    """A file of a run directory is JSON of this schema version, and yet not as a run leaves it."""


def read_record(file: Path, kind: type[T]) -> T:
    """The record in a file.

    Args:
        file: The file, in the folder in which it lies.
        kind: The record's class.

    Raises:
        NotARun: it cannot be read.
    """
    try:
        text = read_inside(file.parent, file.name, MOST)
        return codec.decode(text, kind)
    except OSError as error:
        raise NotARun(f"{file} cannot be read: {error}") from error
    except codec.Malformed as error:
        raise _refusal(file, text, error) from error


@dataclass(frozen=True)
class _Version:
    """What the files of all versions of the format have in common."""

    schema: int = SCHEMA


def _refusal(file: Path, text: bytes, error: codec.Malformed) -> NotARun:
    """Why a file cannot be read: it is no JSON, of another version, or else what is wrong with it."""
    try:
        version = codec.decode(text, _Version).schema
    except codec.Malformed:
        return NotARun(f"{file} cannot be read: {error}")
    if version != SCHEMA:
        return NotARun(f"{file} has schema version {version}; this version of the harness reads {SCHEMA}")
    return MalformedRun(f"{file} cannot be read: {error}")
