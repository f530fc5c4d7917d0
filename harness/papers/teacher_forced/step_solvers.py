"""The table in which solvers of steps are found by name, and what an evaluation asks of one that it found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

from harness.kit.errors import UserError
from harness.kit.options import view
from harness.kit.registry import failure_text, load
from harness.kit.text import did_you_mean
from harness.models.call_options import ModelChoice
from harness.papers.mind2web.demonstrations.asking import AskedStep, PredictedStep, StepSolver
from harness.papers.mind2web.demonstrations.demonstration import DemonstratedStep

STEP_SOLVERS: Mapping[str, str] = {
    "oracle": "harness.papers.teacher_forced.floors:StepOracle",
    "random": "harness.papers.teacher_forced.floors:RandomCandidate",
    "first": "harness.papers.teacher_forced.floors:FirstCandidate",
    "lexical": "harness.papers.teacher_forced.floors:LexicalCandidate",
    "classify": "harness.papers.mind2web.mindact.step_solvers:Classification",
    "generate": "harness.papers.mind2web.mindact.step_solvers:Generation",
    "prompt": "harness.papers.mind2web.mindact.step_solvers:Prompting",
    "mindact": "harness.papers.mind2web.mindact.step_solvers:MindAct",
}
"""Name -> dotted path of a class."""
PAGE = "page:"
"""Begins the name of a solver of sites, which is shown each page in a browser."""
PAGE_SOLVER = "harness.papers.teacher_forced.page_solver:PageStepSolver"
"""The class behind such names."""


class UnknownStepSolver(UserError):
    """No solver of that name, or none that can be made so; the message says why, and lists the known ones."""


class NoReply(Exception):
    """The solver gives no reply to a step; the message says why. It is worth nothing and stays in the denominator."""


class NotAsked(Exception):
    """A step could not be put to the solver, for a reason that is not the solver's; it is to be asked again."""


@runtime_checkable
class KeyedStepSolver(Protocol):
    """A solver that is handed what was done: a bound, never a competitor."""

    def predict_with_key(self, asked: AskedStep, step: DemonstratedStep) -> PredictedStep:
        """As ``StepSolver.predict``, knowing the step.

        Args:
            asked: What other solvers are told.
            step: What was done.
        """


AnyStepSolver = StepSolver | KeyedStepSolver


@dataclass(frozen=True)
class StepSetup:
    """What an evaluation hands to a solver's class when it makes one.

    Attributes:
        name: The name by which it was asked for.
        folder: The evaluation's folder: where replies and accounts of models are kept.
        options: By the names of flags, as ``turkbench offline-eval`` takes them; what was not given is not in it.
        seed: Of whatever it draws, such as the order in which it looks at candidates.
    """

    name: str
    folder: Path
    options: Mapping[str, Any] = field(default_factory=dict)
    seed: int = 0


def make_step_solver(setup: StepSetup) -> AnyStepSolver:
    """A new solver of steps of demonstrations; see ``make_solver``.

    Args:
        setup: Named as in ``STEP_SOLVERS``, as ``page:`` and a solver of sites, or as ``package.module:Class``.
    """
    name = setup.name
    place = PAGE_SOLVER if name.startswith(PAGE) else STEP_SOLVERS.get(name, name)
    if ":" not in place:
        raise unknown_solver(name, (*STEP_SOLVERS, f"{PAGE}NAME of a solver of sites"))
    solver: AnyStepSolver = make_solver(setup, place, ("predict", "predict_with_key"))
    return solver


def make_solver(setup: StepSetup, place: str, methods: tuple[str, str]) -> Any:
    """A new solver.

    Its class may have ``set_up(setup)``, a class method that makes it, and raises a ``UserError`` where it cannot work
    with the options; a class without takes no options and is called without arguments. Beside its one method it may
    have ``close()``, which is called when it is done.

    Args:
        setup: What it is handed.
        place: Where its class is: ``package.module:Class`` or ``path/to/file.py:Class``.
        methods: The methods of which it has one.

    Raises:
        UnknownStepSolver: it cannot be imported, or is no solver.
        UserError: it cannot work with its options.
    """
    try:
        kind = load(place)
    except Exception as error:  # a solver's code is not ours: anything may go wrong while its module is loaded
        raise _cannot_be_loaded(setup.name, error) from error
    sets_up = hasattr(kind, "set_up")
    try:
        solver = kind.set_up(setup) if sets_up else kind()
    except UserError:
        raise
    except Exception as error:  # nor is what it does while it is made
        raise _cannot_be_loaded(setup.name, error) from error
    if sum(callable(getattr(solver, each, None)) for each in methods) != 1:
        either = " or ".join(f"`{each}`" for each in methods)
        raise UnknownStepSolver(f"solver {setup.name!r} has to have either {either}")
    if view(ModelChoice, setup.options).model and not sets_up:
        raise UnknownStepSolver(f"--preset: the solver {setup.name!r} asks no model")
    return solver


def unknown_solver(name: str, known: Sequence[str], also: Sequence[str] = ()) -> UnknownStepSolver:
    """What to raise of a name that is none.

    Args:
        name: The name.
        known: Those that there are, as they are listed.
        also: Others that may have been meant.
    """
    return UnknownStepSolver(
        f"unknown solver {name!r}.{did_you_mean(name, (*known, *also))} Known: {', '.join(known)}; "
        "or package.module:Class or path/to/file.py:Class of your own"
    )


def _cannot_be_loaded(name: str, error: Exception) -> UnknownStepSolver:
    return UnknownStepSolver(f"solver {name!r} cannot be loaded: {failure_text(error)}")
