"""Literals read out of a model's text, character by character: nothing is evaluated or compiled.

The grammar is Python's for text, numbers, lists and tuples, and JSON's ``true``, ``false`` and ``null``.
Bytes, f-strings, names, operators, calls and comprehensions are no literals, and the reason says so.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass

from harness.actions.call import MAX_NESTING, Literal
from harness.kit.text import shorten

WORD = r"[^\W\d]\w*+"
"""Pattern of an identifier. Look-alike letters are not folded together: a name is what its characters are."""

# Possessive quantifiers (`*+`) keep every pattern linear in the text that it reads.
_SPACE = re.compile(r"(?:[ \t\r\n\f]|\\\r?\n|#[^\n]*+)*+")
_TEXT = r"""
    '''(?P<a>[^'\\]*+(?:(?:\\.|'(?!''))[^'\\]*+)*+)'''
  | \"\"\"(?P<b>[^"\\]*+(?:(?:\\.|"(?!""))[^"\\]*+)*+)\"\"\"
  | '(?!'')(?P<c>[^'\\\n]*+(?:\\(?:\r\n|.)[^'\\\n]*+)*+)'
  | "(?!"")(?P<d>[^"\\\n]*+(?:\\(?:\r\n|.)[^"\\\n]*+)*+)"
"""
_STRING = re.compile(rf"(?P<prefix>[A-Za-z]{{0,2}}+)(?:{_TEXT})", re.VERBOSE | re.DOTALL)
_STRING_START = re.compile(r"(?P<prefix>[A-Za-z]{0,2}+)['\"]")
_NUMBER = re.compile(
    r"[+-]?(?:0[xX][0-9a-fA-F_]++|0[oO][0-7_]++|0[bB][01_]++"
    r"|(?P<float>[0-9_]*+\.[0-9_]++(?:[eE][+-]?[0-9_]++)?+|[0-9][0-9_]*+(?:\.?[eE][+-]?[0-9_]++|\.))"
    r"|[0-9][0-9_]*+)"
)
_WORD = re.compile(WORD)
_KEYWORD = re.compile(rf"({WORD})[ \t]*+=(?!=)")
_ESCAPE = re.compile(
    r"\\(?:(?P<line>\r?\n)|(?P<octal>[0-7]{1,3})|x(?P<x>[0-9a-fA-F]{2})|u(?P<u>[0-9a-fA-F]{4})"
    r"|U(?P<U>[0-9a-fA-F]{8})|N\{(?P<name>[^{}\n]{1,100})\}|(?P<plain>.))",
    re.DOTALL,
)
_PIECE = re.compile(
    rf"(?:{_TEXT})|\#[^\n]*+|(?P<open>[\[({{])|(?P<close>[\])}}])|\\\r?\n|[^'\"\#()\[\]{{}}\\]++",
    re.VERBOSE | re.DOTALL,
)
_FLAT = re.compile(rf"(?:{_TEXT}|\#[^\n]*+|\\\r?\n|[^\n'\"\#()\[\]{{}}\\]++)*+", re.VERBOSE | re.DOTALL)

_ESCAPES = {
    "\\": "\\", "'": "'", '"': '"',
    "a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v",
}  # fmt: skip
_WORDS: dict[str, Literal] = {
    "True": True, "False": False, "None": None, "true": True, "false": False, "null": None,
}  # fmt: skip
_CLOSERS = {"(": ")", "[": "]", "{": "}"}
_MAX_DIGITS = 400

_ALLOWED = "only text in quotes, numbers, True, False, None and lists of these are allowed"


class NotLiteralError(ValueError):
    """What was read is no literal; the message is for the model that wrote it.

    Attributes:
        position: Where the reading stopped.
    """

    def __init__(self, reason: str, position: int = 0) -> None:
        super().__init__(reason)
        self.position = position


@dataclass(frozen=True)
class Extent:
    """How far a stretch of code goes.

    Attributes:
        end: Where it ends; where it is best taken to end if a bracket is not closed.
        closed: Whether all brackets in it are closed.
        wasted: How many characters past the end were searched in vain for a closing bracket.
    """

    end: int
    closed: bool
    wasted: int = 0


def bracketed(text: str, opening: int) -> Extent:
    """Finds the end of what a bracket opens, with an eye for quotes and comments.

    Args:
        text: Any text.
        opening: Where the bracket stands.

    Returns:
        The stretch up to the place after the closing bracket. If there is none, up to the end of the line; if
        brackets nest too deep, up to where they do.
    """
    awaited: list[str] = []
    position = opening
    while (piece := _PIECE.match(text, position)) is not None:
        if piece["open"]:
            if len(awaited) > MAX_NESTING:
                return Extent(position, closed=False)
            awaited.append(_CLOSERS[piece["open"]])
        elif piece["close"]:
            if awaited.pop() != piece["close"]:
                break
            if not awaited:
                return Extent(piece.end(), closed=True)
        position = piece.end()
    end = line_end(text, opening)
    return Extent(end, closed=False, wasted=max(0, position - end))


def statement(text: str, position: int) -> Extent:
    """Finds the end of a Python statement: its line, and more lines while brackets or three quotes are open.

    Args:
        text: Any text.
        position: A place in the statement, outside of brackets and quotes.

    Returns:
        The stretch up to a line end. A bracket that is never closed holds no further lines.
    """
    while True:
        flat = _FLAT.match(text, position)
        position = flat.end() if flat else position
        if text[position : position + 1] not in ("(", "[", "{"):
            return Extent(line_end(text, position), closed=True)
        inner = bracketed(text, position)
        if not inner.closed:
            return Extent(line_end(text, inner.end), closed=False, wasted=inner.wasted)
        position = inner.end


def line_end(text: str, position: int) -> int:
    """Where the line of a position ends, before its line feed."""
    end = text.find("\n", position)
    return len(text) if end < 0 else end


def read_arguments(text: str, position: int) -> tuple[list[Literal], dict[str, Literal], int]:
    """Reads the arguments of a call up to its closing bracket.

    Args:
        text: The text that holds the call.
        position: The place after the opening bracket.

    Returns:
        The positional arguments, the keyword arguments, and the place after the closing bracket.

    Raises:
        NotLiteralError: If an argument is no literal, or the call does not end.
    """
    reader = _Reader(text, position)
    try:
        return reader.arguments()
    except NotLiteralError as error:
        raise NotLiteralError(str(error), reader.position) from None


def read_literal(text: str, position: int) -> tuple[Literal, int]:
    """Reads one literal.

    Args:
        text: The text that holds it.
        position: Where it starts; white space may come first.

    Returns:
        The value and the place after it.

    Raises:
        NotLiteralError: If no literal starts there.
    """
    reader = _Reader(text, position)
    reader.skip_space()
    try:
        return reader.value(depth=0), reader.position
    except NotLiteralError as error:
        raise NotLiteralError(str(error), reader.position) from None


def string_end(text: str, position: int) -> int | None:
    """The end of the one string in quotes that starts at a position, or None if none does."""
    string = _STRING.match(text, position)
    return string.end() if string else None


class _Reader:
    """A place in a text that moves on as literals are read."""

    def __init__(self, text: str, position: int) -> None:
        self.text = text
        self.position = position

    def skip_space(self) -> str:
        """Moves past white space and comments; returns the character found, empty at the end."""
        space = _SPACE.match(self.text, self.position)
        self.position = space.end() if space else self.position
        return self.text[self.position : self.position + 1]

    def arguments(self) -> tuple[list[Literal], dict[str, Literal], int]:
        positional: list[Literal] = []
        keywords: dict[str, Literal] = {}
        while self.skip_space() != ")":
            if keyword := _KEYWORD.match(self.text, self.position):
                name = keyword[1]
                if name in keywords:
                    raise NotLiteralError(f"the argument {shorten(name, 60)!r} is given twice")
                self.position = keyword.end()
                self.skip_space()
                keywords[name] = self.value(depth=0)
            elif keywords:
                raise NotLiteralError("an argument without a name comes after one with a name")
            else:
                positional.append(self.value(depth=0))
            self.separator(")")
        return positional, keywords, self.position + 1

    def separator(self, closer: str) -> bool:
        """Moves past a comma, or stops at the closing bracket; returns whether there was a comma."""
        match self.skip_space():
            case ",":
                self.position += 1
                return True
            case found if found == closer:
                return False
            case "":
                raise NotLiteralError(f"the closing {closer!r} is missing")
        raise NotLiteralError(self.why_no_separator(closer))

    def value(self, depth: int) -> Literal:
        start = self.text[self.position : self.position + 1]
        if _STRING_START.match(self.text, self.position):
            return self.string()
        if start and start in "([":
            if depth >= MAX_NESTING:
                raise NotLiteralError(f"brackets are nested more than {MAX_NESTING} deep")
            return self.sequence(start, depth)
        if number := _NUMBER.match(self.text, self.position):
            return self.number(number)
        if (word := _WORD.match(self.text, self.position)) and word[0] in _WORDS:
            self.position = word.end()
            return _WORDS[word[0]]
        raise NotLiteralError(self.why_no_literal())

    def sequence(self, opener: str, depth: int) -> Literal:
        closer = _CLOSERS[opener]
        self.position += 1
        items: list[Literal] = []
        comma = False
        while self.skip_space() != closer:
            items.append(self.value(depth + 1))
            comma = self.separator(closer)
        self.position += 1
        # Round brackets around one value without a comma only group it.
        return items[0] if opener == "(" and items and len(items) == 1 and not comma else items

    def string(self) -> str:
        """Reads one string and those that follow it directly, as Python joins them."""
        parts: list[str] = []
        end = self.position
        while start := _STRING_START.match(self.text, self.position):
            prefix = start["prefix"].lower()
            if parts and prefix and self.text[self.position - 1] in "'\"":
                break  # In 'It's' the letter belongs to an apostrophe, not to a second string.
            if "f" in prefix or "t" in prefix:
                raise NotLiteralError(f"f-strings are not allowed: {_ALLOWED}")
            if "b" in prefix:
                raise NotLiteralError(f"bytes are not allowed: {_ALLOWED}")
            if prefix not in ("", "r", "u"):
                raise NotLiteralError(f"{start['prefix']!r} cannot stand before a quote: {_ALLOWED}")
            string = _STRING.match(self.text, self.position)
            if string is None:
                raise NotLiteralError(
                    "a text in quotes does not end: inside it write \\n for a new line, and \\' or \\\" for"
                    " the quote that opened it, or put three quotes around it"
                )
            body = next(string[group] for group in "abcd" if string[group] is not None)
            body = body.replace("\r\n", "\n")
            parts.append(body if prefix == "r" else _ESCAPE.sub(_unescaped, body))
            self.position = end = string.end()
            self.skip_space()
        self.position = end
        return "".join(parts)

    def number(self, number: re.Match[str]) -> int | float:
        digits = number[0]
        self.position = number.end()
        written = shorten(digits, 30)
        if _WORD.match(self.text, self.position) or len(digits) > _MAX_DIGITS:
            raise NotLiteralError(f"{written!r} starts no number that is allowed: write texts in quotes")
        try:
            return float(digits) if number["float"] else int(digits, 0)
        except ValueError:
            raise NotLiteralError(f"{written!r} is not a number: write texts in quotes") from None

    def why_no_literal(self) -> str:
        rest = self.text[self.position : self.position + 100]
        if not rest:
            return "the call does not end: a closing bracket is missing"
        if word := _WORD.match(rest):
            name = shorten(word[0], 60)
            if word[0] == "lambda":
                return f"functions are not allowed as arguments: {_ALLOWED}"
            if re.match(r"\s*\(|\.", rest[word.end() :]):
                return f"{name!r} is not a value, and calls inside arguments are not allowed: {_ALLOWED}"
            return f"{name!r} is a name, not a value: write texts in quotes; {_ALLOWED}"
        if rest[0] in "“”‘’„«»`":
            return f"{rest[0]} opens no text: use the straight quotes ' or \""
        if rest[0] == "*":
            return f"* and ** arguments are not allowed: {_ALLOWED}"
        if rest[0] == "{":
            return f"dictionaries and sets are not allowed: {_ALLOWED}"
        return f"{rest[0]!r} starts no value: {_ALLOWED}"

    def why_no_separator(self, closer: str) -> str:
        rest = self.text[self.position : self.position + 40]
        before = self.text[self.position - 1]
        start = shorten(rest, 20)
        if re.match(r"(?:async|for)\b", rest):
            return f"comprehensions are not allowed: {_ALLOWED}"
        if before in "'\"" and rest[0].isalnum():
            return (
                f"a text ends at the quote {before} before {start!r}: inside a text write \\{before}, or put"
                " the other kind of quotes around it"
            )
        return f"{start!r} follows a value, where a comma or {closer!r} must stand: {_ALLOWED}"


def _unescaped(escape: re.Match[str]) -> str:
    """The text that an escape stands for, as in Python; an unknown escape stays as it is written."""
    groups: Mapping[str, str | None] = escape.groupdict()
    if groups["line"]:
        return ""
    if octal := groups["octal"]:
        return chr(int(octal, 8))
    if code := groups["x"] or groups["u"] or groups["U"]:
        if int(code, 16) > 0x10FFFF:
            raise NotLiteralError(f"{escape[0]} is not a character")
        return chr(int(code, 16))
    if name := groups["name"]:
        try:
            return unicodedata.lookup(name)
        except KeyError:
            raise NotLiteralError(f"{escape[0]} names no character") from None
    plain = groups["plain"] or ""
    if plain and plain in "xuUN":
        raise NotLiteralError(f"the escape \\{plain} is not complete: write \\\\ for a backslash")
    return _ESCAPES.get(plain, escape[0])
