"""Rows in files: JSON Lines, Parquet, and folders as Hugging Face's ``datasets`` loads them."""

from __future__ import annotations

import contextlib
import importlib
import json
import re
import secrets
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, Literal, Protocol

from harness.kit.errors import UserError
from harness.kit.files.installation import installing
from harness.kit.text import joined_surrogates, markdown_table

Kind = Literal["text", "whole", "number", "truth", "texts", "chat"]
"""Of a column: text, whole number, number, true or false, list of texts, list of messages as ``role`` and ``content``.
Any of them may be null."""
BATCH = 1_000
"""Rows that are written to a Parquet file at a time."""


class CannotExport(UserError):
    """An export cannot be written; the message says why, and what to do."""


class Sink(Protocol):
    """Takes rows."""

    def write(self, row: Mapping[str, Any]) -> None:
        """Take one."""


class JsonLines:
    """Rows as lines of JSON."""

    def __init__(self, stream: IO[str]) -> None:
        self._stream = stream

    def write(self, row: Mapping[str, Any]) -> None:
        """Write one line."""
        self._stream.write(joined_surrogates(json.dumps(row, ensure_ascii=False)) + "\n")


class Parquet:
    """Rows as a Parquet file."""

    def __init__(self, arrow: Any, file: Path, columns: Mapping[str, Kind]) -> None:
        self._arrow = arrow
        kinds = _arrow_types(arrow)
        self._schema = arrow.schema([(name, kinds[kind]) for name, kind in columns.items()])
        self._writer = _parquet().ParquetWriter(str(file), self._schema)
        self._rows: list[Mapping[str, Any]] = []

    def write(self, row: Mapping[str, Any]) -> None:
        """Take a row; written with others."""
        self._rows.append({name: _encodable(value) for name, value in row.items()})
        if len(self._rows) >= BATCH:
            self._flush()

    def close(self) -> None:
        """Write what is left."""
        self._flush()
        self._writer.close()

    def _flush(self) -> None:
        if self._rows:
            self._writer.write_table(self._arrow.Table.from_pylist(self._rows, schema=self._schema))
            self._rows = []


@contextlib.contextmanager
def whole(file: Path) -> Iterator[Path]:
    """A context with a temporary file in the same folder, which becomes ``file`` if the context ends well.

    Raises:
        CannotExport: there is such a file, or the folder cannot be written.
    """
    if file.exists():
        raise CannotExport(f"{file} exists; name another with --out, or remove it")
    temporary = file.with_name(f".{secrets.token_hex(8)}.part")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        yield temporary
        temporary.replace(file)
    except OSError as error:
        raise CannotExport(f"{file} cannot be written: {error.strerror or error}") from error
    finally:
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)


@contextlib.contextmanager
def lines_to(file: Path | None) -> Iterator[JsonLines]:
    """A context with a sink of lines: a file, or standard output.

    Raises:
        CannotExport: as ``whole``.
    """
    if file is None:
        yield JsonLines(sys.stdout)
        return
    with whole(file) as temporary, temporary.open("w", encoding="utf-8", newline="\n") as stream:
        yield JsonLines(stream)


@contextlib.contextmanager
def tables_to(folder: Path, form: str, tables: Mapping[str, Mapping[str, Kind]]) -> Iterator[Mapping[str, Sink]]:
    """A context with a sink for each table.

    Args:
        folder: Where their files come to stand.
        form: ``jsonl`` or ``parquet``, which is also how the files' names end.
        tables: Name of a table -> its columns, in order.

    Raises:
        CannotExport: as ``whole``; or pyarrow is not installed.
    """
    arrow = _arrow() if form == "parquet" else None
    with contextlib.ExitStack() as stack:
        sinks: dict[str, Sink] = {}
        for name, columns in tables.items():
            temporary = stack.enter_context(whole(folder / f"{name}.{form}"))
            if arrow:
                sinks[name] = stack.enter_context(contextlib.closing(Parquet(arrow, temporary, columns)))
            else:
                stream = stack.enter_context(temporary.open("w", encoding="utf-8", newline="\n"))
                sinks[name] = JsonLines(stream)
        yield sinks


