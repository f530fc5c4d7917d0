"""Baseline JPEG (ITU-T T.81) with the example tables of its annex K, in whole numbers."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

Pixels = NDArray[np.uint8]

_LUMA = (
    "16 11 10 16 24 40 51 61 12 12 14 19 26 58 60 55 14 13 16 24 40 57 69 56 14 17 22 29 51 87 80 62 "
    "18 22 37 56 68 109 103 77 24 35 55 64 81 104 113 92 49 64 78 87 103 121 120 101 72 92 95 98 112 100 103 99"
)
_CHROMA = (
    "17 18 24 47 99 99 99 99 18 21 26 66 99 99 99 99 24 26 56 99 99 99 99 99 47 66 99 99 99 99 99 99 " + "99 " * 32
)
_ZIGZAG = sorted(range(64), key=lambda at: (at // 8 + at % 8, at // 8 if (at // 8 + at % 8) % 2 else at % 8))
# How many codes have 1, 2, ... 16 bits, and what they stand for.
_DC = (
    ("00010501010101010100000000000000", "000102030405060708090a0b"),
    ("00030101010101010101010000000000", "000102030405060708090a0b"),
)
_AC = (
    (
        "0002010303020403050504040000017d",
        "01020300041105122131410613516107227114328191a1082342b1c11552d1f02433627282090a161718191a25262728292a3435363738"
        "393a434445464748494a535455565758595a636465666768696a737475767778797a838485868788898a92939495969798999aa2a3a4a5"
        "a6a7a8a9aab2b3b4b5b6b7b8b9bac2c3c4c5c6c7c8c9cad2d3d4d5d6d7d8d9dae1e2e3e4e5e6e7e8e9eaf1f2f3f4f5f6f7f8f9fa",
    ),
    (
        "00020102040403040705040400010277",
        "000102031104052131061241510761711322328108144291a1b1c109233352f0156272d10a162434e125f11718191a262728292a353637"
        "38393a434445464748494a535455565758595a636465666768696a737475767778797a82838485868788898a92939495969798999aa2a3"
        "a4a5a6a7a8a9aab2b3b4b5b6b7b8b9bac2c3c4c5c6c7c8c9cad2d3d4d5d6d7d8d9dae2e3e4e5e6e7e8e9eaf2f3f4f5f6f7f8f9fa",
    ),
)
_SCALE = 1 << 12
# The cosine transform in whole numbers: row u, column x.
_COSINES = np.array(
    [
        [
            round(_SCALE * (math.sqrt(1 / 8) if u == 0 else 0.5) * math.cos((2 * x + 1) * u * math.pi / 16))
            for x in range(8)
        ]
        for u in range(8)
    ],
    dtype=np.int64,
)
_Codes = dict[int, tuple[int, int]]


def jpeg(pixels: Pixels, quality: int = 50) -> bytes:
    """Compress a picture.

    Args:
        pixels: of shape (height, width, 3), red, green and blue.
        quality: 1 to 100, as other encoders count.

    Returns:
        The file.
    """
    height, width = pixels.shape[:2]
    tables = [_quantised(text, quality) for text in (_LUMA, _CHROMA)]
    parts = [b"\xff\xd8\xff\xe0\x00\x10JFIF\x00\x01\x01\x00\x00\x01\x00\x01\x00\x00"]
    for number, table in enumerate(tables):
        parts.append(_segment(0xDB, bytes([number, *(int(table[at]) for at in _ZIGZAG)])))
    size = height.to_bytes(2, "big") + width.to_bytes(2, "big")
    parts.append(_segment(0xC0, b"\x08" + size + b"\x03\x01\x22\x00\x02\x11\x01\x03\x11\x01"))
    codes: list[tuple[_Codes, _Codes]] = []
    for number, (dc, ac) in enumerate(zip(_DC, _AC, strict=True)):
        for kind, (counts, values) in enumerate((dc, ac)):
            parts.append(_segment(0xC4, bytes([kind << 4 | number]) + bytes.fromhex(counts) + bytes.fromhex(values)))
        codes.append((_codes(*dc), _codes(*ac)))
    parts.append(_segment(0xDA, b"\x03\x01\x00\x02\x11\x03\x11\x00\x3f\x00"))
    return b"".join(parts) + _scan(pixels, tables, codes) + b"\xff\xd9"


def _segment(marker: int, content: bytes) -> bytes:
    return bytes([0xFF, marker]) + (len(content) + 2).to_bytes(2, "big") + content


def _quantised(text: str, quality: int) -> NDArray[np.int64]:
    scale = 5000 // quality if quality < 50 else 200 - 2 * quality
    return np.clip((np.array(text.split(), dtype=np.int64) * scale + 50) // 100, 1, 255)


def _codes(counts: str, values: str) -> _Codes:
    found: _Codes = {}
    code, symbols = 0, iter(bytes.fromhex(values))
    for bits, count in enumerate(bytes.fromhex(counts), 1):
        for _ in range(count):
            found[next(symbols)] = (code, bits)
            code += 1
        code <<= 1
    return found


def _scan(pixels: Pixels, tables: list[NDArray[np.int64]], codes: list[tuple[_Codes, _Codes]]) -> bytes:
    height, width = pixels.shape[:2]
    padded = np.pad(pixels, ((0, -height % 16), (0, -width % 16), (0, 0)), mode="edge").astype(np.int64)
    red, green, blue = (padded[:, :, at] for at in range(3))
    planes = [
        (19595 * red + 38470 * green + 7471 * blue + 32768 >> 16) - 128,
        _halved(-11059 * red - 21709 * green + 32768 * blue + 32768 >> 16),
        _halved(32768 * red - 27439 * green - 5329 * blue + 32768 >> 16),
    ]
    blocks = [
        _coded(_transformed(plane, tables[min(at, 1)]), _order(plane.shape, at == 0), *codes[min(at, 1)])
        for at, plane in enumerate(planes)
    ]
    across, down = padded.shape[1] // 16, padded.shape[0] // 16
    text = "".join(
        part for at in range(across * down) for part in (*blocks[0][4 * at : 4 * at + 4], blocks[1][at], blocks[2][at])
    )
    text += "1" * (-len(text) % 8)
    return int(text, 2).to_bytes(len(text) // 8, "big").replace(b"\xff", b"\xff\x00")


def _halved(plane: NDArray[np.int64]) -> NDArray[np.int64]:
    return (plane[::2, ::2] + plane[1::2, ::2] + plane[::2, 1::2] + plane[1::2, 1::2] + 2) >> 2


def _order(shape: tuple[int, ...], fours: bool) -> NDArray[np.int64]:
    """The order in which the blocks of a plane are written: row by row, those of brightness by squares of four."""
    down, across = shape[0] // 8, shape[1] // 8
    numbers = np.arange(down * across).reshape(down, across)
    if fours:
        numbers = numbers.reshape(down // 2, 2, across // 2, 2).transpose(0, 2, 1, 3)
    return numbers.ravel()


def _transformed(plane: NDArray[np.int64], table: NDArray[np.int64]) -> NDArray[np.int64]:
    down, across = plane.shape[0] // 8, plane.shape[1] // 8
    blocks = plane.reshape(down, 8, across, 8).transpose(0, 2, 1, 3)
    waves = _COSINES @ blocks @ _COSINES.T
    divisor = table.reshape(8, 8) * _SCALE * _SCALE
    levels = np.sign(waves) * ((2 * np.abs(waves) + divisor) // (2 * divisor))
    return levels.reshape(down * across, 64)[:, _ZIGZAG]


def _coded(blocks: NDArray[np.int64], order: NDArray[np.int64], dc: _Codes, ac: _Codes) -> list[str]:
    blocks = blocks[order]
    made = [_symbol(dc, 0, step) for step in np.diff(blocks[:, 0], prepend=0).tolist()]
    last = [0] * len(made)
    known: dict[tuple[int, int], str] = {}
    which, places = np.nonzero(blocks[:, 1:])
    for block, place, level in zip(
        which.tolist(), (places + 1).tolist(), blocks[which, places + 1].tolist(), strict=True
    ):
        run = place - last[block] - 1
        last[block] = place
        if run > 15:
            made[block] += _bits(ac[0xF0]) * (run // 16)
            run %= 16
        code = known.get((run, level))
        if code is None:
            code = known[run, level] = _symbol(ac, run, level)
        made[block] += code
    end = _bits(ac[0])
    return [bits if place == 63 else bits + end for bits, place in zip(made, last, strict=True)]


def _symbol(codes: _Codes, run: int, level: int) -> str:
    size = abs(level).bit_length()
    value = level if level > 0 else level + (1 << size) - 1
    return _bits(codes[run << 4 | size]) + (f"{value:0{size}b}" if size else "")


def _bits(code: tuple[int, int]) -> str:
    return f"{code[0]:0{code[1]}b}"
