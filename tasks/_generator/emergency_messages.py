"""Emergency messages: typed inputs of every kind, most of which stay empty, and a range in half steps."""

from __future__ import annotations

import html
import random
from typing import Any

from tasks._generator.crowd import Crowd, Worker
from tasks._generator.made import Close, Made, Truth
from tasks._generator.model import joined, texts

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


OPEN = ("location",)


def instances(crowd: Crowd) -> list[Made]:
    """Make the instances: what a message does not name stays empty, and so does some of what it does name.

    Typed inputs refuse what is not of their type, so slips of the keyboard are left to the location.
    """
    rng, made = crowd.rng, []
    for number, item in enumerate(texts("emergency_messages")):
        inputs = {
            "number": str(2201 + number),
            "channel": item["channel"],
            "received": f"Day {number // 8 + 1}, {_received(item, rng)}",
            "message": html.escape(item["message"]),
        }
        truth: dict[str, Truth] = {
            "needs": joined(item["needs"], NEEDS),
            "event": item["event"],
            "urgency": Close(item["urgency"], 2),
            "event-time": item.get("time", ""),
            "people": str(item.get("people", "")),
            "callback": item.get("telephone", ""),
            "contact": item.get("mail", ""),
            "link": item.get("link", ""),
        }
        made.append(crowd.made(inputs, lambda worker, item=item: _answers(item, worker), truth))
    return made


def _received(item: dict[str, Any], rng: random.Random) -> str:
    hour, minute = item.get("time", f"{rng.randint(7, 22)}:30").split(":")
    minutes = int(hour) * 60 + int(minute) + rng.randint(5, 80)
    return f"{minutes // 60:02d}:{minutes % 60:02d}"


def _answers(item: dict[str, Any], worker: Worker) -> dict[str, str]:
    return {
        "needs": joined(worker.tick(item["needs"], NEEDS, 0.35), NEEDS),
        "event": worker.choose(item["event"], EVENTS, 0.25, ["other", "storm", "flood"]),
        "location": worker.copy(item["location"], 0.12),
        "urgency": f"{worker.rate(2 * item['urgency'], 0, 20, 11) / 2:g}",
        "event-time": _copied(item, "time", worker),
        "people": _copied(item, "people", worker),
        "callback": _telephone(item, worker),
        "contact": _copied(item, "mail", worker),
        "link": _copied(item, "link", worker),
    }


def _copied(item: dict[str, Any], key: str, worker: Worker) -> str:
    return "" if key not in item or worker.skips(0.12) else str(item[key])


def _telephone(item: dict[str, Any], worker: Worker) -> str:
    digits = _copied(item, "telephone", worker)
    return digits.replace(" ", "") if worker.hasty else digits
