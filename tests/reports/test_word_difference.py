from __future__ import annotations

import random

import pytest

from harness.reports.mistakes.word_difference import MOST_CHARACTERS, CutText, cut, word_diff


def joined(pieces, *wanted: str) -> str:
    return "".join(words for part, words in pieces if part in wanted).strip()


def test_words_of_both_and_of_one_side_are_told_apart():
    assert word_diff("the cat ate the mat", "the cat sat on the mat") == [
        ("both", "the cat "),
        ("sent", "ate "),
        ("label", "sat on "),
        ("both", "the mat "),
    ]


def test_case_punctuation_and_english_endings_make_no_difference():
    assert word_diff("He WALKED, home", "he walks home.") == [("both", "He WALKED, home ")]


def test_signs_without_letters_are_words_too():
    assert word_diff("a ?!", "a ...") == [("both", "a "), ("sent", "?! "), ("label", "... ")]


def test_each_character_of_a_script_without_spaces_is_a_word():
    assert word_diff("我很高兴", "我不高兴") == [("both", "我"), ("sent", "很"), ("label", "不"), ("both", "高兴 ")]


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
