"""Where answers go wrong: which options were taken for which, the worst texts and numbers, fields without an answer.

``Mistakes`` is shown the episodes of one or several runs one at a time (see ``harness.analysis.scored_run``) and keeps
counts and a few examples, whatever the number of episodes.
"""

from __future__ import annotations

import math
from array import array
from collections import Counter
from collections.abc import Callable, Collection, Hashable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, reduce
from operator import add
from typing import cast

from harness.catalog.kinds import CHOICES, TEXTS
from harness.catalog.labels import clean, is_blank, ticked
from harness.kit.text import shorten
from harness.records.episode import FieldRecord
from harness.reports.mistakes.findings import (
    AnswerPair,
    Confusions,
    CountedField,
    ExampleTable,
    FieldCounts,
    FieldTable,
    Findings,
    LabelText,
    LossyField,
    Row,
    ScoredPlace,
    SilentField,
    WrongNumber,
    WrongText,
)
from harness.reports.mistakes.word_difference import cut, word_diff
from harness.reports.mistakes.worst_examples import WorstExamples
from harness.scoring.metrics import Profile
from harness.scoring.metrics.l1 import as_numbers
from harness.scoring.metrics.rouge import best_rouge_l
from harness.scoring.scores import InstanceScore, ScoredField

FOLLOWED_FIELDS = 10_000
"""Fields (task and name) that are counted one by one; what comes after them is counted together."""
FOLLOWED_PAIRS = 40
"""Pairs of answer and vote that are counted one by one for each field."""
ANSWER_CHARACTERS = 120
"""Of a choice's answer."""
SHOWN_LABELS = 6
_EXACT = 1e-9


class Mistakes:
    """Collects them from the episodes that it is shown.

    Episodes whose answers are the workers' own (``answered_by``) and those without a score hold no mistakes of a
    solver; they are counted alone.
    """

    def __init__(
        self,
        profile: Profile,
        *,
        fields: int = 24,
        fields_a_task: int = 3,
        pairs: int = 12,
        examples: int = 30,
        examples_a_task: int = 3,
    ) -> None:
        """Begin with nothing.

        Args:
            profile: That of the scores.
            fields: How many fields each table of ``found`` names.
            fields_a_task: How many of these may come from one task.
            pairs: How many pairs of answer and vote each of them shows.
            examples: How many of the worst texts, and of the worst numbers.
            examples_a_task: How many of these may come from one task.
        """
        self._profile = profile
        self._most_fields, self._a_task, self._most_pairs = fields, fields_a_task, pairs
        self._episodes = self._scored = self._unfollowed = 0
        self._skipped: Counter[str] = Counter()
        self._fields: dict[tuple[str, str], _Tally] = {}
        self._texts = WorstExamples[WrongText](examples, examples_a_task)
        self._ranges = WorstExamples[WrongNumber](examples, examples_a_task)

    def see(self, score: InstanceScore) -> None:
        """Look at an episode."""
        self._episodes += 1
        if score.episode.answered_by == "workers":
            self._skipped["workers"] += 1
            return
        if score.score is None:
            self._skipped["no score"] += 1
            return
        for each in score.fields:
            self._scored += 1
            self._tally(score.episode.task, each.record).add(each, self._profile)
            if _is_silent(each.record):
                continue
            if each.record.kind in TEXTS:
                self._look_at_text(score, each)
            elif each.record.kind == "range":
                self._look_at_number(score, each)

    def merge(self, other: Mistakes) -> None:
        """Take in what another has seen of the episodes that follow."""
        self._episodes += other._episodes
        self._scored += other._scored
        self._unfollowed += other._unfollowed
        self._skipped.update(other._skipped)
        for key, tally in other._fields.items():
            if key in self._fields:
                self._fields[key].merge(tally)
            else:
                self._fields[key] = tally
        self._texts.merge(other._texts)
        self._ranges.merge(other._ranges)
        self._cut_down()

    def _cut_down(self) -> None:
        """Follow those fields alone that were met first."""
        for key in list(self._fields)[FOLLOWED_FIELDS:]:
            self._unfollowed += self._fields.pop(key).scored
        for tally in self._fields.values():
            tally.cut_down()

    def _tally(self, task: str, record: FieldRecord) -> _Tally:
        key = (task, record.name)
        if key not in self._fields:
            self._fields[key] = _Tally(record.kind)
        return self._fields[key]

    def _look_at_text(self, score: InstanceScore, each: ScoredField) -> None:
        points, ceiling = each.score.score, each.score.ceiling
        if ceiling <= 0 or points >= ceiling - _EXACT:
            return
        self._texts.count += 1
        share = points / ceiling
        task, record = score.episode.task, each.record
        if self._texts.has_no_place(task, (share,)):
            return
        said = Counter(clean(label) for label in record.labels if not is_blank(label))
        if not said:
            return
        # Of equal scores those come first that most workers would have written otherwise, in one voice.
        agreed = max(said.values()) / said.total()
        key = (share, -agreed, task, score.episode.index, record.name)
        self._texts.add(key, task, lambda: _text_example(score, each, said))

    def _look_at_number(self, score: InstanceScore, each: ScoredField) -> None:
        lost = each.score.ceiling - each.score.score
        if lost <= _EXACT:
            return
        self._ranges.count += 1
        task = score.episode.task
        key = (-lost, task, score.episode.index, each.record.name)
        self._ranges.add(key, task, lambda: _number_example(score, each))

    def found(self) -> Findings:
        """What was found."""
        self._cut_down()
        counted = [_Counted(CountedField(*key, tally.kind), tally) for key, tally in self._fields.items()]
        lossy = [each for each in counted if each.tally.wrong]
        choices = [each for each in lossy if each.tally.kind in CHOICES and each.tally.lost_by_answers > 0]
        answerable = [each for each in counted if each.tally.kind != "checkbox"]
        silent = [each for each in answerable if each.tally.blank == each.tally.scored]
        return Findings(
            counts=FieldCounts(
                episodes=self._episodes,
                skipped=dict(sorted(self._skipped.items())),
                scored=self._scored,
                unfollowed=self._unfollowed,
                answerable=sum(each.tally.scored for each in answerable),
                blank=sum(each.tally.blank for each in answerable),
            ),
            fields=self._table(lossy, _Counted.losses),
            choices=self._table(
                choices, lambda each: each.confusions(self._most_pairs), lambda each: each.tally.lost_by_answers
            ),
            texts=_examples(self._texts),
            ranges=_examples(self._ranges),
            unanswered=self._table(silent, _Counted.silence),
        )

    def _table(
        self,
        counted: Sequence[_Counted],
        row: Callable[[_Counted], Row],
        weight: Callable[[_Counted], float] = lambda each: each.tally.lost,
    ) -> FieldTable[Row]:
        shown: list[Row] = []
        others: list[_Counted] = []
        taken: Counter[str] = Counter()
        for each in sorted(counted, key=lambda each: (-weight(each), each.of.task, each.of.field)):
            if len(shown) < self._most_fields and taken[each.of.task] < self._a_task:
                taken[each.of.task] += 1
                shown.append(row(each))
            else:
                others.append(each)
        return FieldTable(shown, len(others), math.fsum(each.tally.lost for each in others))


