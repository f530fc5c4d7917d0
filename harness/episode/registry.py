"""The table in which solvers are found by name, and what a run asks of one that it found."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from harness.catalog.kinds import FORM, TASK_KINDS, KindName
from harness.catalog.task import Instance, Task
from harness.episode.solver import AnySolver, NoOptions, Setup, WrongOptions
from harness.kit.errors import UserError
from harness.kit.options import UnknownOption, WrongOption, flags, given, names_of, read_options, view
from harness.kit.registry import Registry, failure_text, load, registry
from harness.kit.text import did_you_mean
from harness.records.config import ActionSetName
from harness.records.episode import AnsweredBy

if TYPE_CHECKING:
    from harness.models.presets import Preset

SOLVERS: Registry[type[Any]] = registry("solvers")
"""The classes by name; this package needs no import of the solvers."""
MODEL_SOLVER = "harness.solvers.models.model:ModelSolver"
"""The class behind the names of presets."""
KEYED_METHOD = "solve_with_key"
DEVTOOLS_METHOD = "solve_over_devtools"
METHODS = ("solve", KEYED_METHOD, DEVTOOLS_METHOD)
"""Of which a solver has one, see ``harness.episode.solver``."""

LeaveOut = Callable[[Task, Instance], str]
"""Why an instance is not to be evaluated, in words for a run's report; empty if it is."""


class UnknownSolver(UserError):
    """No solver of that name; the message lists the known ones."""


