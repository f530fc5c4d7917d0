"""Tasks on websites with ``--input desktop``: a window on an X display, its pointer and its keys."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator

import pytest
from PIL import Image

from harness.browser.browser_choice import NavigationPolicy
from harness.browser.desktop.desktop_input import DesktopSessions, desktop_sessions
from harness.browser.desktop.xserver import NoDisplay, XServer
from harness.browser.launch import SCREEN, BrowserSettings
from harness.catalog import Catalog
from tests.checkout import PROJECT
from tests.needs import DISPLAY, require
from tests.site import Site, done, in_page
from tests.sites.served import replay_task, site_browser
from tests.websites import ORIGIN, Acting, Website, website

CATALOG = Catalog(PROJECT / "tasks" / "_sites")
FIELD = "<input id=field style='position: fixed; left: 0; top: 0; width: 90px; height: 40px'>"
GREEN, BLUE = "<style>body { background: rgb(0, 90, 0) }</style>", "<style>body { background: rgb(0, 0, 90) }</style>"


@pytest.fixture(scope="module")
def display() -> Iterator[DesktopSessions]:
    require(*DISPLAY)
    with desktop_sessions(virtual=True) as sessions:
        yield sessions


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "seed"),
    [
        ("Shop - Puzzles with a coupon", 1),
        ("Travel - The cost of another date", 2),
        ("Board - Start an event", 3),
    ],
)
def test_a_trace_of_each_site_reaches_all_that_its_task_is_judged_by(
    display: DesktopSessions, name: str, seed: int
) -> None:
    with site_browser(name.partition(" ")[0].lower(), display.session) as session:
        replay = replay_task(session, CATALOG.task(name), seed=seed)
    assert replay.error == ""
    assert all(each.success for each in replay.evaluations.values())
    assert replay.evaluations.keys() >= {"key_nodes", "final_state"}


@pytest.fixture(scope="module")
def shop(site: Site, display: DesktopSessions) -> Iterator[Website]:
    with website(site, display.session) as live:
        yield live


def works(shop: Website, shown: Acting, colour: tuple[int, int, int]) -> bool:
    """Whether the picture is of the page of that colour, and its field is pressed and written in where it says."""
    done(shown.act.click(10, 10))
    done(shown.act.type("kettle"))
    held = in_page(shop.browser, "field.value + [innerWidth, innerHeight]")
    picture = Image.open(io.BytesIO(shop.session.input.capture()))
    return held == f"kettle{SCREEN[0]},{SCREEN[1]}" and picture.getpixel((SCREEN[0] - 1, SCREEN[1] - 1)) == colour


WAYS: dict[str, Callable[[Acting], object]] = {
    "the action": lambda shown: shown.act.new_tab("/other/"),
    "a link": lambda shown: shown.act.click_element(shown.ref("link")),
    "a window of its own": lambda shown: shown.act.click_element(shown.ref("small")),
}


@pytest.mark.slow
@pytest.mark.claim("desktop-tabs")
@pytest.mark.parametrize("way", WAYS)
def test_the_tab_that_is_shown_has_the_screen_and_the_keys(shop: Website, way: str) -> None:
    shop.put("/other/", FIELD + BLUE)
    small = "open('/other/', '', 'left=300,top=200,width=300,height=200')"
    links = f'<a id=link target=_blank href=/other/>more</a><p><button id=small onclick="{small}">less</button>'
    shown = shop.show(f"{FIELD}{GREEN}<div style='margin: 100px'>{links}</div>")
    assert works(shop, shown, (0, 90, 0))
    WAYS[way](shown)
    assert shown.url == f"{ORIGIN}/other/"
    assert works(shop, shown, (0, 0, 90))
    shown.act.switch_tab(0)
    in_page(shop.browser, "field.value = ''")
    assert works(shop, shown, (0, 90, 0))
    shown.act.switch_tab(1)
    shown.act.close_tab()
    in_page(shop.browser, "field.value = ''")
    assert works(shop, shown, (0, 90, 0))


def test_a_press_that_closes_its_tab_ends_in_the_one_before(shop: Website) -> None:
    shop.put("/other/", "<button id=end onclick='window.close()'>end</button>")
    shown = shop.show(f"{FIELD}{GREEN}<a id=link target=_blank rel=opener href=/other/ style='margin: 100px'>more</a>")
    done(shown.act.click_element(shown.ref("link")))
    done(shown.act.click_element(shown.ref("end")))
    assert [tab.number for tab in shown.act.tabs()] == [0]
    assert works(shop, shown, (0, 90, 0))


@pytest.mark.slow
@pytest.mark.claim("desktop-tabs")
def test_keys_reach_no_address_bar(shop: Website) -> None:
    shop.put("/other/", "<input id=field autofocus>")
    shown = shop.show("<p>Home</p>")
    done(shown.act.new_tab())
    done(shown.act.type(f"{ORIGIN}/\n"))
    assert shown.url == "about:blank"
    done(shown.act.goto(f"{ORIGIN}/other/"))
    done(shown.act.type("kettle"))
    assert in_page(shop.browser, "field.value") == "kettle"
    for _ in range(4):
        done(shown.act.press("Shift+Tab"))
        done(shown.act.type(f"{ORIGIN}/\n"))
        assert shown.url == f"{ORIGIN}/other/"


def test_an_address_that_is_none_of_the_task_s_stays_unreached(shop: Website) -> None:
    shown = shop.show("<a id=out href='http://elsewhere.test/'>out</a>")
    shown.act.click_element(shown.ref("out"))
    assert shop.browser.refused == ["http://elsewhere.test/"]


def test_on_a_display_with_windows_of_others_no_site_is_worked(site: Site, display: DesktopSessions) -> None:
    settings = BrowserSettings(site.origin, policy=NavigationPolicy((ORIGIN,)))
    with pytest.raises(NoDisplay, match="unset DISPLAY"):
        DesktopSessions(XServer(display.name)).session(settings)
