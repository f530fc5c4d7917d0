"""Bounding box: four numbers around an object, and the annotation that the page composes from them."""

from __future__ import annotations

import json
import random
from functools import cache

from tasks._generator.crowd import Crowd, Worker
from tasks._generator.made import Made
from tasks._generator.raster.jpeg import jpeg
from tasks._generator.scenes import HEIGHT, WIDTH, Scene, scene

NAME = "Bounding box"

PICTURES = 24
GRID = 10
"""Pixels to which the page moves the corners of a box, so that careful workers agree."""
VIEWS = ("whole", "partly hidden")


@cache
def _scenes() -> list[Scene]:
    rng = random.Random(f"{NAME}, scenes")
    return [scene(number, rng) for number in range(PICTURES)]


def files() -> dict[str, bytes]:
    """Draw the pictures."""
    return {f"media/{number:03d}.jpg": jpeg(drawn.pixels) for number, drawn in enumerate(_scenes(), 1)}


def instances(crowd: Crowd) -> list[Made]:
    """Make the instances: a box is right in all its numbers or moved by somebody's hand, and composed of what it is."""
    made = []
    for number, drawn in enumerate(_scenes(), 1):
        box = _box(drawn, None)
        inputs = {"picture": f"{number:03d}", "target": f"the {drawn.target.colour} {drawn.target.kind}"}
        truth = _written(box) | {"view": VIEWS[drawn.hidden]}
        made.append(crowd.made(inputs, lambda worker, drawn=drawn: _answers(drawn, worker), truth))
    return made


def _answers(drawn: Scene, worker: Worker) -> dict[str, str]:
    hidden = worker.errs(0.15) != drawn.hidden
    return _written(_box(drawn, worker)) | {"view": VIEWS[hidden]}


def _box(drawn: Scene, worker: Worker | None) -> dict[str, int]:
    thing = drawn.target
    edges = [thing.left, thing.top, thing.left + thing.width, thing.top + thing.height]
    if worker and worker.errs(0.3):
        # One corner was clicked too early: it is a line or two of the grid off.
        corner = worker.pick((0, 2))
        for at in (corner, corner + 1):
            edges[at] += worker.pick((-1, 1, 1, 2)) * GRID * (1 if corner == 0 else -1)
    left, top, right, bottom = (GRID * round(edge / GRID) for edge in edges)
    left, right = max(0, left), min(WIDTH, right)
    top, bottom = max(0, top), min(HEIGHT, bottom)
    return {"left": left, "top": top, "width": right - left, "height": bottom - top}


def _written(box: dict[str, int]) -> dict[str, str]:
    # The annotation as JSON.stringify writes it.
    sides = {f"box-{side}": str(pixels) for side, pixels in box.items()}
    return sides | {"annotation": json.dumps(box, separators=(",", ":"))}
