"""Outside addresses of a page, led to the task server: mirrored assets, stand-ins, and media or what stands for them.

Only the text of the addresses changes; all else of the page stays as its requester wrote it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path

from harness.catalog.mirror.media import Media, media_path, sized
from harness.catalog.mirror.mirror import MEDIA, Asset, Mirror, stand_in_for
from harness.catalog.mirror.references import (
    MEDIA_KINDS,
    Reference,
    base_of,
    find_references,
    may_have_references,
    references,
)
from harness.catalog.mirror.store import matches
from harness.catalog.template.markup import Piece, scan

__all__ = ["Reference", "Rewriter", "references"]

_Edit = tuple[int, int, str]

_PIXELS = re.compile(r"\s*(\d+)(?:\.\d*)?\s*(?:px)?\s*(?:!important)?\s*", re.IGNORECASE)
_STYLED = re.compile(r"(?:^|[;\s])(width|height)\s*:([^;]*)", re.IGNORECASE)


class Rewriter:
    """Rewrites pages so that they load from the task server what they would load from elsewhere.

    Args:
        mirror: The mirrored assets.
        media: A folder with the user's copies of remote pictures, videos, sounds and frames; None if there is none.
    """

    def __init__(self, mirror: Mirror, media: Path | None = None) -> None:
        self._mirror = mirror
        self._media = Media(media)

    def __call__(self, html: str) -> str:
        """Return a page with its outside addresses replaced, as far as something is served for them."""
        if not may_have_references(html):
            return html
        pieces = list(scan(html))
        found = list(find_references(html, pieces))
        edits = [edit for reference in found for edit in self._edits(reference)]
        if base_of(html, pieces):
            edits += _without_base(pieces)
        if any(map(_may_be_loaded, found)) and _scripted(pieces):
            at = _first_place(pieces)
            edits.append((at, at, f'<script src="{self._mirror.stand_in(MEDIA).path}"></script>'))
        return _edited(html, edits)

    def unserved(self, html: str) -> list[Reference]:
        """Return what a page asks for and does not get as it was, each once, in order.

        These are scripts, styles and fonts that are neither mirrored nor stood in for, and media of which there is no
        local copy, for which a placeholder is shown. A picture that script asks for is among them if its whole address
        stands in the script or in a value.
        """
        return [each for each in dict.fromkeys(references(html)) if not self._is_served(each)]

    def _is_served(self, reference: Reference) -> bool:
        if reference.kind in MEDIA_KINDS and self._media.find(reference.url):
            return True
        if self._mirror.lookup(reference.url):
            return True
        # Whether a script has a use for an address of a script or style in its text, nobody can say.
        return reference.kind not in MEDIA_KINDS and reference.place not in {"attribute", "style"}

    def _edits(self, reference: Reference) -> Iterator[_Edit]:
        asset = self._asset(reference)
        if asset:
            path = asset.path if reference.tag is None else escape(asset.path)
            yield reference.start, reference.end, path
            yield from _integrity(reference, asset)
        elif reference.place in {"attribute", "style"} and reference.kind in MEDIA_KINDS:
            width, height = _size(reference.tag)
            alt = _alternative(reference)
            path = media_path(reference.kind, reference.url, width, height, alt)
            yield reference.start, reference.end, path if reference.tag is None else escape(path)
            yield from _told(reference, alt)

    def _asset(self, reference: Reference) -> Asset | None:
        asset = self._mirror.lookup(reference.url)
        if asset is None or reference.place in {"attribute", "style"}:
            return asset
        # In a script the text may be the beginning of an address, or mean something else: what is replaced there has to
        # be what a loader asks for.
        loads = reference.kind in {"script", "style"} or bool(stand_in_for(reference.url))
        return asset if loads and reference.place == "code" else None


def _integrity(reference: Reference, asset: Asset) -> Iterator[_Edit]:
    """Empty an integrity attribute that the served bytes would not pass."""
    tag = reference.tag
    integrity = tag.attributes.get("integrity", "") if tag and reference.place == "attribute" else ""
    if tag and integrity and not matches(integrity, asset.hashes):
        yield *tag.spans["integrity"], ""


def _told(reference: Reference, alt: str) -> Iterator[_Edit]:
    """Let a player say what is missing, for a silent sound stands in for it: by a poster, or by its title."""
    player = reference.player
    if player is None or reference.kind not in {"video", "audio"}:
        return
    said, text = "title", " ".join(filter(None, (alt, reference.url)))
    if player.name == "video":
        said, text = "poster", media_path("image", reference.url, *sized("video", *_size(player)), alt)
    if said not in player.attributes:
        at = player.start + 1 + len(player.name)
        yield at, at, f' {said}="{escape(text)}"'


def _without_base(pieces: Sequence[Piece]) -> Iterator[_Edit]:
    """Empty the address of an outside <base>, against which the new addresses would be read."""
    for piece in pieces:
        if piece.kind == "start" and piece.name == "base" and "href" in piece.spans:
            yield *piece.spans["href"], ""


def _scripted(pieces: Sequence[Piece]) -> bool:
    return any(piece.kind == "start" and piece.name == "script" for piece in pieces)


def _may_be_loaded(reference: Reference) -> bool:
    """Whether script may load media from an address: it stands where only script sees it."""
    return reference.place in {"code", "value"} and reference.kind not in {"script", "style", "font"}


def _first_place(pieces: Sequence[Piece]) -> int:
    """Return where a first script can stand: behind the doctype, <html> and <head>, else at the start."""
    at = 0
    for piece in pieces:
        if piece.kind == "doctype" or (piece.kind == "start" and piece.name in {"html", "head"}):
            at = piece.end
        elif piece.kind == "start":
            break
    return at


def _size(tag: Piece | None) -> tuple[int | None, int | None]:
    """Return width and height of an element as far as its tag says, in pixels."""
    if tag is None:
        return None, None
    said = {name: tag.attributes[name] for name in ("width", "height") if name in tag.attributes}
    said |= {found[1].lower(): found[2] for found in _STYLED.finditer(tag.attributes.get("style", ""))}
    pixels = {name: _PIXELS.fullmatch(value) for name, value in said.items()}
    width, height = (int(found[1]) if (found := pixels.get(name)) else None for name in ("width", "height"))
    return width or None, height or None


def _alternative(reference: Reference) -> str:
    attributes = reference.tag.attributes if reference.tag else {}
    said = (attributes.get(name, "").strip() for name in ("alt", "title", "aria-label"))
    return next(filter(None, said), "")


def _edited(html: str, edits: Sequence[_Edit]) -> str:
    """Apply edits; of two that overlap, or insert at one place, the first."""
    parts: list[str] = []
    done = 0
    inserted = -1
    for start, end, text in sorted(edits, key=lambda edit: edit[:2]):
        if start >= done and (end > start or start > inserted):
            parts += [html[done:start], text]
            done = end
            inserted = start if start == end else inserted
    return "".join([*parts, html[done:]])
