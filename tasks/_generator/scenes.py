"""Scenes, drawn and photographed, whose objects have boxes that are known to the pixel."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from tasks._generator.raster.film import Look, taken
from tasks._generator.raster.jpeg import Pixels
from tasks._generator.raster.vector import drawn

WIDTH, HEIGHT = 800, 450

COLOURS = {
    "red": "#c8402f",
    "blue": "#2f6fb3",
    "yellow": "#e2b53a",
    "green": "#4c8f4a",
    "white": "#f3efe6",
    "purple": "#7c56a5",
}


@dataclass(frozen=True)
class Thing:
    """One object of a scene; its outline touches all four sides of its box.

    Attributes:
        kind: what it is, for instance ``boat``.
        colour: a key of COLOURS.
        left: of its box, in pixels, as the following three.
        top: of its box.
        width: of its box.
        height: of its box.
    """

    kind: str
    colour: str
    left: int
    top: int
    width: int
    height: int

    def svg(self) -> str:
        """Draw the object."""
        shapes = _SHAPES[self.kind](self.width, self.height, COLOURS[self.colour])
        return f'<g transform="translate({self.left} {self.top})">{shapes}</g>'


@dataclass(frozen=True)
class Scene:
    """A drawn scene.

    Attributes:
        target: the object to find; no other has its kind and colour.
        hidden: something stands in front of the target.
        things: all objects, the target among them.
        svg: the drawing, without the svg element around it.
        look: how it was photographed.
    """

    target: Thing
    hidden: bool
    things: tuple[Thing, ...]
    svg: str
    look: Look

    @cached_property
    def pixels(self) -> Pixels:
        """The photograph."""
        return taken(drawn(self.svg, WIDTH, HEIGHT), self.look)


@dataclass(frozen=True)
class _Place:
    # Where things may stand: backdrop, the line they stand on (0: they float), their kinds and sizes.
    backdrop: str
    lines: tuple[tuple[int, tuple[str, ...]], ...]
    cover: str


def _house(w: int, h: int, colour: str) -> str:
    eaves = round(h * 0.42)
    return (
        f'<path d="M{w * 0.08:g} {eaves}H{w * 0.92:g}V{h}H{w * 0.08:g}Z" fill="{colour}"/>'
        f'<path d="M0 {eaves}L{w / 2:g} 0L{w} {eaves}Z" fill="#5a4a45"/>'
        f'<rect x="{w * 0.43:g}" y="{h * 0.68:g}" width="{w * 0.16:g}" height="{h * 0.32:g}" fill="#4a3426"/>'
        f'<rect x="{w * 0.17:g}" y="{h * 0.54:g}" width="{w * 0.16:g}" height="{h * 0.17:g}" fill="#bfe0ee"/>'
        f'<rect x="{w * 0.68:g}" y="{h * 0.54:g}" width="{w * 0.16:g}" height="{h * 0.17:g}" fill="#bfe0ee"/>'
    )


def _car(w: int, h: int, colour: str) -> str:
    wheel = round(h * 0.22)
    body = h - wheel
    return (
        f'<path d="M{w * 0.2:g} {h * 0.42:g}L{w * 0.32:g} 0H{w * 0.7:g}L{w * 0.84:g} {h * 0.42:g}Z" fill="{colour}"/>'
        f'<path d="M{w * 0.28:g} {h * 0.4:g}L{w * 0.36:g} {h * 0.1:g}H{w * 0.66:g}L{w * 0.75:g} {h * 0.4:g}Z"'
        ' fill="#d5ecf5"/>'
        f'<rect y="{h * 0.4:g}" width="{w}" height="{body - h * 0.4:g}" rx="6" fill="{colour}"/>'
        f'<circle cx="{w * 0.23:g}" cy="{body}" r="{wheel}" fill="#23252b"/>'
        f'<circle cx="{w * 0.77:g}" cy="{body}" r="{wheel}" fill="#23252b"/>'
    )


def _boat(w: int, h: int, colour: str) -> str:
    deck = round(h * 0.74)
    return (
        f'<path d="M0 {deck}H{w}L{w * 0.82:g} {h}H{w * 0.16:g}Z" fill="#6b4a2f"/>'
        f'<path d="M{w * 0.5:g} 0V{deck}" stroke="#3d2c1e" stroke-width="4"/>'
        f'<path d="M{w * 0.54:g} {h * 0.04:g}L{w * 0.94:g} {deck - 8}H{w * 0.54:g}Z" fill="{colour}"/>'
        f'<path d="M{w * 0.46:g} {h * 0.12:g}L{w * 0.1:g} {deck - 8}H{w * 0.46:g}Z" fill="{colour}" opacity="0.8"/>'
    )


def _balloon(w: int, h: int, colour: str) -> str:
    basket = round(h * 0.15)
    return (
        f'<path d="M{w * 0.2:g} {h * 0.5:g}L{w * 0.38:g} {h - basket}H{w * 0.62:g}L{w * 0.8:g} {h * 0.5:g}"'
        ' fill="none" stroke="#4a3d33"/>'
        f'<ellipse cx="{w / 2:g}" cy="{h * 0.37:g}" rx="{w / 2:g}" ry="{h * 0.37:g}" fill="{colour}"/>'
        f'<ellipse cx="{w / 2:g}" cy="{h * 0.37:g}" rx="{w * 0.2:g}" ry="{h * 0.37:g}" fill="#fff" opacity="0.35"/>'
        f'<rect x="{w * 0.36:g}" y="{h - basket}" width="{w * 0.28:g}" height="{basket}" rx="3" fill="#7a5230"/>'
    )


def _tent(w: int, h: int, colour: str) -> str:
    return (
        f'<path d="M0 {h}L{w / 2:g} 0L{w} {h}Z" fill="{colour}"/>'
        f'<path d="M{w * 0.36:g} {h}L{w / 2:g} {h * 0.3:g}L{w * 0.64:g} {h}Z" fill="#33291f"/>'
    )


def _bench(w: int, h: int, colour: str) -> str:
    slat = round(h * 0.18)
    return (
        f'<rect width="{w}" height="{slat}" rx="2" fill="{colour}"/>'
        f'<rect y="{h * 0.27:g}" width="{w}" height="{slat}" rx="2" fill="{colour}"/>'
        f'<rect y="{h * 0.55:g}" width="{w}" height="{slat}" rx="2" fill="{colour}"/>'
        f'<path d="M{w * 0.12:g} {h * 0.1:g}V{h}M{w * 0.88:g} {h * 0.1:g}V{h}" stroke="#3a3a3f" stroke-width="5"/>'
    )


def _mug(w: int, h: int, colour: str) -> str:
    side = round(w * 0.72)
    return (
        f'<path d="M{side - 4} {h * 0.24:g}H{w - 4}V{h * 0.7:g}H{side - 4}" fill="none"'
        f' stroke="{colour}" stroke-width="8" stroke-linejoin="round"/>'
        f'<path d="M0 0H{side}V{h - 8}Q{side} {h} {side - 8} {h}H8Q0 {h} 0 {h - 8}Z" fill="{colour}"/>'
        f'<rect width="{side}" height="7" fill="#fff" opacity="0.4"/>'
    )


def _bottle(w: int, h: int, colour: str) -> str:
    neck = round(h * 0.34)
    return (
        f'<rect x="{w * 0.34:g}" width="{w * 0.32:g}" height="{neck}" fill="#3f3a35"/>'
        f'<path d="M{w * 0.34:g} {neck * 0.5:g}H{w * 0.66:g}V{neck * 0.8:g}L{w} {neck + 14}V{h}'
        f'H0V{neck + 14}L{w * 0.34:g} {neck * 0.8:g}Z" fill="{colour}"/>'
        f'<rect y="{h * 0.6:g}" width="{w}" height="{h * 0.22:g}" fill="#f7f1e2"/>'
    )


def _jar(w: int, h: int, colour: str) -> str:
    lid = round(h * 0.18)
    return (
        f'<rect x="{w * 0.08:g}" width="{w * 0.84:g}" height="{lid}" rx="3" fill="#8f8a80"/>'
        f'<rect y="{lid}" width="{w}" height="{h - lid}" rx="9" fill="{colour}"/>'
        f'<rect x="{w * 0.16:g}" y="{h * 0.42:g}" width="{w * 0.68:g}" height="{h * 0.3:g}" fill="#fbf7ea"/>'
    )


_SHAPES: dict[str, Callable[[int, int, str], str]] = {
    "house": _house,
    "car": _car,
    "boat": _boat,
    "balloon": _balloon,
    "tent": _tent,
    "bench": _bench,
    "mug": _mug,
    "bottle": _bottle,
    "jar": _jar,
}
# Least and greatest width, then height as a share of the width.
_SIZES = {
    "house": (110, 150, 1.0),
    "car": (90, 125, 0.45),
    "boat": (80, 125, 1.05),
    "balloon": (70, 100, 1.3),
    "tent": (85, 125, 0.75),
    "bench": (95, 120, 0.55),
    "mug": (70, 90, 0.85),
    "bottle": (44, 56, 2.6),
    "jar": (66, 84, 1.25),
}

_SKY = '<rect width="800" height="450" fill="#cfe6f2"/><circle cx="690" cy="70" r="34" fill="#fbe9a9"/>'
_PLACES = (
    _Place(
        _SKY + '<rect y="258" width="800" height="192" fill="#a9b8a0"/><rect y="318" width="800" height="132"'
        ' fill="#6d6f76"/><path d="M0 384H800" stroke="#e9e4d0" stroke-width="5" stroke-dasharray="42 30"/>',
        ((282, ("house",)), (408, ("car",))),
        '<path d="M0 60Q4 14 34 18Q50 -8 72 14Q104 10 100 60Z" fill="#3f6b3c"/>',
    ),
    _Place(
        _SKY + '<path d="M0 190Q160 110 330 182T800 160V450H0Z" fill="#8fae8b"/>'
        '<rect y="215" width="800" height="235" fill="#6fa7c4"/>'
        '<path d="M40 300h90M320 270h70M560 330h110M210 410h120" stroke="#a9d0e2" stroke-width="4"/>',
        ((0, ("balloon",)), (300, ("boat",)), (425, ("boat",))),
        '<path d="M0 60Q10 26 40 30Q60 10 78 34Q104 38 104 60Z" fill="#5c6268"/>',
    ),
    _Place(
        _SKY + '<path d="M0 230L150 90L280 210L430 60L620 220L800 120V450H0Z" fill="#9fb0bd"/>'
        '<path d="M0 250Q400 190 800 250V450H0Z" fill="#9cbf7e"/>',
        ((0, ("balloon",)), (305, ("tent",)), (425, ("tent", "bench"))),
        '<path d="M0 60Q4 14 34 18Q50 -8 72 14Q104 10 100 60Z" fill="#4f7a3f"/>',
    ),
    _Place(
        '<rect width="800" height="450" fill="#dcc8ab"/><rect y="205" width="800" height="16" fill="#8a5f3b"/>'
        '<rect y="405" width="800" height="16" fill="#8a5f3b"/>'
        '<path d="M0 221h800v10H0zM0 421h800v10H0z" fill="#b79c78"/>',
        ((205, ("bottle", "jar", "mug")), (405, ("mug", "jar", "bottle"))),
        '<path d="M40 24Q10 -4 18 -22Q38 -12 40 14Q44 -20 66 -24Q70 0 40 24" fill="#5b8c52"/>'
        '<path d="M0 52L-6 16H86L80 52Z" fill="#a4552f"/>',
    ),
)


_LOOKS: tuple[Callable[[int], Look], ...] = (
    lambda seed: Look(seed, grain=20, clouds=26, dark=0.3),
    lambda seed: Look(seed, grain=10, clouds=40, warmth=0.7, dark=0.5, blur=1),
    lambda seed: Look(seed, grain=30, clouds=14, warmth=-0.6, contrast=0.8),
    lambda seed: Look(seed, grain=16, clouds=30, blur=2, dark=0.6, contrast=1.15),
    lambda seed: Look(seed, grain=36, clouds=22, warmth=0.3, contrast=0.7),
)


def scene(number: int, rng: random.Random) -> Scene:
    """Draw a scene.

    Args:
        number: chooses among street, lake, camp and shelf in turn.
        rng: the source of chance.

    Returns:
        The scene; the target is drawn among all its things.
    """
    place = _PLACES[number % len(_PLACES)]
    things: list[Thing] = []
    for line, kinds in place.lines:
        things += _stand(line, kinds, things, rng)
    target = rng.choice(things)
    hidden = rng.random() < 0.4
    parts = [thing.svg() for thing in things]
    if hidden:
        left = target.left + rng.randint(-60, -35) + rng.choice((0, target.width - 10))
        parts.append(f'<g transform="translate({left} {target.top + target.height - 52})">{place.cover}</g>')
    return Scene(target, hidden, tuple(things), place.backdrop + "".join(parts), _LOOKS[number % len(_LOOKS)](number))


def _stand(line: int, kinds: tuple[str, ...], others: list[Thing], rng: random.Random) -> list[Thing]:
    # Things of one line stand in columns of their own, so that none covers another.
    count = rng.randint(3, 4)
    column = WIDTH // count
    standing: list[Thing] = []
    for index in range(count):
        kind = rng.choice(kinds)
        used = {thing.colour for thing in (*others, *standing) if thing.kind == kind}
        free = [colour for colour in COLOURS if colour not in used]
        if not free:
            continue
        least, greatest, ratio = _SIZES[kind]
        width = rng.randint(least, greatest)
        height = round(width * ratio)
        left = index * column + rng.randint(14, column - width - 14)
        top = line - height if line else rng.randint(12, 60)
        standing.append(Thing(kind, rng.choice(free), left, top, width, height))
    return standing