def _arrow() -> Any:
    """The library, which only this format needs."""
    try:
        return importlib.import_module("pyarrow")
    except ImportError as error:
        raise CannotExport(
            f"pyarrow is not installed; install it with: {installing('export')}, or use --format jsonl"
        ) from error


def _parquet() -> Any:
    return importlib.import_module("pyarrow.parquet")


def _arrow_types(arrow: Any) -> Mapping[Kind, Any]:
    return {
        "text": arrow.string(),
        "whole": arrow.int64(),
        "number": arrow.float64(),
        "truth": arrow.bool_(),
        "texts": arrow.list_(arrow.string()),
        "chat": arrow.list_(arrow.struct([("role", arrow.string()), ("content", arrow.string())])),
    }


def _encodable(value: Any) -> Any:
    if isinstance(value, str):
        return joined_surrogates(value)
    if isinstance(value, dict):
        return {name: _encodable(each) for name, each in value.items()}
    return [_encodable(each) for each in value] if isinstance(value, list) else value


CARD = "README.md"
FOLDER = "data"


class SplitTables:
    """Tables whose rows go to a file for each split."""

    def __init__(self, sinks: Mapping[str, Sink], rows: dict[tuple[str, str], int]) -> None:
        self._sinks = sinks
        self.rows = rows
        """How many rows each table and split has, so far."""

    def write(self, table: str, split: str, row: Mapping[str, Any]) -> None:
        """Write a row of a table, of a split by its own name."""
        place = (table, split_name(split))
        self._sinks[table_file(*place)].write(row)
        self.rows[place] += 1

    def of(self, table: str) -> int:
        """How many rows a table has, so far."""
        return sum(count for (name, _), count in self.rows.items() if name == table)


@contextmanager
def datasets_folder(
    folder: Path, tables: Mapping[str, Mapping[str, Kind]], splits: Iterable[str], about: str
) -> Iterator[SplitTables]:
    """A context with tables to write to; the card is there when it ends well.

    Args:
        folder: Where all comes to stand.
        tables: Name of a table -> its columns, in order.
        splits: Those that rows can be of, by their own names.
        about: What the card says, in Markdown.

    Raises:
        CannotExport: a file is there already or cannot be written, or pyarrow is not installed.
    """
    names = sorted({split_name(split) for split in splits})
    # By table and then by split: so that the card tells them in this order.
    rows = {(table, split): 0 for table in tables for split in names}
    files = {table_file(table, split): tables[table] for table, split in rows}
    with whole(folder / CARD) as temporary:
        with tables_to(folder, "parquet", files) as sinks:
            yield SplitTables(sinks, rows)
        temporary.write_text(card(rows, about), encoding="utf-8")


def split_name(split: str) -> str:
    """A split's name as ``datasets`` takes it: letters, digits and underscores; ``unnamed`` for none."""
    return re.sub(r"\W+", "_", split, flags=re.ASCII).strip("_") or "unnamed"


def table_file(table: str, split: str) -> str:
    """Where the rows of a table and a split stand, without the ending."""
    return f"{FOLDER}/{table}/{split}"


def card(rows: Mapping[tuple[str, str], int], about: str) -> str:
    """The card, with the configurations at its head; a table without rows has none.

    Args:
        rows: How many rows each table and split has.
        about: What it says of them.
    """
    head = ["---", "configs:"]
    for table in dict.fromkeys(table for table, _ in rows):
        splits = [split for (name, split), count in rows.items() if name == table and count]
        if splits:
            head += [f"- config_name: {table}", "  data_files:"]
            head += [f"  - split: {split}\n    path: {table_file(table, split)}.parquet" for split in splits]
    counts = [["table", "split", "rows"], *([table, split, str(count)] for (table, split), count in rows.items())]
    return "\n\n".join(["\n".join([*head, "---"]), about, "## Rows", markdown_table(counts)]) + "\n"
