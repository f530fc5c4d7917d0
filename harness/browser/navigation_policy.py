"""Where a browser may go: the page of one form, or a list of origins."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import urljoin, urlsplit

_QUERY = re.compile("[?#]")
_PORTS = {"http": 80, "https": 443}


@dataclass(frozen=True)
class NavigationPolicy:
    """Of the browser of one task.

    Attributes:
        origins: What its tabs may visit, e.g. ``http://shop.test``; none for a form, whose page is all there is and
            whose scripts are kept from leaving it, opening tabs and closing it.
        hosts: Host -> where it is served, e.g. ``shop.test`` -> ``127.0.0.1:8000``; without a port at those of
            ``origins``. Other hosts are not reached unless the browser's settings say ``live``.
    """

    origins: tuple[str, ...] = ()
    hosts: Mapping[str, str] = field(default_factory=dict)

    @property
    def is_site(self) -> bool:
        """Whether it lets pages lead elsewhere."""
        return bool(self.origins)

    def allows(self, url: str) -> bool:
        """Whether a tab may show an address, as far as its spelling tells: what is spelled oddly it may not."""
        return url == "about:blank" or split_origin(url) in {split_origin(origin) for origin in self.origins} - {None}

    def address(self, written: str, shown: str) -> str | None:
        """The address that is meant by one as people write it; None if a tab may not show that.

        Args:
            written: As a whole, without its scheme (``shop.test/cart``), or from the one that is shown (``/cart``).
            shown: The address that a tab shows.
        """
        written = written.strip()
        host = written.partition("/")[0]
        origin = next((each for each in self.origins if urlsplit(each).netloc == host), None)
        try:
            url = urljoin(shown, written if origin is None else origin + written.removeprefix(host))
        except ValueError:  # it is no address, such as one with half a bracket
            return None
        return url if self.allows(url) else None


def split_origin(url: str) -> tuple[str, str, int] | None:
    """Scheme, host and port of an address of the web; None of any other, and of one with a backslash.

    Browsers take that for a slash, so that what stands behind it is no part of the host as it seems to be.

    Args:
        url: An address or an origin, e.g. ``http://shop.test``.
    """
    if "\\" in _QUERY.split(url, maxsplit=1)[0]:
        return None
    try:
        parts = urlsplit(url)
        port = parts.port or _PORTS[parts.scheme]
    except (ValueError, KeyError):
        return None
    return (parts.scheme, parts.hostname, port) if parts.hostname else None


FORM = NavigationPolicy()
"""The page of one form."""
