"""Replies that are to be one JSON object: read strictly, and refused in words that a model can mend."""

from __future__ import annotations

import json
from collections.abc import Collection
from typing import Any

from harness.actions.parser import stretches

LONGEST = 100_000
"""Characters of a reply that is read as JSON."""


def json_object(text: str, keys: Collection[str]) -> dict[str, Any]:
    """The JSON object that a text is, or that its only fenced block is.

    Args:
        text: What a model wrote.
        keys: Its keys: these, and no others.

    Raises:
        ValueError: it is no such object; the message says why.
    """
    if len(text) > LONGEST:
        raise ValueError(f"it has more than {LONGEST:,} characters")
    blocks = [part.text for part in stretches(text) if part.fenced]
    if len(blocks) > 1:
        raise ValueError("it holds more than one fenced block")
    try:
        found = json.loads(blocks[0] if blocks else text, object_pairs_hook=_without_doubles)
    except RecursionError:
        raise ValueError("it is nested too deep") from None
    except json.JSONDecodeError as error:
        raise ValueError(f"it is no JSON object: {error.msg} at character {error.pos}") from None
    if not isinstance(found, dict):
        raise ValueError("it is no JSON object")  # noqa: TRY004 - the shape of a text, to its writer
    if missing := [key for key in keys if key not in found]:
        raise ValueError(f"it lacks {', '.join(map(repr, missing))}")
    if foreign := [key for key in found if key not in keys]:
        raise ValueError(f"it has {', '.join(map(repr, foreign[:5]))} beside {', '.join(map(repr, keys))}")
    return found


def _without_doubles(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a key stands in it twice")
    return found
