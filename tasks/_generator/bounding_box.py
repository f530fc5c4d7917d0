"""Bounding box: four numbers around an object, and the annotation that the page composes from them."""

from __future__ import annotations

import json
import random

from tasks._generator.crowd import Crowd
from tasks._generator.model import Row, instance
from tasks._generator.scenes import HEIGHT, WIDTH, Scene, Thing, scene

NAME = "Bounding box"

PICTURES = 24
VIEWS = ("whole", "partly hidden")


def rows(rng: random.Random) -> list[Row]:
    """Make the rows: one worker an instance, since one answer is composed from four others.

    With several workers the best answers to the four could come from different people and compose a box
    that nobody drew.
    """
    crowd = Crowd(rng)
    made: list[Row] = []
    for number in range(PICTURES):
        drawn = scene(number, rng)
        inputs = {
            "picture": f"{number + 1:03d}",
            "target": f"the {drawn.target.colour} {drawn.target.kind}",
            "scene": drawn.svg,
        }
        made += instance(inputs, [_answers(drawn, crowd)])
    return made


def _answers(drawn: Scene, crowd: Crowd) -> dict[str, str]:
    box = _box(drawn.target, crowd)
    return {
        **{f"box-{side}": str(pixels) for side, pixels in box.items()},
        "view": crowd.choose(VIEWS[drawn.hidden], VIEWS, 0.05),
        # As JSON.stringify writes it.
        "annotation": json.dumps(box, separators=(",", ":")),
    }


def _box(target: Thing, crowd: Crowd) -> dict[str, int]:
    left = crowd.rate(target.left, 0, WIDTH, 3)
    top = crowd.rate(target.top, 0, HEIGHT, 3)
    right = crowd.rate(target.left + target.width, 0, WIDTH, 3)
    bottom = crowd.rate(target.top + target.height, 0, HEIGHT, 3)
    return {"left": left, "top": top, "width": right - left, "height": bottom - top}
