from __future__ import annotations

import json
import random
from dataclasses import dataclass
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.actions.result import ErrorCode, Step
from harness.kit.files.codec import Malformed, decode, plain, read, typed
from harness.kit.files.writing import write_json
from harness.models.messages import ToolCall, Usage
from harness.records.episode import Episode
from harness.records.run_record import RunRecord
from harness.records.turn import Turn
from tests.samples import episode, record, run_record, submission


class Small(msgspec.Struct, frozen=True, omit_defaults=True):
    name: str
    note: str = ""


@dataclass(frozen=True)
class Large:
    path: Path
    small: tuple[Small, ...] = ()
    number: float | None = None


LARGE = Large(Path("a/b"), (Small("x"), Small("y", "z")), 1.5)


def test_a_record_is_plain_json_with_its_attributes_in_order():
    text = json.dumps(plain(LARGE))
    assert text == '{"path": "a/b", "small": [{"name": "x"}, {"name": "y", "note": "z"}], "number": 1.5}'


def test_a_record_comes_back_from_json_as_it_was():
    assert decode(json.dumps(plain(LARGE)).encode(), Large) == LARGE
    assert typed(json.loads(json.dumps(plain(LARGE))), Large) == LARGE


def test_keys_that_a_record_does_not_know_are_passed_over():
    assert decode(b'{"name": "x", "later": [{"more": null}]}', Small) == Small("x")


def test_infinity_which_a_model_can_write_as_an_argument_does_not_make_its_episode_unreadable():
    call = ToolCall("1", "click", {"x": float("inf")})
    assert decode(json.dumps(plain(call)).encode(), ToolCall) == call


@given(st.text(st.characters(exclude_categories=()), max_size=20))
def test_any_text_comes_back_as_it_was_written(tmp_path_factory, text):
    file = tmp_path_factory.getbasetemp() / "record.json"
    write_json(file, plain(Small(text)))
    assert read(file, Small).name == text


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (b"", "Expecting value"),
        (b'{"path": "a"', "line 1 column 13"),
        (b"[]", "Expected object, got array"),
        (b"{}", "it lacks path"),
        (b'{"path": 1}', r"\$\.path"),
        (b'{"path": "a", "small": [{"name": "x"}, {}]}', r"\$\.small\[1\] lacks name"),
        (b'{"path": "a", "small": [{"name": null}]}', r"\$\.small\[0\]\.name: Expected str, got null"),
        (b'{"path": "a", "small": {}}', r"\$\.small: Expected array, got object"),
        (b'{"path": "a", "number": "1"}', r"\$\.number: Expected"),
        (b'{"path": "a", "number": 1e999}', r"\$\.number: Number out of range"),
        (rb'{"path": "a", "\ud800": 1}', "surrogates not allowed"),
        (b"\xff", "utf-8"),
        (b'{"path": "a", "more": ' + b"[" * 100_000, "nested too deep"),
    ],
)
def test_what_is_no_such_record_is_refused_with_the_place_and_what_was_expected(text, said):
    with pytest.raises(Malformed, match=said):
        decode(text, Large)


def test_a_half_of_a_surrogate_pair_does_not_hide_what_is_wrong():
    with pytest.raises(Malformed, match=r"\$\.note: Expected str, got int"):
        decode(rb'{"name": "\ud83d", "note": 1}', Small)


WHOLE_EPISODE = episode(
    record("a", "radio", options=("1",), labels=("1", ""), sent=("1",)),
    submission=submission(a=("1",)),
    steps=(Step("click(1, 2)", False, "no", 1.5, "f" * 64, True, True, ErrorCode.DISABLED),),
    turns=(Turn("s", ("i",), "reply", "w", (ToolCall("1", "n", {"a": [1]}, "{", "sig"),), usage=Usage(1, 2, 3, 4)),),
    timing={"open": 1.0},
)


@pytest.mark.parametrize(("whole", "kind"), [(WHOLE_EPISODE, Episode), (run_record(), RunRecord)])
def test_a_file_that_is_damaged_anywhere_is_read_or_refused_and_nothing_else(whole, kind):
    text = json.dumps(plain(whole)).encode()
    chance = random.Random(7)  # noqa: S311
    pieces = (b"", b"null", b"1e5", b"-1", b'"', b"{}", b"[", b"NaN", b"\xff", b"\\ud800", b"9" * 400)
    for _ in range(2_000):
        start = chance.randrange(len(text))
        damaged = text[:start] + chance.choice(pieces) + text[start + chance.randrange(12) :]
        try:
            found = decode(damaged, kind)
        except Malformed:
            continue
        assert isinstance(found, kind)


@pytest.mark.parametrize("length", range(0, 400, 7))
def test_a_file_that_was_cut_short_is_refused(length):
    text = json.dumps(plain(WHOLE_EPISODE)).encode()
    with pytest.raises(Malformed):
        decode(text[:length], Episode)


@pytest.mark.parametrize("index", [-1, 2**63, 10**400])
def test_a_count_is_one_that_can_be_computed_with(index):
    with pytest.raises(Malformed, match=r"\$\.index"):
        typed({**plain(WHOLE_EPISODE), "index": index}, Episode)
