"""What a solver is, what it is given, and the table in which solvers are found by name."""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any, Protocol, runtime_checkable

from harness.answers.columns import Answer, AnswerColumns
from harness.catalog.task import Instance, Task
from harness.episode.library import Actions
from harness.errors.user import UserError
from harness.metrics import Profile
from harness.page.fields import Field
from harness.text.closest import did_you_mean

SOLVERS: Mapping[str, str] = {
    "oracle": "oracle.oracle:Oracle",
    "do-nothing": "oracle.do_nothing:DoNothing",
    "random": "oracle.random_choice:RandomChoice",
    "constant": "oracle.constant:Constant",
    "copy": "oracle.copy_input:CopyInput",
    "crowd": "oracle.crowd:Crowd",
    "offline": "harness.solvers.recorded.offline:OfflineSolver",
    "command": "harness.solvers.outside.command:CommandSolver",
    "mcp": "harness.solvers.outside.mcp_loop:McpSolver",
}
"""Name -> dotted path of a class; this package needs no import of the solvers."""
MODEL_SOLVER = "harness.solvers.models.model:ModelSolver"
"""The class behind the names of presets."""


@dataclass(frozen=True)
class Page:
    """What a solver knows of an instance before it looks (TurkingBench, section 3.3).

    Attributes:
        url: The page's address.
        names: The names of the page's answer fields, in page order: all of the task's, whether or not this instance's
            labels score them, since which fields are scored would be a hint about the labels.
        fields: Those of them that are on the page when it has loaded.
        seed: A number that is the same in every run of this instance with one ``--seed``.
    """

    url: str
    names: tuple[str, ...]
    fields: tuple[Field, ...]
    seed: int


@dataclass(frozen=True)
class AnswerKey:
    """What the runner hands to solvers that are allowed to know the labels, and to no other.

    Attributes:
        instance: With its raw labels.
        answers: Its fields with labels and status.
        columns: The answer columns of the whole task.
        profile: The rules by which it will be scored.
    """

    instance: Instance
    answers: tuple[Answer, ...]
    columns: AnswerColumns
    profile: Profile


class Solver(Protocol):
    """Anything that fills in a page. One object serves one worker, one page after another."""

    def solve(self, page: Page, act: Actions) -> None:
        """Work on the page until done.

        Args:
            page: The page, which is open in the browser.
            act: The actions on it. An impossible action gives an error result; when the episode's steps or time are
                used up, an action raises ``LimitReached``, which a solver lets pass.
        """


@runtime_checkable
class KeyedSolver(Protocol):
    """A solver that is handed the labels: a bound or a baseline, never a competitor."""

    def solve_with_key(self, page: Page, act: Actions, key: AnswerKey) -> None:
        """As ``Solver.solve``, knowing the labels."""


@dataclass(frozen=True)
class Setup:
    """What a run hands to a solver when it makes it, once in each worker's process.

    Attributes:
        name: The name by which it was asked for.
        options: What its user chose, as JSON holds it: the options of ``python -m harness.evaluate`` that are about
            solvers, by name, and no other keys.
        folder: The run directory.
        tasks_dir: The folder of the task folders.
        overlay: Further facts about the tasks.
        seed: The run's seed.
    """

    name: str
    options: Mapping[str, Any]
    folder: Path
    tasks_dir: Path
    overlay: Path | None = None
    seed: int = 0


@runtime_checkable
class ConfiguredSolver(Protocol):
    """A solver's class that takes options."""

    @classmethod
    def check(cls, name: str, options: Mapping[str, Any]) -> Mapping[str, Any]:
        """Look the options over before anything is begun.

        Args:
            name: The name by which the solver was asked for.
            options: What its user chose.

        Returns:
            The options with everything that was left open filled in, as JSON holds them: they are kept with the run.

        Raises:
            WrongOptions: they cannot be meant so.
        """

    @classmethod
    def set_up(cls, setup: Setup) -> Solver | KeyedSolver:
        """A new solver; called in each worker's process."""


@runtime_checkable
class PreparedSolver(Protocol):
    """A solver's class with something to be done once a run, before its workers start."""

    @classmethod
    def prepare(cls, setup: Setup) -> Mapping[str, Any]:
        """Do it; when the run is resumed, again.

        Returns:
            What a reader of the run should know of the solver; it stands in ``run.json`` as ``solver``.
        """


