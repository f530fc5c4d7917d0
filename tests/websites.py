"""A website for tests: pages of the test server under a host name of its own, in a browser that may visit them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from harness.browser.browser_choice import NavigationPolicy
from harness.browser.input_back_end import BrowserSession, SessionMaker, devtools_session
from harness.browser.launch import BrowserSettings
from harness.browser.site_browser import SiteBrowser
from harness.episode.action_sets import actions_of
from harness.episode.site_actions import SiteActions
from harness.episode.trajectory import Trajectory
from harness.records.config import Limits
from tests.site import Site

ORIGIN = "http://shop.test"


def whole(title: str, body: str) -> str:
    """A page with a title."""
    return f"<!DOCTYPE html><html><head><meta charset='utf-8'><title>{title}</title></head><body>{body}</body></html>"


@dataclass
class Website:
    """Pages under ``ORIGIN``, and a browser for them.

    Attributes:
        site: The server.
        session: The browser, which may visit ``ORIGIN`` only.
    """

    site: Site
    session: BrowserSession

    @property
    def browser(self) -> SiteBrowser:
        return self.session.site

    def put(self, path: str, body: str, title: str = "") -> str:
        """Serve a page; gives its address."""
        self.site.put(whole(title or path, body), path)
        return ORIGIN + path

    def show(self, body: str, *, path: str = "/", title: str = "Home", limits: Limits | None = None) -> Acting:
        """Begin an episode with a page."""
        url = self.put(path, body, title)
        self.browser.clear()
        self.browser.open(url)
        act = SiteActions(self.browser, self.session.input, Trajectory(limits), actions_of())
        act.moments.take(None)
        return Acting(act)


@dataclass
class Acting:
    """The actions on a page that is shown, and the numbers of its elements."""

    act: SiteActions

    def ref(self, mark: str) -> int:
        """The number that an observation now gives the element of an id, else of a tag."""
        nodes = self.act.observation.snapshot().nodes
        found = [node.ref for node in nodes if node.ref and mark in (node.get("id"), node.text)]
        assert len(found) == 1, f"{mark!r} is the mark of {len(found)} numbered elements"
        return found[0]

    @property
    def url(self) -> str:
        """The address that is shown."""
        return next(tab.url for tab in self.act.tabs() if tab.shown)

    def acted(self, step: int) -> list[tuple[str, str, str | None]]:
        """Event, selector and value of what trusted input reached during a step."""
        moments = [each for each in self.act.moments.moments if each.step == step and each.element]
        return [(each.event, each.element.css, each.element.value) for each in moments if each.element]


@contextmanager
def website(site: Site, make_session: SessionMaker = devtools_session) -> Iterator[Website]:
    """A website on a server of pages, with a browser of its own."""
    policy = NavigationPolicy((ORIGIN,), {"shop.test": site.origin.removeprefix("http://")})
    session = make_session(BrowserSettings(site.origin, policy=policy))
    try:
        yield Website(site, session)
    finally:
        session.input.close()
        session.browser.close()
