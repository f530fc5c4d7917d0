"""The outside addresses of a page: scripts, styles, fonts, pictures, videos, sounds and frames that it asks for."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from html import unescape
from typing import Literal

from harness.catalog.mirror.addresses import absolute, is_remote, join
from harness.catalog.template.markup import Piece, scan, silent_spans

_ADDRESS = re.compile(
    r"""/\*.*?(?:\*/|\Z)
      | @import\s+(?P<import>"[^"\n]*"|'[^'\n]*')
      | (?P<rule>@import\s+)?\burl\(\s*(?P<url>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|[^\s"'()\\]*)\s*\)""",
    re.VERBOSE | re.DOTALL | re.IGNORECASE,
)


@dataclass(frozen=True)
class StyleAddress:
    """An address in a style.

    Attributes:
        url: The address, without quotes.
        start: Where it stands, without quotes.
        end: Where it ends.
        imports: Whether a further style is imported from it.
    """

    url: str
    start: int
    end: int
    imports: bool


def addresses(css: str) -> Iterator[StyleAddress]:
    """Yield the addresses of a style in order, those in comments left out."""
    for found in _ADDRESS.finditer(css):
        group = "import" if found["import"] is not None else "url"
        if found[group] is None:
            continue
        start, end = found.span(group)
        if css[start : start + 1] in {'"', "'"}:
            start, end = start + 1, end - 1
        if start < end:
            yield StyleAddress(css[start:end], start, end, group == "import" or found["rule"] is not None)


def rewrite(css: str, replace: Callable[[StyleAddress], str | None]) -> str:
    """Return a style with its addresses replaced.

    Args:
        css: The style.
        replace: Gives the new address, None to leave one as it is. The new one must not need quotes or escapes.
    """
    parts: list[str] = []
    done = 0
    for address in addresses(css):
        new = replace(address)
        if new is not None:
            parts += [css[done : address.start], new]
            done = address.end
    return "".join([*parts, css[done:]])


Kind = Literal["script", "style", "font", "image", "video", "audio", "iframe", ""]
Place = Literal["attribute", "style", "code", "value"]

MEDIA_KINDS = frozenset({"image", "video", "audio", "iframe"})

# An address of some other host stands in the text, those of XML namespaces apart: without one, nothing needs a look.
_ANY = re.compile(r"[/\\]{2,}(?!www\.w3\.org/)[\w\[]")
_BASE = re.compile(r"<base[\s/]", re.IGNORECASE)
# In scripts, where slashes may be escaped. Without a scheme it has to begin the text it is in.
_IN_CODE = re.compile(
    r"""(?:https?:|(?<=["'`])|(?<=&quot;)) \\?/\\?/ (?!www\.w3\.org) [\w-]+(?:\.[\w-]+)+ (?::\d+)?
        (?:\\?/[^\s"'`<>()\\]*)*""",
    re.VERBOSE | re.IGNORECASE,
)
_KIND_OF_END: dict[str, Kind] = {
    **dict.fromkeys(("js", "mjs"), "script"),
    "css": "style",
    **dict.fromkeys(("woff", "woff2", "ttf", "otf", "eot"), "font"),
    **dict.fromkeys(("png", "jpg", "jpeg", "gif", "webp", "svg", "bmp", "ico", "avif"), "image"),
    **dict.fromkeys(("mp4", "webm", "ogv", "mov", "m4v"), "video"),
    **dict.fromkeys(("mp3", "wav", "ogg", "oga", "m4a", "flac", "aac"), "audio"),
}
_END = re.compile(r"\.(\w+)(?:[?#].*)?$", re.DOTALL)
_ATTRIBUTES: dict[tuple[str, str], Kind] = {
    ("script", "src"): "script",
    ("img", "src"): "image",
    ("img", "lowsrc"): "image",
    ("image", "src"): "image",
    ("image", "href"): "image",
    ("image", "xlink:href"): "image",
    ("feimage", "href"): "image",
    ("feimage", "xlink:href"): "image",
    ("video", "src"): "video",
    ("video", "poster"): "image",
    ("audio", "src"): "audio",
    ("iframe", "src"): "iframe",
    ("frame", "src"): "iframe",
    ("embed", "src"): "iframe",
    ("object", "data"): "iframe",
    **{(name, "background"): "image" for name in ("body", "table", "thead", "tbody", "tfoot", "tr", "td", "th")},
}
_PRELOADED: dict[str, Kind] = {
    **{name: name for name in ("script", "style", "font", "image", "video", "audio")},
    "track": "video",
    "document": "iframe",
}
_PLAYERS: dict[str, Kind] = {"video": "video", "audio": "audio", "picture": "image"}
_QUOTED = re.compile(
    r"\s*(?:&(?:quot|apos|#0*3[49]|#x0*2[27]);)(.*?)(?:&(?:quot|apos|#0*3[49]|#x0*2[27]);)\s*", re.DOTALL
)
_SRCSET = re.compile(r"[\s,]*([^\s,](?:[^\s]*[^\s,])?)(?:\s+[^,]*)?(?:,|$)")
# Attributes that name other pages, or none at all.
_NOT_LOADED = frozenset({"href", "action", "formaction", "cite", "xmlns", "xmlns:xlink", "srcdoc", "content"})


@dataclass(frozen=True)
class Reference:
    """An outside address that a page asks for, or may ask for.

    Attributes:
        url: The address, with its scheme, and with character references resolved.
        kind: What is asked for; "" where that cannot be told, in scripts and values.
        place: "attribute" for an attribute that the browser loads from, "style" for a style sheet in the page or a
            style attribute, "code" for script, "value" for other attributes, from which script may take it.
        whole: Whether it is all of its attribute's value, or all of a string in a script.
        start: Where it stands in the page.
        end: Where it ends.
        tag: The start tag that it belongs to; None in a style or script element.
        attribute: The attribute it is in.
        player: The <video>, <audio> or <picture> that a <source> belongs to.
    """

    url: str
    kind: Kind
    place: Place = field(default="attribute", compare=False)
    whole: bool = field(default=True, compare=False)
    start: int = field(default=0, compare=False)
    end: int = field(default=0, compare=False)
    tag: Piece | None = field(default=None, compare=False, repr=False)
    attribute: str = field(default="", compare=False)
    player: Piece | None = field(default=None, compare=False, repr=False)


def may_have_references(html: str) -> bool:
    """Whether an outside address stands anywhere in a page; cheap."""
    return ("//" in html or "\\/" in html or "\\\\" in html) and _ANY.search(html) is not None


def references(html: str) -> list[Reference]:
    """Return the outside addresses that a page asks for, or may ask for, in order; those in comments left out.

    Addresses in scripts and in other values are among them where they stand alone there, and look like a file of one of
    the kinds.
    """
    if not may_have_references(html):
        return []
    return [found for found in find_references(html, list(scan(html))) if found.kind and found.whole]


def base_of(html: str, pieces: list[Piece]) -> str:
    """Return what a page's <base> says that relative addresses are relative to, if that is an outside address."""
    if not _BASE.search(html):
        return ""
    base = next((piece.attributes["href"] for piece in pieces if _is_base(piece)), "")
    return base.strip() if is_remote(base) else ""


def _is_base(piece: Piece) -> bool:
    return piece.kind == "start" and piece.name == "base" and "href" in piece.attributes


def find_references(html: str, pieces: list[Piece]) -> Iterator[Reference]:
    """Yield the references of a page that was scanned."""
    base = base_of(html, pieces)
    player: Piece | None = None
    for piece in pieces:
        if piece.kind == "start":
            player = piece if piece.name in _PLAYERS else player
            yield from _of_tag(html, piece, base, player)
        elif piece.kind == "end" and piece.name in _PLAYERS:
            player = None
        elif piece.kind == "raw" and piece.name == "style":
            yield from _of_style(html[piece.start : piece.end], piece.start, base, None, "")
        elif piece.kind == "raw" and piece.name == "script":
            yield from _of_code(html, (piece.start, piece.end), "code", None, "")


def _of_tag(html: str, piece: Piece, base: str, player: Piece | None) -> Iterator[Reference]:
    if not base and not _ANY.search(html, piece.start, piece.end):
        return
    for name, value in piece.attributes.items():
        start, end = piece.spans[name]
        if start == end:
            continue
        kind = _kind_of(piece, name, player)
        if kind is not None:
            url = _resolved(value, base)
            if url:
                yield Reference(url, kind, "attribute", True, start, end, piece, name, player)
        elif name in {"srcset", "imagesrcset"}:
            for found in _SRCSET.finditer(html, start, end):
                url = _resolved(unescape(found[1]), base)
                if url:
                    yield Reference(url, "image", "attribute", True, *found.span(1), piece, name)
        elif name == "style":
            yield from _of_style(html[start:end], start, base, piece, name)
        elif name.startswith("on"):
            yield from _of_code(html, (start, end), "code", piece, name)
        elif name not in _NOT_LOADED:
            yield from _of_code(html, (start, end), "value", piece, name)


def _resolved(url: str, base: str) -> str:
    """Return an address if it is an outside one, seen from the page's <base>; else ""."""
    url = url.strip()
    if base and url and not re.match(r"[a-z][a-z0-9+.-]*:|#", url, re.IGNORECASE):
        url = join(base, url)
    return absolute(url) if is_remote(url) else ""


def _kind_of(piece: Piece, attribute: str, player: Piece | None) -> Kind | None:
    """Return what a browser loads from an attribute, None if nothing."""
    tag, attributes = piece.name, piece.attributes
    if tag == "link" and attribute == "href":
        return _kind_of_link(attributes.get("rel", "").lower().split(), attributes.get("as", "").lower())
    if tag == "source" and attribute == "src":
        return _PLAYERS[player.name] if player else "video"
    if tag == "input" and attribute == "src":
        return "image" if attributes.get("type", "").strip().lower() == "image" else None
    kind = _ATTRIBUTES.get((tag, attribute))
    if kind == "iframe" and tag in {"embed", "object"} and attributes.get("type", "").lower().startswith("image/"):
        return "image"
    return kind


def _kind_of_link(rel: list[str], as_: str) -> Kind | None:
    if "stylesheet" in rel:
        return "style"
    if "modulepreload" in rel:
        return "script"
    if {"preload", "prefetch"} & set(rel):
        return _PRELOADED.get(as_)
    if any(word.endswith("icon") or word == "apple-touch-icon-precomposed" for word in rel):
        return "image"
    return None


def _of_style(css: str, offset: int, base: str, tag: Piece | None, attribute: str) -> Iterator[Reference]:
    for address in addresses(css):
        start, end, text = address.start, address.end, address.url
        if tag:
            # Its quotes may be written as character references, too.
            quotes = _QUOTED.fullmatch(text)
            start, end, text = (
                (start + quotes.start(1), start + quotes.end(1), quotes[1]) if quotes else (start, end, text)
            )
            text = unescape(text)
        url = _resolved(text, base)
        if url:
            kind: Kind = "style" if address.imports else "font" if kind_of_file(url) == "font" else "image"
            yield Reference(url, kind, "style", True, offset + start, offset + end, tag, attribute)


def _of_code(html: str, span: tuple[int, int], place: Place, tag: Piece | None, attribute: str) -> Iterator[Reference]:
    start, end = span
    comments: list[tuple[int, int]] | None = None
    for found in _IN_CODE.finditer(html, start, end):
        if place == "code":
            comments = list(_comments(html, start, end)) if comments is None else comments
            if any(first <= found.start() < last for first, last in comments):
                continue
            whole = html[found.start() - 1] == html[found.end() : found.end() + 1] and html[found.end()] in "\"'`"
        else:
            whole = found.span() == span
        url = absolute(unescape(found[0]) if tag else found[0].replace("\\/", "/"))
        yield Reference(url, kind_of_file(url), place, whole, *found.span(), tag, attribute)


def _comments(html: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the comments of a script, which `silent_spans` yields among template literals."""
    for span in silent_spans(html, start, end):
        if html.startswith(("//", "/*", "<!--"), span[0]):
            yield span


def kind_of_file(url: str) -> Kind:
    """Return what is at an address by the end of its path, "" if that says nothing."""
    found = _END.search(url)
    return _KIND_OF_END.get(found[1].lower(), "") if found else ""
