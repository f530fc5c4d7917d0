"""What a solver is, what it is given, and the table in which solvers are found by name."""

from __future__ import annotations

import difflib
import importlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from harness.actions.library import Actions
from harness.answers import Answer, AnswerColumns
from harness.catalog.task import Instance
from harness.fields import Field
from harness.metrics import Profile

SOLVERS: Mapping[str, str] = {
    "oracle": "oracle.oracle:Oracle",
    "do-nothing": "oracle.do_nothing:DoNothing",
    "random": "oracle.random_choice:RandomChoice",
    "constant": "oracle.constant:Constant",
}
"""Name -> dotted path of a class; this package needs no import of the solvers."""


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


class UnknownSolver(Exception):
    """No solver of that name; the message lists the known ones."""


def find_solver(name: str) -> type[Solver] | type[KeyedSolver]:
    """The class of a solver by its name in ``SOLVERS``, or by a dotted path ``package.module:Class`` of your own.

    Raises:
        UnknownSolver: there is none, or it cannot be imported.
    """
    path = SOLVERS.get(name, name)
    module_name, colon, attribute = path.partition(":")
    if not colon:
        close = difflib.get_close_matches(name, SOLVERS, n=1)
        hint = f" Did you mean {close[0]!r}?" if close else ""
        raise UnknownSolver(
            f"unknown solver {name!r}.{hint} Known: {', '.join(SOLVERS)}; or package.module:Class of your own"
        )
    try:
        found: type[Solver] | type[KeyedSolver] = getattr(importlib.import_module(module_name), attribute)
    except Exception as error:  # a solver's module is not ours: anything may go wrong while it is loaded
        raise UnknownSolver(f"solver {name!r} cannot be loaded: {type(error).__name__}: {error}") from error
    return found


def make_solver(name: str) -> Solver | KeyedSolver:
    """A new solver; see ``find_solver``.

    Raises:
        UnknownSolver: there is none, or it cannot be imported or made.
    """
    found = find_solver(name)
    try:
        solver = found()
    except Exception as error:  # nor is what it does when it is made
        raise UnknownSolver(f"solver {name!r} cannot be loaded: {type(error).__name__}: {error}") from error
    if not isinstance(solver, KeyedSolver) and not callable(getattr(solver, "solve", None)):
        raise UnknownSolver(f"solver {name!r} has neither a method `solve` nor `solve_with_key`")
    return solver
