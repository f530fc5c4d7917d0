"""What makes a drawing look like a photograph or a scan: grain, light, stains, blur, a tilt."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tasks._generator.raster.jpeg import Pixels

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Look:
    """How a picture was taken.

    Attributes:
        seed: what its grain is made of.
        grain: the greatest departure of a pixel, 0 to 255.
        clouds: the same of large soft spots, as of uneven light or old paper.
        warmth: how much redder than blue, -1 to 1.
        dark: how far the corners are darkened, 0 to 1.
        blur: how often neighbours are averaged.
        grey: whether the colours are lost.
        contrast: 1 leaves it.
    """

    seed: int
    grain: float = 14
    clouds: float = 18
    warmth: float = 0.0
    dark: float = 0.25
    blur: int = 0
    grey: bool = False
    contrast: float = 1.0


def taken(picture: Floats, look: Look) -> Pixels:
    """Return a drawing as it looks when it was photographed or scanned."""
    height, width = picture.shape[:2]
    made = picture.copy()
    for _ in range(look.blur):
        made = _softened(made)
    made = 128 + (made - 128) * look.contrast
    made += (look.clouds * (clouds(width, height, look.seed) - 0.5) * 2)[:, :, None]
    if look.grey:
        made = made @ np.array([[0.3], [0.59], [0.11]]) * np.ones(3)
    made += np.array([18.0, 2.0, -18.0]) * look.warmth
    y, x = np.mgrid[0:height, 0:width]
    far = ((2 * x / width - 1) ** 2 + (2 * y / height - 1) ** 2) / 2
    made *= (1 - look.dark * far)[:, :, None]
    made += (look.grain * (scatter(width, height, look.seed) + scatter(width, height, look.seed + 77) - 1))[:, :, None]
    return np.clip(np.floor(made + 0.5), 0, 255).astype(np.uint8)


def scatter(width: int, height: int, seed: int) -> Floats:
    """Return numbers from 0 to 1 without any pattern, one a pixel."""
    y, x = np.mgrid[0:height, 0:width].astype(np.uint64)
    return _hashed(x, y, seed)


def clouds(width: int, height: int, seed: int) -> Floats:
    """Return numbers from 0 to 1 that change slowly from pixel to pixel."""
    made = np.zeros((height, width))
    for cell, weight in ((97, 0.5), (41, 0.3), (13, 0.2)):
        y, x = np.mgrid[0:height, 0:width]
        left, top = (x // cell).astype(np.uint64), (y // cell).astype(np.uint64)
        u, v = (x % cell) / cell, (y % cell) / cell
        u, v = u * u * (3 - 2 * u), v * v * (3 - 2 * v)
        corners = [[_hashed(left + dx, top + dy, seed + cell) for dx in (0, 1)] for dy in (0, 1)]
        upper = corners[0][0] + (corners[0][1] - corners[0][0]) * u
        lower = corners[1][0] + (corners[1][1] - corners[1][0]) * u
        made += weight * (upper + (lower - upper) * v)
    return made


def tilted(picture: Floats, degrees: float, ground: tuple[int, int, int]) -> Floats:
    """Turn a picture about its middle; what comes into view has the colour of the ground."""
    height, width = picture.shape[:2]
    cos, sin = (round(f(degrees * math.pi / 180), 6) for f in (math.cos, math.sin))
    y, x = np.mgrid[0:height, 0:width]
    a, b = x - width / 2, y - height / 2
    u, v = cos * a + sin * b + width / 2, cos * b - sin * a + height / 2
    left, top = np.floor(u).astype(np.int64), np.floor(v).astype(np.int64)
    outside = (left < 0) | (top < 0) | (left >= width - 1) | (top >= height - 1)
    left, top = np.clip(left, 0, width - 2), np.clip(top, 0, height - 2)
    u, v = (u - left)[:, :, None], (v - top)[:, :, None]
    upper = picture[top, left] + (picture[top, left + 1] - picture[top, left]) * u
    lower = picture[top + 1, left] + (picture[top + 1, left + 1] - picture[top + 1, left]) * u
    made = upper + (lower - upper) * v
    made[outside] = ground
    return made


def _softened(picture: Floats) -> Floats:
    padded = np.pad(picture, ((1, 1), (1, 1), (0, 0)), mode="edge")
    across = padded[:, :-2] + 2 * padded[:, 1:-1] + padded[:, 2:]
    return (across[:-2] + 2 * across[1:-1] + across[2:]) / 16


def _hashed(x: NDArray[np.uint64], y: NDArray[np.uint64], seed: int) -> Floats:
    mask = np.uint64(0xFFFFFFFF)
    made = (x * np.uint64(374761393) + y * np.uint64(668265263) + np.uint64(seed * 2246822519 % (1 << 32))) & mask
    made = ((made ^ (made >> np.uint64(13))) * np.uint64(1274126177)) & mask
    return ((made ^ (made >> np.uint64(16))) & np.uint64(0xFFFF)) / 65535.0
