"""Pages that warn of their own content."""

from __future__ import annotations

import re
from pathlib import Path

from harness.kit.files.inside import read_inside

_WARNS = re.compile(
    r"\b(?:(?:adult|offensive|explicit|graphic|disturbing|toxic)\s+(?:content|material|language)"
    r"|(?:worker|viewer|reader)\s+discretion|(?:content|trigger)\s+warning|nsfw)\b"
)


def own_warning(template: Path) -> str:
    """Return what a page says of its own content, as a sentence for readers.

    Args:
        template: The file template.html; one that cannot be read is reported where tasks are read.

    Returns:
        The sentence; "" if the page warns of nothing.
    """
    try:
        text = read_inside(template.parent, template.name).decode(errors="replace").lower()
    except OSError:
        return ""
    found = _WARNS.search(text)
    return f"The page itself warns its readers: {' '.join(found[0].split())!r}." if found else ""
