"""What the in-page scripts say of what cannot be done: every error has a code of the closed set."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import harness.browser
import oracle
from harness.actions.result import ErrorCode

LIBRARY = Path(harness.browser.__file__).parent / "scripts"
SCRIPTS = sorted([*LIBRARY.glob("*.js"), *(Path(oracle.__file__).parent / "scripts").glob("*.js")])
RECORD = re.compile(r"\bcode: (?P<code>[^:{}]*?(?: [?] [^:{}]* : [^:{}]*?)?),\s+error\b")
ERROR = re.compile(r"[{,]\s*error(?::|,| })")


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.name)
def test_every_error_of_a_script_has_a_code(script: Path) -> None:
    source = script.read_text(encoding="utf-8")
    assert len(RECORD.findall(source)) == len(ERROR.findall(source))


def test_the_scripts_know_no_other_codes() -> None:
    named = {
        code
        for script in SCRIPTS
        for found in RECORD.finditer(script.read_text(encoding="utf-8"))
        for code in re.findall(r'"(\w+)"', found["code"])
    }
    assert named <= {code.value for code in ErrorCode}
    assert {"no_such_field", "covered", "option_disabled", "element_gone"} <= named


def test_the_types_of_the_scripts_name_the_same_codes() -> None:
    types = (LIBRARY / "types.d.ts").read_text(encoding="utf-8")
    union = re.search(r"type ErrorCode =([^;]*);", types)
    assert union
    assert re.findall(r'"(\w+)"', union[1]) == [code.value for code in ErrorCode]
