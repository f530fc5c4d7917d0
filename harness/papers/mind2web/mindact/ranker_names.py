"""Rankers by the names that commands take."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from harness.kit.errors import UserError
from harness.papers.mind2web.mindact.encoder_rankers import BiEncoderRanker, CrossEncoderRanker
from harness.papers.mind2web.mindact.learned_ranker import LearnedRanker
from harness.papers.mind2web.mindact.ranker import LexicalRanker, OrderRanker, RandomRanker, Ranker
from harness.papers.mind2web.mindact_options import (
    BI_ENCODER,
    CROSS_ENCODER,
    FLOORS,
    LEARNED,
    LEXICAL,
    ORDER,
    RANDOM,
    WITH_A_PLACE,
)

_READ: Mapping[str, Callable[[Path], Ranker]] = {
    LEARNED: LearnedRanker.read,
    CROSS_ENCODER: CrossEncoderRanker.read,
    BI_ENCODER: BiEncoderRanker.read,
}


class UnknownRanker(UserError):
    """No ranker of that name; the message lists the known ones."""


def ranker_named(name: str, seed: int = 0) -> Ranker:
    """A ranker.

    Args:
        name: One of ``FLOORS``, or one of ``WITH_A_PLACE`` with its file or its folder.
        seed: Of the one by chance.

    Raises:
        UnknownRanker: there is none of that name.
        UserError: what is behind the colon is none.
    """
    floors: Mapping[str, Ranker] = {RANDOM: RandomRanker(seed), ORDER: OrderRanker(), LEXICAL: LexicalRanker()}
    kind, _, place = name.partition(":")
    if place and kind in _READ:
        return _READ[kind](Path(place))
    if name in floors:
        return floors[name]
    raise UnknownRanker(f"unknown ranker {name!r}: there are {', '.join((*FLOORS, *WITH_A_PLACE))}")
