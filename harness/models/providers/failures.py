"""From what went wrong with a call, as HTTP tells it, to an error that says what to do."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any
from urllib.parse import urlsplit

from harness.kit.text import shorten
from harness.models.client import ModelError, NoAccess, RequestRefused, Retryable
from harness.models.keys import OTHER_KEY, redact
from harness.models.providers.reading import is_web_page, web_page

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


_PASSING = (408, 409, 425, 429)
"""Statuses below 500 that pass: time-out, lock held, too early, rate limit."""

_OF_PROXIES = (*_PASSING, 401, 403, 404, 500, 502, 503, 504)
"""Statuses that say by themselves what is wrong, be it by a page in HTML as proxies write it."""

_NO_MONEY = ("insufficient_quota", "billing_error", "billing_hard_limit_reached", "credit_balance_too_low")

_TOO_LONG = re.compile(
    r"context[ _](?:length|size|window)|maximum context|prompt (?:is )?too long|too many (?:input )?tokens"
    r"|input token count|max_model_len",
    re.IGNORECASE,
)
"""Words and codes of servers for a request that the model's context does not hold: of OpenAI, Anthropic, Google, vLLM,
llama.cpp and Ollama."""

_NOT_TAKEN = (
    (
        re.compile(
            r"support(?:s|ed|ing)?\b[^.]{0,40}\btool|\btools?\b[^.]{0,40}\b(?:not (?:be )?support|requires? --)",
            re.IGNORECASE,
        ),
        "if it takes no tools, give --output text, or start the server so that it does",
    ),
    (
        re.compile(
            r"support(?:s|ed|ing)?\b[^.]{0,40}\b(?:image|vision|picture|multimodal)"
            r"|\b(?:image|vision|multimodal)s?\b[^.]{0,40}\bnot (?:be )?(?:support|enabled|allowed)"
            r"|not a multimodal model|at most 0 image",
            re.IGNORECASE,
        ),
        "if it takes no pictures, give --no-vision, or start the server so that it does",
    ),
    (
        re.compile(r"\bin v1/responses\b|\bnot a chat model\b", re.IGNORECASE),
        "it answers by OpenAI's Responses protocol alone: give --solver openai-computer --model NAME --output tools "
        "--encoding simplified, or a preset of your own with provider openai-responses",
    ),
)
"""Words for what a model or server does not take at all, whatever status they come with, and what to do: of OpenRouter
(404), vLLM and Ollama (400), llama.cpp (500) and OpenAI (404)."""

_CERTIFICATE = re.compile(r"CERTIFICATE_VERIFY_FAILED|certificate verify failed|self[- ]signed cert", re.IGNORECASE)

_OF_FEATURES = (400, 404, 415, 422, 500, 501)
"""Statuses with which servers refuse what they do not take at all."""

_LONGEST = 300


@dataclass(frozen=True)
class ProviderServer:
    """Whom a client talks to, for messages.

    Attributes:
        base_url: Where it is.
        key_name: The environment variable that its key is from; empty if no key is sent.
    """

    base_url: str
    key_name: str = ""

    @property
    def name(self) -> str:
        """Host, and port if there is one."""
        return urlsplit(self.base_url).netloc

    def timed_out(self, timeout: float) -> Retryable:
        """The error for an answer that did not come within ``timeout`` seconds."""
        return Retryable(f"{self.name} gave no answer within {timeout:.3g} s", kind="timeout")

    def unreachable(self, error: BaseException) -> Retryable:
        """The error for a connection that could not be made, or that broke."""
        reason = said(str(error)) or type(error).__name__
        if _CERTIFICATE.search(reason):
            return Retryable(
                f"the certificate of {self.base_url} cannot be trusted ({reason}): name the file with its authority's "
                "certificate in SSL_CERT_FILE, and check the name and the time",
                kind="unreachable",
            )
        words = f"no connection with {self.base_url} ({reason}): does the server run, is --base-url right?"
        return Retryable(words, kind="unreachable")

    def failure(
        self, model: str, status: int, *, code: str, message: str, headers: Mapping[str, str], body: Any
    ) -> ModelError:
        """The error for an answer that is none.

        Args:
            model: The model that was asked.
            status: HTTP status.
            code: The provider's word for the kind of error; may be empty.
            message: The provider's explanation.
            headers: Of the answer.
            body: The answer's JSON, or whatever else it held.

        Returns:
            ``Retryable`` with the provider's hint, ``NoAccess`` or ``RequestRefused``.
        """
        reason = f"HTTP {status}: {said(message) or 'no reason given'}"
        if code in _NO_MONEY or status == 402:
            return NoAccess(f"{self.name}: the account is out of credit or quota ({reason})")
        if 400 <= status < 520 and status not in _OF_PROXIES and is_web_page(message):
            return web_page(self.base_url, f"HTTP {status}")
        if status in _OF_FEATURES and (remedy := _remedy(f"{code} {message}")):
            return RequestRefused(f"{self.name} refused the request to {model} ({reason}): {remedy}")
        if status in _PASSING:
            return Retryable(f"{self.name}: {reason}", wait(headers, body))
        if status >= 500:
            return Retryable(f"{self.name}: {reason}", wait(headers, body), "server error")
        if status == 401:
            # Without the provider's words: they repeat parts of the key.
            return NoAccess(f"{self.name} does not accept (HTTP 401) {self._key()}")
        if status == 403:
            return NoAccess(f"{self.name} does not allow the use of {model} ({reason}) to {self._key()}")
        if status == 404:
            return NoAccess(f"{self.base_url} knows no model {model}: check --model and --base-url ({reason})")
        if 300 <= status < 400:
            return NoAccess(f"{self.base_url} sends callers elsewhere: check --base-url ({reason})")
        if _TOO_LONG.search(f"{code} {message}"):
            return RequestRefused(
                f"the request is longer than {model} of {self.name} takes: give --max-input-tokens a smaller number, "
                f"so that the page shrinks to fit ({reason})"
            )
        return RequestRefused(f"{self.name} refused the request to {model} ({reason})")

    def _key(self) -> str:
        return f"the key in {self.key_name}" if self.key_name else f"calls without a key: put one into {OTHER_KEY}"


def _remedy(message: str) -> str:
    return next((remedy for words, remedy in _NOT_TAKEN if words.search(message)), "")


def said(text: str) -> str:
    """Words of a server or library on one line, short, and without keys."""
    start = redact(text)[: 10 * _LONGEST]
    printable = "".join(character if character.isprintable() else " " for character in start)
    return shorten(" ".join(printable.split()), _LONGEST)
