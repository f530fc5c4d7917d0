"""Emergency messages: typed inputs of every kind, most of which stay empty, and a range in half steps."""

from __future__ import annotations

import html
import random
from typing import Any

from tasks._generator.crowd import Crowd
from tasks._generator.model import Row, instance, joined, texts

NAME = "Emergency messages"

NEEDS = ("water", "food", "medical", "shelter", "rescue", "power", "transport", "information")
EVENTS = (
    "flood",
    "storm",
    "snow and ice",
    "heat",
    "wildfire",
    "building fire",
    "earthquake",
    "landslide",
    "power cut",
    "other",
)


def rows(rng: random.Random) -> list[Row]:
    """Make the rows: what a message does not name stays empty, and so does some of what it does name.

    Typed inputs refuse what is not of their type, so slips of the keyboard are left to the location.
    """
    crowd = Crowd(rng)
    made: list[Row] = []
    for number, item in enumerate(texts("emergency_messages")):
        inputs = {
            "number": str(2201 + number),
            "channel": item["channel"],
            "received": f"Day {number // 8 + 1}, {_received(item, rng)}",
            "message": html.escape(item["message"]),
        }
        made += instance(inputs, [_answers(item, crowd) for _ in range(crowd.workers())])
    return made


def _received(item: dict[str, Any], rng: random.Random) -> str:
    hour, minute = item.get("time", f"{rng.randint(7, 22)}:30").split(":")
    minutes = int(hour) * 60 + int(minute) + rng.randint(5, 80)
    return f"{minutes // 60:02d}:{minutes % 60:02d}"


def _answers(item: dict[str, Any], crowd: Crowd) -> dict[str, str]:
    return {
        "needs": joined(crowd.tick(item["needs"], NEEDS, 0.07), NEEDS),
        "event": crowd.choose(item["event"], EVENTS, 0.08),
        "location": crowd.write(item["location"], 0.12),
        "urgency": f"{crowd.rate(2 * item['urgency'], 0, 20, 4) / 2:g}",
        "event-time": _copied(item, "time", crowd),
        "people": _copied(item, "people", crowd),
        "callback": _telephone(item, crowd),
        "contact": _copied(item, "mail", crowd),
        "link": _copied(item, "link", crowd),
    }


def _copied(item: dict[str, Any], key: str, crowd: Crowd) -> str:
    return "" if key not in item or crowd.blank(0.1) else str(item[key])


def _telephone(item: dict[str, Any], crowd: Crowd) -> str:
    digits = _copied(item, "telephone", crowd)
    return crowd.pick((digits, digits, digits.replace(" ", "")))
