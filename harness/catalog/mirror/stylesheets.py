"""The addresses in a style: ``url(...)`` and ``@import``."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

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
