import json

import pytest

from harness.actions.call import MAX_ARGUMENT, MAX_INTEGER, ActionCall, ActionError


def test_canonical_text_gives_arguments_by_position_on_one_line():
    call = ActionCall("modify_text", {"name": "q\n1", "value": "it's"})
    assert str(call) == """modify_text('q\\n1', "it's")"""


def test_json_round_trip_keeps_the_call():
    call = ActionCall("modify_checkbox", {"name": "q1", "values": ["a", 1, 2.5, True, None, []]})
    assert ActionCall.from_json(json.loads(json.dumps(call.to_json()))) == call


def test_tuples_become_lists():
    assert ActionCall("f", {"a": ("x", ("y",))}).args == {"a": ["x", ["y"]]}


def test_later_changes_of_what_it_was_made_from_do_not_reach_a_call():
    values = ["a"]
    call = ActionCall("f", {"a": values})
    values.append("b")
    assert call.args == {"a": ["a"]}


def test_surrogate_pairs_are_joined_and_lone_surrogates_replaced():
    call = ActionCall("f", {"a": "\ud83d\ude00 \ud83d x \ude00"})
    assert call.args["a"] == "😀 \ufffd x \ufffd"


@pytest.mark.parametrize(
    "value",
    [b"x", {"a": 1}, {1}, object(), float("nan"), float("inf"), 1j, MAX_INTEGER + 1, "x" * (MAX_ARGUMENT + 1)],
    ids=lambda value: type(value).__name__,
)
def test_values_that_are_no_literals_within_bounds_are_refused(value):
    with pytest.raises(ValueError, match=r"."):
        ActionCall("f", {"a": value})


@pytest.mark.slow
def test_lists_that_nest_too_deep_are_refused_without_recursion_errors():
    value: list[object] = []
    for _ in range(100_000):
        value = [value]
    with pytest.raises(ValueError, match="nested"):
        ActionCall("f", {"a": value})


@pytest.mark.parametrize("name", ["", "a b", "os.system", "f(x)", "1a"])
def test_a_name_that_is_no_identifier_is_refused(name):
    with pytest.raises(ValueError, match="identifier"):
        ActionCall(name, {})


@pytest.mark.parametrize(
    "data",
    [None, [], {}, {"name": "f"}, {"name": 1, "args": {}}, {"name": "f", "args": []}, {"name": "f", "args": {1: 2}},
     {"name": "f", "args": {}, "more": 1}, {"name": "f", "args": {"a": {}}}],
    ids=str,
)  # fmt: skip
def test_json_of_another_shape_is_refused(data):
    with pytest.raises(ValueError, match=r"."):
        ActionCall.from_json(data)


def test_an_error_shortens_its_excerpt_and_can_be_written_as_utf_8():
    error = ActionError("\ud800" + "x" * 1_000, "wrong \udfff")
    assert len(error.text) == 200
    assert error.text.endswith("…")
    assert f"{error}".encode()
