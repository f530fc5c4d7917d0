"""A shop of three pages, open in a browser that walks through it, for models that answer by a script."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from harness.actions.signature import ActionSpec
from harness.browser.browser_choice import NavigationPolicy
from harness.browser.input_back_end import DevtoolsInput, devtools_session
from harness.browser.launch import BrowserSettings
from harness.browser.site_browser import SiteBrowser
from harness.episode.action_sets import actions_of
from harness.episode.assignment import Page
from harness.episode.site_actions import SiteActions
from harness.episode.trajectory import Trajectory
from harness.records.config import Limits
from harness.solvers.models.recipe import Recipe, SiteRecipe
from harness.solvers.models.site_protocol import SiteProtocol
from tests.site import Site
from tests.solvers.scripted import Script, ScriptedService, Words

ORIGIN = "http://shop.test"
GOAL = "Put the red kettle into the cart"
HOME = (
    "<title>Shop</title><h1>Shop</h1><input id=q aria-label=Search><a href='/kettle'>Red kettle</a> "
    "<button disabled>Closed</button>"
)
KETTLE = "<title>Red kettle</title><h1>Red kettle</h1><p>19.90</p><a href='/cart'>Add to cart</a>"
CART = "<title>Cart</title><h1>Cart</h1><p>1 red kettle</p>"
LONG = f"<title>Long</title><p>{'word ' * 600}</p><a href='/'>Home</a>"


def put_shop(site: Site) -> None:
    """Let a server have the shop's pages."""
    for path, page in {"/": HOME, "/kettle": KETTLE, "/cart": CART, "/long": LONG}.items():
        site.put(page, path)


@contextmanager
def shop_browser(site: Site) -> Iterator[SiteBrowser]:
    """A browser whose tabs may visit the shop alone."""
    put_shop(site)
    policy = NavigationPolicy((ORIGIN,), {"shop.test": urlsplit(site.origin).netloc})
    with devtools_session(BrowserSettings(site.origin, policy=policy)).site as browser:
        yield browser


@dataclass
class Visit:
    """An episode that has just begun."""

    act: SiteActions
    page: Page


def visit(browser: SiteBrowser, path: str = "/", *, actions: str = "webcanvas", **more: Any) -> Visit:
    """Open a page of the shop; ``more`` are attributes of what a solver is told, or ``max_steps``."""
    limits = Limits(max_steps=more.pop("max_steps", 30))
    browser.clear()
    browser.open(f"{ORIGIN}{path}")
    act = SiteActions(browser, DevtoolsInput(browser), Trajectory(limits), actions_of(actions))
    return Visit(act, Page(f"{ORIGIN}{path}", (), (), 1, GOAL, (ORIGIN,), **more))


def recipe(site: Mapping[str, Any] | None = None, **more: Any) -> Recipe:
    """A recipe for websites that shows pages as text; ``site`` are attributes of its ``SiteRecipe``."""
    told = {"protocol": "site", "prompts": "site", "encoding": "text", "max_input_tokens": 4_000, **more}
    return Recipe("scripted", site=SiteRecipe(**(site or {})), **told)


def work(visited: Visit, script: Script, site: Mapping[str, Any] | None = None, **more: Any) -> ScriptedService:
    """Let a scripted model work; gives the service with what it was asked."""
    service = ScriptedService(script)
    SiteProtocol(recipe(site, **more), service, Words()).solve(visited.page, visited.act)
    return service


SPECS: Mapping[str, ActionSpec] = actions_of("webcanvas")
