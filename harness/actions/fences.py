"""Code fences in a model's text, told apart from the prose around them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_FENCE = re.compile(
    r"^[ \t]*+(?P<mark>`{3,}+|~{3,}+)(?P<rest>[^\n]*+)$"
    # Models also close a block on the line of its last call.
    r"|(?<=[);])[ \t]*+(?P<closer>`{3,}+|~{3,}+)[ \t\r]*+$",
    re.MULTILINE,
)
_TAG = re.compile(r"[\w+#.-]+")


@dataclass(frozen=True)
class Stretch:
    """A stretch of a text: what one fence holds, or prose.

    Attributes:
        text: The stretch, without the fence's own lines.
        fenced: Whether a fence holds it.
        tag: The language named after the opening fence, in lower case.
        closed: Whether the fence was closed.
    """

    text: str
    fenced: bool = False
    tag: str = ""
    closed: bool = True


def stretches(text: str) -> Iterator[Stretch]:
    """Splits a text at its fences (three or more backticks or tildes at the start of a line).

    A fence on one line (```` ```click(1, 2)``` ````) is prose. A call on the opening fence's line belongs to
    the block. A fence with a language tag ends an open block and starts another: a closing fence has none.

    Args:
        text: Any text.

    Yields:
        Fenced blocks and the prose between them, in order.
    """
    start = 0
    opened: tuple[str, str] | None = None
    for fence in _FENCE.finditer(text):
        mark = fence["mark"] or fence["closer"]
        rest = (fence["rest"] or "").strip()
        if opened is not None:
            opening, tag = opened
            if not mark.startswith(opening) or (rest and not _TAG.fullmatch(rest)):
                continue
            yield Stretch(text[start : fence.start()], fenced=True, tag=tag)
            opened = (mark, rest.lower()) if rest else None
            start = fence.end()
        elif fence["mark"] and mark not in rest:
            yield Stretch(text[start : fence.start()])
            has_call = "(" in rest
            opened = mark, "" if has_call else rest.partition(" ")[0].lower()
            start = fence.start("rest") if has_call else fence.end()
    if opened is not None:
        yield Stretch(text[start:], fenced=True, tag=opened[1], closed=False)
    else:
        yield Stretch(text[start:])
