"""ROUGE-L: equal to rouge-score on English, sensible on other scripts."""

from __future__ import annotations

import sys
import tracemalloc

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rouge_score import rouge_scorer

from harness.scoring.metrics import rouge
from harness.scoring.metrics.rouge import (
    best_rouge_l,
    english_tokens,
    has_wide_letter,
    lcs_length,
    load,
    unicode_tokens,
)

REFERENCE = rouge_scorer.RougeScorer(["rougeL"], use_stemmer=True)
WORDS = st.sampled_from(
    ["the", "a", "cat", "cats", "sitting", "mats,", "generously!", "running-runs", "y2k", "42", "don’t", "😀"]
)
SENTENCES = st.lists(WORDS, max_size=25).map(" ".join)


def reference(prediction: str, label: str) -> float:
    return REFERENCE.score(target=label, prediction=prediction)["rougeL"].fmeasure


def table_lcs(first: list[int], second: list[int]) -> int:
    row = [0] * (len(second) + 1)
    for item in first:
        above = row
        row = [0]
        for place, other in enumerate(second):
            row.append(above[place] + 1 if item == other else max(above[place + 1], row[place]))
    return row[-1]


@pytest.mark.parametrize(
    ("prediction", "label", "score"),
    [
        # Longest common subsequence "the cat mat" of 3 tokens; precision 3/4, recall 3/6; F1 = 0.6.
        ("the cat ate mat", "the cat sat on the mat", 0.6),
        # Only one of the two words can be in a common subsequence.
        ("mat cat", "cat mat", 0.5),
        # Words are stemmed, unless a letter beyond ASCII is in either text.
        ("running cats", "run cat", 1.0),
        ("running", "run é", 0.0),
        ("running é", "run", 0.0),
        ("Hello, world!", "hello world", 1.0),
        # Without tokens.
        ("?!", "?", 0.0),
        ("", "word", 0.0),
        # 3 common characters, precision 3/3, recall 3/4; F1 = 6/7.
        ("我爱猫", "我爱小猫", 6 / 7),
        ("y" * 10_000, "y" * 10_000 + " z", 2 / 3),
    ],
)
def test_examples_that_were_computed_by_hand(prediction: str, label: str, score: float) -> None:
    assert best_rouge_l(prediction, [label])[0] == pytest.approx(score)


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("Élan vital, déjà-vu 2×3", ["élan", "vital", "déjà", "vu", "2", "3"]),
        # Marks belong to their word, and are none without a letter.
        ("हिन्दी भाषा", ["हिन्दी", "भाषा"]),
        ("לָשׁוֹן", ["לָשׁוֹן"]),
        ("é ❤\ufe0f", ["é"]),
        # Each Chinese and Japanese character is a token; Korean words are.
        ("东京は日本のabcです。", ["东", "京", "は", "日", "本", "の", "abc", "で", "す"]),
        ("한국어 문장", ["한국어", "문장"]),
    ],
)
def test_tokens_of_other_scripts(text: str, tokens: list[str]) -> None:
    assert unicode_tokens(text) == tuple(tokens)


@settings(deadline=None)
@given(SENTENCES, SENTENCES)
def test_one_label_scores_exactly_as_rouge_score_does(prediction: str, label: str) -> None:
    assert best_rouge_l(prediction, [label])[0] == reference(prediction, label)


@settings(deadline=None)
@given(
    st.text(st.characters(max_codepoint=127), max_size=60),
    st.text(st.characters(max_codepoint=127), max_size=60),
)
def test_any_ascii_text_scores_exactly_as_rouge_score_does(prediction: str, label: str) -> None:
    assert best_rouge_l(prediction, [label])[0] == reference(prediction, label)


@settings(deadline=None)
@given(SENTENCES, st.lists(SENTENCES, min_size=1, max_size=8))
def test_leaving_out_labels_that_cannot_win_changes_nothing(prediction: str, labels: list[str]) -> None:
    score, label = best_rouge_l(prediction, labels)
    assert score == max(reference(prediction, label) for label in labels)
    assert score == reference(prediction, label)


def test_labels_are_tried_in_the_order_of_what_they_can_reach(monkeypatch: pytest.MonkeyPatch) -> None:
    tried = []
    monkeypatch.setattr(rouge, "lcs_length", lambda *pair: tried.append(pair[1]) or lcs_length(*pair))
    labels = ["cat", "mat cat", "cat mat ate", "the cat ate mat", "ate cat"]
    assert best_rouge_l("ate mat", labels) == (pytest.approx(2 / 3), "the cat ate mat")
    assert tried == [("cat", "mat", "ate"), ("the", "cat", "ate", "mat")]


def test_of_labels_that_are_equally_near_the_first_is_named() -> None:
    assert best_rouge_l("cat", ["a cat", "the cat", "one cat"]) == (pytest.approx(2 / 3), "a cat")


@settings(deadline=None)
@given(st.lists(st.integers(0, 4), max_size=90), st.lists(st.integers(0, 4), max_size=90))
def test_bits_find_the_same_common_subsequence_as_the_table(first: list[int], second: list[int]) -> None:
    assert lcs_length([str(item) for item in first], [str(item) for item in second]) == table_lcs(first, second)


def test_long_texts_score_as_rouge_score_does() -> None:
    prediction = " ".join(f"word{place % 97} common" for place in range(150))
    label = " ".join(f"word{place % 89} common" for place in range(150))
    assert best_rouge_l(prediction, [label])[0] == reference(prediction, label)


def test_words_that_one_text_has_alone_cost_nothing_in_a_common_subsequence() -> None:
    tracemalloc.start()
    try:
        assert lcs_length([str(place) for place in range(40_000)], ["7", "x", "9"]) == 2
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 20_000_000


def test_signs_and_emoji_beyond_ascii_are_no_letters() -> None:
    assert not has_wide_letter("don’t 😀 — 5 €")
    assert has_wide_letter("café")


def test_decomposed_and_composed_letters_are_the_same_token() -> None:
    assert unicode_tokens("E\u0301lan") == unicode_tokens("\u00e9lan")


def test_what_is_slow_to_import_can_be_imported_before_it_is_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    english = f"{rouge.__package__}.english"
    monkeypatch.delitem(sys.modules, english, raising=False)
    load()
    assert sys.modules[english].stemmed_tokens("Running") == ("run",)


def test_english_tokens_are_those_of_rouge_score() -> None:
    assert english_tokens("The Cats' naïve running_2") == ("the", "cat", "na", "ve", "run", "2")
