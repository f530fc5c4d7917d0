"""A part of SVG as pixels: rectangles, circles, ellipses, paths of lines and quadratic curves, groups that move."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from xml.etree import ElementTree as ET

import numpy as np
from numpy.typing import NDArray

Point = tuple[float, float]
Floats = NDArray[np.float64]
_FINE = 3
"""Samples of a pixel in each direction."""
_TOKEN = re.compile(r"[A-Za-z]|-?\d*\.?\d+")
_MOVE = re.compile(r"(translate|scale|rotate)\(([^)]*)\)")
_CIRCLE = [(round(math.cos(at * math.pi / 32), 6), round(math.sin(at * math.pi / 32), 6)) for at in range(64)]
_STEPS = 10
_INHERITED = ("fill", "stroke", "stroke-width", "opacity")
_Matrix = tuple[float, float, float, float, float, float]


def drawn(svg: str, width: int, height: int) -> Floats:
    """Draw the content of an SVG element.

    Args:
        svg: its elements, without the element around them.
        width: in pixels; the drawing is as large.
        height: in pixels.

    Returns:
        Of shape (height, width, 3), from 0 to 255; white where nothing is.
    """
    canvas = np.full((height, width, 3), 255.0)
    for element in ET.fromstring(f"<svg>{svg}</svg>"):  # noqa: S314 - the drawing is our own
        _draw(canvas, element, (1, 0, 0, 1, 0, 0), {"fill": "#000", "stroke": "none", "stroke-width": "1"})
    return canvas


def _draw(canvas: Floats, element: ET.Element, matrix: _Matrix, style: Mapping[str, str]) -> None:
    given = {name: element.get(name, style.get(name, "")) for name in _INHERITED}
    if "opacity" in element.attrib and style.get("opacity"):
        given["opacity"] = str(float(element.attrib["opacity"]) * float(style["opacity"]))
    matrix = _moved(matrix, element.get("transform", ""))
    if element.tag == "g":
        for child in element:
            _draw(canvas, child, matrix, given)
        return
    lines = [([_placed(matrix, point) for point in line], closed) for line, closed in _outline(element)]
    alpha = float(given["opacity"] or 1)
    if not lines:
        return
    if given["fill"] != "none":
        _paint(canvas, lines, _colour(given["fill"]), alpha)
    if given["stroke"] != "none":
        scale = math.sqrt(abs(matrix[0] * matrix[3] - matrix[1] * matrix[2]))
        _paint(canvas, lines, _colour(given["stroke"]), alpha, float(given["stroke-width"]) * scale / 2)


def _outline(element: ET.Element) -> list[tuple[list[Point], bool]]:
    def at(name: str) -> float:
        return float(element.get(name, 0))

    if element.tag == "path":
        return _path(element.get("d", ""))
    if element.tag == "rect":
        left, top, right, bottom = at("x"), at("y"), at("x") + at("width"), at("y") + at("height")
        return [([(left, top), (right, top), (right, bottom), (left, bottom)], True)]
    across, down = (at("r"), at("r")) if element.tag == "circle" else (at("rx"), at("ry"))
    return [([(at("cx") + across * x, at("cy") + down * y) for x, y in _CIRCLE], True)]


def _path(text: str) -> list[tuple[list[Point], bool]]:
    lines: list[tuple[list[Point], bool]] = []
    tokens = _TOKEN.findall(text)
    here, control, command, at = (0.0, 0.0), (0.0, 0.0), "M", 0

    def take(count: int) -> list[float]:
        nonlocal at
        at += count
        return [float(token) for token in tokens[at - count : at]]

    while at < len(tokens):
        if tokens[at].isalpha():
            command, at = tokens[at], at + 1
        base = here if command.islower() else (0.0, 0.0)
        kind = command.upper()
        if kind == "Z":
            lines[-1] = (lines[-1][0], True)
            here = lines[-1][0][0]
        elif kind == "M":
            x, y = take(2)
            here = (base[0] + x, base[1] + y)
            lines.append(([here], False))
            command = "l" if command == "m" else "L"
        elif kind in "LHV":
            x, y = take(2) if kind == "L" else [*take(1), 0.0] if kind == "H" else [0.0, *take(1)]
            here = (here[0] if kind == "V" else base[0] + x, here[1] if kind == "H" else base[1] + y)
            lines[-1][0].append(here)
        elif kind == "C":
            x, y, u, v, p, q = take(6)
            first, control, end = ((base[0] + a, base[1] + b) for a, b in ((x, y), (u, v), (p, q)))
            lines[-1][0].extend(_cubic(here, first, control, end))
            here = end
        else:
            if kind == "Q":
                x, y = take(2)
                control = (base[0] + x, base[1] + y)
            else:
                control = (2 * here[0] - control[0], 2 * here[1] - control[1])
            x, y = take(2)
            end = (base[0] + x, base[1] + y)
            lines[-1][0].extend(_curve(here, control, end))
            here = end
        if kind not in "QTC":
            control = here
    return lines


def _curve(start: Point, control: Point, end: Point) -> list[Point]:
    made = []
    for step in range(1, _STEPS + 1):
        t = step / _STEPS
        a, b, c = (1 - t) * (1 - t), 2 * t * (1 - t), t * t
        made.append((a * start[0] + b * control[0] + c * end[0], a * start[1] + b * control[1] + c * end[1]))
    return made


def _cubic(start: Point, first: Point, second: Point, end: Point) -> list[Point]:
    made = []
    for step in range(1, _STEPS + 1):
        t = step / _STEPS
        r = 1 - t
        parts = (r * r * r, 3 * r * r * t, 3 * r * t * t, t * t * t)
        corners = (start, first, second, end)
        made.append(
            (
                sum(part * corner[0] for part, corner in zip(parts, corners, strict=True)),
                sum(part * corner[1] for part, corner in zip(parts, corners, strict=True)),
            )
        )
    return made


def _moved(matrix: _Matrix, transform: str) -> _Matrix:
    for kind, text in _MOVE.findall(transform):
        given = [float(part) for part in re.split(r"[ ,]+", text.strip())]
        if kind == "translate":
            step: _Matrix = (1, 0, 0, 1, given[0], given[1] if len(given) > 1 else 0)
        elif kind == "scale":
            step = (given[0], 0, 0, given[-1], 0, 0)
        else:
            cos, sin = (round(f(given[0] * math.pi / 180), 6) for f in (math.cos, math.sin))
            x, y = given[1:] if len(given) > 1 else (0.0, 0.0)
            step = (cos, sin, -sin, cos, x - cos * x + sin * y, y - sin * x - cos * y)
        a, b, c, d, e, f = matrix
        g, h, i, j, k, m = step
        matrix = (
            a * g + c * h,
            b * g + d * h,
            a * i + c * j,
            b * i + d * j,
            a * k + c * m + e,
            b * k + d * m + f,
        )
    return matrix


def _placed(matrix: _Matrix, point: Point) -> Point:
    a, b, c, d, e, f = matrix
    return a * point[0] + c * point[1] + e, b * point[0] + d * point[1] + f


def _stroked(lines: Iterable[tuple[Sequence[Point], bool]], half: float, shape: tuple[int, int]) -> NDArray[np.bool_]:
    """Which samples are no farther than half a stroke from a line; lines and width are in samples."""
    inside = np.zeros(shape, dtype=bool)
    for line, closed in lines:
        points = [*line, line[0]] if closed else list(line)
        for (x, y), (u, v) in zip(points, points[1:] or points, strict=False):
            left, right = max(0, math.floor(min(x, u) - half)), min(shape[1], math.ceil(max(x, u) + half) + 1)
            top, bottom = max(0, math.floor(min(y, v) - half)), min(shape[0], math.ceil(max(y, v) + half) + 1)
            if left >= right or top >= bottom:
                continue
            p = np.arange(left, right) + 0.5 - x
            q = (np.arange(top, bottom) + 0.5 - y)[:, None]
            a, b = u - x, v - y
            along = np.clip((p * a + q * b) / ((a * a + b * b) or 1.0), 0.0, 1.0)
            away = (p - along * a) ** 2 + (q - along * b) ** 2
            inside[top:bottom, left:right] |= away <= half * half
    return inside


def _paint(
    canvas: Floats,
    lines: Sequence[tuple[Sequence[Point], bool]],
    colour: Floats,
    alpha: float,
    half: float | None = None,
) -> None:
    """Fill lines, or with half the width of a stroke draw them."""
    points = [point for line, _ in lines for point in line]
    more = half or 0.0
    left = max(0, math.floor(min(x for x, _ in points) - more))
    right = min(canvas.shape[1], math.ceil(max(x for x, _ in points) + more) + 1)
    top = max(0, math.floor(min(y for _, y in points) - more))
    bottom = min(canvas.shape[0], math.ceil(max(y for _, y in points) + more) + 1)
    if left >= right or top >= bottom:
        return
    shape = ((bottom - top) * _FINE, (right - left) * _FINE)
    moved = [([((x - left) * _FINE, (y - top) * _FINE) for x, y in line], closed) for line, closed in lines]
    inside = _inside(moved, shape) if half is None else _stroked(moved, half * _FINE, shape)
    share = inside.reshape(bottom - top, _FINE, right - left, _FINE).sum(axis=(1, 3)) * (alpha / (_FINE * _FINE))
    area = canvas[top:bottom, left:right]
    area += share[:, :, None] * (colour - area)


def _inside(lines: Sequence[tuple[Sequence[Point], bool]], shape: tuple[int, int]) -> NDArray[np.bool_]:
    """Which samples are inside by the even-odd rule: each edge turns all samples to its right."""
    edges = np.array(
        [(*start, *end) for line, _ in lines for start, end in zip(line, [*line[1:], line[0]], strict=True)]
    )
    upside = edges[:, 1] > edges[:, 3]
    edges[upside] = edges[upside][:, [2, 3, 0, 1]]
    first = np.clip(np.ceil(edges[:, 1] - 0.5), 0, shape[0]).astype(np.int64)
    last = np.clip(np.ceil(edges[:, 3] - 0.5), 0, shape[0]).astype(np.int64)
    many = np.maximum(0, last - first)
    which = np.repeat(np.arange(len(edges)), many)
    rows = np.arange(many.sum()) - np.repeat(np.cumsum(many) - many, many) + first[which]
    x, y, u, v = edges[which].T
    columns = np.clip(np.ceil(x + (rows + 0.5 - y) * ((u - x) / (v - y)) - 0.5), 0, shape[1]).astype(np.int64)
    turns = np.bincount(rows * (shape[1] + 1) + columns, minlength=shape[0] * (shape[1] + 1))
    odd = np.cumsum(turns.reshape(shape[0], shape[1] + 1).astype(np.int32), axis=1)[:, :-1] & 1
    return odd.astype(bool)


def _colour(text: str) -> Floats:
    digits = text.removeprefix("#")
    if len(digits) == 3:
        digits = "".join(digit * 2 for digit in digits)
    return np.array([int(digits[at : at + 2], 16) for at in (0, 2, 4)], dtype=np.float64)
