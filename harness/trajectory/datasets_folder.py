"""A folder as Hugging Face's ``datasets`` loads it: the tables as Parquet files, by split, and a card that names them.

Source: https://huggingface.co/docs/hub/datasets-manual-configuration.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from harness.text.tables import markdown_table

CARD = "README.md"
FOLDER = "data"

_ABOUT = """# Episodes of agents on forms and websites

Tables of recorded runs: `episodes`, `fields` (answers, of forms), `steps` (actions) and `turns` (what a model was asked
and said), one row each. Every row begins with the run, the solver and the task that it belongs to. Load one with
`datasets.load_dataset(FOLDER, "steps")`.

**These tables hold labels of tasks.** `held_out` is true for all that is not of the tasks' own split `train`: a model
that has learnt from it must not be evaluated on it, and whoever publishes it lets others learn from it."""


def split_name(split: str) -> str:
    """A split's name as ``datasets`` takes it: letters, digits and underscores; ``unnamed`` for none."""
    return re.sub(r"\W+", "_", split, flags=re.ASCII).strip("_") or "unnamed"


def table_file(table: str, split: str) -> str:
    """Where the rows of a table and a split stand, without the ending."""
    return f"{FOLDER}/{table}/{split}"


def card(rows: Mapping[tuple[str, str], int], runs: Sequence[str]) -> str:
    """The card, with the configurations at its head; a table without rows has none.

    Args:
        rows: How many rows each table and split has.
        runs: The runs, in words.
    """
    head = ["---", "configs:"]
    for table in dict.fromkeys(table for table, _ in rows):
        splits = [split for (name, split), count in rows.items() if name == table and count]
        if splits:
            head += [f"- config_name: {table}", "  data_files:"]
            head += [f"  - split: {split}\n    path: {table_file(table, split)}.parquet" for split in splits]
    counts = [["table", "split", "rows"], *([table, split, str(count)] for (table, split), count in rows.items())]
    return (
        "\n\n".join(
            [
                "\n".join([*head, "---"]),
                _ABOUT,
                "## Rows",
                markdown_table(counts),
                "## Runs",
                "\n".join(f"- {run}" for run in runs),
            ]
        )
        + "\n"
    )
