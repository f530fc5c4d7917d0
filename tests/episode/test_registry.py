from __future__ import annotations

import importlib
import sys
from dataclasses import dataclass, replace

import pytest

from harness.episode.registry import METHODS, MODEL_SOLVER, SOLVERS, UnknownSolver, find_solver
from harness.episode.solver import KeyedSolver, WrongOptions
from harness.kit.options import names_of, option
from harness.records.config import known_options
from tests import run_solvers

BASELINES = ("oracle", "do-nothing", "random", "constant", "copy", "crowd", "search")


@dataclass(frozen=True, kw_only=True)
class Colour:
    colour: str | None = option(help="of the page")
    depth: int | None = option()


class Takes:
    """Takes two options."""

    options = Colour

    def __init__(self, colour: str) -> None:
        self.colour = colour

    @classmethod
    def check(cls, name, options):  # noqa: ARG003
        return replace(options, colour=options.colour or "red")

    @classmethod
    def set_up(cls, setup):
        return cls(setup.options.colour)

    def solve(self, page, act):
        """Nothing."""


TAKES = f"{__name__}:Takes"


@pytest.mark.parametrize("name", SOLVERS)
def test_every_registered_solver_is_there(name):
    found = find_solver(name)
    assert found.summary
    made_elsewhere = hasattr(found.kind, "set_up") or found.answered_by == "workers"
    assert made_elsewhere or len([method for method in METHODS if hasattr(found.kind, method)]) == 1


@pytest.mark.parametrize("name", BASELINES)
def test_baselines_need_no_options(name):
    found = find_solver(name)
    assert found.check({}) == {}
    assert found.answered_by == "workers" or found.make()


@pytest.mark.parametrize("name", sorted(set(SOLVERS) - set(BASELINES)))
def test_solvers_of_models_and_programs_take_options_and_are_never_handed_labels(name):
    kind = find_solver(name).kind
    assert hasattr(kind, "check")
    assert not issubclass(kind, KeyedSolver)


def test_the_name_of_a_preset_is_a_solver():
    module, _, name = MODEL_SOLVER.rpartition(":")
    assert find_solver("gpt-4o").kind is getattr(importlib.import_module(module), name)


def test_options_are_filled_in_once_and_handed_to_the_solver(tmp_path):
    takes = find_solver(TAKES)
    filled = takes.check({})
    assert filled == {"colour": "red"} == takes.check(filled)
    solver = takes.make(takes.setup(takes.check({"colour": "blue"}), folder=tmp_path, tasks_dir=tmp_path))
    assert isinstance(solver, Takes)
    assert solver.colour == "blue"


def test_a_solver_that_takes_options_cannot_be_made_without_a_run():
    with pytest.raises(WrongOptions, match=r"works in runs of turkbench evaluate only"):
        find_solver(TAKES).make()


def test_options_that_a_solver_does_not_take_are_named():
    with pytest.raises(WrongOptions, match=r"--max-cost: the solver 'oracle' takes no such options"):
        find_solver("oracle").check({"max_cost": "1"})


def test_an_option_that_is_nearly_one_of_the_solver_s_is_told_so():
    with pytest.raises(WrongOptions, match=r"--color: the solver '.*' takes no such options. Did you mean 'colour'\?"):
        find_solver(TAKES).check({"color": "blue"})


def test_an_option_of_another_type_is_named():
    with pytest.raises(WrongOptions, match="--depth 'deep'"):
        find_solver(TAKES).check({"depth": "deep"})


def test_the_options_of_every_registered_solver_are_among_those_that_are_known():
    records = {find_solver(name).options for name in [*SOLVERS, "gpt-4o"] if hasattr(find_solver(name).kind, "options")}
    assert {name for each in known_options() for name in names_of(each)} == {
        name for each in records for name in names_of(each)
    }


def test_a_solver_stands_in_a_file_of_ones_own_with_modules_beside_it(tmp_path):
    (tmp_path / "words_of_mine.py").write_text("WORD = 'mine'\n")
    file = tmp_path / "my solver.py"
    file.write_text(
        "from words_of_mine import WORD\nclass Mine:\n    word = WORD\n    def solve(self, page, act): ...\n"
    )
    before = list(sys.path)
    try:
        found = find_solver(f"{file}:Mine")
        assert found.make().word == "mine"
        assert find_solver(f"{file}:Mine") == found
    finally:
        sys.path[:] = before


@pytest.mark.parametrize(
    ("text", "said"),
    [(None, "there is no file"), ("def (", "SyntaxError"), ("1 / 0", "ZeroDivisionError"), ("x = 1", "AttributeError")],
)
def test_a_file_that_cannot_be_used_says_why(tmp_path, text, said):
    file = tmp_path / "broken.py"
    if text is not None:
        file.write_text(text)
    before = list(sys.path)
    try:
        with pytest.raises(UnknownSolver, match=said):
            find_solver(f"{file}:Mine")
    finally:
        sys.path[:] = before


@pytest.mark.parametrize(
    ("name", "keyed"), [("oracle", True), ("constant", True), ("do-nothing", False), ("random", False)]
)
def test_only_bounds_and_baselines_are_handed_labels(name, keyed):
    assert isinstance(find_solver(name).make(), KeyedSolver) is keyed


def test_a_solver_is_found_by_its_dotted_path():
    assert isinstance(find_solver("tests.run_solvers:Fills").make(), run_solvers.Fills)


def test_an_unknown_name_lists_the_known_ones_and_the_closest():
    with pytest.raises(UnknownSolver, match=r"Did you mean 'oracle'\? Known: oracle, do-nothing, random, constant"):
        find_solver("orcale")


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("no.such.module:X", "ModuleNotFoundError"),
        ("tests.run_solvers:Missing", "AttributeError"),
        (":X", "ValueError"),
        ("tests.run_solvers:", "AttributeError"),
        ("tests.run_solvers:NeedsAnArgument", "TypeError"),
        ("tests.run_solvers:NoSolver", "has neither a method `solve` nor `solve_with_key`"),
    ],
)
def test_a_path_that_cannot_be_loaded_says_why(path, said):
    with pytest.raises(UnknownSolver, match=said):
        find_solver(path).make()


def test_what_a_solver_is_handed_never_depends_on_which_of_its_methods_is_looked_at_first(tmp_path):
    file = tmp_path / "both.py"
    file.write_text("class Both:\n    def solve(self, page, act): ...\n    def solve_with_key(self, key, act): ...\n")
    with pytest.raises(UnknownSolver, match="more than one of the methods `solve`, `solve_with_key`"):
        find_solver(f"{file}:Both").make()
