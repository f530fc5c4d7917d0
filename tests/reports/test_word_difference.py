from __future__ import annotations

import random

import pytest

from harness.reports.mistakes.word_difference import MOST_CHARACTERS, CutText, cut, word_diff


def joined(pieces, *wanted: str) -> str:
    return "".join(words for part, words in pieces if part in wanted).strip()


@pytest.mark.parametrize(
    ("sent", "label", "pieces"),
    [
        (
            *("the cat ate the mat", "the cat sat on the mat"),
            [("both", "the cat "), ("sent", "ate "), ("label", "sat on "), ("both", "the mat ")],
        ),
        # Case, punctuation and English endings make no difference.
        ("He WALKED, home", "he walks home.", [("both", "He WALKED, home ")]),
        # Signs without letters are words too, and so is each character of a script without spaces.
        ("a ?!", "a ...", [("both", "a "), ("sent", "?! "), ("label", "... ")]),
        ("我很高兴", "我不高兴", [("both", "我"), ("sent", "很"), ("label", "不"), ("both", "高兴 ")]),
    ],
)
def test_words_of_both_and_of_one_side_are_told_apart(sent, label, pieces):
    assert word_diff(sent, label) == pieces


@pytest.mark.parametrize(("sent", "label"), [("", ""), ("", "a b"), ("a b", ""), ("  ", "a")])
def test_empty_texts_have_nothing_in_common(sent, label):
    pieces = word_diff(sent, label)
    assert not [words for part, words in pieces if part == "both"]
    assert joined(pieces, "sent") == sent.strip()
    assert joined(pieces, "label") == label


def test_the_pieces_give_back_what_was_sent():
    chance = random.Random(5)  # noqa: S311 - a draw, not a secret
    for _ in range(200):
        ours, theirs = (" \n".join(chance.choices(["a", "bee", "Cat,", "日本", "é", "?", "cats"], k=12)) for _ in "ab")
        pieces = word_diff(ours, theirs)
        assert joined(pieces, "both", "sent") == " ".join(ours.split())
        assert len(joined(pieces, "both", "label").split()) == len(theirs.split())


def test_a_long_text_is_cut_and_said_to_be():
    assert cut("x" * 700) == CutText("x" * MOST_CHARACTERS, characters=700)
    assert cut("short") == CutText("short", characters=5)
    assert (cut("x" * 700).cut, cut("short").cut) == (True, False)
