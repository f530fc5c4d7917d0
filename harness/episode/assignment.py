"""What is to be done on one instance, and the part of it that a solver without labels is told."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from harness.browser.form.fields import Field
from harness.browser.form.inventory import PageFacts
from harness.catalog.task import Instance, Task
from harness.catalog.template.wrapping import IDS
from harness.scoring.answers.baselines import ConstantAnswers
from harness.scoring.answers.columns import Answer, AnswerColumns
from harness.scoring.metrics import Profile


@dataclass(frozen=True)
class Page:
    """What a solver knows of an instance before it looks (TurkingBench, section 3.3).

    Attributes:
        url: The page's address.
        names: The names of the page's answer fields, in page order: all of the task's, whether or not this instance's
            labels score them, since which fields are scored would be a hint about the labels.
        fields: Those of them that are on the page when it has loaded.
        seed: A number that is the same in every run of this instance with one ``--seed``.
        goal: What is to be done on a website; empty for a form, whose page says it.
        origins: Where a website's task may go; none for a form.
        guide: How a person reached the goal, in words, for a solver whose user has asked for it (``--reference
            golden``); empty otherwise.
    """

    url: str
    names: tuple[str, ...]
    fields: tuple[Field, ...]
    seed: int
    goal: str = ""
    origins: tuple[str, ...] = ()
    guide: str = ""


@dataclass(frozen=True)
class WorkItem:
    """What is needed to let a solver work on a page: nothing of it is made of the instance's own labels.

    Attributes:
        page: What every solver is told; no other attribute is for solvers without labels.
    """

    page: Page


@runtime_checkable
class KeyedWorkItem(Protocol):
    """What is to be done on an instance, with what it is judged by: for the run, and for solvers that may know that."""

    @property
    def page(self) -> Page:
        """As of ``WorkItem``."""

    @property
    def work_item(self) -> WorkItem:
        """The part that a solver without labels may be handed."""


@dataclass(frozen=True)
class FormWorkItem(WorkItem):
    """What is needed to let a solver work on a form.

    Attributes:
        reference: What the reference pass found on its page.
    """

    reference: PageFacts


@dataclass(frozen=True)
class Assignment(FormWorkItem):
    """What is to be done on one instance, with its labels: for the run, and for solvers that may know the labels.

    Attributes:
        instance: With its raw labels.
        answers: Its fields with labels and status.
        columns: The answer columns of the whole task.
        constants: The floor of the task: the most frequent answers of its other instances.
        profile: The rules by which it will be scored.
    """

    instance: Instance
    answers: tuple[Answer, ...]
    columns: AnswerColumns
    constants: ConstantAnswers
    profile: Profile

    @property
    def split(self) -> str:
        """The split of its task."""
        return self.columns.task.split

    @property
    def work_item(self) -> FormWorkItem:
        """The part without labels."""
        return FormWorkItem(self.page, self.reference)


class TaskAssignments:
    """Makes the assignments of one task; what holds for all of its instances is found out once.

    Attributes:
        task: The task.
    """

    def __init__(self, task: Task, profile: Profile, seed: int = 0) -> None:
        """Judge the answer columns of a task.

        Args:
            task: The task.
            profile: The rules by which its instances will be scored.
            seed: Of solvers that draw, in the whole run.
        """
        self.task = task
        self._profile = profile
        self._seed = seed
        self._columns = AnswerColumns(task)
        self._constants = ConstantAnswers(self._columns)

    def make(self, instance: Instance, url: str, reference: PageFacts) -> Assignment:
        """The assignment of an instance.

        Args:
            instance: One of the task's.
            url: Where its page is served.
            reference: What the reference pass found there.
        """
        answers = tuple(self._columns.answers(instance, reference.fields))
        names = tuple(answer.name for answer in answers if answer.told)
        if not self.task.columns:  # no label says which fields are answers: all of them may be
            names = tuple(field.name for field in reference.fields if field.name not in IDS)
        told = frozenset(names)
        page = Page(
            url=url,
            names=names,
            fields=tuple(field for field in reference.fields if field.name in told),
            seed=seed_of(instance, self._seed),
        )
        return Assignment(page, reference, instance, answers, self._columns, self._constants, self._profile)


def seed_of(instance: Instance, seed: int) -> int:
    """A number that is the same in every run of an instance with one seed."""
    text = f"{seed}:{instance.task}:{instance.id}"
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")
