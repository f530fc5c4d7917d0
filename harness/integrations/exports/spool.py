"""Rows that come in any order and are written in one: so that an export is the same however many workers made it."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any


class Spool:
    """A context: rows by place, kept on disk until they are all there."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory()

    def __enter__(self) -> Spool:
        return self

    def put(self, place: int, rows: Iterable[Mapping[str, Any]]) -> None:
        """Keep the rows of a place."""
        self._file(place).write_text(json.dumps(list(rows)), encoding="utf-8")

    def rows(self, places: Iterable[int]) -> Iterator[dict[str, Any]]:
        """The rows of these places, as far as there are any."""
        for place in places:
            file = self._file(place)
            if file.exists():
                yield from json.loads(file.read_text(encoding="utf-8"))

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._folder.cleanup()

    def _file(self, place: int) -> Path:
        return Path(self._folder.name) / f"{place}.json"
