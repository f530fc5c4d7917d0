"""The states of sites, by episode: in memory, not more than a bound, and each behind a lock of its own."""

from __future__ import annotations

import re
import threading
from collections import OrderedDict
from dataclasses import dataclass, field

from turkle_app.sites.site import Site, SiteState

MOST = 1_000
"""States that are held at a time; one more, and that which was looked at the longest time ago is dropped."""
LARGEST_SEED = 2**63
_TOKEN = re.compile(r"[A-Za-z0-9_-]{8,128}")


@dataclass(frozen=True)
class SiteEpisode:
    """One episode's site.

    Attributes:
        site: Which.
        seed: Of its data.
        variant: Of its layout; empty for the usual one.
        state: What the episode has made of it so far.
        lock: Held by who reads or changes the state.
    """

    site: Site
    seed: int
    variant: str
    state: SiteState
    lock: threading.Lock = field(default_factory=threading.Lock, compare=False, repr=False)


class SiteEpisodes:
    """All episodes that this process knows, by token."""

    def __init__(self, most: int = MOST) -> None:
        """Begin with none.

        Args:
            most: How many are held at a time.
        """
        self._most = most
        self._by_token: OrderedDict[str, SiteEpisode] = OrderedDict()
        self._lock = threading.Lock()

    def begin(self, token: str, site: Site, seed: int, variant: str) -> SiteEpisode:
        """Make the state of an episode, in place of any that it had.

        Args:
            token: Who knows it is in the episode; see ``is_token``.
            site: Which site it is on.
            seed: Of the site's data.
            variant: Of its layout, one that the site has.

        Raises:
            SiteMissing: The site cannot be shown.
        """
        episode = SiteEpisode(site, seed, variant, site.make_state(seed, variant))
        with self._lock:
            self._by_token[token] = episode
            self._by_token.move_to_end(token)
            while len(self._by_token) > self._most:
                self._by_token.popitem(last=False)
        return episode

    def find(self, token: str) -> SiteEpisode | None:
        """Return the episode of a token, None if there is none (any more)."""
        with self._lock:
            episode = self._by_token.get(token)
            if episode is not None:
                self._by_token.move_to_end(token)
            return episode

    def end(self, token: str) -> None:
        """Drop an episode, if it is there."""
        with self._lock:
            self._by_token.pop(token, None)


def is_token(text: str) -> bool:
    """Whether a text can name an episode: 8 to 128 letters, digits, ``_`` and ``-``."""
    return _TOKEN.fullmatch(text) is not None


EPISODES = SiteEpisodes()
"""Those of this process. A server of several processes would not do: each would know some."""
