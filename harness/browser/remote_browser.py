"""Where a browser is that the harness does not start itself."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

BrowserPlace = Literal["here", "attached", "grid"]
"""Where the browsers of a run are: started on this machine, somebody's own, or lent by a Selenium Grid."""


@dataclass(frozen=True)
class RemoteBrowser:
    """A browser that runs elsewhere.

    Attributes:
        place: Whose it is.
        url: Of the Grid, or the browser's DevTools: ``http://HOST:PORT``, or its WebSocket.
    """

    place: Literal["attached", "grid"]
    url: str
