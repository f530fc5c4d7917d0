"""Word alignment: one select a word, built by the page's script, and the alignment it composes from them."""

from __future__ import annotations

import random
from typing import Any

from tasks._generator.crowd import Crowd
from tasks._generator.model import Row, instance, script_json, texts

NAME = "Word alignment"

NONE = "none"
SURE = ("very sure", "fairly sure", "not sure")


def rows(rng: random.Random) -> list[Row]:
    """Make the rows: one worker an instance, since one answer is composed from all others.

    With several workers the majority of each word could compose an alignment that nobody gave.
    """
    crowd = Crowd(rng)
    pairs = texts("word_alignment")
    longest = max(len(pair["source"].split()) for pair in pairs)
    made: list[Row] = []
    for pair in pairs:
        source, target = pair["source"].split(), pair["english"].split()
        shown = {"language": pair["language"], "code": pair["code"], "source": source, "target": target}
        made += instance({"pair": script_json(shown)}, [_answers(pair, longest, crowd)])
    return made


def _answers(pair: dict[str, Any], longest: int, crowd: Crowd) -> dict[str, str]:
    options = [*(str(number) for number in range(len(pair["english"].split()))), NONE]
    right = [NONE if link == "-" else link for link in pair["links"].split()]
    chosen = [crowd.choose(link, options, 0.06) for link in right]
    return {
        **{f"word-{index}": chosen[index] if index < len(chosen) else "" for index in range(longest)},
        # The more words have no counterpart, the less sure the worker.
        "sure": crowd.choose_near(SURE[min(2, right.count(NONE))], SURE, 0.3),
        "alignment": " ".join(f"{index}-{link}" for index, link in enumerate(chosen) if link != NONE),
    }
