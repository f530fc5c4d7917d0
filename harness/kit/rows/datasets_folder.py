"""A folder as Hugging Face's ``datasets`` loads it: tables as Parquet files, by split, and a card that names them.

Source: https://huggingface.co/docs/hub/datasets-manual-configuration.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from harness.kit.rows.sinks import Kind, Sink, tables_to, whole
from harness.kit.text.tables import markdown_table

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
