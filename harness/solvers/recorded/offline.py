"""Recorded model outputs, executed in this project's browser: ``--solver offline --predictions FILE``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

from harness.actions.call import ActionCall
from harness.catalog import Catalog
from harness.catalog.kinds import KindName
from harness.catalog.task import Instance, Task
from harness.episode.assignment import Page
from harness.episode.library import ACTIONS, Actions
from harness.episode.registry import LeaveOut
from harness.episode.solver import Setup, WrongOptions
from harness.kit.text import counted
from harness.models.messages import Reply
from harness.models.thoughts import without_thoughts
from harness.records.texts import packed
from harness.records.turn import ERROR, MOST_OF_A_REPLY, Turn
from harness.solvers.models.replies import read_reply
from harness.solvers.recorded.entering import instance_at, unchanged_digest
from harness.solvers.recorded.predictions import (
    BadPredictions,
    PlacedPredictions,
    Prediction,
    placed_in,
    read_predictions,
)
from harness.solvers.solver_options import OfflineOptions

NOT_RECORDED = "instances for which nothing was recorded"
_MOST_NAMED = 3


class NoPrediction(Exception):
    """The file holds nothing for a page."""


class OfflineSolver:
    """Does what recorded outputs say, one after the other, in the order of their file.

    The outputs are read as a model's replies are: action calls in prose and code are found, nothing is executed.
    """

    kinds: ClassVar[tuple[KindName, ...]] = ("form",)
    options = OfflineOptions

    def __init__(self, predictions: Sequence[Prediction], catalog: Catalog) -> None:
        """Play these predictions on the tasks of a catalog."""
        self._by_task: dict[str, list[Prediction]] = {}
        for each in predictions:
            self._by_task.setdefault(each.task, []).append(each)
        self._catalog = catalog
        self._placed: tuple[str, PlacedPredictions] | None = None

    @classmethod
    def check(cls, name: str, options: OfflineOptions) -> OfflineOptions:
        """See ``harness.episode.solver``; adds the SHA-256 of the file."""
        if options.predictions is None:
            raise WrongOptions(
                f"the solver {name!r} needs --predictions FILE: recorded outputs, one JSON object a line"
            )
        try:
            read_predictions(Path(options.predictions))
        except BadPredictions as error:
            raise WrongOptions(str(error)) from error
        digest = unchanged_digest(Path(options.predictions), options.predictions_sha256)
        return OfflineOptions(predictions=options.predictions, predictions_sha256=digest)

    @classmethod
    def prepare(cls, setup: Setup) -> Mapping[str, Any]:
        """See ``harness.episode.solver``; sees to it that every prediction belongs to an instance.

        Raises:
            WrongOptions: one does not; no output is left out without a word.
        """
        solver = cls.set_up(setup)
        placed = [solver.placed(task) for task in solver._by_task]
        if unplaced := [each for found in placed for each in found.unplaced]:
            named = "; ".join(map(str, unplaced[:_MOST_NAMED]))
            more = f"; and {counted(len(unplaced) - _MOST_NAMED, 'more page')}" if len(unplaced) > _MOST_NAMED else ""
            raise WrongOptions(
                f"{setup.options.predictions}: not every prediction has its instance in {setup.tasks_dir}: "
                f"{named}{more}. Take these lines out, or give the task set that they were made with"
            )
        return {
            "predictions": sum(map(len, solver._by_task.values())),
            "instances": sum(len(found.by_index) for found in placed),
            "tasks": sorted(solver._by_task),
        }

    @classmethod
    def leave_out(cls, setup: Setup) -> LeaveOut:
        """See ``harness.episode.solver``: leaves out what nothing was recorded for."""
        solver = cls.set_up(setup)

        def reason(task: Task, instance: Instance) -> str:
            return "" if instance.index in solver.placed(task.name).by_index else NOT_RECORDED

        return reason

    @classmethod
    def set_up(cls, setup: Setup) -> OfflineSolver:
        """See ``harness.episode.solver``."""
        return cls(read_predictions(Path(setup.options.predictions)), Catalog(setup.tasks_dir, setup.overlay))

    def placed(self, task: str) -> PlacedPredictions:
        """The predictions for a task, by instance."""
        if self._placed is None or self._placed[0] != task:
            predictions = self._by_task.get(task)
            self._placed = (
                task,
                placed_in(self._catalog, task, predictions) if predictions else PlacedPredictions({}, ()),
            )
        return self._placed[1]

    def solve(self, page: Page, act: Actions) -> None:
        """Do what was recorded for this page.

        Raises:
            NoPrediction: nothing was.
            LimitReached: a limit of the episode is used up.
        """
        place = instance_at(page)
        if place is None:
            raise NoPrediction(f"{page.url} is no address of an instance")
        task, index = place
        predictions = self.placed(task).by_index.get(index)
        if not predictions:
            raise NoPrediction(f"the file of predictions holds nothing for instance {index} of {task!r}")
        play(predictions, act)


def play(predictions: Sequence[Prediction], act: Actions) -> None:
    """Do what outputs say on the open page, one turn each; a prediction without an output is none.

    Raises:
        LimitReached: a limit of the episode is used up.
    """
    for each in predictions:
        if each.output is not None:
            _play(each, each.output, act)


def _play(prediction: Prediction, output: str, act: Actions) -> None:
    """Do what one output says, and take it down as a turn, whatever ends it."""
    reply = without_thoughts(Reply(output))
    items = [item.what for item in read_reply(reply, ACTIONS, "text")]
    first = len(act.trajectory.steps)
    try:
        for item in items:
            if isinstance(item, ActionCall):
                act.call(item)
    finally:
        whole, texts = packed({"text": output, "tool_calls": []}) if len(output) > MOST_OF_A_REPLY else ("", {})
        turn = Turn(
            reply=reply.text[:MOST_OF_A_REPLY],
            thought=reply.thought[:MOST_OF_A_REPLY],
            whole=whole,
            calls=tuple(str(item) if isinstance(item, ActionCall) else f"{ERROR}{item}" for item in items),
            steps=(first, len(act.trajectory.steps)),
            note="; ".join(filter(None, (f"recorded: line {prediction.line}", reply.note))),
        )
        act.trajectory.record_turn(turn, texts)
