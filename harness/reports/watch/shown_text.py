"""Texts of strangers on a page: what cannot be seen gets a sign, and Markdown is shown as what it means."""

from __future__ import annotations

import re
import unicodedata
from functools import cache

from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt
from markdown_it.token import Token

from harness.kit.text import UNSEEN

_TAG = re.compile(r"(<[^>]*>)")
_LOWEST = 6
"""Of HTML's headings."""
_ABOVE = 4
"""The level of the heading that a reply stands below."""


def with_signs(html: str) -> SafeString:
    """HTML in whose text each control character and each that turns or hides others is a sign that names it.

    Args:
        html: As a template made it: in its attributes ``>`` is escaped. A carriage return before a line feed is none.
    """
    html = html.replace("\r\n", "\n")
    if UNSEEN.search(html):
        pieces = _TAG.split(html)
        pieces[::2] = [UNSEEN.sub(_sign, text) for text in pieces[::2]]
        html = "".join(pieces)
    return mark_safe(html)  # noqa: S308 - what was HTML, with elements of ours in it


def _sign(found: re.Match[str]) -> str:
    code, name = ord(found[0]), unicodedata.name(found[0], "a control character")
    return f'<span class="sign" data-code="{code:x}" title="{name}">U+{code:04X}</span>'


def markdown_html(text: str) -> SafeString:
    """What Markdown means, as HTML: HTML in it and links and pictures stay the text that they are."""
    parser = _parser()
    tokens = parser.parse(text)
    for token in tokens:
        _soften(token)
    return SafeString(parser.renderer.render(tokens, parser.options, {}))  # it escapes all but its own


@cache
def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False}).enable("table")
    return parser.disable(["link", "image", "autolink", "reference"])


def _soften(token: Token) -> None:
    """Put headings below ours, and leave away what would become an attribute."""
    if token.tag in {"h1", "h2", "h3", "h4", "h5", "h6"}:
        token.tag = f"h{min(_LOWEST, _ABOVE + int(token.tag[1]))}"
    token.info = ""
