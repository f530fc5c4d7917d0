"""Cells that end the form around them, or begin one, so that what stands outside it then is not sent.

Pure: a template and the cells of its columns in, mistakes out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from harness.catalog.task import Instance, Task
from harness.catalog.template import render
from harness.catalog.template.wrapping import sent_names
from oracle.check.mistakes.mistake import Mistake

_TAG = re.compile(r"</?form\b", re.IGNORECASE)


def closed_forms(task: Task, instances: Iterable[Instance]) -> Iterator[Mistake]:
    """The fields that a cell takes out of the form of its page, each with the rows where it does.

    Args:
        task: The task.
        instances: Those whose pages are looked at.
    """
    plain = frozenset[str]()
    for instance in instances:
        cells = {name: tag[0] for name, tag in _tags(instance)}
        if not cells:
            continue
        plain = plain or sent_names(render(task.template, dict.fromkeys(instance.inputs, "")))
        for column, tag in cells.items():
            others = {**instance.inputs, **dict.fromkeys(cells.keys() - {column}, "")}
            for field in sorted(plain - sent_names(render(task.template, others))):
                yield Mistake(
                    task=task.name,
                    kind="closed form",
                    what=f"the cell of {column} holds {tag}>, a tag of the page there: this field is outside the form "
                    "that is sent",
                    remedy=f"Write &lt; for the < in the cell of {column}, or take the tag out",
                    field=field,
                    rows=instance.rows,
                )


def _tags(instance: Instance) -> Iterator[tuple[str, re.Match[str]]]:
    """The columns in whose cell there is a tag of a form, with the first of them."""
    for name, value in instance.inputs.items():
        if tag := _TAG.search(value):
            yield name, tag
