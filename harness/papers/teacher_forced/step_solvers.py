"""The table in which solvers of steps are found by name, and what an evaluation asks of one that it found."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

from harness.kit.errors.user import UserError
from harness.kit.options.records import view
from harness.kit.text.closest import did_you_mean
from harness.models.call_options import ModelChoice
from harness.papers.mind2web.demonstrations.asked_step import AskedStep, PredictedStep, StepSolver
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
    """A new solver.

    Its class may have ``set_up(setup)``, a class method that makes it, and raises a ``UserError`` where it cannot work
    with the options; a class without takes no options and is called without arguments. Beside ``predict`` it may have
    ``close()``, which is called when it is done.

    Args:
        setup: Named as in ``STEP_SOLVERS``, as ``page:`` and a solver of sites, or as ``package.module:Class``.

    Raises:
        UnknownStepSolver: there is nothing behind the name, it cannot be imported, or it is no solver.
        UserError: it cannot work with its options.
    """
    kind = _found(setup.name)
    try:
        solver: AnyStepSolver = kind.set_up(setup) if hasattr(kind, "set_up") else kind()
    except UserError:
        raise
    except Exception as error:  # a solver's code is not ours: anything may go wrong while it is made
        raise _cannot_be_loaded(setup.name, error) from error
    if isinstance(solver, KeyedStepSolver) == callable(getattr(solver, "predict", None)):
        raise UnknownStepSolver(f"solver {setup.name!r} has to have either `predict` or `predict_with_key`")
    if view(ModelChoice, setup.options).model and not hasattr(kind, "set_up"):
        raise UnknownStepSolver(f"--preset: the solver {setup.name!r} asks no model")
    return solver


def _found(name: str) -> Any:
    path = PAGE_SOLVER if name.startswith(PAGE) else STEP_SOLVERS.get(name, name)
    module, colon, attribute = path.rpartition(":")
    if not colon:
        known = (*STEP_SOLVERS, f"{PAGE}NAME of a solver of sites")
        raise UnknownStepSolver(
            f"unknown solver {name!r}.{did_you_mean(name, STEP_SOLVERS)} Known: {', '.join(known)}; "
            "or package.module:Class of your own"
        )
    try:
        return getattr(importlib.import_module(module), attribute)
    except Exception as error:  # nor is what it does while its module is loaded
        raise _cannot_be_loaded(name, error) from error


def _cannot_be_loaded(name: str, error: Exception) -> UnknownStepSolver:
    why = str(error) if isinstance(error, UserError) else f"{type(error).__name__}: {error}"
    return UnknownStepSolver(f"solver {name!r} cannot be loaded: {why}")