@runtime_checkable
class SelectiveSolver(Protocol):
    """A solver's class that can work on some instances only."""

    @classmethod
    def leave_out(cls, setup: Setup) -> Callable[[Task, Instance], str]:
        """What tells why an instance cannot be worked on, in words for the run's report; it gives "" for the others."""


class UnknownSolver(UserError):
    """No solver of that name; the message lists the known ones."""


class WrongOptions(UserError):
    """Options that a solver does not take, or cannot work with; the message says what would do."""


def known_solvers() -> list[str]:
    """The names of all solvers: those of ``SOLVERS`` and the presets of models."""
    from harness.models.presets import presets  # noqa: PLC0415 - runs without a model do without

    return [*SOLVERS, *presets()]


def find_solver(name: str) -> type[Any]:
    """A solver's class.

    Args:
        name: A name of ``SOLVERS``, of a preset (``harness/models/presets.toml``), or one of your own: a dotted path
            ``package.module:Class`` or a file ``path/to/file.py:Class``.

    Raises:
        UnknownSolver: there is none, or it cannot be imported.
    """
    path = SOLVERS.get(name, name)
    module_name, colon, attribute = path.rpartition(":")
    if not colon:
        known = known_solvers()
        if name not in known:
            raise UnknownSolver(
                f"unknown solver {name!r}.{did_you_mean(name, known)} Known: {', '.join(known)}; "
                "or package.module:Class or path/to/file.py:Class of your own"
            )
        module_name, _, attribute = MODEL_SOLVER.rpartition(":")
    try:
        module = _load_file(Path(module_name)) if module_name.endswith(".py") else importlib.import_module(module_name)
        found: type[Any] = getattr(module, attribute)
    except Exception as error:  # a solver's module is not ours: anything may go wrong while it is loaded
        raise UnknownSolver(f"solver {name!r} cannot be loaded: {type(error).__name__}: {error}") from error
    return found


def _load_file(file: Path) -> ModuleType:
    """The module in a file that is on no import path; modules beside it can be imported by it."""
    file = file.resolve()
    if not file.is_file():
        raise FileNotFoundError(f"there is no file {file}")
    name = f"{file.stem}_{hashlib.sha256(str(file).encode()).hexdigest()[:8]}"
    if name in sys.modules:
        return sys.modules[name]
    spec = importlib.util.spec_from_file_location(name, file)
    if spec is None or spec.loader is None:
        raise ImportError(f"{file} is no Python file")
    if str(file.parent) not in sys.path:
        sys.path.append(str(file.parent))
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module


def checked_options(name: str, options: Mapping[str, Any]) -> Mapping[str, Any]:
    """The options of a solver, looked over and filled in; see ``ConfiguredSolver.check``.

    Raises:
        UnknownSolver: there is no such solver.
        WrongOptions: it does not take them.
    """
    found = find_solver(name)
    if isinstance(found, ConfiguredSolver):
        return found.check(name, options)
    if options:
        names = ", ".join(f"--{option.replace('_', '-')}" for option in options)
        raise WrongOptions(f"{names}: the solver {name!r} takes no such options")
    return {}


def make_solver(name: str, setup: Setup | None = None) -> Solver | KeyedSolver:
    """A new solver; see ``find_solver``.

    Args:
        name: Its name.
        setup: What a run hands to it; a solver that takes options cannot be made without.

    Raises:
        UnknownSolver: there is none, or it cannot be imported or made.
        WrongOptions: it cannot work with its options.
    """
    found = find_solver(name)
    configured = isinstance(found, ConfiguredSolver)
    if configured and setup is None:
        raise WrongOptions(f"the solver {name!r} works in runs only: python -m harness.evaluate")
    try:
        solver: Solver | KeyedSolver = found.set_up(setup) if configured else found()
    except WrongOptions:
        raise
    except Exception as error:  # nor is what it does when it is made
        raise UnknownSolver(f"solver {name!r} cannot be loaded: {type(error).__name__}: {error}") from error
    if not isinstance(solver, KeyedSolver) and not callable(getattr(solver, "solve", None)):
        raise UnknownSolver(f"solver {name!r} has neither a method `solve` nor `solve_with_key`")
    return solver
