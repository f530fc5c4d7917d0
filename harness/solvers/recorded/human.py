"""A person's answers, entered on the pages in this project's browser: ``--solver human --answers FILE``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

from harness.catalog import Catalog
from harness.catalog.annotations.placement import PlacedAnswers, place_all, place_answers
from harness.catalog.annotations.results_file import BadResults, GivenAnswers, read_results
from harness.catalog.kinds import KindName
from harness.catalog.task import Instance, Task
from harness.episode.assignment import Page
from harness.episode.library import Actions
from harness.episode.registry import LeaveOut
from harness.episode.solver import Setup, WrongOptions
from harness.kit.text import counted
from harness.models.messages import Usage
from harness.records.turn import Turn
from harness.solvers.recorded.entering import EnteredPage, instance_at, unchanged_digest
from harness.solvers.solver_options import HumanOptions

NOT_DONE = "instances that the annotator did not do"


class NotEntered(Exception):
    """The page does not hold what the person answered on it."""


class HumanSolver:
    """Enters what one person answered, so that people are scored as solvers are.

    Fields are filled in as the person left them, in page order, and then those that answers and presses bring out. What
    a page cannot be made to hold is an error of the episode, which names the fields. Hidden fields are left to the
    page's script, which writes them from what was entered, or from presses that no results file holds; the episode's
    turn names them.
    """

    kinds: ClassVar[tuple[KindName, ...]] = ("form",)
    options = HumanOptions

    def __init__(self, annotator: str, by_task: Mapping[str, PlacedAnswers]) -> None:
        """Enter these answers.

        Args:
            annotator: Whose they are.
            by_task: Task -> the person's answers to it.
        """
        self._annotator = annotator
        self._by_task = by_task

    @classmethod
    def check(cls, name: str, options: HumanOptions) -> HumanOptions:
        """See ``harness.episode.solver``; adds the SHA-256 of the file."""
        if options.answers is None or options.annotator is None:
            raise WrongOptions(
                f"the solver {name!r} needs --answers FILE --annotator NAME: the results of a project, as "
                "`turkbench manage results` writes them, and whose answers are to be entered"
            )
        try:
            read_results([Path(options.answers)]).of(options.annotator)
        except BadResults as error:
            raise WrongOptions(str(error)) from error
        return replace(options, answers_sha256=unchanged_digest(Path(options.answers), options.answers_sha256))

    @classmethod
    def prepare(cls, setup: Setup) -> Mapping[str, Any]:
        """See ``harness.episode.solver``; sees to it that every answer belongs to an instance.

        Raises:
            WrongOptions: one does not; no answer is left out without a word.
        """
        given = _given(setup)
        try:
            placed = place_all(Catalog(setup.tasks_dir, setup.overlay), _by_task(given))
        except BadResults as error:
            raise WrongOptions(str(error)) from error
        return {
            "annotator": setup.options.annotator,
            "instances": sum(len(each.by_index) for each in placed),
            "helped": sum(each.helped is True for each in given),
            "tasks": sorted(each.task.name for each in placed),
        }

    @classmethod
    def before_run(cls, name: str, options: HumanOptions, again: bool) -> str:  # noqa: ARG003 - see harness.episode.solver
        """See ``harness.episode.solver``: says that the sample is what the person did."""
        given = _answers_in(options)
        helped = sum(each.helped is True for each in given)
        with_help = f", {helped} of them with the help of a model's answers" if helped else ""
        return (
            f"{options.annotator} did {counted(len(given), 'instance')}{with_help}; all others are left out and "
            "counted, not scored 0"
        )

    @classmethod
    def leave_out(cls, setup: Setup) -> LeaveOut:
        """See ``harness.episode.solver``: leaves out what the person did not do."""
        by_task = _by_task(_given(setup))
        last: list[PlacedAnswers] = []

        def reason(task: Task, instance: Instance) -> str:
            if not last or last[0].task is not task:
                last[:] = [place_answers(task, by_task.get(task.name, ()))]
            return "" if instance.index in last[0].by_index else NOT_DONE

        return reason

    @classmethod
    def set_up(cls, setup: Setup) -> HumanSolver:
        """See ``harness.episode.solver``."""
        placed = place_all(Catalog(setup.tasks_dir, setup.overlay), _by_task(_given(setup)))
        return cls(setup.options.annotator, {each.task.name: each for each in placed})

    def solve(self, page: Page, act: Actions) -> None:
        """Enter what the person answered on this page.

        Raises:
            NotEntered: the person did not do it, or the page cannot be made to hold an answer.
            LimitReached: a limit of the episode is used up.
        """
        given = self._given_at(page)
        first = len(act.trajectory.steps)
        open_page = EnteredPage(act, given.cells, page.names, page.fields)
        try:
            open_page.enter()
        finally:
            act.trajectory.record_turn(_turn(given, open_page.written, (first, len(act.trajectory.steps))))
        if missing := open_page.missing:
            raise NotEntered(
                f"what {self._annotator} answered cannot be entered in {', '.join(map(repr, missing))}: nothing brings "
                "them out, or the page keeps something else"
            )

    def _given_at(self, page: Page) -> GivenAnswers:
        task, index = instance_at(page) or ("", 0)
        placed = self._by_task.get(task)
        if placed is None or index not in placed.by_index:
            raise NotEntered(f"{self._annotator} did not do {page.url}")
        return placed.by_index[index][0]


def _given(setup: Setup) -> tuple[GivenAnswers, ...]:
    return _answers_in(setup.options)


def _answers_in(options: HumanOptions) -> tuple[GivenAnswers, ...]:
    return read_results([Path(str(options.answers))]).of(str(options.annotator))


def _turn(given: GivenAnswers, written: Sequence[str], steps: tuple[int, int]) -> Turn:
    """Where the answers come from, and what is left to the page's script."""
    left = f"; left to the page's script: {', '.join(map(repr, written))}" if written else ""
    note = f"answered by {given.worker}: {given.file.name}, row {given.row}{left}"
    return Turn(steps=steps, usage=Usage(), cost=0.0, note=note)


def _by_task(given: tuple[GivenAnswers, ...]) -> Mapping[str, tuple[GivenAnswers, ...]]:
    return {task: tuple(each for each in given if each.task == task) for task in {each.task: None for each in given}}
