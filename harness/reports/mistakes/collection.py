"""Where answers go wrong: which options were taken for which, the worst texts and numbers, fields without an answer.

``Mistakes`` is shown the episodes of one or several runs one at a time (see ``harness.analysis.scored_run``) and keeps
counts and a few examples, whatever the number of episodes.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from harness.metrics import Profile
from harness.metrics.kinds import CHOICES, TEXTS
from harness.metrics.l1 import as_numbers
from harness.metrics.labels import clean, is_blank, ticked
from harness.metrics.rouge import best_rouge_l
from harness.reports.mistakes.word_difference import cut, word_diff
from harness.reports.mistakes.worst_examples import Worst
from harness.runlog.episode import FieldRecord
from harness.scoring.scores import InstanceScore, ScoredField
from harness.text.shortening import shorten

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
        self._texts = Worst(examples, examples_a_task)
        self._ranges = Worst(examples, examples_a_task)

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
            tally = self._tally(score.episode.task, each.record)
            if tally:
                tally.add(each, self._profile)
            if _is_silent(each.record):
                continue
            if each.record.kind in TEXTS:
                self._look_at_text(score, each)
            elif each.record.kind == "range":
                self._look_at_number(score, each)

    def _tally(self, task: str, record: FieldRecord) -> _Tally | None:
        key = (task, record.name)
        if key not in self._fields:
            if len(self._fields) >= FOLLOWED_FIELDS:
                self._unfollowed += 1
                return None
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

    def found(self) -> dict[str, Any]:
        """What was found, as a JSON object.

        Returns:
            ``profile``: its name. ``episodes``: how many were shown; ``skipped``: why some of them count for nothing
            here -> number (``workers``, ``no score``). ``scored_fields``: scored fields of the others;
            ``unfollowed_fields``: those of them that the counts by field leave out, since there are too many fields.

            ``fields``: the fields that lose most points, of every kind. An object with ``rows`` and ``left_out``
            (``fields`` with losses that are not shown, and what they lost together, ``lost``). A row has ``task``,
            ``field``, ``kind``, ``scored`` (times), ``wrong`` (times below the ceiling), ``lost`` (points, one a
            field, that the ceilings allow beyond the score), ``blank`` (times without an answer).

            ``choices``: the same for radio buttons, lists and boxes, by the points that answers lost; fields that were
            never answered are not among them. Each row has further ``tied`` (times that a
            wrong answer stands against a tie of the workers), ``unreachable`` (times that the page offers nothing
            that could be right; they are in no pair), ``each_box``, ``pairs`` and ``pairs_left_out`` (``pairs`` and
            ``times`` that are not shown). A pair has ``sent`` and ``right`` (an answer as text, null for none),
            ``times`` and ``ok`` (whether nothing was lost by it). The pairs come by count. ``right`` is what the
            profile holds right; the answer itself if it reached the ceiling. Of several boxes of one name
            (``each_box``) each stands for itself: ``sent`` is null for one that was not ticked, ``right`` for one that
            fewer than half of the workers ticked; a box that neither ticked makes no pair.

            ``texts``: the worst written answers, those left blank not among them: ``rows`` (lowest score over ceiling
            first; of equals first where more workers wrote the same) and ``left_out``, the number of other texts below
            their ceiling. A row has ``task``, ``index``, ``id``, ``field``, ``kind``, ``score``, ``ceiling``,
            ``explanation``, ``sent`` (a cut text: ``text``, ``characters`` of the whole, ``cut``), ``labels`` (cut
            texts with ``workers``, who wrote it, and ``nearest``, true for the first), ``labels_left_out`` (how many
            other different ones), ``diff`` (pairs of ``both``, ``sent`` or ``label`` and words, see
            ``harness.reports.mistakes.word_difference``; of the cut texts, with the nearest label), ``diff_cut``.

            ``ranges``: the numbers that are farthest from the labels: ``rows`` and ``left_out`` as for texts. A row has
            ``task``, ``index``, ``id``, ``field``, ``score``, ``ceiling``, ``sent`` (a cut text), ``labels``
            (numbers, sorted, at most 12, evenly spread), ``labels_left_out``, ``distance`` (mean, from the labels; null
            if no number was sent).

            ``unanswered``: fields that no instance got an answer for, boxes aside, where leaving blank is an answer:
            ``rows`` with ``task``, ``field``, ``kind``, ``scored``, ``lost``, ``hidden_at_first`` (times that the
            field could not be seen when the page had loaded); ``left_out`` as for ``fields``; ``blank_fields`` and
            ``scored_fields``: how often a field of these kinds was left blank at all, of how many.
        """
        tallies = list(self._fields.items())
        lossy = [item for item in tallies if item[1].wrong]
        choices = [item for item in lossy if item[1].kind in CHOICES and item[1].lost_by_answers > 0]
        answerable = [item for item in tallies if item[1].kind != "checkbox"]
        silent = [item for item in answerable if item[1].blank == item[1].scored]
        return {
            "profile": self._profile.name,
            "episodes": self._episodes,
            "skipped": dict(sorted(self._skipped.items())),
            "scored_fields": self._scored,
            "unfollowed_fields": self._unfollowed,
            "fields": self._rows(lossy, _Tally.losses),
            "choices": self._rows(
                choices,
                lambda tally: tally.losses() | tally.confusions(self._most_pairs),
                lambda tally: tally.lost_by_answers,
            ),
            "texts": {"rows": self._texts.rows(), "left_out": self._texts.count - len(self._texts.rows())},
            "ranges": {"rows": self._ranges.rows(), "left_out": self._ranges.count - len(self._ranges.rows())},
            "unanswered": {
                **self._rows(silent, _Tally.silence),
                "blank_fields": sum(tally.blank for _, tally in answerable),
                "scored_fields": sum(tally.scored for _, tally in answerable),
            },
        }

    def _rows(
        self,
        tallies: Sequence[tuple[tuple[str, str], _Tally]],
        row: Callable[[_Tally], Mapping[str, Any]],
        weight: Callable[[_Tally], float] = lambda tally: tally.lost,
    ) -> dict[str, Any]:
        shown: list[dict[str, Any]] = []
        others: list[_Tally] = []
        taken: Counter[str] = Counter()
        for (task, name), tally in sorted(tallies, key=lambda item: (-weight(item[1]), item[0])):
            if len(shown) < self._most_fields and taken[task] < self._a_task:
                taken[task] += 1
                shown.append({"task": task, "field": name, **row(tally)})
            else:
                others.append(tally)
        return {"rows": shown, "left_out": {"fields": len(others), "lost": math.fsum(tally.lost for tally in others)}}


@dataclass
class _Tally:
    """What happened to one field of one task."""

    kind: str
    scored: int = 0
    wrong: int = 0
    lost: float = 0.0
    lost_by_answers: float = 0.0
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
        self.lost += max(0.0, lost)
        silent = _is_silent(record)
        self.blank += silent
        if record.kind == "checkbox" or not silent:
            self.lost_by_answers += max(0.0, lost)
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
        right = sent if not wrong else _most_ticked(record) if several else _best(record, profile)
        if isinstance(sent, frozenset):
            for box in sorted(sent | frozenset(right)):
                pair = (box if box in sent else None, box if box in right else None)
                self._count(*pair, ok=pair[0] == pair[1])
        else:
            self._count(_as_text(sent), _as_text(tuple(right)), ok=not wrong)

    def _count(self, sent: str | None, right: str | None, *, ok: bool) -> None:
        pair = (_shown(sent), _shown(right), ok)
        if pair in self.pairs or len(self.pairs) < FOLLOWED_PAIRS:
            self.pairs[pair] += 1
        else:
            self.other_pairs += 1

    def losses(self) -> dict[str, Any]:
        """How often, and how much."""
        names = ("kind", "scored", "wrong", "lost", "blank")
        return {name: getattr(self, name) for name in names}

    def confusions(self, most: int) -> dict[str, Any]:
        """What was sent against what was right."""
        pairs = sorted(self.pairs.items(), key=lambda item: (-item[1], *map(str, item[0])))
        shown, others = pairs[:most], pairs[most:]
        return {
            "tied": self.tied,
            "unreachable": self.unreachable,
            "each_box": self.each_box,
            "pairs": [{"sent": sent, "right": right, "times": times, "ok": ok} for (sent, right, ok), times in shown],
            "pairs_left_out": {
                "pairs": len(others),
                "times": sum(times for _, times in others) + self.other_pairs,
            },
        }

    def silence(self) -> dict[str, Any]:
        """Of a field that was never answered."""
        return {"kind": self.kind, "scored": self.scored, "lost": self.lost, "hidden_at_first": self.hidden}


def _is_silent(record: FieldRecord) -> bool:
    return not any(value.strip() for value in record.sent)


def _as_text(values: Sequence[str]) -> str | None:
    """An answer; several options of a list are joined."""
    return " + ".join(values) or None


def _shown(text: str | None) -> str | None:
    return None if text is None else shorten(text, ANSWER_CHARACTERS)


def _best(record: FieldRecord, profile: Profile) -> tuple[str, ...]:
    return profile.best_answer(record.kind, record.options, record.labels)


def _most_ticked(record: FieldRecord) -> frozenset[str]:
    """The boxes that at least half of the workers ticked."""
    votes = Counter(box for label in record.labels for box in ticked(label, record.options))
    return frozenset(box for box, count in votes.items() if 2 * count >= len(record.labels))


def _place(score: InstanceScore, each: ScoredField) -> dict[str, Any]:
    episode, record = score.episode, each.record
    return {
        "task": episode.task,
        "index": episode.index,
        "id": episode.id,
        "field": record.name,
        "kind": record.kind,
        "score": each.score.score,
        "ceiling": each.score.ceiling,
    }


def _text_example(score: InstanceScore, each: ScoredField, said: Counter[str]) -> dict[str, Any]:
    sent = clean("|".join(value for value in each.record.sent if value.strip()))
    by_count = [label for label, _ in said.most_common()]
    _, nearest = best_rouge_l(sent, by_count)
    shown = [nearest, *(label for label in by_count if label != nearest)][:SHOWN_LABELS]
    ours, theirs = cut(sent), cut(nearest)
    return {
        **_place(score, each),
        "explanation": each.score.explanation,
        "sent": ours,
        "labels": [{**cut(label), "workers": said[label], "nearest": label == nearest} for label in shown],
        "labels_left_out": len(said) - len(shown),
        "diff": [list(piece) for piece in word_diff(ours["text"], theirs["text"])],
        "diff_cut": ours["cut"] or theirs["cut"],
    }


def _number_example(score: InstanceScore, each: ScoredField) -> dict[str, Any]:
    labels, sent = sorted(as_numbers(each.record.labels)), as_numbers(each.record.sent[:1])
    most = 2 * SHOWN_LABELS
    places: Sequence[int] = range(len(labels))
    if len(labels) > most:
        places = sorted({round(place * (len(labels) - 1) / (most - 1)) for place in range(most)})
    distance = math.fsum(abs(sent[0] - label) for label in labels) / len(labels) if sent and labels else None
    return {
        **_place(score, each),
        "sent": cut("|".join(each.record.sent)),
        "labels": [labels[place] for place in places],
        "labels_left_out": len(labels) - len(places),
        "distance": distance,
    }
