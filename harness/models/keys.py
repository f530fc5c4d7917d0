"""Keys of providers: read from the environment or a ``.env`` file, and kept out of every text.

A key is handed to the provider's library and nowhere else. ``redact`` takes it out of what goes into a message, a log
or a run directory, because a server may repeat what it was sent.
"""

from __future__ import annotations

import base64
import os
import re
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from dotenv import dotenv_values
from msgspec import structs

from harness.models.client import NoAccess
from harness.models.messages import Reply, ToolCall

OTHER_KEY = "MODEL_API_KEY"
"""Environment variable of the key of a server that is no well-known one; most of those need none."""

REDACTED = "[key]"

KEY_NAMES = ("KEY", "TOKEN", "SECRET", "PASSWORD", "PASSWD", "PASSPHRASE", "CREDENTIALS", "COOKIE")
"""How the names of variables end that hold keys."""
_KEY_FORM = re.compile(
    r"((sk|pk|hf|gh[pousr]|github_pat|xox[a-z]|glpat|ya29)[-_.]|AIza|AKIA|Bearer )[\w-]{12,}"
    r"|\w+://[^/\s:@]*:[^/\s@]+@|eyJ[\w-]{8,}\.|(?=.*\d)(?=.*[A-Za-z])[A-Za-z0-9+=]{24,}$"
)
"""How keys begin that well-known services hand out, an address with a password in it, a signed token, and what nobody
would give a name to: long, and nothing but letters and digits."""

_SHORTEST = 8
"""A text shorter than this is no key: taking it out would only spoil messages."""

_MASKED = re.compile(r"(?<![\w-])[\w-]*+\*{3,}+[\w-]*")
"""A key as providers repeat it, its middle replaced by asterisks."""

_DIGIT = "[A-Za-z0-9+/_-]"
"""A digit of base64, in either alphabet."""

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
    _remember(value)
    return value


def looks_like_key(name: str, value: str) -> bool:
    """Whether the value of a variable is a key, as far as its name or its form tells."""
    return name.upper().endswith(KEY_NAMES) or bool(_KEY_FORM.match(value))


def setting(name: str) -> str | None:
    """What a variable that need not be a key is set to, in the environment or in ``.env``; None if it is not.

    ``redact`` knows it from now on if it looks like one.
    """
    value = (os.environ.get(name) or _from_file(name) or "").strip()
    if value and looks_like_key(name, value):
        _remember(value)
    return value or None


def redact(text: str) -> str:
    """The text with every key that was read so far, and every key that a provider masked, as ``[key]``."""
    return _MASKED.sub(REDACTED, without_keys(text))


def without_keys(text: str) -> str:
    """The text with every key that was read so far as ``[key]``, and nothing else changed: asterisks may be meant.

    A key is found as it is, percent-encoded as in an address, and in base64, also within something longer.
    """
    # The longest first: one key may begin another.
    for value in sorted(_known, key=len, reverse=True):
        text = text.replace(value, REDACTED)
        if "%" in text:
            text = _percent_encoded(value).sub(REDACTED, text)
        for digits in _in_base64(value):
            if digits in text:
                text = re.sub(f"{_DIGIT}?{re.escape(digits)}{_DIGIT}?={{0,2}}", REDACTED, text)
    return text


def _remember(value: str) -> None:
    if len(value) >= _SHORTEST:
        _known.add(value)


@cache
def _percent_encoded(value: str) -> re.Pattern[str]:
    """A key with any of its characters percent-encoded, once or more often."""
    return re.compile("".join(f"(?:{re.escape(sign)}|%(?:25)*(?i:{ord(sign):02x}))" for sign in value))


@cache
def _in_base64(value: str) -> frozenset[str]:
    """The digits that a key alone decides, for each place among the three bytes of a group, in both alphabets."""
    found = set()
    for before in range(3):
        data = bytes(before) + value.encode()
        first, end = -(-before * 8 // 6), len(data) * 8 // 6
        found |= {code(data).decode()[first:end] for code in (base64.b64encode, base64.urlsafe_b64encode)}
    return frozenset(found)


def _from_file(name: str) -> str | None:
    return dotenv_values(Path.cwd() / ".env", interpolate=False).get(name)


def redacted(reply: Reply) -> Reply:
    """A reply in which every key that was read so far is ``[key]``, wherever it stands."""
    return replace(
        reply,
        text=without_keys(reply.text),
        tool_calls=tuple(map(_redacted_call, reply.tool_calls)),
        finish=without_keys(reply.finish),
        model=without_keys(reply.model),
        note=without_keys(reply.note),
        thought=without_keys(reply.thought),
        native=tuple(map(_redacted_value, reply.native)),
        reasoning=tuple(_redacted_value(piece) for piece in reply.reasoning),
    )


def _redacted_call(call: ToolCall) -> ToolCall:
    return structs.replace(
        call,
        id=without_keys(call.id),
        name=without_keys(call.name),
        arguments=_redacted_value(call.arguments),
        malformed=without_keys(call.malformed),
        signature=without_keys(call.signature),
    )


def _redacted_value(value: Any) -> Any:
    """A JSON value with every text in it, names included, without keys."""
    match value:
        case str():
            return without_keys(value)
        case Mapping():
            return {without_keys(str(name)): _redacted_value(item) for name, item in value.items()}
        case list() | tuple():
            return [_redacted_value(item) for item in value]
    return value
