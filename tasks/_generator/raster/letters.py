"""Letters made of strokes, as SVG paths: for signs, scales of charts, receipts and handwriting."""

from __future__ import annotations

import random

# Each stroke is a chain of points on a grid of 4 columns (0 to 4, lower case narrower) and 6 rows (0 top, 6 the line).
_GLYPHS = {
    "A": "06 20 46,14 34", "B": "06 00 30 41 42 33 03,33 44 45 36 06", "C": "41 30 10 01 05 16 36 45",
    "D": "06 00 20 42 44 26 06", "E": "40 00 06 46,03 33", "F": "40 00 06,03 33",
    "G": "41 30 10 01 05 16 36 45 43 23", "H": "00 06,40 46,03 43", "I": "10 30,20 26,16 36",
    "J": "20 40,30 35 26 16 05", "K": "00 06,40 03 46", "L": "00 06 46", "M": "06 00 23 40 46",
    "N": "06 00 46 40", "O": "10 30 41 45 36 16 05 01 10", "P": "06 00 30 41 42 33 03",
    "Q": "10 30 41 45 36 16 05 01 10,24 46", "R": "06 00 30 41 42 33 03,23 46",
    "S": "41 30 10 01 02 13 33 44 45 36 16 05", "T": "00 40,20 26", "U": "00 05 16 36 45 40", "V": "00 26 40",
    "W": "00 16 22 36 40", "X": "00 46,40 06", "Y": "00 23 40,23 26", "Z": "00 40 06 46",
    "0": "10 30 41 45 36 16 05 01 10,41 05", "1": "11 20 26,16 36", "2": "01 10 30 41 42 06 46",
    "3": "01 10 30 41 42 33 23,33 44 45 36 16 05", "4": "36 30 04 44", "5": "40 00 02 32 43 45 36 06",
    "6": "40 20 02 05 16 36 45 44 33 03", "7": "00 40 16", "8": "13 02 01 10 30 41 42 33 13 04 05 16 36 45 44 33",
    "9": "06 26 44 41 30 10 01 02 13 43", ".": "16 26", ",": "25 17", ":": "22 23,25 26", "-": "13 33",
    "+": "13 33,22 24",
    "/": "40 06", "%": "06 40,00 11,35 46", "&": "46 02 01 10 20 31 32 05 16 26 43", "(": "30 11 15 36",
    ")": "10 31 35 16", "!": "20 24,25 26", "?": "01 10 30 41 42 23 24,25 26", "'": "20 21", '"': "10 11,30 31",
    "=": "12 32,14 34", "*": "11 35,31 15,21 25", "#": "10 16,30 36,02 42,04 44",
    "£": "41 30 20 12 16,06 46,03 33", "€": "41 30 20 02 04 26 36 45,02 32,04 34",
    "$": "41 30 10 01 02 13 33 44 45 36 16 05,20 26", "¥": "00 23 40,23 26,13 33,14 34",
}  # fmt: skip
_MARKS = {
    "´": "22 31",
    "`": "12 21",
    "^": "12 21 32",
    "¨": "11 12,31 32",
    "¸": "26 27 17",
    "˘": "11 22 31",
    "°": "11 21 22 12 11",
}
_PARTS = {
    "Ü": "U¨", "Ö": "O¨", "Ä": "A¨", "É": "E´", "È": "E`", "Ê": "E^", "Ç": "C¸", "À": "A`", "Â": "A^", "Å": "A°",
    "Ğ": "G˘", "Ş": "S¸", "İ": "I°", "Ñ": "N^",
}  # fmt: skip


def lettered(
    text: str,
    x: float,
    y: float,
    size: float,
    *,
    weight: float = 0.12,
    colour: str = "#222",
    slant: float = 0.0,
    shake: float = 0.0,
    rng: random.Random | None = None,
    anchor: str = "start",
    gaps: float = 0.0,
) -> str:
    """Write a line of text as an SVG path; small letters are written as capitals.

    Args:
        text: the text.
        x: where it starts, ends or has its middle, see ``anchor``.
        y: the line that letters stand on.
        size: the height of a letter.
        weight: how thick a stroke is, in heights.
        colour: of the strokes.
        slant: how far the top of a letter lies to the right, in heights.
        shake: how far points stray, in heights, as from a hand.
        rng: what they stray by; needed with ``shake``, and with ``gaps``.
        anchor: ``start``, ``middle`` or ``end``.
        gaps: the chance that a stroke is left out, as where a printer fails.

    Returns:
        A path element.
    """
    unit = size / 6
    x -= {"start": 0.0, "middle": 0.5, "end": 1.0}[anchor] * width(text, size)
    strokes = []
    for place, letter in enumerate(_upper(text)):
        for at, chain in enumerate(_strokes(letter)):
            # A worn printer leaves letters readable, their main stroke there and figures whole.
            if gaps and rng and at and letter.isalpha() and rng.random() < gaps:
                continue
            points = []
            for across, down in chain:
                stray = [rng.uniform(-shake, shake) * size if rng and shake else 0.0 for _ in range(2)]
                left = x + (place * 5.6 + across) * unit + slant * size * (6 - down) / 6 + stray[0]
                points.append(f"{left:.2f} {y - (6 - down) * unit + stray[1]:.2f}")
            strokes.append("M" + "L".join(points))
    width_of = max(1.0, weight * size)
    return f'<path d="{"".join(strokes)}" fill="none" stroke="{colour}" stroke-width="{width_of:.2f}"/>'


def width(text: str, size: float) -> float:
    """Return how long a line of text is."""
    return (len(_upper(text)) * 5.6 - 1.6) * size / 6 if text else 0.0


def _upper(text: str) -> str:
    return text.replace("ß", "SS").upper()


def _strokes(letter: str) -> list[list[tuple[float, float]]]:
    base, mark = _PARTS.get(letter, letter + " ")
    made = [
        [(float(at[0]), float(at[1])) for at in chain.split()] for chain in _GLYPHS.get(base, "").split(",") if chain
    ]
    # Marks stand above a capital, where there is no room on the grid, but the cedilla.
    up = 0.0 if mark == "¸" else 3.2
    made += [
        [(float(at[0]), float(at[1]) - up) for at in chain.split()]
        for chain in _MARKS.get(mark, "").split(",")
        if chain
    ]
    return made
