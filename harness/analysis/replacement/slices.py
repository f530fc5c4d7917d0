"""Where an agent fails: groups of items whose answers lack more than those of the others.

Looking at many groups finds some that are bad by chance. So each is tested: groups of items by dealing the items out
anew, groups of fields by flipping signs of the differences within items. p-values are corrected for the number of
groups that were looked at.
"""

from __future__ import annotations

import random
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from harness.analysis.replacement.answers import AnsweredField, AnsweredItem, ItemKey
from harness.kit.statistics.bootstrap import Floats
from harness.kit.statistics.significance import holm, sign_flip

MIN_ITEMS = 8
"""Groups of fewer items are not looked at."""
MOST_TERMS = 200
"""Words that are looked at: those of most items."""
SHOWN = 10
_EXAMPLES = 3
_SHUFFLES = 20_000
_AT_ONCE = 500
_MOST_TESTED = 3_000
"""Of more items so many are drawn for the tests."""
_EQUAL = 1e-5
_WORD = re.compile(r"[^\W\d_]{4,}")


@dataclass(frozen=True)
class WorstSlice:
    """A group of items, or of fields, in which the agent is worse than elsewhere.

    Attributes:
        what: What they have in common, in words.
        items: How many they are.
        lost: What their answers lack, a mean, 0 to 1.
        elsewhere: What those of all others lack.
        p: Corrected for all groups that were looked at.
        examples: Some of its items whose answers lack most.
    """

    what: str
    items: int
    lost: float
    elsewhere: float
    p: float
    examples: tuple[AnsweredItem, ...]


@dataclass(frozen=True)
class WorstSlices:
    """The worst groups.

    Attributes:
        found: Those that are worse by more than chance, the worst first.
        looked_at: Groups that were looked at.
    """

    found: tuple[WorstSlice, ...]
    looked_at: int


def worst_slices(items: Sequence[AnsweredItem], words: Mapping[ItemKey, str], level: float = 0.05) -> WorstSlices:
    """Find the worst groups.

    Args:
        items: All of a run; those without a score are passed over.
        words: Item -> the text of its inputs; empty if they are not known.
        level: Groups with a p-value above are not told of.
    """
    scored = [each for each in items if each.lost is not None]
    if len(scored) > _MOST_TESTED:
        scored = random.Random(0).sample(scored, _MOST_TESTED)  # noqa: S311 - a draw, not a secret
    groups = [*_of_items(scored, words), *_of_fields(scored)]
    ps = holm([each.p for each in groups])
    found = [replace(each, p=p) for each, p in zip(groups, ps, strict=True) if p is not None and p <= level]
    found.sort(key=lambda each: each.elsewhere - each.lost)
    return WorstSlices(tuple(each for each in found if each.lost > each.elsewhere)[:SHOWN], len(groups))


def _of_items(items: Sequence[AnsweredItem], words: Mapping[ItemKey, str]) -> list[WorstSlice]:
    """Groups of whole items."""
    lost = np.array([each.lost for each in items], dtype=np.float64)
    places: dict[str, list[int]] = defaultdict(list)
    for at, described in enumerate(_descriptions(items, words)):
        for what in described:
            places[what].append(at)
    groups = {what: np.array(at) for what, at in places.items() if MIN_ITEMS <= len(at) < len(items)}
    ps = _dealt_out(lost, list(groups.values()))
    return [
        _slice(what, [items[at] for at in inside], float(lost[inside].mean()), float(np.delete(lost, inside).mean()), p)
        for (what, inside), p in zip(groups.items(), ps, strict=True)
    ]


def _of_fields(items: Sequence[AnsweredItem]) -> list[WorstSlice]:
    """Groups of fields, each held against the other fields of the same items."""
    pairs: dict[str, list[tuple[AnsweredItem, float, float]]] = defaultdict(list)
    for item in items:
        fields = [(each, each.lost) for each in item.fields if each.lost is not None]
        for what in {what for each, _ in fields for what in _said_of_field(each)}:
            inside = [lost for each, lost in fields if what in _said_of_field(each)]
            others = [lost for each, lost in fields if what not in _said_of_field(each)]
            if others:
                pairs[what].append((item, sum(inside) / len(inside), sum(others) / len(others)))
    found = []
    for what, rows in pairs.items():
        if len(rows) >= MIN_ITEMS:
            inside, others = np.array([[own, other] for _, own, other in rows]).T
            p = sign_flip(inside - others)
            group = _slice(what, [item for item, _, _ in rows], float(inside.mean()), float(others.mean()), p or 1.0)
            found.append(group)
    return found


def _slice(what: str, inside: Sequence[AnsweredItem], lost: float, elsewhere: float, p: float) -> WorstSlice:
    worst = sorted(inside, key=lambda each: -(each.lost or 0.0))[:_EXAMPLES]
    return WorstSlice(what, len(inside), lost, elsewhere, p, tuple(worst))


def _descriptions(items: Sequence[AnsweredItem], words: Mapping[ItemKey, str]) -> Iterator[list[str]]:
    """What can be said of each item before it is labelled."""
    several = len({each.task for each in items}) > 1
    lengths = [each.signals.get("length of the longest input", 0.0) for each in items]
    short, long = np.quantile(lengths, (0.25, 0.75)) if lengths else (0.0, 0.0)
    common = _common_terms(words.values())
    for item, length in zip(items, lengths, strict=True):
        said = [f"task {item.task}"] if several else []
        if short < long and length <= short:
            said.append(f"longest input of at most {short:,.0f} characters")
        if short < long and length >= long:
            said.append(f"longest input of at least {long:,.0f} characters")
        if item.signals.get("fields left blank"):
            said.append("a field left blank")
        if item.signals.get("did not end by itself"):
            said.append("ended by a limit or an error")
        said += [f"input with the word “{term}”" for term in common.intersection(_terms(words.get(item.key, "")))]
        yield said


def _said_of_field(each: AnsweredField) -> list[str]:
    many = len(each.options)
    said = [f"fields of the kind {each.kind}"]
    if many:
        said.append(f"fields with {'up to 4' if many <= 4 else '5 to 10' if many <= 10 else 'more than 10'} options")
    return said


def _terms(text: str) -> set[str]:
    return {word.casefold() for word in _WORD.findall(text)}


def _common_terms(texts: Iterable[str]) -> set[str]:
    """Words that stand in as many items as make a group, and in no more than half."""
    counts: Counter[str] = Counter()
    size = 0
    for text in texts:
        counts.update(_terms(text))
        size += 1
    kept = [(count, term) for term, count in counts.items() if MIN_ITEMS <= count <= size / 2]
    return {term for _, term in sorted(kept, reverse=True)[:MOST_TERMS]}


def _dealt_out(lost: Floats, groups: Sequence[NDArray[np.int64]]) -> list[float]:
    """The p-value of each group: how often its mean is as high if all items are dealt out anew."""
    if not groups:
        return []
    inside = np.zeros((len(groups), len(lost)), dtype=np.float32)
    for row, at in enumerate(groups):
        inside[row, at] = 1
    centred = (lost - lost.mean()).astype(np.float32)
    own = inside @ centred
    chance = np.random.default_rng(0)
    reached = np.zeros(len(groups))
    for _ in range(_SHUFFLES // _AT_ONCE):
        dealt = np.stack([chance.permutation(centred) for _ in range(_AT_ONCE)], axis=1)
        reached += (inside @ dealt >= own[:, None] - _EQUAL).sum(axis=1)
    return [float(p) for p in (reached + 1) / (_SHUFFLES + 1)]
