"""What the readers of all providers' answers share: JSON that anything may have written, counts, stop texts."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from typing import Any, NoReturn

from harness.models.client import Retryable

_BEGINNING = 20
"""Characters by which HTML is told from other answers."""


def body(text: str, server: str) -> Mapping[str, Any]:
    """The JSON object of an answer.

    Args:
        text: The answer.
        server: Who gave it, for the message.

    Raises:
        Retryable: If the answer is no JSON object, as when it was cut off or a proxy answered instead.
    """
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        value = None
    if is_web_page(text):
        raise web_page(server, "HTTP 200")
    if not isinstance(value, dict):
        raise unreadable(server, "no JSON object")
    return value


def is_web_page(text: str) -> bool:
    """Whether an answer is HTML."""
    return text.lstrip("\ufeff \t\r\n")[:_BEGINNING].lower().startswith(("<!doctype html", "<html"))


def web_page(server: str, status: str) -> Retryable:
    """The error for an answer that is a page for people."""
    words = f"{server} answers with a web page (HTML, {status}) instead of JSON: check --base-url"
    return Retryable(words, kind="web page")


def unreadable(server: str, what: str) -> Retryable:
    """The error for an answer of the wrong shape; ``what`` it is or lacks."""
    words = f"{server} gave an answer that cannot be read ({what}); if it goes on, check --base-url"
    return Retryable(words, kind="unreadable")


def arguments(written: Any) -> tuple[dict[str, Any], str]:
    """The arguments of a tool call.

    Args:
        written: A JSON object, or the text of one, as the model wrote it.

    Returns:
        Argument name to value, and nothing; or no arguments, and what was written.
    """
    value = written
    if isinstance(written, str):
        if not written.strip():  # Some servers write nothing for a call without arguments.
            return {}, ""
        try:
            value = json.loads(written, parse_constant=_no_number)
        except (ValueError, RecursionError):
            return {}, written
    if isinstance(value, dict):
        return value, ""
    return {}, written if isinstance(written, str) else repr(written)


def count(value: Any) -> int:
    """A number of tokens; 0 where an answer holds none."""
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0


def cost(value: Any) -> float | None:
    """An amount of US dollars, as a number or as the text of one; None where there is none."""
    try:
        amount = float(value) if isinstance(value, int | float | str) and not isinstance(value, bool) else -1.0
    except ValueError:
        return None
    return amount if 0 <= amount < math.inf else None


def likelihood(told: Any) -> float | None:
    """The geometric mean of the likelihoods of a reply's tokens, as chat completions tell them; None if they do not."""
    pieces = told.get("content") if isinstance(told, dict) else None
    logs = [piece.get("logprob") for piece in pieces or () if isinstance(piece, dict)]
    known = [float(each) for each in logs if isinstance(each, int | float) and each <= 0]
    return math.exp(math.fsum(known) / len(known)) if known else None


def cut(text: str, stop: Sequence[str]) -> str:
    """The text up to the first stop text, for servers that take fewer of them than were asked for, or none."""
    return text[: min((text.find(each) for each in stop if each and each in text), default=len(text))]


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")
