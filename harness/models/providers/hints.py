"""How long a provider asks to wait, from the headers and the body of its refusal.

Sources: RFC 9110 section 10.2.3 (``Retry-After``); OpenAI's documentation of rate limits (``x-ratelimit-*``) and its
libraries (``retry-after-ms``); ``google.rpc.RetryInfo`` in the details of Google's errors.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

_UNITS = {"h": 3600.0, "m": 60.0, "s": 1.0, "ms": 0.001, "us": 1e-6, "ns": 1e-9}
_DURATION = re.compile(r"(?:\d+(?:\.\d+)?(?:ms|us|ns|h|m|s))+")
_PIECE = re.compile(r"(\d+(?:\.\d+)?)(ms|us|ns|h|m|s)")
_RETRY_INFO = "type.googleapis.com/google.rpc.RetryInfo"
_LIMITS = ("requests", "tokens")


def wait(headers: Mapping[str, str], body: Any, now: datetime | None = None) -> float | None:
    """What a refusal says about when to try again.

    Args:
        headers: Of the answer, in any case.
        body: The answer's JSON, or whatever else it held.
        now: The present time, for dates in the headers; by default the answer's own ``Date``, or else the clock.

    Returns:
        Seconds, at least 0; None if nothing is said that can be understood.
    """
    known = {name.lower(): value for name, value in headers.items()}
    for seconds in (
        _number(known.get("retry-after-ms"), 0.001),
        _number(known.get("retry-after"), 1.0),
        _date(known.get("retry-after"), now or _moment(known.get("date")) or datetime.now(UTC)),
        _retry_info(body),
        _rate_limits(known),
    ):
        if seconds is not None:
            return max(0.0, seconds)
    return None


def duration(text: object) -> float | None:
    """Seconds of a duration such as ``1s``, ``6m0s``, ``20ms`` or ``1.5s``; None if it is none."""
    if not isinstance(text, str) or not _DURATION.fullmatch(text):
        return None
    return math.fsum(float(number) * _UNITS[unit] for number, unit in _PIECE.findall(text))


def _number(text: str | None, unit: float) -> float | None:
    try:
        number = float(text or "")
    except ValueError:
        return None
    return number * unit if math.isfinite(number) else None


def _moment(text: str | None) -> datetime | None:
    try:
        moment = parsedate_to_datetime(text or "")
    except ValueError:
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _date(text: str | None, now: datetime) -> float | None:
    moment = _moment(text)
    return None if moment is None else (moment - now).total_seconds()


def _retry_info(body: Any) -> float | None:
    match body:
        case [first]:  # Google wraps some errors in a list.
            return _retry_info(first)
        case {"error": {"details": list(details)}}:
            for detail in details:
                if isinstance(detail, dict) and detail.get("@type") == _RETRY_INFO:
                    return duration(detail.get("retryDelay"))
    return None


def _rate_limits(headers: Mapping[str, str]) -> float | None:
    """The reset of the limit that is used up; a reset tells when a limit is whole again, which is late enough."""
    resets = {name: duration(headers.get(f"x-ratelimit-reset-{name}")) for name in _LIMITS}
    told = {name: seconds for name, seconds in resets.items() if seconds is not None}
    used_up = [seconds for name, seconds in told.items() if headers.get(f"x-ratelimit-remaining-{name}") == "0"]
    return max(used_up, default=None) if used_up else min(told.values(), default=None)
