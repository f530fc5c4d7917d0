"""What pages show of texts: their beginning, and how long the whole is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from msgspec import Struct

from harness.kit.cut_texts import MOST_SHOWN, cut_text, cut_texts

LONG = "x" * MOST_SHOWN
LONGER = f"{LONG}{LONG}"
CUT = f"{LONG}… [cut here: the first 100,000 of 200,000 characters]"


class Said(Struct, frozen=True):
    words: str
    number: int = 1


class Pair(NamedTuple):
    name: str
    value: Any


@dataclass(frozen=True)
class Page:
    title: str
    parts: tuple[Any, ...]


def test_a_text_that_can_be_shown_stays_whole_and_a_longer_one_says_how_long_it_is() -> None:
    assert cut_text(LONG) is LONG
    assert cut_text(LONGER) == CUT


def test_every_text_of_a_record_is_cut_and_all_else_stays() -> None:
    short = Said("short")
    page = Page("title", (short, Said(LONGER), [LONGER, 2], {LONGER: Pair("a", LONGER)}, None, Page))
    assert cut_texts(page) == Page("title", (short, Said(CUT), [CUT, 2], {CUT: Pair("a", CUT)}, None, Page))
    assert cut_texts(page).parts[0] is short


def test_a_record_without_long_texts_is_the_very_record() -> None:
    page = Page("title", ([LONG], {"a": LONG}, Said("b"), Pair("c", ())))
    assert cut_texts(page) is page
