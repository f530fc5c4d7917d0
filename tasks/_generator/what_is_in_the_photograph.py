"""What is in the photograph: real photographs, whose answers somebody wrote down who looked at them."""

from __future__ import annotations

from typing import Any

from tasks._generator.crowd import Crowd, Worker
from tasks._generator.made import Made
from tasks._generator.model import texts

NAME = "What is in the photograph"
FREE = ("described",)

_PHOTOGRAPHS = texts("what_is_in_the_photograph")
DIGESTS = {f"media/{number:02d}.jpg": item["sha256"] for number, item in enumerate(_PHOTOGRAPHS, 1)}

BOXES = (
    "person", "smile", "rucksack", "animal", "bird", "leaves", "lawn", "stones", "wood", "water", "snow", "sky",
    "stars", "skyline", "masts", "stairs", "lamps", "rocket", "car", "bicycle", "flag", "cup", "spoon", "tripod",
    "grey", "black", "surface", "medical",
)  # fmt: skip
MAIN = ("person", "animal", "plant", "thing", "ground", "space", "body")
_DESCRIPTIONS = (
    "{shows}, with {detail}.",
    "One sees {shows} and {detail}.",
    "It is a photograph of {shows}; {detail} can be made out well.",
    "{detail} and, above all, {shows}.",
    "Somebody took a picture of {shows}, and of {detail}.",
    "The photograph shows {shows}. What I noticed first was {detail}.",
    "{shows}; look at {detail}.",
)


def instances(crowd: Crowd) -> list[Made]:
    """Make the instances: who errs overlooks what is small, and takes what stands in front for what it is about."""
    return [_instance(crowd, number, item) for number, item in enumerate(_PHOTOGRAPHS, 1)]


def _instance(crowd: Crowd, number: int, item: dict[str, Any]) -> Made:
    lures = sorted(_seen(item["holds"]) - {item["main"]}) or ["thing", "ground"]
    hard = item.get("hard", ())

    def answers(worker: Worker) -> dict[str, str]:
        ticked = worker.tick(item["holds"], BOXES, 0.13)
        main = "thing" if hard and worker.side else worker.choose(item["main"], MAIN, 0.2, lures)
        said = [text.format(**{name: item[name] for name in ("shows", "detail")}) for text in _DESCRIPTIONS]
        return {
            **{f"has_{box}": "on" if box in ticked else "" for box in BOXES},
            "main": main,
            "described": worker.say([text[0].upper() + text[1:] for text in said], talk=False),
        }

    truth = {f"has_{box}": "on" if box in item["holds"] else "" for box in BOXES} | {"main": item["main"]}
    return crowd.made({"photograph": f"{number:02d}"}, answers, truth, hard=hard, most=5)


def _seen(holds: list[str]) -> set[str]:
    """Return what else a photograph may be taken to be about, by what is in it."""
    about = {"leaves": "plant", "lawn": "plant", "stones": "ground"}
    return {about.get(box, box if box in MAIN else "thing") for box in holds}
