"""The task server's control API: how a run begins an episode on a bundled site, asks how it stands, and ends it."""

from __future__ import annotations

import http.client
import json
import secrets
import urllib.error
import urllib.request
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from harness.kit.errors import UserError

if TYPE_CHECKING:
    from harness.episode.site_assignment import SiteSetting

CONTROL_KEY = "TURKLE_CONTROL_KEY"
"""The environment variable by which the server is told the key; its pages never are."""
COOKIE = "episode"
"""The cookie by which a bundled site knows the episode."""
TOOLS_COOKIE = "page-tools"
"""The cookie by which a bundled site knows that its pages are to offer tools of their own."""
_SECONDS = 30.0


class SiteControlRefused(UserError):
    """The task server does not do what was asked of its control API; the message says why."""


class NoSuchSite(SiteControlRefused):
    """A bundled site or layout that is not there, or not on this machine."""


def new_key() -> str:
    """A key for one run."""
    return secrets.token_urlsafe(32)


def new_episode() -> str:
    """A name for one attempt at an episode, which nobody can guess."""
    return secrets.token_urlsafe(24)


class SiteControl:
    """The control API of one server."""

    def __init__(self, origin: str, key: str) -> None:
        """Say where it is.

        Args:
            origin: Of the task server.
            key: That it was started with.
        """
        self._origin = origin
        self._key = key

    def begin(self, episode: str, setting: SiteSetting) -> Any:
        """Make the site's state for an episode.

        Args:
            episode: Its name, as ``new_episode`` makes them.
            setting: What the site is made of.

        Returns:
            What the site tells of itself, as JSON holds it.

        Raises:
            NoSuchSite: there is no such site or variant, or its pages were not fetched.
            SiteControlRefused: the key is wrong, or the server is gone.
        """
        body = {"site": setting.site, "seed": setting.seed, "variant": setting.variant}
        return json.loads(self._ask("POST", episode, json.dumps(body).encode()))

    def absent(self, sites: Mapping[tuple[str, str], Sequence[str]]) -> dict[str, str]:
        """The tasks that do not find their sites, found out before the first of them is begun.

        Args:
            sites: Site and layout -> the tasks that are on it.

        Returns:
            Task -> why its site is not there; empty if all are.

        Raises:
            SiteControlRefused: the key is wrong, or the server is gone.
        """
        from harness.episode.site_assignment import SiteSetting  # noqa: PLC0415 - runs on forms do without

        found: dict[str, str] = {}
        for (site, variant), tasks in sites.items():
            episode = new_episode()
            try:
                self.begin(episode, SiteSetting(site, variant))
            except NoSuchSite as error:
                found |= dict.fromkeys(tasks, str(error))
                continue
            self.end(episode)
        return found

    def state(self, episode: str) -> Any:
        """What the site tells of itself now, as JSON holds it.

        Raises:
            SiteControlRefused: it knows no such episode (any more), the key is wrong, or the server is gone.
        """
        return json.loads(self._ask("GET", episode))

    def end(self, episode: str) -> None:
        """Let the site forget an episode; nothing is asked of one that it does not know.

        Raises:
            SiteControlRefused: the key is wrong, or the server is gone.
        """
        self._ask("DELETE", episode)

    def _ask(self, method: str, episode: str, body: bytes | None = None) -> bytes:
        request = urllib.request.Request(  # noqa: S310 - the run's own server
            f"{self._origin}/control/{quote(episode, safe='')}/",
            body,
            {"X-Control-Key": self._key, "Content-Type": "application/json"},
            method=method,
        )
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        try:
            with opener.open(request, timeout=_SECONDS) as answer:
                said: bytes = answer.read()
                return said
        except urllib.error.HTTPError as error:
            refusal = NoSuchSite if error.code == http.HTTPStatus.BAD_REQUEST else SiteControlRefused
            raise refusal(f"the task server refuses the site's episode: {_why(error)}") from error
        except (OSError, http.client.HTTPException) as error:
            raise SiteControlRefused(f"the task server cannot be asked for the site's state: {error}") from error


def _why(error: urllib.error.HTTPError) -> str:
    try:
        said = json.loads(error.read())
        return str(said["error"])
    except (OSError, ValueError, KeyError, TypeError):
        return f"status {error.code}"
