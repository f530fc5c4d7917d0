"""The quirks of the original code, one by one: rules between the profiles ``standard`` and ``turkingbench-2024``.

Without a quirk ``Mixed`` scores as ``standard`` does, with all of them as ``turkingbench-2024``; the tests compare both
ends. In between stands one difference at a time, so that it can be said what each was worth (docs/notes/parity.md).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from harness.catalog.kinds import CHOICES, KINDS, TEXTS, VOTES
from harness.catalog.labels import clean, is_blank, match_option, number, winners
from harness.scoring.metrics import choice, iou, l1
from harness.scoring.metrics.rouge import best_rouge_l, tokenise_pair
from harness.scoring.metrics.standard import names_several
from harness.scoring.metrics.turkingbench_2024 import (
    english_pair,
    plain_number,
    plain_text,
    read_labels,
    same_words,
    score_recorded,
    sorted_set,
    value_read,
    words,
)


@dataclass(frozen=True)
class Quirk:
    """One rule of the original code that differs from the profile ``standard``.

    Attributes:
        name: What tables call it.
        kinds: The kinds of field whose own score it can change.
        rule: What it says, in words.
    """

    name: str
    kinds: frozenset[str]
    rule: str


WORDS = Quirk(
    "words",
    CHOICES,
    "answers and labels of choices are compared as words, without case and punctuation: -1 is 1, and False is a word",
)
BLANKS_VOTE = Quirk("blanks vote", VOTES, "a blank label is a vote for leaving the choice blank")
FIRST_OF_TIED = Quirk("first of tied", VOTES, "of tied answers the one that stands first in the file is right")
EXACT_SETS = Quirk(
    "exact sets", frozenset({"select", "checkbox"}), "a set of boxes is right if it is that of a worker, else wrong"
)
LONE_BOX = Quirk("lone box", frozenset({"checkbox"}), "a box alone is not voted on: any one worker is enough")
FIRST_VALUE = Quirk("first value", TEXTS | {"select"}, "of several values of one name the first counts")
ASCII_TOKENS = Quirk("ASCII tokens", TEXTS, "letters outside ASCII are no part of a text")
NUMBERS_AS_TEXT = Quirk("numbers as text", TEXTS, "two numbers are compared as texts: 1.5 shares a token with 1.6")
AMPERSAND = Quirk("ampersand", TEXTS, "&amp; is read as &; accents are compared as they are encoded")
RANGE_DISTANCE = Quirk(
    "range distance",
    frozenset({"range"}),
    "the distance is measured by the largest of labels and answer; what is no number is matched exactly",
)
RANGE_IS_ONE = Quirk("range is 1", frozenset(), "a range counts as 1.0 in the mean of its instance")
INVISIBLE = Quirk("invisible", frozenset(), "fields that cannot be seen when the page has loaded are left out")

QUIRKS = (
    WORDS,
    BLANKS_VOTE,
    FIRST_OF_TIED,
    EXACT_SETS,
    LONE_BOX,
    FIRST_VALUE,
    ASCII_TOKENS,
    NUMBERS_AS_TEXT,
    AMPERSAND,
    RANGE_DISTANCE,
    RANGE_IS_ONE,
    INVISIBLE,
)
ALL = frozenset(QUIRKS)


@dataclass(frozen=True)
class Mixed:
    """The rules of ``standard`` with some of the original's in their place.

    Attributes:
        quirks: Those that hold.
    """

    quirks: frozenset[Quirk]

    @property
    def scores_invisible(self) -> bool:
        """Whether fields count that nobody can see when the page has loaded."""
        return INVISIBLE not in self.quirks

    def points(self, kind: str, options: Sequence[str], labels: Sequence[str], sent: Sequence[str]) -> float | None:
        """Score one field.

        Args:
            kind: The field's kind.
            options: The values of its options; empty for fields without options.
            labels: The raw cells of all workers, at least one.
            sent: The values that the form sent.

        Returns:
            The score, or None if these rules do not score the field.

        Raises:
            ValueError: The kind is unknown, or there is no label.
        """
        if kind not in KINDS:
            raise ValueError(f"unknown kind of field {kind!r}")
        if not labels:
            raise ValueError("a field without workers cannot be scored")
        if kind in TEXTS:
            return self._text(labels, sent)
        if kind == "range":
            return self._range(labels, sent)
        if kind == "checkbox":
            alone = len(options) == 1 and LONE_BOX not in self.quirks
            return self._box(options, labels, sent) if alone else self._set(options, labels, sent)
        if kind == "select" and FIRST_VALUE not in self.quirks:
            several = len(set(sent)) > 1 or any(names_several(label, options) for label in labels)
            if several:
                return self._set(options, labels, sent)
        return self._vote(options, labels, sent)

    def instance_points(self, kinds: Sequence[str], points: Sequence[float]) -> float | None:
        """The mean over the fields of an instance; None without any."""
        if not points:
            return None
        if RANGE_IS_ONE in self.quirks:
            points = [1.0 if kind == "range" else each for kind, each in zip(kinds, points, strict=True)]
        return sum(points) / len(points)

    def _text(self, labels: Sequence[str], sent: Sequence[str]) -> float | None:
        value = value_read("text", sent) if FIRST_VALUE in self.quirks else "|".join(v for v in sent if v.strip())
        answers = [label for label in labels if not is_blank(label)]
        if not answers:
            return None
        if NUMBERS_AS_TEXT in self.quirks:
            value, answers = plain_number(value), [plain_number(answer) for answer in answers]
        read = plain_text if AMPERSAND in self.quirks else clean
        text, answers = read(value), [read(answer) for answer in answers]
        if text in answers:
            return 1.0
        if NUMBERS_AS_TEXT not in self.quirks and (own := number(text)) is not None:
            if any(number(answer) == own for answer in answers):
                return 1.0
            answers = [answer for answer in answers if number(answer) is None]
        if not text or not answers:
            return 0.0
        return best_rouge_l(text, answers, english_pair if ASCII_TOKENS in self.quirks else tokenise_pair)[0]

    def _range(self, labels: Sequence[str], sent: Sequence[str]) -> float | None:
        if RANGE_DISTANCE in self.quirks:
            return score_recorded("range", labels, value_read("range", sent))
        result = l1.score((), labels, sent)
        return result.score if result else None

    def _vote(self, options: Sequence[str], labels: Sequence[str], sent: Sequence[str]) -> float | None:
        value = value_read("radio", sent)
        if WORDS not in self.quirks:
            votes, predicted = _as_options(options, labels, value)
            first = self._first(votes)
            return None if first is None else float(predicted in first)
        votes = read_labels(labels)
        if BLANKS_VOTE in self.quirks and votes == [""]:
            return float(not value)
        first = self._first(votes)
        return None if first is None else float(any(same_words(value, each) for each in first))

    def _first(self, votes: Sequence[str]) -> tuple[str, ...] | None:
        """The right answers to a vote, of which blank ones are empty; None if nobody votes."""
        if BLANKS_VOTE not in self.quirks:
            votes = [vote for vote in votes if vote]
        first = winners(votes)
        return (first[:1] if FIRST_OF_TIED in self.quirks else first) or None

    def _set(self, options: Sequence[str], labels: Sequence[str], sent: Sequence[str]) -> float | None:
        if WORDS not in self.quirks:
            result = iou.score(options, labels, sent)
            if result and EXACT_SETS in self.quirks:
                return float(bool(result.agreement))  # the share of workers with the very set that was sent
            return result.score if result else None
        cells = read_labels(labels)
        if EXACT_SETS in self.quirks:
            value = value_read("checkbox", sent)
            if cells == [""]:
                return float(not value)
            return float(any(same_words(value, sorted_set(cell)) for cell in cells))
        ours = _parts(sent)
        return max(iou.overlap(ours, _parts(cell.split("|"))) for cell in cells)

    def _box(self, options: Sequence[str], labels: Sequence[str], sent: Sequence[str]) -> float | None:
        if WORDS not in self.quirks:
            result = choice.score_box(options, labels, sent)
            return result.score if result else None
        votes = [same_words(label, options[0]) for label in read_labels(labels)]
        more = 2 * sum(votes) - len(votes)
        return float(not more or (more > 0) == same_words(value_read("checkbox", sent), options[0]))


def _as_options(options: Sequence[str], labels: Sequence[str], value: str) -> tuple[list[str], str]:
    """Votes and answer as values of the options, those of no option as they are written, blanks empty."""
    answers = list(options)

    def known(text: str) -> str:
        option = match_option(text, answers)
        return clean(text) if option is None else option

    votes = []
    for label in labels:
        vote = "" if is_blank(label) else known(label)
        if vote and vote not in answers:
            answers.append(vote)
        votes.append(vote)
    return votes, known(value) if value else ""


def _parts(values: Sequence[str]) -> frozenset[str]:
    return frozenset(words(plain_number(value)) for value in values if not is_blank(value))
