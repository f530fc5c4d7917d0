"""Where the tags, comments and scripts of an HTML text stand, and the comments of a script: nothing is changed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from html import unescape

_CODE = re.compile(
    r"""(?P<comment>//[^\n]*|/\*.*?(?:\*/|\Z)|<!--[^\n]*)
      | "(?:\\.|[^"\\\n])*"? | '(?:\\.|[^'\\\n])*'?
      | (?:(?<=[=(,:;!&|?{}\[+\n])|\breturn\b)[ \t]*/(?![/*])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\[\n])+/
      | (?P<mark>[`{}])""",
    re.VERBOSE | re.DOTALL,
)
_LITERAL = re.compile(r"\\.|(?P<mark>`|\$\{)", re.DOTALL)


def silent_spans(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the spans of comments and of template literals in the script that stands between two positions.

    A literal's span takes in the expressions and literals that it holds. One that is never closed ends with
    the script.
    """
    opened: list[str] = []  # the braces and back quotes around the current position, outermost first
    literal = None  # where the outermost literal begins
    at = start
    while True:
        in_literal = bool(opened) and opened[-1] == "`"
        part = (_LITERAL if in_literal else _CODE).search(text, at, end)
        if part is None:
            break
        at = part.end()
        mark = part["mark"]
        if mark == "`" and in_literal:
            opened.pop()
            if literal is not None and "`" not in opened:
                yield literal, at
                literal = None
        elif mark == "`":
            opened.append("`")
            literal = part.start() if literal is None else literal
        elif mark in {"{", "${"}:
            opened.append("{")
        elif mark == "}" and opened:
            opened.pop()
        elif not in_literal and part["comment"] and literal is None:
            yield part.span()
    if literal is not None:
        yield literal, end


# Elements whose content is text up to their end tag. noscript is one of them where scripts run (section
# 13.2.6.4).
_RAW = frozenset({"script", "style", "textarea", "title", "xmp", "iframe", "noembed", "noframes", "noscript"})

_TAG_NAME = re.compile(r"[a-zA-Z][^\s/>]*")
_ATTRIBUTE = re.compile(
    r"""[\s/]*(?P<name>=?[^\s/>=]*)
        (?:\s*=\s*(?: "(?P<double>[^"]*)(?:"|\Z) | '(?P<single>[^']*)(?:'|\Z)
                  | (?P<bare>[^\s>"'][^\s>]*) | (?=>) ))?""",
    re.VERBOSE,
)
# A tag as most are, at one go. Whatever it does not match is read attribute by attribute.
_USUAL_TAG = re.compile(
    r"""<(/?+)([a-zA-Z][^\s/>]*+)
        (?> [\s/]++ [^\s/>="']++ (?> \s*+ = \s*+ (?> "[^"]*+" | '[^']*+' | [^\s>"'][^\s>]*+ ) )?+ )*+
        [\s/]*+ >""",
    re.VERBOSE,
)
_COMMENT_END = re.compile(r"--!?>")


class Piece:
    """One piece of an HTML text. Attributes are read when they are first asked for.

    Attributes:
        kind: "start" and "end" for tags, "text", "raw" (the content of an element whose content is text),
            "comment", "doctype".
        start: Where the piece begins in the text.
        end: Where the next piece begins.
        name: For tags, and for raw text the element it is in: the name in lower case. Else "".
    """

    __slots__ = ("_attributes", "_html", "_owner", "_spans", "end", "kind", "name", "start")

    def __init__(
        self, kind: str, start: int, end: int, name: str = "", html: str = "", *, owner: Piece | None = None
    ) -> None:
        self.kind = kind
        self.start = start
        self.end = end
        self.name = name
        self._html = html
        self._owner = owner
        self._attributes: dict[str, str] | None = None
        self._spans: dict[str, tuple[int, int]] = {}

    def __repr__(self) -> str:
        return f"Piece({self.kind!r}, {self.start}, {self.end}, {self.name!r})"

    @property
    def attributes(self) -> Mapping[str, str]:
        """For tags, and for raw text those of the element it is in.

        Name in lower case -> value with character references resolved; the first of equal names.
        """
        if self._owner is not None:
            return self._owner.attributes
        if self._attributes is None:
            self._read()
        return self._attributes or {}

    @property
    def spans(self) -> Mapping[str, tuple[int, int]]:
        """For tags: attribute name -> where its value stands, without quotes."""
        if self._attributes is None:
            self._read()
        return self._spans

    def _read(self) -> None:
        self._attributes = {}
        if self.kind not in {"start", "end"}:
            return
        name = _TAG_NAME.match(self._html, self.start + 1 + (self.kind == "end"))
        for found in _attributes(self._html, name.end() if name else self.end):
            key = found["name"].lower()
            if key and key not in self._attributes:
                group = found.lastgroup if found.lastgroup != "name" else None
                value = found[group] if group else ""
                self._attributes[key] = unescape(value) if "&" in value else value
                self._spans[key] = found.span(group) if group else (found.end(), found.end())


def scan(html: str) -> Iterator[Piece]:
    """Yield the pieces of an HTML text in order; together they cover the whole text."""
    at = text_from = 0
    while (mark := html.find("<", at)) >= 0:
        usual = _USUAL_TAG.match(html, mark)
        if usual:
            piece: Piece | None = Piece("end" if usual[1] else "start", mark, usual.end(), usual[2].lower(), html)
        else:
            piece = _markup(html, mark)
        if piece is None:
            at = mark + 1
            continue
        if text_from < mark:
            yield Piece("text", text_from, mark)
        yield piece
        at = text_from = piece.end
        if piece.kind == "start" and piece.name in _RAW:
            end = _raw_end(html, at, piece.name)
            if at < end:
                yield Piece("raw", at, end, piece.name, html, owner=piece)
            at = text_from = end
    if text_from < len(html):
        yield Piece("text", text_from, len(html))


def _markup(html: str, at: int) -> Piece | None:
    """Return the tag, comment or doctype that begins at a "<", None if that is a character of text."""
    if html.startswith("<!--", at):
        # "<!-->" and "<!--->" are whole comments; one that never ends takes the rest.
        short = next((end for end in ("<!-->", "<!--->") if html.startswith(end, at)), None)
        ends = _COMMENT_END.search(html, at + 4)
        end = at + len(short) if short else ends.end() if ends else len(html)
        return Piece("comment", at, end)
    if html.startswith(("<!", "<?"), at):
        end = html.find(">", at) + 1 or len(html)
        return Piece("doctype" if html[at + 2 : at + 9].lower() == "doctype" else "comment", at, end)
    is_end = html.startswith("</", at)
    name = _TAG_NAME.match(html, at + 1 + is_end)
    if name is None:
        return Piece("comment", at, html.find(">", at) + 1 or len(html)) if is_end else None
    position = name.end()
    for found in _attributes(html, position):
        position = found.end()
    end = min(position + 1, len(html))  # a tag that is never closed takes the rest, which browsers drop
    return Piece("end" if is_end else "start", at, end, name.group().lower(), html)


def _attributes(html: str, at: int) -> Iterator[re.Match[str]]:
    """Yield the attributes that stand in a tag from a position on, the last with the rest of the tag."""
    while (found := _ATTRIBUTE.match(html, at)) and found.end() > at:
        at = found.end()
        yield found


@cache
def _end_tag(name: str) -> re.Pattern[str]:
    return re.compile(rf"</{name}(?=[\s/>])", re.IGNORECASE)


def _raw_end(html: str, at: int, name: str) -> int:
    """Return where the end tag of a text element stands, or the end of the text."""
    found = _end_tag(name).search(html, at)
    return found.start() if found else len(html)
