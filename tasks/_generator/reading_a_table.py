"""Reading a table: HTML in the inputs, a short answer, a select and a lone box."""

from __future__ import annotations

import html
from typing import Any

from tasks._generator.crowd import Crowd, Worker
from tasks._generator.made import Made
from tasks._generator.model import texts

NAME = "Reading a table"

WAYS = ("read one cell", "count rows", "compare rows", "calculate", "none of these")


def instances(crowd: Crowd) -> list[Made]:
    """Make the instances: one for each question of each table."""
    return [
        crowd.made(
            {"table": _table(item), "question": question["ask"]},
            lambda worker, item=item, question=question: _answer(worker, item, question),
            {
                "answer": question["answers"][0] if question["answers"] else "",
                "unanswerable": "False" if question["answers"] else "True",
                "method": question["how"],
            },
        )
        for item in texts("reading_a_table")
        for question in item["questions"]
    ]


def _answer(worker: Worker, item: dict[str, Any], question: dict[str, Any]) -> dict[str, str]:
    answers = question["answers"]
    if worker.errs(0.22):
        # The wrong row of the right column, or no answer where there is one.
        if answers and worker.rng.random() < 0.25:
            return {"answer": "", "unanswerable": "True", "method": "none of these"}
        column = worker.rng.randrange(1, len(item["columns"]))
        cells = [row[column] for row in item["rows"] if row[column] not in answers]
        return {"answer": worker.pick(cells or ["1"]), "unanswerable": "False", "method": "read one cell"}
    if not answers:
        # Some who find no answer say so in words.
        said = "not in the table" if worker.rng.random() < 0.2 else ""
        return {"answer": said, "unanswerable": "True", "method": "none of these"}
    return {
        "answer": worker.copy([*answers[:1] * 3, *answers], 0.04),
        "unanswerable": "False",
        "method": worker.choose(question["how"], WAYS, 0.2),
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
