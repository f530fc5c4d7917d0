"""What tests of the bundled sites share: episodes begun, and clients that walk through them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.test import Client, override_settings

from turkle_app import agent_urls, urls
from turkle_app.sites.episodes import EPISODES
from turkle_app.sites.registry import find_site

AGENT = {"TURKLE_AGENT_MODE": True, "ROOT_URLCONF": agent_urls.__name__}
BROWSE = {"TURKLE_AGENT_MODE": False, "ROOT_URLCONF": urls.__name__}


class Visit:
    """An episode on a site, and a client in it.

    Attributes:
        client: Asks under the site's host name, with the episode's cookie.
    """

    def __init__(self, name: str, token: str) -> None:
        self._token = token
        self.client = Client(SERVER_NAME=f"{name}.test")
        self.client.cookies["episode"] = token

    @property
    def told(self) -> dict[str, Any]:
        """What the site tells of itself now."""
        episode = EPISODES.find(self._token)
        assert episode is not None
        return episode.state.told()


@contextmanager
def visit(name: str, seed: int = 0, variant: str = "", token: str = "episode-1") -> Iterator[Visit]:  # noqa: S107
    """A visit of a site in agent mode, whose episode ends with the context."""
    with override_settings(**AGENT):
        try:
            site = find_site(name)
            assert site is not None
            EPISODES.begin(token, site, seed, variant)
            yield Visit(name, token)
        finally:
            EPISODES.end(token)
