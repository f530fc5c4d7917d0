"""Receipts as a flatbed scanner gives them: printed by a worn till, tilted, stained, folded."""

from __future__ import annotations

import random
from collections.abc import Sequence

import numpy as np

from tasks._generator.raster.film import Look, taken, tilted
from tasks._generator.raster.jpeg import jpeg
from tasks._generator.raster.letters import lettered
from tasks._generator.raster.vector import drawn

_WIDTH, _LINE = 420, 25
_GROUNDS = ((74, 70, 66), (52, 60, 74), (96, 78, 58))
_INKS = ("#2b2b33", "#3a3a4c", "#55504c")


def scan(lines: Sequence[Sequence[str]], number: int, rng: random.Random) -> bytes:
    """Print and scan a receipt.

    Args:
        lines: each a style (``head``, ``middle``, ``line``, ``bold`` or ``rule``) with its texts.
        number: of the receipt, which chooses ink and grain.
        rng: where dots fail, and where the stains are.

    Returns:
        A JPEG.
    """
    height = 70 + len(lines) * _LINE
    ink, worn = _INKS[number % 3], (0.0, 0.08, 0.15)[number % 3]
    parts = [f'<rect width="{_WIDTH}" height="{height}" fill="#fbf9f2"/>']
    if number % 2:
        fold = rng.randint(80, height - 80)
        parts.append(f'<path d="M0 {fold}H{_WIDTH}" fill="none" stroke="#8d867a" opacity=".35" stroke-width="3"/>')
    if number % 3 == 0:
        x, y = rng.randint(120, 300), rng.randint(150, height - 90)
        ring = 'fill="none" stroke="#9b6b3a" opacity=".28" stroke-width="8"'
        parts.append(f'<circle cx="{x}" cy="{y}" r="58" {ring}/>')
    for at, (style, *texts) in enumerate(lines):
        y = 52 + at * _LINE
        size, weight = (17, 0.15) if style == "head" else (12, 0.18) if style == "bold" else (11.5, 0.12)
        if style == "rule":
            dashes = "".join(f"M{x} {y - 5}h7" for x in range(24, _WIDTH - 24, 12))
            parts.append(f'<path d="{dashes}" fill="none" stroke="{ink}" stroke-width="1.4"/>')
        elif len(texts) == 1:
            size = min(size, size * 370 / (len(texts[0]) * 5.6 * size / 6))
            parts.append(
                lettered(texts[0], _WIDTH / 2, y, size, weight=weight, colour=ink, anchor="middle", gaps=worn, rng=rng)
            )
        else:
            for text, x, anchor in ((texts[0], 22, "start"), (texts[1], _WIDTH - 22, "end")):
                parts.append(lettered(text, x, y, size, weight=weight, colour=ink, anchor=anchor, gaps=worn, rng=rng))
    paper = drawn("".join(parts), _WIDTH, height)
    ground = _GROUNDS[number % 3]
    page = np.empty((height + 48, _WIDTH + 48, 3))
    page[:] = ground
    page[24:-24, 24:-24] = paper
    page = tilted(page, rng.choice((-2.2, -1.4, -0.7, 0.6, 1.1, 1.9)), ground)
    look = Look(number, grain=(10, 22, 16)[number % 3], clouds=16, dark=0.2, blur=number % 2, grey=number % 4 == 1)
    return jpeg(taken(page, look), 45)
