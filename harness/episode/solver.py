"""What a solver is, and what its class may say about itself.

A solver is a class with one method, which fills in a page that is open already::

    def solve(self, page, act): ...

What a solver is handed is decided by the name of that method, so that nobody is handed labels by accident. In place of
``solve`` a solver has ``solve_with_key`` (``KeyedSolver``) or ``solve_over_devtools`` (``DevtoolsSolver``).

All else is optional, and there is nothing to inherit from. A run looks for these members of the class:

``waits = True``
    It waits for a model most of the time, so that a core serves several workers.
``options = MyOptions``
    It takes options: the attributes of this record, a frozen dataclass, made by ``harness.option``. An option of its
    own is an argument of ``turkbench evaluate`` at once.
``check(name, options) -> options``, a class method
    Looks over what the user chose before anything is begun, and fills in what was left open; what it gives is kept with
    the run. It raises ``WrongOptions``.
``set_up(setup) -> solver``, a class method
    Makes the solver, in each worker's process. A class without it is called without arguments.
``prepare(setup) -> mapping``, a class method
    Something is to be done once a run before its workers start, and again when the run is resumed. What it gives is
    what a reader of the run should know of the solver, as JSON holds it; it stands in ``run.json`` as ``solver``. The
    user is told the lines that it has under ``told`` at once.
``kinds = ("form",)``
    It works on tasks of these kinds only (``form``, ``site``, or one of another package).
``fit(name, options, kind, actions) -> (options, actions)``, a class method
    Called before ``check``: fills in what depends on the kind of task that the run is of. ``actions`` is the name of
    the action set, None for the usual one.
``warm_up(setup)``, a class method
    Called once, in the process from which the workers are then forked: what is loaded there, such as libraries and
    vocabularies, they all share. It starts no thread and reads no labels. What is missing is told when it is needed.
``leave_out(setup) -> function``, a class method
    It can work on some instances only. The function is called with a task and an instance, and gives the reason why the
    instance cannot be worked on, in words for the run's report; "" for the others.
``before_run(name, options, again) -> text``, a class method
    What the user is to know before a run begins, or, if ``again``, is gone on with; "" if nothing. With an error of
    ``harness.kit.errors`` nothing is begun. A dry run does not ask.
``asks(name, options) -> preset``, a class method
    It asks the model of a preset; None for none. Before a run begins it is looked whether that can be asked: whether
    its package, its key and its server are there, and its provider has not shut it down.
``asks_beside(name, options) -> preset``, a class method
    As ``asks``, of a second model that it asks as well.

``docs/reference/solver.md`` has a table of them, with examples.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

if TYPE_CHECKING:
    from harness.browser.devtools import Devtools
    from harness.episode.assignment import Page
    from harness.episode.library import Actions
    from harness.episode.probe import Probe
    from harness.models.accounts import Accounts

from harness.catalog.kinds import FORM, KindName
from harness.kit.errors import UserError


class Solver(Protocol):
    """Anything that fills in a page. One object serves one worker, one page after another."""

    def solve(self, page: Page, act: Actions) -> None:
        """Work on the page until done.

        Args:
            page: What is told of the page, which is open in the browser.
            act: The actions on it. An impossible action gives an error result; when the episode's steps or time are
                used up, an action raises ``LimitReached``, which a solver lets pass.
        """


@runtime_checkable
class KeyedSolver(Protocol):
    """A solver that is handed the labels: a bound or a baseline, never a competitor."""

    def solve_with_key(self, assignment: Any, act: Actions, probe: Probe) -> None:
        """As ``Solver.solve``, knowing the labels.

        Args:
            assignment: All that is known of the instance, an ``Assignment``, or on a website a ``SiteAssignment``; what
                other solvers are told is its ``page``.
            act: The actions on the page.
            probe: Looks behind what the page shows.
        """


@runtime_checkable
class DevtoolsSolver(Protocol):
    """A solver that lets somebody else drive the browser."""

    def solve_over_devtools(self, page: Page, act: Actions, devtools: Devtools) -> None:
        """As ``Solver.solve``.

        Args:
            page: What is told of the page.
            act: The actions on it.
            devtools: Where the browser listens, and what takes the page back in the end.
        """


AnySolver = Solver | KeyedSolver | DevtoolsSolver


@dataclass(frozen=True)
class Setup:
    """What a run hands to a solver when it makes it, once in each worker's process.

    Attributes:
        name: The name by which it was asked for.
        options: What its user chose: the record that its class names as ``options``.
        folder: The run directory.
        tasks_dir: The folder of the task folders.
        overlay: Further facts about the tasks.
        seed: The run's seed.
        require_sandbox: Whether a browser that it starts itself may not do without its sandbox.
        kind: Which kind of task the run is of.
        accounts: What all calls of models share, where that is not on this machine; None if it is in the run directory.
        tasks: The run's tasks, where something is prepared that depends on them.
    """

    name: str
    options: Any
    folder: Path
    tasks_dir: Path
    overlay: Path | None = None
    seed: int = 0
    require_sandbox: bool = False
    kind: KindName = FORM
    accounts: Accounts | None = None
    tasks: tuple[str, ...] = ()


@dataclass(frozen=True)
class NoOptions:
    """The options of a solver that takes none."""


class WrongOptions(UserError):
    """Options that a solver does not take, or cannot work with; the message says what would do."""
