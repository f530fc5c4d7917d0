"""A short film: twelve frames in a strip, which the page shows one after the other; what happens is in them alone."""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import cache

import numpy as np

from tasks._generator.crowd import Crowd, Worker
from tasks._generator.made import Made
from tasks._generator.model import joined
from tasks._generator.raster.film import Look, taken
from tasks._generator.raster.jpeg import jpeg
from tasks._generator.raster.vector import drawn

NAME = "A short film"
FREE = ("told",)

FILMS, FRAMES = 20, 12
_FALL = 3  # frames that a ball is to be seen in
_WIDTH, _HEIGHT = 240, 160
COLOURS = {"red": "#c8402f", "blue": "#2f6fb3", "yellow": "#e2b53a", "green": "#4c8f4a", "black": "#26282d"}
ENDINGS = ("the light goes out", "a bird flies through", "it starts to rain", "nothing else")
_WAYS = ("left to right", "right to left")
_TELLS = (
    "A {colour} car drives from {way}, {balls} balls fall, and in the end {ending}.",
    "{balls} balls drop while a {colour} car goes {way}; then {ending}.",
    "First there is a {colour} car going {way}, and I counted {balls} balls before {ending}.",
    "You see {balls} falling balls and a {colour} car that moves {way}, and {ending} at the close.",
    "The {colour} car comes {way}. There are {balls} balls. At last {ending}.",
    "It shows how a {colour} car passes {way} and how {balls} balls come down; {ending} when it is over.",
)


@dataclass(frozen=True)
class Film:
    """What happens: a car passes, balls fall at some frames, and something happens at the end."""

    car: str
    way: str
    balls: tuple[tuple[int, str], ...]
    ending: str
    stops: bool


@cache
def _films() -> list[Film]:
    rng = random.Random(f"{NAME}, films")
    made = []
    for _ in range(FILMS):
        frames = rng.sample(range(1, 9), rng.randint(1, 5))
        balls = tuple((frame, rng.choice(list(COLOURS))) for frame in sorted(frames))
        way = rng.choice(_WAYS)
        made.append(Film(rng.choice(list(COLOURS)), way, balls, rng.choice(ENDINGS), rng.random() < 0.5))
    return made


def files() -> dict[str, bytes]:
    """Shoot the films."""
    return {f"media/{number:02d}.jpg": _strip(film, number) for number, film in enumerate(_films(), 1)}


def _strip(film: Film, number: int) -> bytes:
    frames = [
        taken(
            drawn(_frame(film, frame), _WIDTH, _HEIGHT), Look(100 * number + frame, grain=14, clouds=8, blur=number % 2)
        )
        for frame in range(FRAMES)
    ]
    # Three rows of four.
    return jpeg(np.concatenate([np.concatenate(frames[at : at + 4], axis=1) for at in (0, 4, 8)]), 42)


def _frame(film: Film, frame: int) -> str:
    last = film.ending if frame >= FRAMES - 3 else ""
    sky, street = ("#2c3038", "#24262b") if last == ENDINGS[0] else ("#cfe3ee", "#75787f")
    parts = [
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="{sky}"/>',
        f'<rect y="112" width="{_WIDTH}" height="48" fill="{street}"/>',
    ]
    parts.append(
        '<rect x="14" y="40" width="52" height="72" fill="#a08060"/><path d="M8 40H72L40 14Z" fill="#5a4a45"/>'
    )
    parts.append('<path d="M200 112V44" fill="none" stroke="#444" stroke-width="4"/>')
    lamp = "#555" if last == ENDINGS[0] else "#ffe27a"
    parts.append(f'<circle cx="200" cy="40" r="9" fill="{lamp}"/>')
    for start, colour in film.balls:
        if start <= frame < start + _FALL:
            high = 30 + 38 * (frame - start)
            parts.append(f'<circle cx="{90 + 14 * start}" cy="{high}" r="8" fill="{COLOURS[colour]}"/>')
    step = min(frame, 6) if film.stops else frame
    x = -40 + step * 22 if film.way == _WAYS[0] else 240 - step * 22
    parts.append(
        f'<g transform="translate({x} 118)"><rect y="8" width="44" height="14" fill="{COLOURS[film.car]}"/>'
        f'<path d="M8 8L14 0H30L37 8Z" fill="{COLOURS[film.car]}"/>'
        '<circle cx="10" cy="23" r="5" fill="#111"/><circle cx="34" cy="23" r="5" fill="#111"/></g>'
    )
    if last == ENDINGS[1]:
        x = 30 + 70 * (frame - FRAMES + 3)
        wings = f"M{x} 30Q{x + 9} 18 {x + 18} 30Q{x + 27} 18 {x + 36} 30"
        parts.append(f'<path d="{wings}" fill="none" stroke="#222" stroke-width="4"/>')
    if last == ENDINGS[2]:
        drops = "".join(f"M{9 + 22 * at} {(17 * at + 31 * frame) % 100}l-4 13" for at in range(11))
        parts.append(f'<path d="{drops}" fill="none" stroke="#3b6f9c" stroke-width="2"/>')
    return "".join(parts)


def instances(crowd: Crowd) -> list[Made]:
    """Make the instances: who errs overlooks a ball, or mixes up the ways; what is told is what was answered."""
    return [_instance(crowd, number, film) for number, film in enumerate(_films(), 1)]


def _instance(crowd: Crowd, number: int, film: Film) -> Made:
    colours = list(COLOURS)
    fallen = {colour for _, colour in film.balls}
    seen = {frame for start, _ in film.balls for frame in range(start, start + _FALL)}

    def answers(worker: Worker) -> dict[str, str]:
        car = worker.choose(film.car, colours, 0.25)
        way = worker.choose(film.way, _WAYS, 0.25)
        balls = max(0, len(film.balls) + (worker.pick((-1, -1, 1)) if worker.errs(0.25) else 0))
        ending = worker.choose(film.ending, ENDINGS, 0.2, ("nothing else",))
        # Who counts frames wrong is one too early or too late, with all of them.
        late = worker.pick((-1, 1)) if worker.errs(0.2) else 0
        ticked = {frame + late for frame in seen}
        told = {"colour": car, "way": way, "balls": balls, "ending": ending}
        return {
            "car_colour": car,
            "direction": way,
            "balls": str(balls),
            "ball_colours": joined(worker.tick(fallen, colours, 0.2), colours),
            **{
                f"ball_in_{frame + 1}": "on" if (frame in ticked) != worker.errs(0.04) else ""
                for frame in range(FRAMES)
            },
            "stops": "on" if film.stops != worker.errs(0.2) else "",
            "ending": ending,
            "told": worker.say([text.format(**told) for text in _TELLS], talk=False),
        }

    truth = {
        "car_colour": film.car,
        "direction": film.way,
        "balls": str(len(film.balls)),
        "ball_colours": joined(fallen, colours),
        "stops": "on" if film.stops else "",
        "ending": film.ending,
    }
    truth |= {f"ball_in_{frame + 1}": "on" if frame in seen else "" for frame in range(FRAMES)}
    return crowd.made({"film": f"{number:02d}"}, answers, truth, most=5)
