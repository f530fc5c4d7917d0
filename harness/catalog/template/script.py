"""Where the comments and template literals of a JavaScript text stand.

The lexer knows strings, comments, regular expressions and nested template literals (ECMAScript, section 12),
which is what it takes to tell the back quotes that open a literal from others. Telling a regular expression
from a division takes a parser; here it goes by what stands before the slash.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

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
