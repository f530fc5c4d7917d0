"""Keys of providers: read from the environment or a ``.env`` file, and kept out of every text.

A key is handed to the provider's library and nowhere else. ``redact`` takes it out of what goes into a message, a log
or a run directory, because a server may repeat what it was sent.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

from dotenv import dotenv_values

from harness.models.client import NoAccess

OTHER_KEY = "MODEL_API_KEY"
"""Environment variable of the key of a server that is no well-known one; most of those need none."""

REDACTED = "[key]"

_SHORTEST = 8
"""A text shorter than this is no key: taking it out would only spoil messages."""

_MASKED = re.compile(r"(?<![\w-])[\w-]*+\*{3,}+[\w-]*")
"""A key as providers repeat it, its middle replaced by asterisks."""

_known: set[str] = set()


def key(name: str) -> str:
    """The key in an environment variable, or else in the file ``.env`` of the current folder.

    Args:
        name: The variable, such as ``OPENAI_API_KEY``.

    Returns:
        The key, without white space around it; ``redact`` knows it from now on.

    Raises:
        NoAccess: If it is in neither place, or cannot be a key.
    """
    value = optional_key(name)
    if value is None:
        raise NoAccess(f"{name} is not set: export it, or write {name}=... into {Path.cwd() / '.env'}")
    return value


def optional_key(name: str) -> str | None:
    """As ``key``, but None if the key is in neither place.

    Raises:
        NoAccess: If what stands there cannot be a key.
    """
    value = (os.environ.get(name) or _from_file(name) or "").strip()
    if not value:
        return None
    # Such a value would come back within the library's complaint about an illegal header.
    if not (value.isascii() and value.isprintable()) or " " in value:
        raise NoAccess(f"{name} holds spaces, line breaks or characters that no key has: check how it was copied")
    if len(value) >= _SHORTEST:
        _known.add(value)
    return value


def redact(text: str) -> str:
    """The text with every key that was read so far, and every key that a provider masked, as ``[key]``."""
    return _MASKED.sub(REDACTED, without_keys(text))


def without_keys(text: str) -> str:
    """The text with every key that was read so far as ``[key]``, and nothing else changed: asterisks may be meant."""
    # The longest first: one key may begin another.
    for value in sorted(_known, key=len, reverse=True):
        text = text.replace(value, REDACTED)
    return text


def _from_file(name: str) -> str | None:
    return dotenv_values(Path.cwd() / ".env", interpolate=False).get(name)
