"""Where a browser may go: the page of one form, or a list of origins."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class NavigationPolicy:
    """Of the browser of one task.

    Attributes:
        origins: What its tabs may visit, e.g. ``http://shop.test``; none for a form, whose page is all there is and
            whose scripts are kept from leaving it, opening tabs and closing it.
        hosts: Host -> where it is served on this machine, e.g. ``shop.test`` -> ``127.0.0.1:8000``. Other hosts are not
            reached unless the browser's settings say ``live``.
    """

    origins: tuple[str, ...] = ()
    hosts: Mapping[str, str] = field(default_factory=dict)

    @property
    def is_site(self) -> bool:
        """Whether it lets pages lead elsewhere."""
        return bool(self.origins)


FORM = NavigationPolicy()
"""The page of one form."""
