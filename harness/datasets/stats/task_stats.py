"""What one task consists of, as its files say: no browser is asked."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from statistics import fmean

from harness.catalog.csv_table import first_row
from harness.catalog.task import TABLE, Instance, Task
from harness.catalog.template import instantiate
from harness.datasets.controls import declared_fields
from harness.models.tokens.counting import PIECE
from harness.models.tokens.vocabulary import VOCABULARIES, Vocabulary, encoding_of, find
from harness.scoring.answers.columns import AnswerColumns, is_answered

CHARACTERS = "characters"
"""The unit that needs no vocabulary."""

Rulers = Mapping[str, Callable[[str], int] | None]
"""Unit -> what measures a text in it; None for a vocabulary that is not in the cache."""


@dataclass(frozen=True)
class Length:
    """How long a task is, in one unit.

    Attributes:
        template: Its template, variables unfilled.
        page: Its pages with their values filled in: the mean over those that were measured.
    """

    template: int
    page: float


def rulers() -> Rulers:
    """What measures texts on this machine: characters, and each vocabulary that the harness knows, by name."""
    found = {each.name: partial(_tokens, each) if find(each) else None for each in VOCABULARIES}
    return {CHARACTERS: len, **dict(sorted(found.items()))}


def measured(template: str, pages: Sequence[str], units: Rulers) -> dict[str, Length | None]:
    """How long a task is, in each unit; None in one that cannot be measured here.

    Args:
        template: Its template.
        pages: Some of its pages, at least one.
        units: As ``rulers`` gives them.
    """
    return {unit: measure and Length(measure(template), fmean(map(measure, pages))) for unit, measure in units.items()}


def _tokens(vocabulary: Vocabulary, text: str) -> int:
    """Tokens of a text, cut into pieces as for a request: a page may hold a word of a million letters."""
    pieces = [text[start : start + PIECE] for start in range(0, len(text), PIECE)]
    return sum(map(len, encoding_of(vocabulary).encode_ordinary_batch(pieces, num_threads=2)))


SAMPLE = 5
"""Pages of a task whose length is measured: the first, the last, and those evenly between them."""
_BETWEEN_KEYWORDS = re.compile(r"[,;]")


@dataclass(frozen=True)
class TaskStats:
    """What one task consists of.

    Attributes:
        task: Its name.
        split: Its split.
        title: What workers saw as its title; empty if the files do not say.
        keywords: What its requester filed it under, in small letters; empty if the files do not say.
        has_table: Whether it has a table. Without one it has one page, no rows and no labels.
        rows: Rows of its table, one a worker and page.
        instances: Its pages with values of their own; 0 without a table.
        unlabelled: How many of them no worker answered.
        workers: Rows of an instance -> how many instances have so many.
        fields: Kind -> named fields that stand in the template.
        answers: Kind -> those of them that workers answered.
        columns: Its answer columns.
        lengths: Unit -> how long it is; None in a unit that cannot be measured here.
        measured: How many pages the lengths are means of.
        content_warning: What readers should know before they open it; empty if nothing.
        goal: What is to be done on a website, of the first instance; empty for a form.
    """

    task: str
    split: str
    title: str
    keywords: tuple[str, ...]
    has_table: bool
    rows: int
    instances: int
    unlabelled: int
    workers: Mapping[int, int]
    fields: Mapping[str, int]
    answers: Mapping[str, int]
    columns: int
    lengths: Mapping[str, Length | None]
    measured: int
    content_warning: str
    goal: str = ""


def task_stats(task: Task, units: Rulers) -> TaskStats:
    """Count one task.

    Args:
        task: The task.
        units: What lengths are measured in.
    """
    fields = declared_fields(task.template)
    pages = sample(task.pages)
    answers = AnswerColumns(task).answers(task.instances[0], fields) if task.instances else []
    named = {field.name for field in fields}
    return TaskStats(
        task=task.name,
        split=task.split,
        title=task.facts.title,
        keywords=keywords_of(task),
        has_table=task.evaluable,
        rows=sum(len(instance.rows) for instance in task.instances),
        instances=len(task.instances),
        unlabelled=sum(not is_answered(instance) for instance in task.instances),
        workers=dict(sorted(Counter(len(instance.rows) for instance in task.instances).items())),
        fields=Counter(field.kind for field in fields),
        answers=Counter(answer.kind for answer in answers if answer.told and answer.name in named),
        columns=len(task.columns),
        lengths=measured(task.template, [instantiate(task.template, page.inputs) for page in pages], units),
        measured=len(pages),
        content_warning=task.facts.content_warning,
        goal=task.site_of(task.pages[0]).goal if task.site else "",
    )


def sample(pages: Sequence[Instance]) -> Sequence[Instance]:
    """At most ``SAMPLE`` of a task's pages, evenly over the table."""
    if len(pages) <= SAMPLE:
        return pages
    return [pages[place * (len(pages) - 1) // (SAMPLE - 1)] for place in range(SAMPLE)]


def keywords_of(task: Task) -> tuple[str, ...]:
    """What the first row of a task's table says under ``Keywords``, each word once, in small letters."""
    said = first_row(task.folder / TABLE) or {}
    words = (" ".join(word.split()).lower() for word in _BETWEEN_KEYWORDS.split(said.get("Keywords", "")))
    return tuple(dict.fromkeys(word for word in words if word))
