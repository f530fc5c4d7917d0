"""Captions of pictures: the right caption, the regions that hold an object, and a caption of one's own."""

from __future__ import annotations

import random
from functools import cache

from tasks._generator.crowd import Crowd, Worker
from tasks._generator.made import Made
from tasks._generator.model import joined
from tasks._generator.raster.jpeg import jpeg
from tasks._generator.scenes import COLOURS, HEIGHT, WIDTH, Scene, Thing, scene

NAME = "Captions of pictures"
FREE = ("own_caption",)

PICTURES = 20
LETTERS = ("A", "B", "C", "D")
REGIONS = [f"{down} {across}" for down in ("top", "middle", "bottom") for across in ("left", "centre", "right")]
_PLACES = ("street with houses", "lake in the hills", "camp at the foot of mountains", "shelf against a wall")
_CAPTIONS = (
    "We see {a}, {b} and more things on a {place}.",
    "A {place} on which {a} catches the eye beside {b}.",
    "There is {b} not far from {a}.",
    "This is a {place}; {a} is there, and {b} too.",
    "In this picture of a {place} I notice {a} first and then {b}.",
    "{A} and {b} belong to this scene.",
    "{B} can be seen, and so can {a}.",
)


@cache
def _scenes() -> list[Scene]:
    rng = random.Random(f"{NAME}, scenes")
    return [scene(number, rng) for number in range(PICTURES)]


def files() -> dict[str, bytes]:
    """Draw the pictures."""
    return {f"media/{number:02d}.jpg": jpeg(drawn.pixels, 40) for number, drawn in enumerate(_scenes(), 1)}


def instances(crowd: Crowd) -> list[Made]:
    """Make the instances: three captions name colours or things that are not in the picture."""
    return [_instance(crowd, number, drawn) for number, drawn in enumerate(_scenes(), 1)]


def _instance(crowd: Crowd, number: int, drawn: Scene) -> Made:
    rng = crowd.rng
    seen = {(thing.colour, thing.kind) for thing in drawn.things}
    first, second = rng.sample([thing for thing in drawn.things if thing is not drawn.target], 2)
    # Not with the object that is looked for in the second question, which would give the caption away.
    true = f"{_a(second)} and {_a(first)} can be seen.".capitalize()
    kinds = sorted({kind for _, kind in seen})
    kites = [Thing("kite", colour, 0, 0, 0, 0) for colour in COLOURS]
    absent = [Thing(kind, colour, 0, 0, 0, 0) for kind in kinds for colour in COLOURS if (colour, kind) not in seen]
    wrong = rng.sample(absent, 3) if len(absent) > 2 else [*absent, *rng.sample(kites, 3 - len(absent))]
    false = [f"{_a(thing)} and {_a(first)} can be seen.".capitalize() for thing in wrong]
    captions = rng.sample([true, *false], 4)
    right = LETTERS[captions.index(true)]
    regions = _regions(drawn.target)
    near = [region for region in REGIONS if set(region.split()) & set(" ".join(regions).split())]

    def answers(worker: Worker) -> dict[str, str]:
        told = {
            "a": _a(drawn.target), "b": _a(worker.pick((first, second))), "place": _PLACES[(number - 1) % 4],
        }  # fmt: skip
        told |= {name.upper(): text.capitalize() for name, text in told.items() if len(name) == 1}
        ticked = worker.tick(regions, REGIONS, 0.12)
        if not ticked:
            ticked = {worker.pick(near)}
        return {
            "best_caption": worker.choose(right, LETTERS, 0.25),
            "regions": joined(ticked, REGIONS),
            "covered": "on" if drawn.hidden != worker.errs(0.25 if drawn.hidden else 0.1) else "",
            "own_caption": worker.say([caption.format(**told) for caption in _CAPTIONS], talk=False),
        }

    inputs = {"picture": f"{number:02d}", "thing": f"the {drawn.target.colour} {drawn.target.kind}"}
    inputs |= {f"caption_{letter.lower()}": text for letter, text in zip(LETTERS, captions, strict=True)}
    truth = {"best_caption": right, "regions": joined(regions, REGIONS), "covered": "on" if drawn.hidden else ""}
    return crowd.made(inputs, answers, truth, most=5)


def _a(thing: Thing) -> str:
    return f"{'an' if thing.colour[0] in 'aeiou' else 'a'} {thing.colour} {thing.kind}"


def _regions(thing: Thing) -> set[str]:
    """Return the ninths of the picture that hold at least a tenth of an object."""
    found = set()
    for at, region in enumerate(REGIONS):
        down, across = divmod(at, 3)
        left, top = WIDTH / 3 * across, HEIGHT / 3 * down
        wide = min(thing.left + thing.width, left + WIDTH / 3) - max(thing.left, left)
        high = min(thing.top + thing.height, top + HEIGHT / 3) - max(thing.top, top)
        if wide > 0 and high > 0 and wide * high >= 0.1 * thing.width * thing.height:
            found.add(region)
    return found
