"""Word alignment: one select a word, built by the page's script, and the alignment it composes from them."""

from __future__ import annotations

from typing import Any

from tasks._generator.crowd import Crowd, Worker
from tasks._generator.made import Made
from tasks._generator.model import script_json, texts

NAME = "Word alignment"

NONE = "none"
SURE = ("very sure", "fairly sure", "not sure")


OPEN = ("sure",)


def instances(crowd: Crowd) -> list[Made]:
    """Make the instances: the right alignment has the most votes as a whole, and so has each of its links."""
    pairs = texts("word_alignment")
    longest = max(len(pair["source"].split()) for pair in pairs)
    made = []
    for pair in pairs:
        source, target = pair["source"].split(), pair["english"].split()
        shown = {"language": pair["language"], "code": pair["code"], "source": source, "target": target}
        right = [NONE if link == "-" else link for link in pair["links"].split()]
        made.append(
            crowd.made(
                {"pair": script_json(shown)},
                lambda worker, pair=pair, right=right: _answers(pair, right, longest, worker),
                _written(right, longest),
                most=5,
            )
        )
    return made


def _answers(pair: dict[str, Any], right: list[str], longest: int, worker: Worker) -> dict[str, str]:
    options = [*(str(number) for number in range(len(pair["english"].split()))), NONE]
    chosen = [worker.choose(link, options, 0.1) for link in right]
    # The more words have no counterpart, the less sure the worker.
    sure = {"sure": worker.choose_near(SURE[min(2, right.count(NONE))], SURE, 0.4)}
    words = _written(chosen, longest)
    alignment = words.pop("alignment")
    return words | sure | {"alignment": alignment}


def _written(links: list[str], longest: int) -> dict[str, str]:
    return {
        **{f"word-{index}": links[index] if index < len(links) else "" for index in range(longest)},
        "alignment": " ".join(f"{index}-{link}" for index, link in enumerate(links) if link != NONE),
    }
