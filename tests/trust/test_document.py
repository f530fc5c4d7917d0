"""Each claim of docs/trust.md names tests that exist, and each test of this folder holds a claim or belongs to one."""

from __future__ import annotations

import ast

import pytest

from tests.checkout import PROJECT
from tests.trust.claims import HOME, Claim, claims

CLAIMS = claims()


def functions_of(file: str) -> set[str]:
    tree = ast.parse((PROJECT / file).read_text(encoding="utf-8"))
    return {node.name for node in tree.body if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")}


def test_there_are_claims() -> None:
    assert len(CLAIMS) > 40


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.words[:60])
def test_a_claim_names_tests_that_are_there(claim: Claim) -> None:
    assert claim.tests
    for file, test in claim.tests:
        assert (PROJECT / file).is_file(), file
        assert not test or test in functions_of(file), f"{file}::{test}"


@pytest.mark.parametrize("file", sorted({file for claim in CLAIMS for file, _ in claim.tests}))
def test_no_claim_hangs_on_a_file_that_is_left_out_whole_where_a_package_is_missing(file: str) -> None:
    """Pytest finds no test of that name there, and ``python -m tests.trust`` would try none of all claims."""
    statements = ast.parse((PROJECT / file).read_text(encoding="utf-8")).body
    calls = (each.value for each in statements if isinstance(each, ast.Expr | ast.Assign))
    assert not any("importorskip" in ast.unparse(call) for call in calls)


def test_every_file_of_tests_in_this_folder_holds_a_claim() -> None:
    named = {file for claim in CLAIMS for file, _ in claim.tests}
    files = {f"{HOME}{file.name}" for file in (PROJECT / HOME).glob("test_*.py")} - {f"{HOME}test_document.py"}
    assert files - named == set()
