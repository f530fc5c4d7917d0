"""Classes of failed actions: which code falls into which, and how they are counted over episodes."""

from __future__ import annotations

import pytest

from harness.actions.result import ErrorCode, Step
from harness.analysis.failed_actions import (
    CLASSES,
    FAULT_OF,
    LONGEST_EXAMPLE,
    UNKNOWN,
    UNREAD,
    FailedActions,
    FailureExample,
    error_class,
    folded,
)
from harness.kit.files.codec import typed
from harness.records.turn import Turn
from harness.scoring.metrics import PROFILES
from harness.scoring.scores import score_episode
from tests.checkout import PROJECT
from tests.samples import episode, record


@pytest.mark.parametrize("code", ErrorCode)
def test_every_code_has_a_class(code: ErrorCode) -> None:
    assert error_class(code) in set(CLASSES) - {UNKNOWN}


def test_every_class_but_the_unknown_has_a_code() -> None:
    assert {error_class(code) for code in ErrorCode} == set(CLASSES) - {UNKNOWN}


def test_what_keeps_a_control_from_being_changed_is_one_class() -> None:
    codes = (ErrorCode.DISABLED, ErrorCode.OPTION_DISABLED, ErrorCode.READ_ONLY, ErrorCode.TAKES_FILE)
    assert {error_class(code) for code in codes} == {"not to be changed"}


def test_the_class_of_a_step_without_a_code_is_unknown_whatever_its_words() -> None:
    assert error_class(None) == UNKNOWN
    old = typed({"action": "modify_text('a', 'b')", "ok": False, "message": "'a': it is disabled", "ms": 1.0}, Step)
    found = counted((old,)).found()
    assert (found.failed, list(found.classes)) == (1, [UNKNOWN])


def test_every_class_is_documented() -> None:
    table = (PROJECT / "docs" / "reference" / "reports.md").read_text(encoding="utf-8")
    assert [name for name in CLASSES if f"| `{name}` |" not in table] == []
    rows = {line.split("`")[1]: line for line in table.splitlines() if line.startswith("| `")}
    assert [code for code in ErrorCode if f"`{code}`" not in rows[error_class(code)]] == []


def step(code: ErrorCode | None = None, action: str = "modify_text('a', 'b')", message: str = "words") -> Step:
    return Step(action, ok=code is None, message=message, ms=1.0, code=code)


def counted(*steps: tuple[Step, ...], turns: tuple[Turn, ...] = ()) -> FailedActions:
    failed = FailedActions()
    for index, each in enumerate(steps):
        made = episode(record(sent=("yes",)), index=index, steps=each, turns=turns)
        failed.see(score_episode(made, PROFILES["standard"]))
    return failed


DISABLED, COVERED = ErrorCode.DISABLED, ErrorCode.COVERED


def test_every_failed_action_is_counted_in_one_class() -> None:
    found = counted(
        (step(), step(DISABLED), step(DISABLED, "modify_radio('a', 'b')")), (step(COVERED), step(DISABLED)), (step(),)
    ).found()
    assert (found.steps, found.failed, found.episodes, found.episodes_touched) == (6, 4, 3, 2)
    assert {name: (each.count, each.episodes) for name, each in found.classes.items()} == {
        "not to be changed": (3, 2),
        "out of reach": (1, 1),
    }
    assert list(found.classes) == ["not to be changed", "out of reach"], "the most frequent comes first"
    assert set(found.classes) <= set(CLASSES)
    assert found.actions == {"modify_radio": (1, 1), "modify_text": (5, 3)}


def test_the_first_failed_action_of_a_class_is_its_example() -> None:
    found = counted((step(DISABLED, "first()"),), (step(DISABLED, "second()"),)).found()
    example = found.classes["not to be changed"].example
    assert example == FailureExample(task="T", index=0, action="first()", message="words")


def test_what_a_reply_holds_that_is_no_action_is_counted_apart() -> None:
    turn = Turn(calls=("modify_text('a', 'b')", "error: fly(): fly is not an action"))
    found = counted((step(),), (step(),), turns=(turn, turn)).found()
    assert (found.failed, found.classes, found.episodes_touched) == (0, {}, 0)
    assert (found.unread.count, found.unread.episodes) == (4, 2)
    assert found.unread.example is not None
    assert found.unread.example.message == "fly(): fly is not an action"


def test_long_messages_are_shortened_in_examples() -> None:
    found = counted((step(DISABLED, "x" * 1000, "y" * 1000),)).found()
    example = found.classes["not to be changed"].example
    assert example is not None
    assert (len(example.action), len(example.message)) == (200, 200)


def test_counts_of_several_runs_add_up() -> None:
    first, second = (
        counted((step(DISABLED),), (step(),)),
        counted((step(DISABLED), step(COVERED, message="moon"))),
    )
    first.merge(second)
    found = first.found()
    assert (found.steps, found.failed, found.episodes, found.episodes_touched) == (4, 3, 3, 2)
    assert found.classes["not to be changed"].count == 2
    example = found.classes["out of reach"].example
    assert example is not None
    assert example.message == "moon"


@pytest.mark.parametrize(
    ("one", "other", "both"),
    [
        ("There is no field 'a'.", "There is no field 'b c'.", "There is no field '…'."),
        ("3 of 12 options", "4 of 120 options", "N of N options"),
        ("'it' isn't there, don't", "\"that's\" isn't there, don't", "'…' isn't there, don't"),
        ('the page says "x\\n2"', 'the page says "y"', "the page says '…'"),
        ("timed out after 1.5 s\nTraceback ...", "timed out after 30 s", "timed out after N s"),
    ],
)
def test_messages_that_differ_in_names_and_numbers_alone_are_folded(one: str, other: str, both: str) -> None:
    assert folded(one) == folded(other) == both


def test_a_long_message_is_folded_in_time_and_cut() -> None:
    assert len(folded("'" * 1_000_000 + "\\" * 1_000_000)) <= LONGEST_EXAMPLE


def test_each_class_is_the_fault_of_one() -> None:
    assert set(FAULT_OF) == {*CLASSES, UNREAD}
