"""A stranger's page with a field marked, for people who are asked about that field."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path


def marked(html: str, field: str) -> str:
    """Return a page that frames the controls of a field and brings them into sight.

    Args:
        html: The page. It runs in a sandbox, and the script that marks is one among its own.
        field: The field's name; whatever it holds, it is a text and nothing else.
    """
    name = json.dumps(field).replace("<", "\\u003c").replace(">", "\\u003e")
    return f"{html}\n<script>({_script()})({name});</script>"


@cache
def _script() -> str:
    return (Path(__file__).parent / "in_page" / "mark.js").read_text(encoding="utf-8").rstrip().rstrip(";")