@dataclass
class _Tally:
    """What happened to one field of one task."""

    kind: str
    scored: int = 0
    wrong: int = 0
    losses: array[float] = field(default_factory=lambda: array("d"))
    losses_by_answers: array[float] = field(default_factory=lambda: array("d"))
    blank: int = 0
    tied: int = 0
    unreachable: int = 0
    hidden: int = 0
    each_box: bool = False
    pairs: Counter[tuple[str | None, str | None, bool]] = field(default_factory=Counter)
    other_pairs: int = 0

    def add(self, each: ScoredField, profile: Profile) -> None:
        """Count an answer."""
        score, record = each.score, each.record
        lost = score.ceiling - score.score
        wrong = lost > _EXACT
        self.scored += 1
        self.wrong += wrong
        silent = _is_silent(record)
        self.blank += silent
        if lost > 0:
            self.losses.append(lost)
            if record.kind == "checkbox" or not silent:
                self.losses_by_answers.append(lost)
        self.hidden += not record.visible
        if record.kind not in CHOICES:
            return
        if score.ceiling <= 0:
            self.unreachable += 1
            return
        self.tied += wrong and score.tied
        several = record.kind == "checkbox" and len(record.options) > 1
        self.each_box |= several
        sent = frozenset(record.sent) if several else record.sent
        right: Collection[str] = sent
        if wrong:
            options, labels = record.options, record.labels
            best = cast("Hashable", profile)
            right = _most_ticked(options, labels) if several else _best(best, record.kind, options, labels)
        if isinstance(sent, frozenset):
            for box in sorted(sent | frozenset(right)):
                pair = (box if box in sent else None, box if box in right else None)
                self._count(*pair, ok=pair[0] == pair[1])
        else:
            self._count(_as_text(sent), _as_text(tuple(right)), ok=not wrong)

    def _count(self, sent: str | None, right: str | None, *, ok: bool) -> None:
        self.pairs[_shown(sent), _shown(right), ok] += 1

    def merge(self, other: _Tally) -> None:
        """Count what another has counted after it."""
        for name in ("scored", "wrong", "blank", "tied", "unreachable", "hidden", "other_pairs"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.losses.extend(other.losses)
        self.losses_by_answers.extend(other.losses_by_answers)
        self.each_box |= other.each_box
        self.pairs.update(other.pairs)

    def cut_down(self) -> None:
        """Follow those pairs alone that were met first."""
        for pair in list(self.pairs)[FOLLOWED_PAIRS:]:
            self.other_pairs += self.pairs.pop(pair)

    @property
    def lost(self) -> float:
        """The sum of the losses, the same however they came together."""
        return reduce(add, self.losses, 0.0)

    @property
    def lost_by_answers(self) -> float:
        """The sum of those losses that an answer made."""
        return reduce(add, self.losses_by_answers, 0.0)


@dataclass(frozen=True)
class _Counted:
    """A field with what happened to it."""

    of: CountedField
    tally: _Tally

    def losses(self) -> LossyField:
        """How often, and how much."""
        return LossyField(self.of, self.tally.scored, self.tally.wrong, self.tally.lost, self.tally.blank)

    def confusions(self, most: int) -> Confusions:
        """What was sent against what was right; at most so many pairs."""
        tally = self.tally
        pairs = sorted(tally.pairs.items(), key=lambda item: (-item[1], *map(str, item[0])))
        return Confusions(
            losses=self.losses(),
            tied=tally.tied,
            unreachable=tally.unreachable,
            each_box=tally.each_box,
            pairs=[AnswerPair(sent, right, times, ok) for (sent, right, ok), times in pairs[:most]],
            times_left_out=sum(times for _, times in pairs[most:]) + tally.other_pairs,
        )

    def silence(self) -> SilentField:
        """Of a field that was never answered."""
        return SilentField(self.of, self.tally.scored, self.tally.lost, self.tally.hidden)


def _examples(worst: WorstExamples[Row]) -> ExampleTable[Row]:
    rows = worst.rows()
    return ExampleTable(rows, worst.count - len(rows))


def _is_silent(record: FieldRecord) -> bool:
    return not any(value.strip() for value in record.sent)


def _as_text(values: Sequence[str]) -> str | None:
    """An answer; several options of a list are joined."""
    return " + ".join(values) or None


def _shown(text: str | None) -> str | None:
    return None if text is None else shorten(text, ANSWER_CHARACTERS)


@lru_cache(maxsize=1 << 14)
def _best(profile: Hashable, kind: str, options: tuple[str, ...], labels: tuple[str, ...]) -> tuple[str, ...]:
    return cast("Profile", profile).best_answer(kind, options, labels)


@lru_cache(maxsize=1 << 14)
def _most_ticked(options: tuple[str, ...], labels: tuple[str, ...]) -> frozenset[str]:
    """The boxes that at least half of the workers ticked."""
    votes = Counter(box for label in labels for box in ticked(label, options))
    return frozenset(box for box, count in votes.items() if 2 * count >= len(labels))


def _place(score: InstanceScore, each: ScoredField) -> ScoredPlace:
    episode = score.episode
    return ScoredPlace(episode.task, episode.index, each.record.name, each.score.score, each.score.ceiling)


def _text_example(score: InstanceScore, each: ScoredField, said: Counter[str]) -> WrongText:
    sent = clean("|".join(value for value in each.record.sent if value.strip()))
    by_count = [label for label, _ in said.most_common()]
    _, nearest = best_rouge_l(sent, by_count)
    shown = [nearest, *(label for label in by_count if label != nearest)][:SHOWN_LABELS]
    ours, theirs = cut(sent), cut(nearest)
    return WrongText(
        place=_place(score, each),
        explanation=each.score.explanation,
        sent=ours,
        labels=[LabelText(cut(label), said[label], label == nearest) for label in shown],
        labels_left_out=len(said) - len(shown),
        diff=word_diff(ours.text, theirs.text),
        diff_cut=ours.cut or theirs.cut,
    )


def _number_example(score: InstanceScore, each: ScoredField) -> WrongNumber:
    labels, sent = sorted(as_numbers(each.record.labels)), as_numbers(each.record.sent[:1])
    most = 2 * SHOWN_LABELS
    places: Sequence[int] = range(len(labels))
    if len(labels) > most:
        places = sorted({round(place * (len(labels) - 1) / (most - 1)) for place in range(most)})
    return WrongNumber(
        place=_place(score, each),
        sent=cut("|".join(each.record.sent)),
        labels=[labels[place] for place in places],
        labels_left_out=len(labels) - len(places),
        distance=math.fsum(abs(sent[0] - label) for label in labels) / len(labels) if sent and labels else None,
    )
