"""Web addresses as templates spell them, brought to one form."""

from __future__ import annotations

import re
from urllib.parse import SplitResult, unquote, urljoin, urlsplit

_REMOTE = re.compile(r"\s*(?:https?:)?[/\\]{2}[^/\\]", re.IGNORECASE)
# Browsers drop these from addresses before anything else (URL standard, section 4.4).
_DROPPED = re.compile(r"[\t\n\r]")
_PORTS = {"http": 80, "https": 443}
_STATIC = re.compile(r"\.(?:js|mjs|css|woff2?|ttf|otf|eot|svg|map|json)$", re.IGNORECASE)
_UNSAFE = re.compile(r"[^A-Za-z0-9._-]+")


def is_remote(url: str) -> bool:
    """Whether an address names another host: http, https, or neither before two slashes."""
    return _REMOTE.match(url) is not None


def split(url: str) -> SplitResult | None:
    """Take a remote address apart, with https where it names no scheme; None for any other address."""
    if not is_remote(url):
        return None
    tidy = _DROPPED.sub("", url).strip()
    head, mark, rest = tidy.partition("?")
    tidy = head.replace("\\", "/") + mark + rest
    try:
        parts = urlsplit(f"https:{tidy}" if tidy.startswith("//") else tidy)
        _ = parts.port  # read for its error
    except ValueError:
        return None
    return parts if parts.hostname else None


def absolute(url: str) -> str:
    """Return a remote address with its scheme and without what stands behind "#"."""
    parts = split(url)
    return parts._replace(fragment="").geturl() if parts else url


def join(base: str, url: str) -> str:
    """Return an address as seen from another; as it is if there is no sense in them."""
    try:
        return urljoin(base, url)
    except ValueError:
        return url


def key(url: str) -> str:
    """Return what two spellings of a remote address have in common; "" for any other address.

    The scheme does not count, neither do default ports, escapes, and what stands behind "#".
    """
    parts = split(url)
    if parts is None:
        return ""
    port = f":{parts.port}" if parts.port and parts.port != _PORTS.get(parts.scheme.lower()) else ""
    query = f"?{unquote(parts.query)}" if parts.query else ""
    return f"{(parts.hostname or '').rstrip('.')}{port}{unquote(parts.path) or '/'}{query}"


def without_query(url: str) -> str:
    """Return the `key` of an address without its query, if that names a file, which a query cannot change.

    Templates add version numbers and times to defeat caches (``jquery.js?v=3``).
    """
    plain = key(url).partition("?")[0]
    return plain if _STATIC.search(plain) else ""


def file_name(url: str, default: str) -> str:
    """Return the last part of an address's path, of plain characters only."""
    parts = split(url)
    last = unquote(parts.path).rpartition("/")[2] if parts else ""
    return _UNSAFE.sub("-", last).strip("-.") or default
