"""Rows of text as tables."""

from __future__ import annotations

from collections.abc import Sequence


def aligned(rows: Sequence[Sequence[str]]) -> str:
    """Rows as columns, the first flush left and the others flush right, with a rule under the heading."""
    widths = [max(len(row[place]) for row in rows) for place in range(len(rows[0]))]
    lines = [
        "  ".join([row[0].ljust(widths[0]), *(c.rjust(w) for c, w in zip(row[1:], widths[1:], strict=True))])
        for row in rows
    ]
    return "\n".join([lines[0], "─" * len(lines[0]), *lines[1:]])


def markdown_table(rows: Sequence[Sequence[str]]) -> str:
    """Rows as a table in Markdown, all but the first column flush right."""
    heading, *body = [[cell.replace("|", "\\|") for cell in row] for row in rows]
    lines = [heading, ["---", *["---:"] * (len(heading) - 1)], *body]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
