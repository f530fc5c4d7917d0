"""Each claim of docs/notes/claims.md is held by tests, and each file of this folder holds a claim."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tests.checkout import PROJECT
from tests.trust.claims import PAGE, claims, document, marked_files, names_in

NAMES = [claim.name for claim in claims()]


@pytest.mark.slow
def test_the_page_of_the_claims_is_up_to_date() -> None:
    assert PAGE.read_text(encoding="utf-8") == document(), "write it anew: make docs"


def test_there_are_claims_and_each_has_a_name_of_its_own() -> None:
    assert len(NAMES) == len(set(NAMES)) > 100


@pytest.mark.slow
def test_each_claim_is_held_by_a_test_and_no_test_holds_one_that_is_not_there() -> None:
    held = {name for file in marked_files() for name in names_in(file)}
    assert held ^ set(NAMES) == set()


@pytest.mark.parametrize("file", marked_files(), ids=lambda file: str(file.relative_to(PROJECT)))
def test_no_claim_hangs_on_a_file_that_is_left_out_whole_where_a_package_is_missing(file: Path) -> None:
    """Pytest finds no test there, and the claim would be held by nothing."""
    statements = ast.parse(file.read_text(encoding="utf-8")).body
    calls = (each.value for each in statements if isinstance(each, ast.Expr | ast.Assign))
    assert not any("importorskip" in ast.unparse(call) for call in calls)


def test_every_file_of_tests_in_this_folder_holds_a_claim() -> None:
    here = Path(__file__)
    assert set(here.parent.glob("test_*.py")) - {here} - set(marked_files()) == set()
