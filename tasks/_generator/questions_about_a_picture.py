"""Questions about a picture: pictures drawn of shapes, so that the truth is known, and photographed."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, replace
from functools import cache

from tasks._generator.crowd import Crowd, Worker
from tasks._generator.made import Made
from tasks._generator.model import joined
from tasks._generator.motifs import EXTRAS, FRONTS, SCENES, SHAPES
from tasks._generator.raster.film import Look, taken
from tasks._generator.raster.jpeg import jpeg
from tasks._generator.raster.vector import drawn

NAME = "Questions about a picture"

COLOURS = {
    "red": "#d8412f",
    "orange": "#f08a24",
    "yellow": "#f5cf3a",
    "green": "#3f9b57",
    "blue": "#2f6fd0",
    "purple": "#8a4fb5",
    "white": "#fbfaf5",
}
PLACES = 10  # five columns, two rows
INSTANCES = 24


@dataclass(frozen=True)
class Motif:
    """What a drawing shows.

    Attributes:
        scene: id of the background in the template.
        symbol: id of the shape in the template.
        one: what the shape is called.
        many: what several are called.
        extra: id of a shape that may stand in the corner.
        extra_name: what that is called, with its article.
    """

    scene: str
    symbol: str
    one: str
    many: str
    extra: str
    extra_name: str


@dataclass(frozen=True)
class Thing:
    """One shape of a drawing: colour, size (1 is usual), position, and whether it is mirrored."""

    colour: str
    size: float
    x: int
    y: int
    mirrored: bool

    def edge(self) -> float:
        """Return about how far to the left the shape reaches."""
        return self.x - 40 * self.size


@dataclass(frozen=True)
class Drawing:
    """A drawing and all that can be asked about it."""

    motif: Motif
    things: tuple[Thing, ...]
    extra: bool

    front: int

    def svg(self) -> str:
        """Return the drawing as the content of an SVG element of 640 x 400."""
        parts = [SCENES[self.motif.scene]]
        if self.extra:
            parts.append(EXTRAS[self.motif.extra])
        for thing in self.things:
            across = -thing.size if thing.mirrored else thing.size
            place = f"translate({thing.x} {thing.y}) scale({across:g} {thing.size:g})"
            parts.append(f'<g transform="{place}" fill="{COLOURS[thing.colour]}">{SHAPES[self.motif.symbol]}</g>')
        parts.append(FRONTS[self.motif.scene].format(x=self.front, y=self.front + 26))
        return "".join(parts)

    def count(self, colour: str) -> int:
        """Return how many shapes have a colour."""
        return sum(thing.colour == colour for thing in self.things)

    def largest(self) -> Thing:
        """Return the shape that is larger than all others."""
        return max(self.things, key=lambda thing: thing.size)

    def leftmost(self) -> Thing:
        """Return the shape whose middle is farthest to the left."""
        return min(self.things, key=lambda thing: thing.x)

    def is_clear(self) -> bool:
        """Say whether the leftmost shape is leftmost by its edge too, and by more than a hair."""
        ordered = sorted(self.things, key=Thing.edge)
        return self.leftmost() is ordered[0] and ordered[1].edge() - ordered[0].edge() > 14


MOTIFS = (
    Motif("water", "fish", "fish", "fish", "crab", "a crab"),
    Motif("hills", "balloon", "balloon", "balloons", "sun", "a sun"),
    Motif("sea", "boat", "boat", "boats", "lighthouse", "a lighthouse"),
    Motif("shelf", "cup", "cup", "cups", "clock", "a clock"),
)


_LOOKS = (
    Look(3, grain=18, clouds=22),
    Look(5, grain=10, clouds=12, blur=1, warmth=0.3, dark=0.4),
    Look(7, grain=26, clouds=26, contrast=0.85),
)


@cache
def _drawings() -> list[Drawing]:
    rng = random.Random(f"{NAME}, drawings")
    return [_draw_clearly(rng, MOTIFS[number % len(MOTIFS)]) for number in range(INSTANCES)]


def files() -> dict[str, bytes]:
    """Make the pictures."""
    made = {}
    for number, drawing in enumerate(_drawings(), 1):
        look = replace(_LOOKS[number % len(_LOOKS)], seed=number)
        made[f"media/{number:02d}.jpg"] = jpeg(taken(drawn(drawing.svg(), 640, 400), look))
    return made


def instances(crowd: Crowd) -> list[Made]:
    """Make the instances of all pictures, the motifs by turns."""
    return [_instance(crowd, number, drawing) for number, drawing in enumerate(_drawings(), 1)]


def _draw_clearly(rng: random.Random, motif: Motif) -> Drawing:
    drawing = _draw(rng, motif)
    while not drawing.is_clear():
        drawing = _draw(rng, motif)
    return drawing


def _draw(rng: random.Random, motif: Motif) -> Drawing:
    palette = rng.sample(list(COLOURS), 3)
    places = sorted(rng.sample(range(PLACES), rng.randint(4, 9)))
    large = rng.choice(places)
    return Drawing(
        motif,
        tuple(_thing(rng, motif, palette, place, is_large=place == large) for place in places),
        rng.random() < 0.5,
        rng.randint(60, 560),
    )


def _thing(rng: random.Random, motif: Motif, palette: list[str], place: int, *, is_large: bool) -> Thing:
    row, column = divmod(place, PLACES // 2)
    size = 1.45 if is_large else rng.choice((0.8, 0.9, 1.0))
    stands = motif.symbol == "cup"
    return Thing(
        colour=rng.choice(palette),
        size=size,
        # The rows are shifted against each other: no two shapes are equally far to the left.
        x=75 + 110 * column + 50 * row + rng.randint(-12, 12),
        # A cup reaches 41 below its middle, down to the board.
        y=135 + 150 * row + (round(41 * (1 - size)) if stands else rng.randint(-14, 14)),
        mirrored=not stands and rng.random() < 0.4,
    )


def _statements(rng: random.Random, drawing: Drawing) -> dict[str, bool]:
    """Return four statements about a drawing, each with whether it is true."""
    motif, things = drawing.motif, drawing.things
    first, second = rng.sample(sorted({thing.colour for thing in things} | {"blue", "red"}), 2)
    total = len(things) + rng.choice((-1, 0, 0, 1))
    left = rng.choice((drawing.leftmost().colour, first))
    commonest = Counter(thing.colour for thing in things).most_common(1)[0][1]
    every = {
        f"There are more {first} {motif.many} than {second} {motif.many}.": drawing.count(first)
        > drawing.count(second),
        f"The drawing shows {total} {motif.many} in all.": total == len(things),
        f"The {motif.one} farthest to the left is {left}.": left == drawing.leftmost().colour,
        f"There is {motif.extra_name} in the drawing.": drawing.extra,
        f"All {motif.many} have different colours.": commonest == 1,
        f"One {motif.one} is larger than all others.": True,
    }
    return dict(rng.sample(list(every.items()), 4))


def _instance(crowd: Crowd, number: int, drawing: Drawing) -> Made:
    rng, motif = crowd.rng, drawing.motif
    asked = rng.choice(sorted({thing.colour for thing in drawing.things}))
    largest = rng.random() < 0.5
    which = "largest" if largest else "leftmost"
    colour = (drawing.largest() if largest else drawing.leftmost()).colour
    statements = _statements(rng, drawing)
    options = list(statements)
    inputs = {
        "picture": f"{number:02d}",
        "count_question": f"How many {asked} {motif.many} are there?",
        "colour_question": f"What colour is the {which} {motif.one}?",
    } | {f"statement_{at}": text for at, text in enumerate(options, start=1)}
    true = [text for text, holds in statements.items() if holds]
    others = [thing.colour for thing in drawing.things if thing.colour != colour]

    def answers(worker: Worker) -> dict[str, str]:
        # Who counts wrong mostly overlooks something; who takes a colour wrong takes that of another object.
        count = drawing.count(asked)
        missed = worker.errs(0.2) and worker.pick((-1, -1, 1))
        return {
            "count": str(max(0, count + missed)),
            "colour": worker.choose(colour, list(COLOURS), 0.2, others),
            "true_statements": joined(worker.tick(true, options, 0.22), options),
        }

    truth = {"count": str(drawing.count(asked)), "colour": colour, "true_statements": joined(true, options)}
    return crowd.made(inputs, answers, truth)
