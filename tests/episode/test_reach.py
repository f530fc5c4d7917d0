"""What a solver can reach from the objects that it is handed: labels and probe only where its method says so."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any

import pytest

from harness.browser.browser import Browser
from harness.browser.devtools import Devtools
from harness.browser.form.inventory import PageFacts
from harness.catalog.task import Instance, Task
from harness.episode.assignment import Assignment
from harness.episode.probe import Probe
from harness.episode.solvers_driver import NoDriverHere
from harness.scoring.answers.baselines import ConstantAnswers
from harness.scoring.answers.columns import Answer, AnswerColumns
from tests.runs import Stage, stage
from tests.task_folders import csv_text, make_task

LABEL = "a label that nobody guesses"
HIDDEN = (Assignment, Answer, AnswerColumns, ConstantAnswers, Instance, Task, PageFacts, Probe, Browser, Devtools)
"""What holds labels, or leads beyond the page as a person sees it."""


class Plain:
    handed: tuple[Any, ...]

    def solve(self, page, act):
        act.modify_text("a", "x")
        self.handed = (page, act, act.fields(), act.observation.snapshot(), act.trajectory)
        self.reached = list(reached(self.handed))


class Keyed:
    def solve_with_key(self, assignment, act, probe):
        self.reached = list(reached((assignment, act, probe)))


class Driving:
    def solve_over_devtools(self, page, act, devtools):
        self.reached = list(reached((page, act, devtools)))


@pytest.fixture(scope="module")
def at(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tasks")
    table = csv_text(["t", "Answer.a"], ["one", LABEL], ["two", LABEL])
    make_task(folder, "T", template="<p>${t}</p><input name=a>", table=table)
    with stage(folder) as made:
        yield made


def reached(thing: object, seen: set[int] | None = None) -> Iterator[object]:
    """An object, and all that its public attributes and what it holds lead to."""
    seen = set() if seen is None else seen
    if id(thing) in seen:
        return
    seen.add(id(thing))
    yield thing
    for part in parts(thing):
        yield from reached(part, seen)


def parts(thing: object) -> list[object]:
    if isinstance(thing, str | bytes | type) or callable(thing):
        return []
    if isinstance(thing, Mapping):
        return [*thing.keys(), *thing.values()]
    if isinstance(thing, list | tuple | set | frozenset):
        return list(thing)
    if not own(thing):
        return []
    names = {*getattr(thing, "__dict__", ()), *slots(thing), *properties(thing)}
    found = []
    for name in names:
        with suppress(NoDriverHere):  # actions reach the page over DevTools
            found += [] if name.startswith("_") else [getattr(thing, name)]
    return found


def own(thing: object) -> bool:
    return type(thing).__module__.startswith(("harness.", "tests."))


def slots(thing: object) -> set[str]:
    return {name for base in type(thing).__mro__ for name in getattr(base, "__slots__", ())}


def properties(thing: object) -> set[str]:
    return {name for name in dir(type(thing)) if isinstance(getattr(type(thing), name), property)}


def kinds(found: list[object]) -> set[type]:
    return {kind for kind in HIDDEN if any(isinstance(each, kind) for each in found)}


def test_a_plain_solver_reaches_neither_labels_nor_the_probe_nor_the_browser(at: Stage) -> None:
    solver = Plain()
    assert at.play("T", solver).outcome == "scored"
    assert len(solver.reached) > 20
    assert kinds(solver.reached) == set()
    assert not [each for each in solver.reached if isinstance(each, str) and LABEL in each]


def test_a_solver_that_lets_a_program_drive_reaches_the_way_into_the_browser_and_no_label(at: Stage) -> None:
    solver = Driving()
    assert at.play("T", solver).outcome == "scored"
    assert kinds(solver.reached) == {Devtools}
    assert not [each for each in solver.reached if isinstance(each, str) and LABEL in each]


def test_a_keyed_solver_reaches_the_labels_and_the_probe(at: Stage) -> None:
    solver = Keyed()
    assert at.play("T", solver).outcome == "scored"
    assert kinds(solver.reached) >= {Assignment, Answer, Instance, Task, Probe}
    assert LABEL in solver.reached
