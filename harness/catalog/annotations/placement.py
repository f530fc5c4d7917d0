"""Which instances of a task people's answers belong to: those with the very inputs that the people saw."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from harness.catalog import Catalog
from harness.catalog.annotations.handed_in import INPUT
from harness.catalog.annotations.results_file import BadResults, GivenAnswers
from harness.catalog.labels import clean
from harness.catalog.problems import MalformedTask
from harness.catalog.task import Instance, Task
from harness.kit.text import shorten

_SHOWN = 60
_LOST = re.compile(r"(?:[^\u0000-\uffff]|\?)+")


@dataclass(frozen=True)
class PlacedAnswers:
    """Answers with the instances that they belong to.

    Attributes:
        task: The task.
        by_index: Place of the instance in the task's table -> its answers, in the order of the files.
    """

    task: Task
    by_index: Mapping[int, tuple[GivenAnswers, ...]]

    @property
    def given(self) -> list[GivenAnswers]:
        """All answers, instance by instance."""
        return [each for of_instance in self.by_index.values() for each in of_instance]


def place_all(catalog: Catalog, by_task: Mapping[str, Sequence[GivenAnswers]]) -> list[PlacedAnswers]:
    """Find the instances of answers.

    Args:
        catalog: The tasks that people worked on.
        by_task: Task -> answers.

    Raises:
        BadResults: there is no such task, it cannot be used, or an answer is of no instance of it, or one of several by
            the same person.
    """
    return [place_answers(_task(catalog, name, given), given) for name, given in by_task.items()]


def _task(catalog: Catalog, name: str, given: Sequence[GivenAnswers]) -> Task:
    try:
        return catalog.task(name)
    except KeyError:
        raise BadResults(
            f"{given[0]}: there is no task {name!r} in {catalog.tasks_dir}; give the task set that was worked on"
        ) from None
    except MalformedTask as error:
        raise BadResults(f"{given[0]}: the task {name!r} cannot be used: {error.problems[0]}") from error


def _as_amt(value: str) -> str:
    """An input as AMT gives it back, which writes ? for what is beyond 16 bits, as emoji are."""
    return _LOST.sub("?", clean(value))


_SPELLINGS: tuple[Callable[[str], str], ...] = (str, clean, _as_amt)
"""As it is; with the line ends of any tool; as AMT gives it back."""


def place_answers(task: Task, given: Iterable[GivenAnswers]) -> PlacedAnswers:
    """Find the instances of answers to one task.

    Raises:
        BadResults: the inputs of a row are those of no instance, or one person answered an instance twice.
    """
    by_inputs = _by_inputs(task)
    by_index: dict[int, list[GivenAnswers]] = {}
    first: dict[tuple[int, str, bool], GivenAnswers] = {}
    for each in given:
        instance = _instance(task, each, by_inputs)
        before = first.setdefault((instance.index, each.worker, each.adjudicated), each)
        if before is not each:
            raise BadResults(
                f"{each}: {each.worker!r} answered instance {instance.index} of {task.name!r} already ({before}); "
                "leave one of the two rows out"
            )
        by_index.setdefault(instance.index, []).append(each)
    return PlacedAnswers(task, {index: tuple(by_index[index]) for index in sorted(by_index)})


def _by_inputs(task: Task) -> Mapping[tuple[str, ...], Instance | None]:
    """Inputs in each spelling that results can have -> their instance; None if they are those of several."""
    found: dict[tuple[str, ...], Instance | None] = {}
    for spell in _SPELLINGS:
        spelt: dict[tuple[str, ...], Instance | None] = {}
        for page in task.pages:
            values = tuple(spell(page.inputs[name]) for name in task.variables)
            spelt[values] = None if values in spelt else page
        found = {**spelt, **found}
    return found


def _instance(task: Task, given: GivenAnswers, by_inputs: Mapping[tuple[str, ...], Instance | None]) -> Instance:
    """The instance of a row; raises ``BadResults``."""
    for name in task.variables:
        if name not in given.inputs:
            raise BadResults(
                f"{given}: there is no column {INPUT}{name}, and the page of {task.name!r} shows ${{{name}}}; "
                "give the results of this task, with their inputs"
            )
    values = tuple(given.inputs[name] for name in task.variables)
    for spell in _SPELLINGS:
        if found := by_inputs.get(tuple(map(spell, values))):
            return found
    name, value = _unknown_input(task, values)
    raise BadResults(
        f"{given}, column {INPUT}{name}: no instance of {task.name!r} has the inputs of this row; here it is "
        f"{shorten(value, _SHOWN)!r}. Give the task set, in the version, that was worked on"
    )


def _unknown_input(task: Task, values: Sequence[str]) -> tuple[str, str]:
    """The first input of a row that differs from all instances that agree so far."""
    near = list(task.pages)
    for name, value in zip(task.variables, values, strict=True):
        near = [each for each in near if _as_amt(each.inputs[name]) == _as_amt(value)]
        if not near:
            return name, value
    # Those of several instances, without what AMT did not give back.
    return next(pair for pair in zip(task.variables, values, strict=True) if "?" in pair[1])
