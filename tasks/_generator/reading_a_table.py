"""Reading a table: HTML in the inputs, a short answer, a select and a lone box."""

from __future__ import annotations

import html
import random
from typing import Any

from tasks._generator.crowd import Crowd
from tasks._generator.model import Row, instance, texts

NAME = "Reading a table"

WAYS = ("read one cell", "count rows", "compare rows", "calculate", "none of these")


def rows(rng: random.Random) -> list[Row]:
    """Make the rows: one instance for each question of each table."""
    crowd = Crowd(rng)
    return [
        row
        for item in texts("reading_a_table")
        for question in item["questions"]
        for row in instance(
            {"table": _table(item), "question": question["ask"]},
            [_answer(crowd, question) for _ in range(crowd.workers())],
        )
    ]


def _answer(crowd: Crowd, question: dict[str, Any]) -> dict[str, str]:
    answers = question["answers"]
    return {
        # Who finds no answer mostly leaves the line empty, but some workers say so in words.
        "answer": crowd.write(answers or ["not in the table"], 0.06) if answers or crowd.chance(0.3) else "",
        "unanswerable": "False" if answers or crowd.chance(0.1) else "True",
        "method": crowd.choose(question["how"], WAYS, 0.15),
    }


def _table(item: dict[str, Any]) -> str:
    head = "".join(f'<th scope="col">{html.escape(column)}</th>' for column in item["columns"])
    body = "".join(
        f'<tr><th scope="row">{html.escape(first)}</th>'
        + "".join(f"<td>{html.escape(cell)}</td>" for cell in rest)
        + "</tr>"
        for first, *rest in item["rows"]
    )
    caption = html.escape(item["caption"])
    return f"<table><caption>{caption}</caption><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
