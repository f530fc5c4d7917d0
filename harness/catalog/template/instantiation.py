"""From a task's template to the page of one instance: `${variables}` filled in, then wrapped as AMT does.

Values go in as they are (HTML, quotes, anything) and in a single pass: a value that contains `${other}`
stays as it is, and so does text of the template that only looks like a variable.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping

from harness.catalog.template.markup import Piece, scan, silent_spans
from harness.catalog.template.wrapping import wrap

__all__ = ["instantiate", "placeholders", "render", "variables", "wrap"]

PLACEHOLDER = re.compile(r"\$\{([^{}]+)\}")
"""What may be a variable; its name is the first group."""

# What a missing column could be called. Anything else between the braces, such as the rest of an
# expression, is text.
_NAME = re.compile(r"\w+(?:[ .-]\w+)*")

# What browsers run (HTML standard, section 4.12.1), as far as it occurs.
_SCRIPT_TYPES = re.compile(r"(?:(?:text|application)/(?:x-)?(?:java|ecma|live|j)script.*|module|)", re.IGNORECASE)


def instantiate(template: str, inputs: Mapping[str, str]) -> str:
    """Fill the variables of a template in.

    Args:
        template: The text of template.html.
        inputs: Variable name -> value. `${name}` is replaced wherever it stands if `name` is a key; all
            else stays.

    Returns:
        The page, not yet wrapped.
    """
    return PLACEHOLDER.sub(lambda found: inputs.get(found[1], found[0]), template)


def render(template: str, inputs: Mapping[str, str], rewriter: Callable[[str], str] | None = None) -> str:
    """Return the page of one instance: the template with its variables filled in, wrapped as AMT does.

    Args:
        template: The text of template.html.
        inputs: Variable name -> value.
        rewriter: What leads outside addresses elsewhere (`harness.catalog.mirror.rewriting.Rewriter`), before the page
            is wrapped; None to leave them.
    """
    page = instantiate(template, inputs)
    return wrap(rewriter(page) if rewriter else page)


def placeholders(template: str) -> tuple[str, ...]:
    """Return everything that stands as `${...}` in a template, each once, in order of first occurrence.

    Whichever of these names a column is a variable; see `variables` for those that must name one.
    """
    return tuple(dict.fromkeys(PLACEHOLDER.findall(template)))


def variables(template: str) -> tuple[str, ...]:
    """Return the names that the template asks a value for, each once, in order of first occurrence.

    A page that goes out without a column for one of these shows the bare `${name}` to the worker. Not among
    them is text that only looks like a variable: what could not be a name (`${SENTENCES" + id + "}`), and
    what stands where `${...}` has a meaning of its own or none at all: in a template literal or a comment
    of a script, in a script block of a templating language, in an HTML comment.
    """
    text = list(_texts(template))
    names = (
        found[1]
        for found in PLACEHOLDER.finditer(template)
        if _NAME.fullmatch(found[1]) and not any(start <= found.start() < end for start, end in text)
    )
    return tuple(dict.fromkeys(names))


def _texts(template: str) -> Iterator[tuple[int, int]]:
    """Yield the spans of a template in which `${...}` need not be a variable."""
    for piece in scan(template):
        if piece.kind == "comment":
            yield piece.start, piece.end
        elif piece.kind == "raw" and piece.name == "script":
            yield from _script_texts(template, piece)
        elif piece.kind == "start":
            for name, (start, end) in piece.spans.items():
                if name.startswith("on"):
                    yield from silent_spans(template, start, end)


def _script_texts(template: str, piece: Piece) -> Iterator[tuple[int, int]]:
    kind = piece.attributes.get("type", "").strip()
    if _SCRIPT_TYPES.fullmatch(kind):
        yield from silent_spans(template, piece.start, piece.end)
    elif "json" not in kind.lower():
        yield piece.start, piece.end