@dataclass(frozen=True)
class SolverEntry:
    """A name that ``--solver`` takes, with the class behind it; see ``harness.episode.solver`` for what that may have.

    Attributes:
        name: The name.
        kind: The class.
    """

    name: str
    kind: type[Any]

    @property
    def summary(self) -> str:
        """What it does, in a line; empty if it does not say."""
        return (self.kind.__doc__ or "").partition("\n")[0]

    @property
    def waits(self) -> bool:
        """Whether it waits for a model most of the time."""
        return bool(getattr(self.kind, "waits", False))

    @property
    def kinds(self) -> tuple[KindName, ...]:
        """The kinds of tasks that it works on: all, unless it says otherwise."""
        kinds: tuple[KindName, ...] = getattr(self.kind, "kinds", tuple(TASK_KINDS))
        return kinds

    @property
    def answered_by(self) -> AnsweredBy:
        """Whose answers a run with it scores.

        ``workers`` are no solver: their answers stand in the labels, and nobody works on a page.
        """
        answered_by: AnsweredBy = getattr(self.kind, "answered_by", "solver")
        return answered_by

    @property
    def keyed(self) -> bool:
        """Whether it is handed the labels, as the name of its class's one method says."""
        return callable(getattr(self.kind, KEYED_METHOD, None))

    @property
    def drives_itself(self) -> bool:
        """Whether it lets somebody else drive the browser, as the name of its class's one method says."""
        return callable(getattr(self.kind, DEVTOOLS_METHOD, None))

    @property
    def is_filmed(self) -> bool:
        """Whether its episodes are filmed unless its user says otherwise: those of models and programs."""
        return self.waits or self.drives_itself

    @property
    def needs_labels(self) -> bool:
        """Whether the processes in which a run with it plays have to hold the labels."""
        return self.keyed or self.answered_by == "workers"

    @property
    def options(self) -> type[Any]:
        """The record of the options that it takes; one without any where it takes none."""
        record: type[Any] = getattr(self.kind, "options", NoOptions)
        return record

    def check(self, options: Mapping[str, Any], kind: KindName = FORM) -> Mapping[str, Any]:
        """As ``fit``, with the actions left open."""
        return self.fit(options, kind)[0]

    def fit(
        self, options: Mapping[str, Any], kind: KindName, actions: ActionSetName | None = None
    ) -> tuple[Mapping[str, Any], ActionSetName | None]:
        """The options of its user, looked over and filled in, and the action set.

        Args:
            options: What its user chose, by name.
            kind: Which kind of task the run is of.
            actions: The action set that its user chose; None if that was left open.

        Raises:
            WrongOptions: it does not take them, or they do not go together.
        """
        try:
            record = read_options(self.options, options)
        except UnknownOption:
            raise WrongOptions(self._refusal(options)) from None
        except WrongOption as error:
            raise WrongOptions(str(error)) from None
        if hasattr(self.kind, "fit"):
            record, actions = self.kind.fit(self.name, record, kind, actions)
        return given(self.kind.check(self.name, record) if hasattr(self.kind, "check") else record), actions

    def _refusal(self, options: Mapping[str, Any]) -> str:
        own = names_of(self.options)
        unknown = [name for name in options if name not in own]
        near = did_you_mean(unknown[0], own)
        return f"{flags(unknown)}: the solver {self.name!r} takes no such options{near and f'.{near}'}"

    def setup(self, options: Mapping[str, Any], **run: Any) -> Setup:
        """What a run hands to it.

        Args:
            options: As ``check`` gave them.
            **run: The other attributes of ``Setup``.
        """
        return Setup(name=self.name, options=view(self.options, options), **run)

    @property
    def prepares(self) -> bool:
        """Whether something is to be done once a run."""
        return hasattr(self.kind, "prepare")

    def prepare(self, setup: Setup) -> Mapping[str, Any]:
        """Do what is to be done once a run, in its folder, which is made for it.

        Returns:
            What a reader of the run should know of the solver, as JSON holds it; empty if there is nothing.

        Raises:
            WrongOptions: it cannot work with its options.
        """
        if not self.prepares:
            return {}
        setup.folder.mkdir(parents=True, exist_ok=True)
        told: Mapping[str, Any] = self.kind.prepare(setup)
        return dict(told)

    def warm_up(self, setup: Setup) -> None:
        """Load what the workers of a run share, which are forked from this process afterwards."""
        if hasattr(self.kind, "warm_up"):
            self.kind.warm_up(setup)

    def before_run(self, options: Mapping[str, Any], *, again: bool) -> str:
        """What the user is to know before a run begins; empty if there is nothing.

        Args:
            options: As ``check`` gave them.
            again: Whether a run is gone on with.

        Raises:
            harness.kit.errors.UserError: it is not to begin.
        """
        if not hasattr(self.kind, "before_run"):
            return ""
        said: str = self.kind.before_run(self.name, view(self.options, options), again)
        return said

    def asks(self, options: Mapping[str, Any]) -> Preset | None:
        """The model that it asks; None if it asks none, or does not say which.

        Args:
            options: As ``check`` gave them.
        """
        if not hasattr(self.kind, "asks"):
            return None
        preset: Preset | None = self.kind.asks(self.name, view(self.options, options))
        return preset

    def asks_beside(self, options: Mapping[str, Any]) -> Preset | None:
        """A second model that it asks; None if there is none.

        Args:
            options: As ``check`` gave them.
        """
        if not hasattr(self.kind, "asks_beside"):
            return None
        preset: Preset | None = self.kind.asks_beside(self.name, view(self.options, options))
        return preset

    def leave_out(self, setup: Setup) -> LeaveOut | None:
        """What tells on which instances it cannot work; None if it can on all."""
        reason: LeaveOut | None = self.kind.leave_out(setup) if hasattr(self.kind, "leave_out") else None
        return reason

    def make(self, setup: Setup | None = None) -> AnySolver:
        """A new solver.

        Args:
            setup: What a run hands to it; a solver that takes options cannot be made without.

        Raises:
            UnknownSolver: it cannot be made, or is no solver.
            WrongOptions: it cannot work with its options.
        """
        if self.answered_by == "workers":
            raise UnknownSolver(f"{self.name!r} works on no page: its answers stand in the labels")
        sets_up = hasattr(self.kind, "set_up")
        if sets_up and setup is None:
            raise WrongOptions(f"the solver {self.name!r} works in runs of turkbench evaluate only")
        try:
            solver: AnySolver = self.kind.set_up(setup) if sets_up else self.kind()
        except WrongOptions:
            raise
        except Exception as error:  # a solver's code is not ours: anything may go wrong while it is made
            raise _cannot_be_loaded(self.name, error) from error
        methods = [f"`{method}`" for method in METHODS if callable(getattr(solver, method, None))]
        if not methods:
            raise UnknownSolver(
                f"solver {self.name!r} has neither a method `solve` nor `solve_with_key` nor `solve_over_devtools`"
            )
        if len(methods) > 1:
            raise UnknownSolver(f"solver {self.name!r} has more than one of the methods {', '.join(methods)}")
        if callable(getattr(solver, KEYED_METHOD, None)) and not self.keyed:
            raise UnknownSolver(
                f"solver {self.name!r} makes an object with `{KEYED_METHOD}`, which is handed the labels; its class "
                "has no such method, which a run has to record: define it in the class"
            )
        return solver


def known_solvers() -> list[str]:
    """The names of all solvers: those of ``SOLVERS`` and the presets of models."""
    from harness.models.presets import presets  # noqa: PLC0415 - runs without a model do without

    return [*SOLVERS, *presets()]


def find_solver(name: str) -> SolverEntry:
    """What stands behind a name.

    Args:
        name: A name of ``SOLVERS``, of a preset (``harness/models/presets.toml``), or one of your own: a dotted path
            ``package.module:Class`` or a file ``path/to/file.py:Class``.

    Raises:
        UnknownSolver: there is nothing, or it cannot be imported.
    """
    path = SOLVERS.place(name) if name in SOLVERS else name
    if ":" not in path:
        known = known_solvers()
        if name not in known:
            raise UnknownSolver(
                f"unknown solver {name!r}.{did_you_mean(name, known)} Known: {', '.join(known)}; "
                "or package.module:Class or path/to/file.py:Class of your own"
            )
        path = MODEL_SOLVER
    try:
        kind: type[Any] = load(path)
    except Exception as error:  # nor is what it does while its module is loaded
        raise _cannot_be_loaded(name, error) from error
    return SolverEntry(name, kind)


def _cannot_be_loaded(name: str, error: Exception) -> UnknownSolver:
    return UnknownSolver(f"solver {name!r} cannot be loaded: {failure_text(error)}")
