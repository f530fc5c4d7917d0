"""Named entities: one radio group for each phrase, built by the page's script from JSON.

The number of groups differs from instance to instance, so the file has as many ``entity-N`` columns as the
longest list of phrases has entries; those that an instance does not use are blank for all its workers.
"""

from __future__ import annotations

import random
from typing import Any

from tasks._generator.crowd import Crowd
from tasks._generator.model import Row, instance, joined, script_json, texts

NAME = "Named entities"

KINDS = ("person", "place", "organisation", "none")
ALSO = ("a date or day", "a number", "spoken words")


def rows(rng: random.Random) -> list[Row]:
    """Make the rows: phrases marked `hard` are confused by two workers in five."""
    crowd = Crowd(rng)
    items = texts("named_entities")
    most = max(len(item["phrases"]) for item in items)
    return [row for item in items for row in _instance(crowd, item, most)]


def _instance(crowd: Crowd, item: dict[str, Any], most: int) -> list[Row]:
    phrases: dict[str, str] = item["phrases"]
    hard = item.get("hard", [])
    answers = []
    for _ in range(crowd.workers()):
        cells = [crowd.choose(kind, KINDS, 0.4 if phrase in hard else 0.05) for phrase, kind in phrases.items()]
        cells += [""] * (most - len(cells))
        answers.append(
            {f"entity-{number}": cell for number, cell in enumerate(cells)}
            | {"also": joined(crowd.tick(item["also"], ALSO, 0.06), ALSO)}
        )
    return instance({"passage": script_json({"text": item["text"], "phrases": list(phrases)})}, answers)
