"""Reading a chart: bars, lines and a round chart as somebody scanned them; the numbers stand in the picture only."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass
from functools import cache

import numpy as np

from tasks._generator.crowd import Crowd, Worker
from tasks._generator.made import Made
from tasks._generator.model import joined
from tasks._generator.raster.film import Look, taken, tilted
from tasks._generator.raster.jpeg import jpeg
from tasks._generator.raster.letters import lettered
from tasks._generator.raster.vector import drawn

NAME = "Reading a chart"

CHARTS = 20
KINDS = ("bars", "lying bars", "line", "round")
_WIDTH, _HEIGHT = 600, 400
_TOPICS = (
    ("Visitors of the museum, in hundreds", ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat")),
    ("Loaves sold, in dozens", ("Rye", "Oat", "Wheat", "Spelt", "Corn")),
    ("Books lent, in tens", ("May", "Jun", "Jul", "Aug", "Sep", "Oct")),
    ("Trees planted", ("Oak", "Birch", "Ash", "Elm", "Lime")),
    ("Bicycles repaired", ("North", "South", "East", "West", "Port")),
)
_PALETTES = (
    ("#35618f", "#c8553d", "#4f8a5b", "#d9a441", "#7a5ba0", "#5f6b73"),
    ("#444", "#888", "#222", "#aaa", "#666", "#999"),
    ("#8c3b4a", "#3b7a8c", "#8c7a3b", "#3b8c57", "#573b8c", "#8c573b"),
)


@dataclass(frozen=True)
class Chart:
    """A chart: what it shows, how it is drawn, and its numbers by their names."""

    topic: str
    kind: str
    numbers: dict[str, int]

    @property
    def highest(self) -> str:
        """The name with the greatest number."""
        return max(self.numbers, key=self.numbers.__getitem__)

    @property
    def lowest(self) -> str:
        """The name with the least number."""
        return min(self.numbers, key=self.numbers.__getitem__)


@cache
def _charts() -> list[Chart]:
    rng = random.Random(f"{NAME}, charts")
    made = []
    for _ in range(CHARTS):
        topic, names = rng.choice(_TOPICS)
        kind = rng.choice(KINDS)
        values = rng.sample(range(3, 19), len(names))
        made.append(Chart(topic, kind, dict(zip(names, values, strict=True))))
    return made


def files() -> dict[str, bytes]:
    """Draw and scan the charts."""
    return {f"media/{number:02d}.jpg": _scanned(chart, number) for number, chart in enumerate(_charts(), 1)}


def _scanned(chart: Chart, number: int) -> bytes:
    rng = random.Random(f"{NAME}, {number}")
    colours = _PALETTES[number % 3]
    shake = (0.0, 0.03, 0.0, 0.05)[number % 4]
    parts = [f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="#fcfaf4"/>']
    parts.append(lettered(chart.topic, _WIDTH / 2, 40, 13, weight=0.15, shake=shake, rng=rng, anchor="middle"))
    draw = {"bars": _bars, "lying bars": _lying, "line": _line, "round": _round}[chart.kind]
    parts += draw(chart, colours, shake, rng)
    ground = ((80, 80, 84), (120, 104, 84), (60, 66, 60))[number % 3]
    page = np.empty((_HEIGHT + 30, _WIDTH + 30, 3))
    page[:] = ground
    page[15:-15, 15:-15] = drawn("".join(parts), _WIDTH, _HEIGHT)
    page = tilted(page, rng.choice((-1.8, -1.0, 0.7, 1.5)), ground)
    return jpeg(taken(page, Look(number, grain=20, clouds=20, blur=number % 2, grey=number % 5 == 0, dark=0.25)), 45)


def _words(text: str, at: tuple[float, float], shake: float, rng: random.Random, anchor: str = "middle") -> str:
    return lettered(text, *at, 11, weight=0.13, shake=shake, rng=rng, anchor=anchor)


def _scale(shake: float, rng: random.Random, *, lying: bool) -> list[str]:
    made = []
    for value in range(0, 21, 5):
        if lying:
            x = 110 + value * 23
            made += [f'<path d="M{x} 65V350" fill="none" stroke="#999"/>', _words(str(value), (x, 372), shake, rng)]
        else:
            y = 345 - value * 13.5
            made += [f'<path d="M60 {y}H570" fill="none" stroke="#999"/>', _words(str(value), (42, y + 5), shake, rng)]
    return made


def _bars(chart: Chart, colours: tuple[str, ...], shake: float, rng: random.Random) -> list[str]:
    made, step = _scale(shake, rng, lying=False), 500 / len(chart.numbers)
    for at, (name, value) in enumerate(chart.numbers.items()):
        x, high = 70 + at * step, value * 13.5
        made.append(f'<rect x="{x}" y="{345 - high}" width="{step * 0.66}" height="{high}" fill="{colours[at]}"/>')
        made.append(_words(name, (x + step * 0.33, 372), shake, rng))
    return made


def _lying(chart: Chart, colours: tuple[str, ...], shake: float, rng: random.Random) -> list[str]:
    made, step = _scale(shake, rng, lying=True), 280 / len(chart.numbers)
    for at, (name, value) in enumerate(chart.numbers.items()):
        y = 70 + at * step
        made.append(f'<rect x="110" y="{y}" width="{value * 23}" height="{step * 0.62}" fill="{colours[at]}"/>')
        made.append(_words(name, (98, y + step * 0.45), shake, rng, "end"))
    return made


def _line(chart: Chart, colours: tuple[str, ...], shake: float, rng: random.Random) -> list[str]:
    made, step = _scale(shake, rng, lying=False), 480 / (len(chart.numbers) - 1)
    points = [(80 + at * step, 345 - value * 13.5) for at, value in enumerate(chart.numbers.values())]
    path = "L".join(f"{x} {y}" for x, y in points)
    made.append(f'<path d="M{path}" fill="none" stroke="{colours[0]}" stroke-width="3"/>')
    made += [f'<circle cx="{x}" cy="{y}" r="5" fill="{colours[1]}"/>' for x, y in points]
    made += [_words(name, (x, 372), shake, rng) for name, (x, _) in zip(chart.numbers, points, strict=True)]
    return made


def _round(chart: Chart, colours: tuple[str, ...], shake: float, rng: random.Random) -> list[str]:
    made, turned, total = [], 0.0, sum(chart.numbers.values())
    for at, (name, value) in enumerate(chart.numbers.items()):
        angles = [turned + value / total * step / 24 for step in range(25)]
        rim = [(round(math.sin(a * 2 * math.pi), 6), round(-math.cos(a * 2 * math.pi), 6)) for a in angles]
        path = "L".join(f"{300 + 125 * x:.2f} {215 + 125 * y:.2f}" for x, y in rim)
        made.append(f'<path d="M300 215L{path}Z" fill="{colours[at]}"/>')
        x, y = rim[12]
        made.append(_words(f"{name} {value}", (300 + 185 * x, 220 + 148 * y), shake, rng))
        turned = angles[-1]
    return made


def instances(crowd: Crowd) -> list[Made]:
    """Make the instances: who errs reads a number a line too high or low, or that of a neighbour."""
    return [_instance(crowd, number, chart) for number, chart in enumerate(_charts(), 1)]


def _instance(crowd: Crowd, number: int, chart: Chart) -> Made:
    rng = crowd.rng
    names = list(chart.numbers)
    asked = rng.choice(names)
    first, second = rng.sample(names, 2)
    limit = rng.choice((6, 9, 12))
    above = sum(value > limit for value in chart.numbers.values())
    claimed = above + rng.choice((-1, 0, 0, 1))
    both = chart.numbers[first] + chart.numbers[second]
    said = both + rng.choice((0, 0, 3))
    statements = {
        f"{first} is greater than {second}.": chart.numbers[first] > chart.numbers[second],
        f"{claimed} of the numbers are above {limit}.": claimed == above,
        f"{first} and {second} make {said} together.": said == both,
        f"{chart.lowest} is less than half of {chart.highest}.": 2 * chart.numbers[chart.lowest]
        < chart.numbers[chart.highest],
    }
    options = list(statements)
    true = [text for text, holds in statements.items() if holds]

    def answers(worker: Worker) -> dict[str, str]:
        value = chart.numbers[asked]
        if worker.errs(0.25):
            value = worker.pick([value - 1, value + 1, chart.numbers[worker.pick(names)]])
        highest = worker.choose(chart.highest, names, 0.15)
        return {
            "value": str(value),
            "highest": highest,
            "lowest": worker.choose(chart.lowest, names, 0.2),
            "kind": worker.choose(chart.kind, KINDS, 0.25, ("bars", "lying bars")),
            "true_statements": joined(worker.tick(true, options, 0.25), options),
        }

    inputs = {"picture": f"{number:02d}", "asked": asked}
    inputs |= {f"name_{at}": name for at, name in enumerate([*names, ""][:6], 1)}
    inputs |= {f"statement_{at}": text for at, text in enumerate(options, 1)}
    truth = {
        "value": str(chart.numbers[asked]),
        "highest": chart.highest,
        "lowest": chart.lowest,
        "kind": chart.kind,
        "true_statements": joined(true, options),
    }
    return crowd.made(inputs, answers, truth)
