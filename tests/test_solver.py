from __future__ import annotations

import pytest

from harness.solver import SOLVERS, KeyedSolver, UnknownSolver, make_solver
from tests import run_solvers


@pytest.mark.parametrize("name", SOLVERS)
def test_every_registered_solver_can_be_made(name):
    assert hasattr(make_solver(name), "solve") or isinstance(make_solver(name), KeyedSolver)


@pytest.mark.parametrize(
    ("name", "keyed"), [("oracle", True), ("constant", True), ("do-nothing", False), ("random", False)]
)
def test_only_bounds_and_baselines_are_handed_labels(name, keyed):
    assert isinstance(make_solver(name), KeyedSolver) is keyed


def test_a_solver_is_found_by_its_dotted_path():
    assert isinstance(make_solver("tests.run_solvers:Fills"), run_solvers.Fills)


def test_an_unknown_name_lists_the_known_ones_and_the_closest():
    with pytest.raises(UnknownSolver, match=r"Did you mean 'oracle'\? Known: oracle, do-nothing, random, constant"):
        make_solver("orcale")


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
        make_solver(path)
