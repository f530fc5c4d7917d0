"""What is written in the pictures of a page, read by OCR (AutoWebGLM, Lai et al. 2024, section 2.2).

The library, RapidOCR, brings its models along and needs no network. It is the extra ``ocr``.
"""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import replace
from functools import cache, lru_cache

from PIL import Image

from harness.observe.snapshot import ELEMENT, Node, Snapshot

LIBRARY = "rapidocr_onnxruntime"
PICTURE_TEXT = "picture text"
"""By what name of an attribute a node has its words; no attribute in HTML has a blank in its name."""
LEAST_SIDE = 12
"""CSS pixels; in lower or narrower pictures nobody reads anything."""
MOST_PICTURES = 40
"""Pictures of a page that are read, in page order: each may take a second."""
LEAST_CONFIDENCE = 0.6
"""Of a line, from 0 to 1; what is less sure is left out."""

ReadPicture = Callable[[Image.Image], str]
"""What is written in a picture; empty if nothing is."""


def with_picture_texts(snapshot: Snapshot, png: bytes, read: ReadPicture | None = None) -> Snapshot:
    """The snapshot with what is written in the pictures that it shows, as attribute ``PICTURE_TEXT`` of their nodes.

    Args:
        snapshot: The page.
        png: The whole page at that moment, a pixel for a CSS pixel; pictures beyond its edges are not read.
        read: Reads a picture; None for RapidOCR.

    Raises:
        ModuleNotFoundError: there is no RapidOCR here, and it is needed.
    """
    places = [place for place, node in enumerate(snapshot.nodes) if _is_picture(node)][:MOST_PICTURES]
    if not places:
        return snapshot
    read = read or read_words
    nodes = list(snapshot.nodes)
    with Image.open(io.BytesIO(png)) as page:
        whole = page.convert("RGB")
    for place in places:
        left, top, width, height = nodes[place].box or (0, 0, 0, 0)
        right, bottom = min(left + width, whole.width), min(top + height, whole.height)
        left, top = max(left, 0), max(top, 0)
        if right - left < LEAST_SIDE or bottom - top < LEAST_SIDE:
            continue
        if words := " ".join(read(whole.crop((left, top, right, bottom))).split()):
            nodes[place] = replace(nodes[place], attributes=(*nodes[place].attributes, (PICTURE_TEXT, words)))
    return replace(snapshot, nodes=tuple(nodes))


def read_words(picture: Image.Image) -> str:
    """What RapidOCR reads in a picture, line by line; the same picture is read once in a process."""
    return _words(picture.size, picture.tobytes())


@lru_cache(maxsize=256)
def _words(size: tuple[int, int], pixels: bytes) -> str:
    import numpy as np  # noqa: PLC0415 - it and the library are needed here alone

    found, _ = _reader()(np.asarray(Image.frombytes("RGB", size, pixels))[:, :, ::-1])
    return "\n".join(text for _, text, confidence in found or () if float(confidence) >= LEAST_CONFIDENCE)


@cache
def _reader() -> Callable[..., tuple[list[tuple[object, str, float]] | None, object]]:
    from rapidocr_onnxruntime import RapidOCR  # noqa: PLC0415 - an extra

    # One thread: several workers read at once, and each has a browser beside it.
    return RapidOCR(intra_op_num_threads=1, inter_op_num_threads=1)  # type: ignore[no-any-return]


def _is_picture(node: Node) -> bool:
    is_one = node.text in ("img", "canvas") or (node.text == "input" and node.get("type") == "image")
    return node.type == ELEMENT and is_one and node.shown and node.box is not None
