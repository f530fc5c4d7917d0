"""Results and the steps that keep them: what failed has a code, and only that."""

from __future__ import annotations

import json

import pytest

from harness.actions.call import ActionCall
from harness.actions.result import ActionResult, ErrorCode, Step
from harness.kit.files.codec import plain, typed
from tests.checkout import PROJECT

CALL = ActionCall("modify_text", {"name": "a", "value": "b"})
FAILED = ActionResult(ok=False, message="'a': it is disabled", ms=1.0, code=ErrorCode.DISABLED)


@pytest.mark.parametrize(("ok", "code"), [(True, ErrorCode.DISABLED), (False, None)])
def test_a_result_has_a_code_if_it_failed_and_only_then(ok: bool, code: ErrorCode | None) -> None:
    with pytest.raises(ValueError, match="code"):
        ActionResult(ok=ok, message="words", code=code)


@pytest.mark.parametrize("code", ErrorCode)
def test_a_step_that_failed_keeps_its_code(code: ErrorCode) -> None:
    step = Step.of(CALL, ActionResult(ok=False, message="words", code=code))
    kept = json.loads(json.dumps(plain(step)))
    assert kept["code"] == code.value
    assert typed(kept, Step) == step
    assert isinstance(typed(kept, Step).code, ErrorCode)


def test_a_step_that_was_done_is_written_without_a_code() -> None:
    step = Step.of(CALL, ActionResult(ok=True, message="done", ms=1.0))
    assert plain(step) == {"action": "modify_text('a', 'b')", "ok": True, "message": "done", "ms": 1.0}
    assert typed(plain(step), Step) == step


def test_a_step_that_failed_before_codes_were_recorded_has_none() -> None:
    kept = plain(Step.of(CALL, FAILED))
    del kept["code"]
    assert typed(kept, Step).code is None


def test_a_code_that_there_is_not_is_refused() -> None:
    with pytest.raises(ValueError, match="out_of_mind"):
        typed({**plain(Step.of(CALL, FAILED)), "code": "out_of_mind"}, Step)


def test_every_code_is_documented() -> None:
    table = (PROJECT / "docs" / "reference" / "records.md").read_text(encoding="utf-8")
    assert [code.value for code in ErrorCode if f"- `{code.value}`: " not in table] == []
