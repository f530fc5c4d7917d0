"""What MindAct and its rivals are made of, by the names of options."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol

from harness.demonstrations.mind2web_file import read_demonstrations
from harness.errors.user import UserError
from harness.mindact.few_examples import FewExamples, few_examples
from harness.mindact.questions import AskModel, Questions
from harness.mindact.ranker import TOP, Ranker
from harness.mindact.ranker_kinds import USUAL
from harness.mindact.ranker_names import ranker_named
from harness.models.messages import Reply, Request
from harness.models.no_episode import NoEpisode
from harness.models.presets import Preset, resolve
from harness.models.service import open_service

USUAL_EXAMPLES = 3
"""As the paper shows them to a model that was not trained for it."""


class WrongStepOptions(UserError):
    """Options that a solver of steps does not take; the message says which, and what would do."""


class SolverSetup(Protocol):
    """What an evaluation hands to a solver's class (``harness.teacher_forced.step_solvers.StepSetup``)."""

    @property
    def name(self) -> str:
        """The name by which it was asked for."""

    @property
    def folder(self) -> Path:
        """Where replies and accounts are kept."""

    @property
    def options(self) -> Mapping[str, Any]:
        """By the names of flags.

        ``model`` (a preset), ``model_id``, ``base_url``, ``ranker``, ``top``, ``examples``, ``examples_from``, and
        those of ``harness.models.service.open_service``.
        """

    @property
    def seed(self) -> int:
        """Of all that is drawn."""


def ranker_of(setup: SolverSetup) -> Ranker:
    """The ranker that the options name.

    Raises:
        UserError: there is none.
    """
    return ranker_named(str(setup.options.get("ranker") or USUAL), setup.seed)


def top_of(setup: SolverSetup) -> int:
    """How many of its best a model is asked about.

    Raises:
        WrongStepOptions: it is no whole number from 1.
    """
    return _whole(setup.options, "top", TOP, 1)


def questions_of(setup: SolverSetup) -> Questions:
    """The model that the options name, with the examples that it is shown.

    Raises:
        WrongStepOptions: there is no model, or examples are wanted and nothing says of what.
        UserError: there is no such preset, or the demonstrations cannot be read.
    """
    name = setup.options.get("model")
    if not name:
        raise WrongStepOptions(f"the solver {setup.name!r} asks a model: give --model PRESET")
    known = ("base_url", "retired_anyway", "max_input_tokens", "max_output_tokens", "temperature")
    wanted = {"model": setup.options.get("model_id"), **{each: setup.options.get(each) for each in known}}
    preset = resolve(name, {key: value for key, value in wanted.items() if value is not None})
    return Questions(_asked(preset, setup), preset, setup.seed, _examples_of(setup))


def _asked(preset: Preset, setup: SolverSetup) -> AskModel:
    service = open_service(preset, setup.options, setup.folder, seed=setup.seed)

    def ask(request: Request) -> Reply:
        return service.complete(request, NoEpisode(), where=setup.name).reply

    return ask


def _examples_of(setup: SolverSetup) -> FewExamples | None:
    place = setup.options.get("examples_from")
    number = _whole(setup.options, "examples", USUAL_EXAMPLES if place else 0, 0)
    if number and not place:
        raise WrongStepOptions(f"examples={number}: say of which demonstrations, with examples_from=TRACES")
    return few_examples(read_demonstrations(Path(place)), number, setup.seed) if number and place else None


def _whole(options: Mapping[str, Any], name: str, usual: int, least: int) -> int:
    value = options.get(name, usual)
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise WrongStepOptions(f"{name}={value}: it is a whole number from {least}")
    return value
