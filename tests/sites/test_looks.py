"""A page of every kind of each bundled site in Chromium, in both layouts: on a telephone, and without barriers."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from harness.browser.input_back_end import BrowserSession
from tests.server.person import AXE, needs_axe
from tests.sites.served import TOKEN, begin, site_browser
from tests.sites.visits import Visit
from tests.sites.walk import FLIGHTS, do_something, kinds_of_pages

WIDTHS = (390, 1280)
BARRIERS = (
    "axe.run(document).then((all) => all.violations.flatMap((each) => each.nodes.map((node) =>"
    " `${each.id}: ${node.html.slice(0, 120)} ${node.failureSummary.slice(0, 160)}`)))"
)


@pytest.fixture(scope="module", params=["shop", "travel", "board"])
def site(request):
    """The name of a site, and the one browser for it."""
    with site_browser(request.param) as session:
        yield request.param, session


@pytest.fixture(scope="module", params=["", "moved"], ids=["plain", "moved"])
def looked_at(site, request):
    """A browser in an episode in which something was done, and the addresses of its kinds of pages."""
    name, session = site
    begin(session, name, 0, request.param)
    visited = Visit(name, TOKEN)
    do_something(visited, name)
    return session, [f"http://{name}.test{address}" for address in kinds_of_pages(visited, name).values()]


def in_page(session: BrowserSession, expression: str):
    told = session.site.channel.call("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
    assert "exceptionDetails" not in told, told
    return told["result"].get("value")


@pytest.mark.slow
def test_no_page_is_wider_than_the_window(looked_at):
    session, addresses = looked_at
    window = {"height": 800, "deviceScaleFactor": 1, "mobile": False}
    wide = {}
    for address in addresses:
        session.site.open(address)
        for width in WIDTHS:
            session.site.channel.call("Emulation.setDeviceMetricsOverride", width=width, **window)
            if (found := in_page(session, "document.documentElement.scrollWidth")) > width:
                wide[address, width] = found
    session.site.channel.call("Emulation.clearDeviceMetricsOverride")
    assert wide == {}


def barriers(session: BrowserSession, addresses: Iterable[str]) -> dict[str, list[str]]:
    """What keeps people out of pages, by their addresses."""
    found = {}
    for address in addresses:
        session.site.open(address)
        in_page(session, AXE.read_text(encoding="utf-8") + "; 0")
        found[address] = in_page(session, BARRIERS)
    return {address: each for address, each in found.items() if each}


@needs_axe
def test_no_page_keeps_people_out(looked_at):
    assert barriers(*looked_at) == {}


@needs_axe
def test_no_dialog_of_the_travel_portal_keeps_people_out():
    with site_browser("travel") as session:
        for variant in ("", "moved"):
            state = begin(session, "travel", 0, variant)
            assert barriers(session, ["http://travel.test/"]) == {}  # with the dialog about cookies
            state.consent.answered = True
            assert barriers(session, [f"http://travel.test{FLIGHTS}"]) == {}  # with the newsletter's


@needs_axe
@pytest.mark.parametrize("theme", ["dark", "sepia"])
def test_no_theme_of_the_board_keeps_people_out(theme):
    with site_browser("board") as session:
        begin(session, "board", 2).settings["appearance"]["theme"] = theme
        visited = Visit("board", TOKEN)
        do_something(visited, "board")
        pages = kinds_of_pages(visited, "board").values()
        assert barriers(session, [f"http://board.test{address}" for address in pages]) == {}
