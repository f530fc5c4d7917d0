"""Named entities: one radio group for each phrase, built by the page's script from JSON.

The number of groups differs from instance to instance, so the file has as many ``entity-N`` columns as the
longest list of phrases has entries; those that an instance does not use are blank for all its workers.
"""

from __future__ import annotations

from typing import Any

from tasks._generator.crowd import Crowd, Worker
from tasks._generator.made import Made
from tasks._generator.model import joined, script_json, texts

NAME = "Named entities"

KINDS = ("person", "place", "organisation", "none")
ALSO = ("a date or day", "a number", "spoken words")


def instances(crowd: Crowd) -> list[Made]:
    """Make the instances: on phrases marked `hard` workers may be split."""
    items = texts("named_entities")
    most = max(len(item["phrases"]) for item in items)
    return [_instance(crowd, item, most) for item in items]


def _instance(crowd: Crowd, item: dict[str, Any], most: int) -> Made:
    phrases: dict[str, str] = item["phrases"]
    hard = item.get("hard", [])

    def answers(worker: Worker) -> dict[str, str]:
        cells = [worker.choose(kind, KINDS, 0.45 if phrase in hard else 0.2) for phrase, kind in phrases.items()]
        return _cells(cells, most) | {"also": joined(worker.tick(item["also"], ALSO, 0.3), ALSO)}

    return crowd.made(
        {"passage": script_json({"text": item["text"], "phrases": list(phrases)})},
        answers,
        _cells(list(phrases.values()), most) | {"also": joined(item["also"], ALSO)},
        hard=[f"entity-{number}" for number, phrase in enumerate(phrases) if phrase in hard],
    )


def _cells(kinds: list[str], most: int) -> dict[str, str]:
    return {f"entity-{number}": cell for number, cell in enumerate(kinds + [""] * (most - len(kinds)))}
