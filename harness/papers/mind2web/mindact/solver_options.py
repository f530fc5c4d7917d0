"""What MindAct and its rivals are made of, by the names of options."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from harness.kit.arguments import positive, whole
from harness.kit.errors import UserError
from harness.kit.options import given, option, part
from harness.models.call_options import ModelCall, PresetModel
from harness.models.messages import Reply, Request
from harness.models.no_episode import NoEpisode
from harness.models.presets import Preset, resolve
from harness.models.service import open_service
from harness.papers.mind2web.demonstrations.mind2web_file import read_demonstrations
from harness.papers.mind2web.mindact.few_examples import FewExamples, few_examples
from harness.papers.mind2web.mindact.questions import AskModel, Questions
from harness.papers.mind2web.mindact.ranker import TOP, Ranker
from harness.papers.mind2web.mindact.ranker_names import ranker_named
from harness.papers.mind2web.mindact.step_requests import words_of
from harness.papers.mind2web.mindact_options import USUAL

USUAL_EXAMPLES = 3
"""As the paper shows them to a model that was not trained for it."""


@dataclass(frozen=True, kw_only=True)
class MindActStepOptions(ModelCall, PresetModel):
    """What can be chosen for a solver of steps that asks a model; ``model`` is a preset.

    Attributes:
        prompts: In which words it is asked: ours, or the paper's (``mind2web-original``).
        ranker: Whose likeliest elements it is asked about.
        top: How many of them.
        examples: How many examples it is shown.
        examples_from: The file of demonstrations that they are of.
    """

    prompts: str | None = option()
    ranker: str | None = option()
    top: int | None = option(takes=positive)
    examples: int | None = option(takes=whole)
    examples_from: str | None = option()


class WrongStepOptions(UserError):
    """Options that a solver of steps does not take; the message says which, and what would do."""


class SolverSetup(Protocol):
    """What an evaluation hands to a solver's class (``harness.papers.teacher_forced.step_solvers.StepSetup``)."""

    @property
    def name(self) -> str:
        """The name by which it was asked for."""

    @property
    def folder(self) -> Path:
        """Where replies and accounts are kept."""

    @property
    def options(self) -> Mapping[str, Any]:
        """By name: those of ``MindActStepOptions``."""

    @property
    def seed(self) -> int:
        """Of all that is drawn."""


def ranker_of(setup: SolverSetup) -> Ranker:
    """The ranker that the options name.

    Raises:
        UserError: there is none.
    """
    return ranker_named(_options(setup).ranker or USUAL, setup.seed)


def top_of(setup: SolverSetup) -> int:
    """How many of its best a model is asked about.

    Raises:
        WrongStepOptions: it is no whole number from 1.
    """
    return _whole("top", _options(setup).top, TOP, 1)


def questions_of(setup: SolverSetup) -> Questions:
    """The model that the options name, with the examples that it is shown.

    Raises:
        WrongStepOptions: there is no model, or examples are wanted and nothing says of what.
        UserError: there is no such preset, or the demonstrations cannot be read.
    """
    options = _options(setup)
    if not options.model:
        raise WrongStepOptions(f"the solver {setup.name!r} asks a model: give --preset NAME")
    preset = resolve(options.model, {**given(options), "model": options.model_id})
    if missing := words_of(preset.prompts).missing:
        raise WrongStepOptions(f"prompts={preset.prompts}: {missing}")
    return Questions(_asked(preset, setup), preset, setup.seed, _examples_of(setup))


def _asked(preset: Preset, setup: SolverSetup) -> AskModel:
    service = open_service(preset, setup.options, setup.folder, seed=setup.seed)

    def ask(request: Request) -> Reply:
        return service.complete(request, NoEpisode(), where=setup.name).reply

    return ask


def _examples_of(setup: SolverSetup) -> FewExamples | None:
    options = _options(setup)
    place = options.examples_from
    number = _whole("examples", options.examples, USUAL_EXAMPLES if place else 0, 0)
    if number and not place:
        raise WrongStepOptions(f"examples={number}: say of which demonstrations, with examples_from=TRACES")
    return few_examples(read_demonstrations(Path(place)), number, setup.seed) if number and place else None


def _options(setup: SolverSetup) -> MindActStepOptions:
    return part(MindActStepOptions, setup.options)


def _whole(name: str, value: int | None, usual: int, least: int) -> int:
    number = usual if value is None else value
    if number < least:
        raise WrongStepOptions(f"{name}={number}: it is a whole number from {least}")
    return number
