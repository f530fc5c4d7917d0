"""Attendance sheet: a scanned sheet on which somebody made marks by hand is entered into a form, box by box."""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import cache

import numpy as np

from tasks._generator.crowd import Crowd, Worker
from tasks._generator.made import Made, Truth
from tasks._generator.raster.film import Look, taken, tilted
from tasks._generator.raster.jpeg import jpeg
from tasks._generator.raster.letters import lettered
from tasks._generator.raster.vector import drawn

NAME = "Attendance sheet"

SHEETS, NAMES_A_SHEET = 20, 12
DAYS = ("mon", "tue", "wed", "thu", "fri", "sat")
_NAMES = (
    "Adler", "Bako", "Cole", "Duarte", "Eklund", "Farkas", "Grieg", "Hoti", "Ivers", "Jansen", "Kaya", "Lund",
    "Moretti", "Nagy", "Okafor", "Pohl", "Quist", "Rossi", "Sato", "Tran", "Umar", "Vega", "Weiss", "Yilmaz", "Zeman",
)  # fmt: skip
_LEFT, _TOP, _WIDE, _HIGH = 150, 92, 62, 33
_WIDTH, _HEIGHT = _LEFT + len(DAYS) * _WIDE + 24, _TOP + NAMES_A_SHEET * _HIGH + 64
_INKS = ("#26337a", "#2b2b33", "#7a2b2b")


@dataclass(frozen=True)
class Sheet:
    """A sheet: for each name the days with a mark, and the marks that were struck out again."""

    names: tuple[str, ...]
    marked: frozenset[tuple[int, str]]
    struck: frozenset[tuple[int, str]]
    week: int
    signed: bool


@cache
def _sheets() -> list[Sheet]:
    rng = random.Random(f"{NAME}, sheets")
    return [_sheet(rng) for _ in range(SHEETS)]


def _sheet(rng: random.Random) -> Sheet:
    cells = [(row, day) for row in range(NAMES_A_SHEET) for day in DAYS]
    marked = frozenset(cell for cell in cells if rng.random() < (0.3 if cell[1] == "sat" else 0.65))
    struck = frozenset(cell for cell in cells if cell not in marked and rng.random() < 0.12)
    names = tuple(sorted(rng.sample(_NAMES, NAMES_A_SHEET)))
    return Sheet(names, marked, struck, rng.randint(1, 52), rng.random() < 0.6)


def files() -> dict[str, bytes]:
    """Scan the sheets."""
    rng = random.Random(f"{NAME}, scans")
    return {f"media/{number:02d}.jpg": _scan(sheet, number, rng) for number, sheet in enumerate(_sheets(), 1)}


def _scan(sheet: Sheet, number: int, rng: random.Random) -> bytes:
    ink = _INKS[number % 3]
    right, bottom = _LEFT + len(DAYS) * _WIDE, _TOP + NAMES_A_SHEET * _HIGH
    across = "".join(f"M16 {_TOP + row * _HIGH}H{right}" for row in range(NAMES_A_SHEET + 1))
    down = "".join(f"M{_LEFT + column * _WIDE} {_TOP - 30}V{bottom}" for column in range(len(DAYS) + 1))
    parts = [
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="#faf8f1"/>',
        f'<path d="{across}{down}" fill="none" stroke="#9a9a9a"/>',
        lettered("Attendance", 18, 36, 17),
        lettered("week", right - 70, 36, 12, anchor="end"),
        lettered(str(sheet.week), right - 56, 36, 17, colour=ink, shake=0.08, rng=rng),
        lettered("signed", 18, bottom + 42, 11),
        f'<path d="M96 {bottom + 44}H300" fill="none" stroke="#666"/>',
    ]
    parts += [lettered(day, _LEFT + (at + 0.5) * _WIDE, _TOP - 10, 11, anchor="middle") for at, day in enumerate(DAYS)]
    parts += [lettered(name, 20, _TOP + row * _HIGH + 22, 11) for row, name in enumerate(sheet.names)]
    for row, day in sorted(sheet.marked | sheet.struck):
        x = _LEFT + DAYS.index(day) * _WIDE + rng.randint(22, 38)
        y = _TOP + row * _HIGH + rng.randint(14, 20)
        parts.append(_mark(x, y, ink, number % 2, struck=(row, day) in sheet.struck, rng=rng))
    if sheet.signed:
        wave = "".join(f"q6 {rng.randint(-26, -10)} 11 0t9 {rng.randint(-5, 5)}" for _ in range(6))
        parts.append(f'<path d="M112 {bottom + 38}{wave}" fill="none" stroke="{ink}" stroke-width="2"/>')
    page = np.empty((_HEIGHT + 24, _WIDTH + 24, 3))
    page[:] = (70, 72, 76)
    page[12:-12, 12:-12] = drawn("".join(parts), _WIDTH, _HEIGHT)
    page = tilted(page, rng.choice((-1.3, -0.8, 0.6, 1.1)), (70, 72, 76))
    return jpeg(taken(page, Look(number, grain=10, clouds=16, blur=number % 2, grey=number % 4 == 0, dark=0.2)), 36)


def _mark(x: int, y: int, ink: str, kind: int, *, struck: bool, rng: random.Random) -> str:
    """Draw a tick or a cross; a mark that was struck out lies under a scribble."""
    a, b = rng.randint(-2, 2), rng.randint(-2, 2)
    path = f"M{x - 7 + a} {y}L{x - 2} {y + 6}L{x + 9} {y - 9 + b}"
    if kind:
        path = f"M{x - 7 + a} {y - 7}L{x + 7} {y + 7 + b}M{x + 7 + b} {y - 7}L{x - 7} {y + 7}"
    if struck:
        path += (
            f"M{x - 15} {y + 5}L{x + 14} {y - 7}L{x - 13} {y + 1}L{x + 15} {y - 3}L{x - 12} {y - 5}L{x + 13} {y + 6}"
        )
    return f'<path d="{path}" fill="none" stroke="{ink}" stroke-width="2.2"/>'


def instances(crowd: Crowd) -> list[Made]:
    """Make the instances: who errs slips into a neighbouring row, or counts a mark that was struck out."""
    return [_instance(crowd, number, sheet) for number, sheet in enumerate(_sheets(), 1)]


def _instance(crowd: Crowd, number: int, sheet: Sheet) -> Made:
    def answers(worker: Worker) -> dict[str, str]:
        given = {}
        for row in range(NAMES_A_SHEET):
            read = row
            if worker.errs(0.04):
                read = row - 1 if row else 1
            for day in DAYS:
                wrong = worker.errs(0.35 if (read, day) in sheet.struck else 0.02)
                given[f"r{row + 1}_{day}"] = "on" if ((read, day) in sheet.marked) != wrong else ""
        return given | {
            "week": str(sheet.week + (worker.pick((-1, 1)) if worker.errs(0.06) else 0)),
            "signed": "on" if sheet.signed != worker.errs(0.12) else "",
        }

    truth: dict[str, Truth] = {
        f"r{row + 1}_{day}": "on" if (row, day) in sheet.marked else "" for row in range(NAMES_A_SHEET) for day in DAYS
    }
    truth |= {"week": str(sheet.week), "signed": "on" if sheet.signed else ""}
    inputs = {"picture": f"{number:02d}"} | {f"name_{row}": name for row, name in enumerate(sheet.names, 1)}
    return crowd.made(inputs, answers, truth, most=5)
