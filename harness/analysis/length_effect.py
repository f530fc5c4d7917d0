"""Whether longer pages go with lower scores: between tasks, and between the instances of a task."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd

from harness.analysis.seeds import Result
from harness.kit.statistics.line import LineFit, fit_line

NO_SCORE = "no score"
LEAST_RANGE = 0.25
"""Doublings between the shortest and the longest page of a task, in the median of tasks: of pages that are more alike
nothing can be told about doubling them."""


@dataclass(frozen=True)
class PageLengths:
    """How long pages were, as a solver was shown them.

    Attributes:
        tokens: Task and id of an instance -> tokens.
        unknown: Task and id -> why it is not known.
        counted_by: How tokens were counted.
    """

    tokens: Mapping[tuple[str, str], float]
    unknown: Mapping[tuple[str, str], str]
    counted_by: str


@dataclass(frozen=True)
class TaskLength:
    """A task's pages.

    Attributes:
        task: Its name.
        tokens: The geometric mean of their lengths.
        score: The mean score of the same instances.
        instances: How many these are.
    """

    task: str
    tokens: float
    score: float
    instances: int


@dataclass(frozen=True)
class LengthEffect:
    """How scores go with lengths. Slopes are per doubling of the length.

    Attributes:
        tasks: The tasks, from the shortest pages to the longest.
        between: The line through the tasks, over the binary logarithm of their tokens; None of fewer than two lengths.
        within: The line through the instances of tasks, each less the means of its task; None where the pages of a task
            are too much alike in length (``LEAST_RANGE``).
        within_tasks: How many tasks have pages of different lengths.
        left_out: Why -> how many instances are not among them.
        counted_by: How tokens were counted.
    """

    tasks: tuple[TaskLength, ...]
    between: LineFit | None
    within: LineFit | None
    within_tasks: int
    left_out: Mapping[str, int]
    counted_by: str


def length_effect(result: Result, lengths: PageLengths) -> LengthEffect:
    """Hold the scores of a result against the lengths of its pages.

    Args:
        result: With the scores of its instances.
        lengths: Of the pages of its first run; of another seed they are the same pages.
    """
    rows = result.instances[["task", "id", "score"]].astype({"task": object})
    keys = list(zip(rows["task"], rows["id"], strict=True))
    rows = rows.assign(length=np.log2([lengths.tokens.get(key, np.nan) for key in keys]))
    scored, known = rows["score"].notna(), rows["length"].notna()
    left_out = Counter(lengths.unknown[key] for key in pd.Series(keys)[(scored & ~known).to_numpy()])
    if missing := int((~scored).sum()):
        left_out[NO_SCORE] = missing
    rows = rows[scored & known]
    tasks = rows.groupby("task", sort=True)[["length", "score"]].mean()
    sizes = rows.groupby("task", sort=True).size()
    found = [
        TaskLength(str(task), float(2**length), float(score), int(size))
        for task, length, score, size in zip(tasks.index, tasks["length"], tasks["score"], sizes, strict=True)
    ]
    lengths_of = rows.groupby("task")["length"]
    varied = rows[lengths_of.transform("max") > lengths_of.transform("min")]
    ranges = lengths_of.max() - lengths_of.min()
    if not (ranges.median() >= LEAST_RANGE):
        varied = varied.iloc[:0]
    centred = varied[["length", "score"]] - varied.groupby("task")[["length", "score"]].transform("mean")
    return LengthEffect(
        tasks=tuple(sorted(found, key=lambda each: (each.tokens, each.task))),
        between=fit_line(tasks["length"], tasks["score"], np.arange(len(tasks))),
        within=fit_line(centred["length"], centred["score"], pd.factorize(varied["task"])[0]),
        within_tasks=int(varied["task"].nunique()),
        left_out=dict(left_out),
        counted_by=lengths.counted_by,
    )
