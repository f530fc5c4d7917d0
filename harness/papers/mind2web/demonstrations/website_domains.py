"""What websites are about, by Mind2Web's names of domains; which of them fits a bundled site is our own choice."""

from __future__ import annotations

from collections.abc import Mapping

DOMAINS: Mapping[str, tuple[str, str]] = {
    "shop": ("Shopping", "General"),
    "travel": ("Travel", "Other"),
    "board": ("Service", "Social media"),
}
"""Name of a bundled site -> its domain and subdomain."""
UNKNOWN = ("", "")


def domain_of(website: str) -> tuple[str, str]:
    """Domain and subdomain of a website; empty for one that is not bundled, since nobody has said."""
    return DOMAINS.get(website, UNKNOWN)
