from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Literal

import pytest

from harness.kit.arguments import whole
from harness.kit.options import (
    UnknownOption,
    WrongOption,
    filled,
    given,
    kept,
    names_of,
    option,
    options_in,
    read_options,
    view,
)


@dataclass(frozen=True, kw_only=True)
class Shared:
    GROUP: ClassVar[str] = "what is shared"

    number: int | None = option(takes=whole, metavar="N", changes="called")
    places: tuple[Path, ...] | None = option(on_resume="agree")


@dataclass(frozen=True, kw_only=True)
class Options(Shared):
    GROUP: ClassVar[str] = "its own"

    mood: Literal["calm", "bold"] | None = option()
    loud: bool | None = option()
    digest: str | None = kept()


def test_a_record_tells_its_options_and_those_it_shares_with_their_groups():
    assert [(each.name, each.about.group) for each in options_in(Options)] == [
        *(("number", "what is shared"), ("places", "what is shared")),
        *(("mood", "its own"), ("loud", "its own"), ("digest", "its own")),
    ]
    assert names_of(Options, changes="called") == ("number",)
    assert "digest" not in names_of(Options, argument=True)


def test_what_a_mapping_holds_comes_back_as_json_holds_it():
    values = {"number": 3, "places": ["/a", "/b"], "loud": False}
    record = read_options(Options, {**values, "mood": None})
    assert record == Options(number=3, places=(Path("/a"), Path("/b")), loud=False)
    assert given(record) == values


@pytest.mark.parametrize(
    ("values", "error", "words"),
    [
        ({"modo": "calm"}, UnknownOption, "--modo: there is no such option. Did you mean 'mood'?"),
        ({"number": "three"}, WrongOption, "--number 'three'"),
        ({"number": True}, WrongOption, "--number True"),
        ({"mood": "sad"}, WrongOption, "--mood sad: there are calm, bold"),
    ],
)
def test_a_name_or_a_value_that_is_wrong_is_told_in_a_line(values, error, words):
    with pytest.raises(error) as raised:
        read_options(Options, values)
    assert words in str(raised.value)
    assert "\n" not in str(raised.value)


def test_a_view_passes_over_what_its_record_does_not_have():
    assert view(Shared, {"number": 3, "colour": "red"}) == Shared(number=3)
    assert view(Shared, Options(number=3, mood="bold")) == Shared(number=3)


def test_what_is_decided_fills_a_record_as_far_as_it_has_it():
    assert filled(Options(number=3), {"mood": "calm", "colour": "red"}) == Options(number=3, mood="calm")


def test_what_a_stranger_wrote_of_another_type_counts_as_not_given():
    assert view(Options, {"number": ["three"], "mood": "calm"}) == view(Options, {"mood": "calm"})
