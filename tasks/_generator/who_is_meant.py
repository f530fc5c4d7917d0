"""Who is meant: pronouns of a story, the ending that fits, and a further sentence of one's own."""

from __future__ import annotations

import re
from typing import Any

from tasks._generator.crowd import Crowd, Worker
from tasks._generator.made import Made
from tasks._generator.model import texts

NAME = "Who is meant"
FREE = ("goes_on",)

LETTERS = ("A", "B", "C", "D")
_ON = (
    "After that {first} told everybody about {second}.",
    "Since then {first} laughs whenever {second} is spoken of.",
    "The next day {first} looked at {second} with other eyes.",
    "Nobody had expected this of {second}, least of all {first}.",
    "What became of {second} is another story, says {first}.",
    "Later on {first} wrote it all down, {second} and the rest.",
    "And so the day ended for {first}, with {second} in mind.",
)


def instances(crowd: Crowd) -> list[Made]:
    """Make the instances: who errs takes a pronoun for somebody named first."""
    return [_instance(crowd, item) for item in texts("who_is_meant")]


def _instance(crowd: Crowd, item: dict[str, Any]) -> Made:
    endings = crowd.rng.sample(item["ends"], 4)
    right = LETTERS[endings.index(item["ends"][0])]
    people = crowd.rng.sample(item["people"], 4)
    parts = iter((1, 2, 3))
    story = re.sub(r"\[(\w+)\]", lambda found: f"<b>{found[1]}<sup>{next(parts)}</sup></b>", item["story"])

    def answers(worker: Worker) -> dict[str, str]:
        chosen = {
            f"word-{at}": worker.choose(means, people, 0.25, item["people"][:2])
            for at, means in enumerate(item["means"], 1)
        }
        first, second = worker.rng.sample(item["people"], 2)
        goes_on = [text.format(first=first, second=second) for text in _ON]
        return chosen | {
            "ending": worker.choose(right, LETTERS, 0.2),
            "goes_on": worker.say([text[0].upper() + text[1:] for text in goes_on], talk=False),
        }

    inputs = {"story": story}
    inputs |= {f"person_{at}": name for at, name in enumerate(people, 1)}
    inputs |= {f"ending_{letter.lower()}": text for letter, text in zip(LETTERS, endings, strict=True)}
    truth = {f"word-{at}": means for at, means in enumerate(item["means"], 1)} | {"ending": right}
    return crowd.made(inputs, answers, truth, most=5)
