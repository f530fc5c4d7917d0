"""``.ci/audit``: a known flaw fails, and a machine that can ask nobody does not."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.checkout import PROJECT


@pytest.fixture
def audit(tmp_path: Path):
    """``audit(code)`` runs it with a ``pip-audit`` that does what ``code`` says; gives what became of it."""

    def run(code: str) -> subprocess.CompletedProcess[str]:
        (tmp_path / "pip_audit.py").write_text(code, encoding="utf-8")
        return subprocess.run(
            [sys.executable, PROJECT / ".ci" / "audit"],
            env={**os.environ, "PYTHONPATH": str(tmp_path)},
            capture_output=True,
            text=True,
            check=False,
        )

    return run


def saying(*packages: dict) -> str:
    return f"print({json.dumps({'dependencies': packages})!r})"


SOUND = {"name": "numpy", "version": "2", "vulns": []}
UNKNOWN = {"name": "turkbench", "skip_reason": "not found on PyPI"}
FLAWED = {"name": "django", "version": "5", "vulns": [{"id": "CVE-1", "fix_versions": ["5.1"], "description": ""}]}


def test_a_known_flaw_fails_and_is_named_with_what_mends_it(audit):
    ended = audit(saying(SOUND, FLAWED, UNKNOWN))
    assert ended.returncode == 1
    assert "django 5 has the known flaw CVE-1; mended in 5.1" in ended.stdout


def test_packages_without_flaws_pass(audit):
    ended = audit(saying(SOUND, UNKNOWN))
    assert (ended.returncode, ended.stdout) == (
        0,
        "Packages looked up: 1; not in the index: 1; known flaws: 0\n",
    )


@pytest.mark.parametrize(
    "code",
    [saying(UNKNOWN, UNKNOWN), "import sys; sys.exit('ConnectionError: no route to the index')", ""],
    ids=["an index without advisories", "no network", "no pip-audit worth the name"],
)
def test_where_nobody_can_be_asked_one_line_says_so_and_nothing_fails(code, audit):
    ended = audit(code)
    assert (ended.returncode, ended.stdout, ended.stderr.count("\n")) == (0, "", 1)
    assert "were not looked for" in ended.stderr
