"""The tokens that two texts share: as many as the score counts, marked where they stand."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from harness.reports.watch.shared_words import MOST_MARKED, TextPiece, common_places, shared_words
from harness.scoring.metrics.rouge import lcs_length, tokenise_pair

TOKENS = st.lists(st.sampled_from("abcd"), max_size=30)
TEXTS = st.text(st.sampled_from("abAB 12.,é漢字İΣς ̈e") | st.characters(), max_size=30)


@given(TOKENS, TOKENS)
def test_the_places_are_a_longest_common_subsequence(first, second):
    pairs = common_places(first, second)
    assert [first[place] for place, _ in pairs] == [second[place] for _, place in pairs]
    assert all(a[0] < b[0] and a[1] < b[1] for a, b in pairwise(pairs))
    assert len(pairs) == lcs_length(first, second)


@given(TEXTS, TEXTS)
def test_as_many_tokens_are_marked_as_the_score_counts(sent, label):
    ours, theirs = tokenise_pair(sent, label)
    found = shared_words(sent, label)
    assert found.common == lcs_length(ours, theirs)
    assert sum(piece.shared for piece in found.sent) == sum(piece.shared for piece in found.label) == found.common
    assert (found.sent_tokens, found.label_tokens) == (len(ours), len(theirs))


def test_pieces_put_together_are_the_text_as_it_was_written():
    found = shared_words("The Cats, again!", "cat (again)")
    assert "".join(piece.text for piece in found.sent) == "The Cats, again!"
    assert [piece.text for piece in found.sent if piece.shared] == ["Cats", "again"]
    assert [piece.text for piece in found.label if piece.shared] == ["cat", "again"]


def test_letters_outside_ascii_are_tokens_unless_the_profile_knows_only_ascii():
    assert shared_words("Größe", "größe").sent == (TextPiece("Größe", shared=True),)
    narrow = shared_words("Größe", "größe", ascii_only=True)
    assert [piece.text for piece in narrow.sent if piece.shared] == ["Gr", "e"]


def test_a_text_whose_letters_change_places_in_lower_case_is_shown_as_it_is_compared():
    found = shared_words("İx ya", "ya")
    assert "".join(piece.text for piece in found.sent) == "i̇x ya"


def test_very_long_texts_are_counted_and_not_marked():
    found = shared_words("a " * (MOST_MARKED + 1), "a b")
    assert (found.marked, found.common, found.sent_tokens) == (False, 1, MOST_MARKED + 1)
    assert not any(piece.shared for piece in found.sent)
