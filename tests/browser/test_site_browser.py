"""A browser that walks through a site: ways, tabs, what is waited for, and what is told of it."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from typing import Any

import pytest
from PIL import Image

from harness.browser.browser import Browser, PageFailed
from harness.browser.camera.camera import Camera
from harness.browser.input import Input
from harness.browser.input_back_end import BrowserSession, DevtoolsInput, devtools_session
from harness.browser.launch import SCREEN
from harness.browser.live_page import PageClosed
from harness.browser.site_tabs import MOST_TABS, TabRefused
from harness.browser.tab import MOST_DOCUMENTS
from harness.browser.webdriver_session import FollowsNoTabs, webdriver_session
from harness.observe.snapshot import take
from tests.walks import SHOP, Walk, walking


@pytest.fixture(scope="module")
def walk_of_all() -> Iterator[Walk]:
    with walking() as walk:
        yield walk


@pytest.fixture
def walk(walk_of_all: Walk) -> Walk:
    """The one browser of this file, emptied."""
    walk_of_all.browser.clear()
    return walk_of_all


def element_at(tree: Any, place: tuple[int, ...]) -> Any:
    for number in place:
        tree = [child for child in tree[2] if isinstance(child, list)][number]
    return tree


# ---- ways ---------------------------------------------------------------------------------------------------------


def test_links_forms_and_redirects_lead_from_page_to_page(walk: Walk) -> None:
    walk.put("<h1>Cart</h1>", "/cart")
    walk.put("", "/buy", status=303, headers={"Location": "/cart"})
    walk.open("<a id=link href=/cart>cart</a><form action=/cart><input name=q value=tea><button>find</button></form>")
    walk.press("#link")
    assert walk.browser.tab.url == f"{SHOP}/cart"
    assert walk.page("document.querySelector('h1').innerText") == "Cart"
    walk.browser.back()
    walk.press("button")
    assert walk.browser.tab.url == f"{SHOP}/cart?q=tea"
    walk.open("<form method=post action=/buy><button>buy</button></form>")
    walk.press("button")
    assert walk.browser.tab.url == f"{SHOP}/cart"
    assert ("POST", "/buy") in walk.server.requests


def test_history_is_walked_as_in_any_browser(walk: Walk) -> None:
    for path in ("/one", "/two"):
        walk.open("", path)
    walk.page("history.pushState({}, '', '#more')")
    walk.browser.back()
    assert walk.browser.tab.url == f"{SHOP}/two"
    walk.browser.back()
    assert walk.browser.tab.url == f"{SHOP}/one"
    with pytest.raises(PageFailed, match="no page to go back to"):
        walk.browser.back()
    walk.browser.forward()
    assert walk.browser.tab.url == f"{SHOP}/two"
    walk.page("window.mark = 1")
    walk.browser.reload()
    assert walk.page("window.mark") is None
    walk.browser.forward()
    assert walk.browser.tab.url == f"{SHOP}/two#more"
    with pytest.raises(PageFailed, match="no page to go forward to"):
        walk.browser.forward()


@pytest.mark.claim("site-addresses")
@pytest.mark.parametrize("url", ["http://evil.test/", f"{SHOP}:81/", "https://shop.test/", "file:///etc/passwd", "x"])
def test_an_address_that_is_none_of_the_task_s_is_refused_in_words_and_the_page_stays(walk: Walk, url: str) -> None:
    shown = walk.open("<h1>Here</h1>")
    with pytest.raises(PageFailed, match=r"the task may visit http://shop\.test only"):
        walk.browser.open(url)
    with pytest.raises(PageFailed, match=r"the task may visit http://shop\.test only"):
        walk.browser.new_tab(url)
    assert (walk.browser.tab.url, len(walk.browser.tabs)) == (shown, 1)
    assert walk.page("document.querySelector('h1').innerText") == "Here"


LEAVING = [
    ("a redirect", {"status": 302, "headers": {"Location": "http://other.test/there"}}),
    ("a script", {"body": "<script>location = 'http://other.test/there'</script>"}),
]


@pytest.mark.slow
@pytest.mark.parametrize("live", [False, True])
def test_a_site_reaches_its_own_hosts_and_nothing_else_even_live(live: bool) -> None:
    with walking(live=live) as walk:
        walk.put("", "/there")
        walk.put("", "/own.css", kind="text/css")
        walk.put("", "/foreign.css", kind="text/css")
        for way, answer in LEAVING:
            walk.open("<a id=link href=/leave>leave</a>")
            walk.put(**{"body": "", "path": "/leave", **answer})
            walk.browser.refused.clear()
            walk.press("#link")
            assert walk.browser.refused == ["http://other.test/there"], way
            assert walk.browser.tab.url.startswith(SHOP), way
        walk.browser.clear()
        links = [f"{SHOP}/own.css", "http://other.test/foreign.css", f"{walk.server.origin}/foreign.css"]
        walk.open("".join(f"<link rel=stylesheet href={link}>" for link in links), "/linked")
        asked = {path for _, path in walk.server.requests}
        assert (asked & {"/own.css", "/foreign.css", "/there"}) == {"/own.css"}


def test_an_error_page_of_the_server_is_a_page(walk: Walk) -> None:
    walk.put("<h1>Not here</h1>", "/gone", status=404)
    walk.browser.open(f"{SHOP}/gone")
    assert walk.page("document.querySelector('h1').innerText") == "Not here"


def test_what_leads_to_no_page_leaves_the_page_where_it_is(walk: Walk) -> None:
    walk.put("", "/nothing", status=204)
    walk.put("text", "/file", headers={"Content-Disposition": "attachment; filename=a.txt"})
    shown = walk.open("<a id=nothing href=/nothing>nothing</a><a id=file href=/file>file</a>")
    for css in ("#nothing", "#file"):
        walk.press(css)
        assert walk.browser.tab.url == shown
    walk.browser.root.wait_until(lambda: walk.browser.refused == [f"download:{SHOP}/file"])
    with pytest.raises(PageFailed, match="ERR_ABORTED"):
        walk.browser.open(f"{SHOP}/nothing")


def test_dialogs_are_answered_with_yes_and_noted(walk: Walk) -> None:
    walk.open("<button onclick=\"window.said = [alert('a'), confirm('b'), prompt('c', 'Ada')]\">ask</button>")
    walk.page("addEventListener('beforeunload', (event) => event.preventDefault())")
    walk.press("button")
    assert walk.page("said") == [None, True, "Ada"]
    walk.open("<h1>Left</h1>", "/left")
    assert walk.browser.dialogs == ["alert:a", "confirm:b", "prompt:c", "beforeunload:"]


# ---- what is waited for -------------------------------------------------------------------------------------------


def test_what_a_press_sets_off_has_happened_when_the_page_has_settled(walk: Walk) -> None:
    walk.put("['green', 'black']", "/suggest", kind="application/json")
    walk.put("<h1>Later</h1>", "/later")
    walk.open(
        "<input oninput=\"setTimeout(async () => { const answer = await fetch('/suggest');"
        ' this.nextElementSibling.append(await answer.text()); }, 200)"><p></p>'
        "<button onclick=\"setTimeout(() => { location.href = '/later'; }, 200)\">go</button>"
    )
    walk.press("input")
    walk.type("t")
    assert "green" in str(walk.page("document.querySelector('p').innerText"))
    walk.press("button")
    assert walk.page("document.querySelector('h1').innerText") == "Later"


@pytest.mark.slow
def test_a_page_that_loads_itself_again_without_end_is_waited_for_so_often_and_no_more(walk: Walk) -> None:
    walk.open("<script>setTimeout(() => location.reload())</script>", "/again")
    walk.browser.settle()
    assert walk.server.requests.count(("GET", "/again")) >= MOST_DOCUMENTS
    # What the page asked for last may come after any address that is opened in its tab.
    walk.browser.clear()
    walk.open("<h1>Elsewhere</h1>", "/elsewhere")
    assert walk.page("document.querySelector('h1').innerText") == "Elsewhere"


@pytest.mark.slow
def test_a_picture_that_is_asked_of_a_document_which_is_left_is_one_of_the_next(walk: Walk) -> None:
    url = walk.put("<body style='background: rgb(0, 255, 0)'>", "/next")
    # The first document has no frame before it is left, since its script goes on; the next has another process.
    walk.browser.channel.post(
        "Runtime.evaluate", expression="setTimeout(() => { for (const end = Date.now() + 1000; Date.now() < end; ); })"
    )
    walk.browser.channel.post("Page.navigate", url=url)
    with Image.open(io.BytesIO(walk.browser.picture())) as picture:
        assert picture.convert("RGB").getpixel((9, 9)) == (0, 255, 0)


def test_a_press_that_leads_nowhere_costs_one_stand_still_beside_its_own(walk: Walk) -> None:
    walk.open("<button>nothing</button>")
    walk.press("button")
    before = walk.browser.channel.waits
    walk.browser.settle()
    walk.browser.take_moments()
    assert walk.browser.channel.waits - before == 1


# ---- tabs ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "opener",
    [
        "<a id=open href=/new target=_blank>new</a>",
        "<a id=open href=/new target=_blank rel=opener>new</a>",
        "<button id=open onclick=\"window.open('/new')\">new</button>",
        "<form action=/new target=_blank><button id=open>new</button></form>",
    ],
)
def test_a_tab_that_a_page_opens_becomes_the_current_one_and_its_opener_when_it_closes(walk: Walk, opener: str) -> None:
    walk.put("<button id=leave onclick='window.close()'>close</button>", "/new")
    shown = walk.open(opener)
    walk.press("#open")
    assert [tab.number for tab in walk.browser.tabs] == [0, 1]
    assert walk.browser.tab.number == 1
    assert walk.browser.tab.url.startswith(f"{SHOP}/new")
    assert walk.browser.tab.title == "/new"
    assert walk.page("innerWidth") == walk.input.size[0]
    walk.browser.close_tab()
    assert (walk.browser.tab.number, walk.browser.tab.url) == (0, shown)
    walk.press("#open")
    assert walk.browser.tab.number == 2


def test_a_tab_that_closes_itself_gives_way_to_its_opener(walk: Walk) -> None:
    walk.put("<button onclick='window.close()'>close</button>", "/new")
    walk.open("<button id=open onclick=\"window.open('/new')\">new</button>")
    walk.press("#open")
    walk.press("button")
    assert [tab.number for tab in walk.browser.tabs] == [0]
    assert walk.page("document.querySelector('#open') !== null")


def test_a_press_that_closes_its_tab_is_done_whether_or_not_it_is_answered_before(
    walk: Walk, monkeypatch: pytest.MonkeyPatch
) -> None:
    click = Input.click

    def answered_too_late(self: Input, x: float, y: float) -> None:
        click(self, x, y)
        self._channel.call("Runtime.evaluate", expression="new Promise(() => {})", awaitPromise=True)

    walk.put("<button onclick='setTimeout(() => window.close())'>close</button>", "/new")
    walk.open("<button id=open onclick=\"window.open('/new')\">new</button>")
    walk.press("#open")
    monkeypatch.setattr(Input, "click", answered_too_late)
    walk.press("button")
    assert [tab.number for tab in walk.browser.tabs] == [0]


def test_tabs_are_opened_switched_and_closed_by_number(walk: Walk) -> None:
    one, two = walk.put("<h1>one</h1>", "/one"), walk.put("<h1>two</h1>", "/two")
    walk.browser.open(one)
    opened = walk.browser.new_tab(two)
    assert (opened, opened.number) == (walk.browser.tab, 1)
    walk.browser.switch(0)
    assert walk.page("[document.querySelector('h1').innerText, document.visibilityState]") == ["one", "visible"]
    walk.browser.switch(1)
    assert walk.page("[document.querySelector('h1').innerText, document.visibilityState]") == ["two", "visible"]
    empty = walk.browser.new_tab()
    assert (empty.number, empty.url) == (2, "about:blank")
    walk.browser.close_tab(1)
    assert [tab.number for tab in walk.browser.tabs] == [0, 2]
    with pytest.raises(TabRefused, match=r"there is no tab 1 \(open: 0, 2\)"):
        walk.browser.switch(1)
    walk.browser.close_tab()
    with pytest.raises(TabRefused, match="the only tab"):
        walk.browser.close_tab(0)
    assert walk.page("document.querySelector('h1').innerText") == "one"


@pytest.mark.slow
def test_nothing_is_kept_of_tabs_that_were_closed_but_what_they_cost(walk: Walk) -> None:
    walk.put("<p>new</p>", "/new")
    walk.open("<p>first</p>")
    kept = len(walk.browser.channel._wire._sessions)
    for _ in range(3):
        tab = walk.browser.new_tab(f"{SHOP}/new")
        before = walk.browser.counts
        walk.browser.close_tab()
        assert all(count >= before[name] > 0 for name, count in walk.browser.counts.items())
        with pytest.raises(PageClosed):
            tab.run("page.frame")
    assert len(walk.browser.channel._wire._sessions) == kept
    walk.browser.new_tab()
    walk.browser.clear()
    assert len(walk.browser.channel._wire._sessions) == kept
    assert walk.browser.counts["waits"] < before["waits"]


@pytest.mark.slow
@pytest.mark.claim("site-leaving")
def test_no_page_opens_tabs_without_end(walk: Walk) -> None:
    walk.put("", "/new")
    walk.open(f"<button onclick=\"for (let i = 0; i < {2 * MOST_TABS}; i += 1) window.open('/new')\">many</button>")
    walk.press("button")
    assert len(walk.browser.tabs) == MOST_TABS
    assert f"more than {MOST_TABS} tabs" in walk.browser.refused
    with pytest.raises(TabRefused, match="close one before"):
        walk.browser.new_tab()


def test_the_current_tab_is_what_is_observed_pictured_and_filmed(walk: Walk) -> None:
    walk.put("<body style='background: rgb(0, 255, 0)'><button>press</button>", "/new")
    walk.open("<a id=open href=/new target=_blank>new</a>")
    camera = Camera(walk.browser, "png")
    camera.stay()
    assert camera.shoot().told["title"] == "/"
    walk.press("#open")
    assert camera.shoot().told["title"] == "/new"
    walk.press("button")
    shot = camera.shoot()
    assert (shot.told["url"], shot.told["target"]["text"]) == (f"{SHOP}/new", "press")
    assert shot.picture
    assert take(walk.browser).title == "/new"
    camera.leave()
    walk.browser.new_tab(f"{SHOP}/new")
    assert walk.browser.run("page.globals")
    assert (
        walk.browser.channel.call(
            "Runtime.evaluate",
            expression="typeof harness.film",
            contextId=walk.browser.world_number,
            returnByValue=True,
        )["result"]["value"]
        == "undefined"
    )


@pytest.mark.slow
def test_a_session_over_devtools_walks_through_a_site_and_one_over_webdriver_says_that_it_cannot(walk: Walk) -> None:
    settings = walk.browser.settings
    session = devtools_session(settings)
    with session.browser:
        session.site.open(walk.put("<button>press</button>", "/"))
        assert session.site.tab.title == "/"
        assert session.input.size == SCREEN
    with pytest.raises(FollowsNoTabs, match="a task on a site needs --input devtools or desktop"):
        webdriver_session(settings)


def test_a_session_for_forms_has_no_site() -> None:
    browser = object.__new__(Browser)
    with pytest.raises(TypeError, match="started for forms"):
        BrowserSession(browser, DevtoolsInput(browser)).site  # noqa: B018 - the look is what fails


# ---- moments ------------------------------------------------------------------------------------------------------


def test_what_happens_is_told_in_order_with_the_tab_it_happened_in(walk: Walk) -> None:
    walk.put("<button id=x>x</button><script>history.replaceState({}, '', '/new#step')</script>", "/new")
    walk.open("<a id=open href=/new target=_blank>new</a><a id=link href=/new>go</a>")
    walk.press("#open")
    walk.press("#x")
    walk.browser.close_tab()
    walk.press("#link")
    assert walk.told() == [
        "click 0 #open",
        "opened 1 about:blank",
        "moved 1 /new",
        "moved 1 /new#step",
        "click 1 #x",
        "closed 1 /new#step",
        "click 0 #link",
        "moved 0 /new",
        "moved 0 /new#step",
    ]
    assert walk.told() == []


def test_what_is_typed_is_one_moment_with_what_the_field_holds_afterwards(walk: Walk) -> None:
    walk.open(
        "<input id=a oninput='this.value = this.value.toUpperCase()'><input id=b type=password>"
        "<textarea id=c></textarea><input id=d type=checkbox value=yes>"
    )
    for css, text in (("#a", "tea"), ("#b", "secret"), ("#c", "x")):
        walk.press(css)
        walk.type(text)
    walk.press("#d")
    moments = walk.browser.take_moments()
    held = {(each.event, each.element.css): each.element.value for each in moments if each.element}
    assert held["input", "#a"] == "TEA"
    assert held["input", "#b"] == "•" * len("secret")
    assert held["input", "#c"] == "x"
    assert held["change", "#d"] == "yes"
    assert sum(each.event == "input" for each in moments) == 4


def test_enter_and_what_it_submits_is_told_before_the_page_is_left(walk: Walk) -> None:
    walk.put("", "/found")
    walk.open("<form action=/found><input name=q></form>")
    walk.press("input")
    walk.type("tea\n")
    events = [
        (each.event or each.kind, each.element.value if each.element else each.url)
        for each in walk.browser.take_moments()
    ]
    assert events == [
        ("click", ""),
        ("input", "tea"),
        ("keydown", "tea"),
        ("change", "tea"),
        ("submit", None),
        ("moved", f"{SHOP}/found?q=tea"),
    ]


def test_the_document_is_told_as_it_was_when_the_event_came(walk: Walk) -> None:
    walk.open(
        "<ul><li>one</li><li class='a b'>two "
        "<b id=it onclick=\"this.dataset.pressed = 1; this.append('!')\">it</b></li></ul>"
        "<script>window.secret = 1</script>"
    )
    walk.press("#it")
    walk.press("#it")
    walk.press("#it")
    first, second, third = walk.browser.take_moments()
    assert first.element
    trees = [json.loads(each.dom) for each in (first, second, third)]
    assert [element_at(tree, first.element.place) for tree in trees] == [
        ["b", {"id": "it", "onclick": "this.dataset.pressed = 1; this.append('!')", **more}, ["it", *added]]
        for more, added in (({}, []), ({"data-pressed": "1"}, ["!"]), ({"data-pressed": "1"}, ["!", "!"]))
    ]
    assert (first.element.tag, first.element.text, first.element.value) == ("b", "it", None)
    assert "secret" not in first.dom


def test_where_nothing_changes_moments_share_one_document(walk: Walk) -> None:
    walk.open("<button>press</button>")
    walk.press("button")
    walk.press("button")
    first, second = walk.browser.take_moments()
    assert first.dom is second.dom


@pytest.mark.claim("site-input")
def test_events_that_a_page_makes_itself_are_no_moments(walk: Walk) -> None:
    walk.open("<button id=a>press</button><input id=b>")
    walk.page(
        "(() => { a.click(); b.value = 'x'; for (const type of ['input', 'change', 'keydown'])"
        " b.dispatchEvent(new KeyboardEvent(type, { bubbles: true, key: 'Enter' })); })()"
    )
    walk.browser.settle()
    assert walk.told() == []


@pytest.mark.claim("site-input")
def test_a_page_neither_sees_nor_stops_what_is_told(walk: Walk) -> None:
    walk.open(
        "<script>const before = Object.getOwnPropertyNames(window).length;"
        "addEventListener('click', (event) => event.stopImmediatePropagation(), true);"
        "JSON.stringify = Array.prototype.map = () => { throw new Error('broken'); };"
        "Object.defineProperty(document, 'documentElement', { get() { throw new Error('broken'); } });</script>"
        "<form><input name=children><input name=firstChild><input name=attributes>"
        "<button type=button>press</button></form>"
    )
    walk.press("button")
    (moment,) = walk.browser.take_moments()
    assert (moment.event, moment.element and moment.element.text) == ("click", "press")
    assert element_at(json.loads(moment.dom), moment.element.place if moment.element else ())[0] == "button"
    assert walk.page("Object.getOwnPropertyNames(window).filter((name) => /harness/.test(name)).length") == 0


@pytest.mark.claim("site-input")
def test_a_document_that_is_too_large_or_deep_does_no_harm(walk: Walk) -> None:
    walk.open("<button>press</button><div id=deep></div>")
    walk.page(
        "(() => { let at = deep;"
        " for (let i = 0; i < 2000; i += 1) at = at.appendChild(document.createElement('p')); })()"
    )
    walk.press("button")
    walk.page("for (let i = 0; i < 70000; i += 1) deep.append(document.createElement('i'))")
    walk.press("button")
    deep, large = walk.browser.take_moments()
    assert json.loads(deep.dom)[0] == "html"
    assert large.dom == ""


@pytest.mark.slow
@pytest.mark.claim("site-clean-start")
def test_another_episode_finds_nothing_of_the_one_before(walk: Walk) -> None:
    walk.browser.set_cookie(SHOP, "episode", "one")
    walk.open("<button onclick=\"window.open('/'); confirm('x')\">press</button>")
    assert walk.page("document.cookie") == ""
    walk.page("localStorage.setItem('a', 'b')")
    walk.press("button")
    walk.browser.clear()
    assert walk.told() == []
    assert (walk.browser.dialogs, walk.browser.refused) == ([], [])
    assert [(tab.number, tab.url) for tab in walk.browser.tabs] == [(0, "about:blank")]
    walk.open("")
    assert walk.page("[localStorage.length, history.length]") == [0, 1]
    cookies = walk.browser.channel.call("Network.getCookies", urls=[SHOP])["cookies"]
    assert cookies == []
    walk.browser.set_cookie(SHOP, "episode", "two")
    (cookie,) = walk.browser.channel.call("Network.getCookies", urls=[SHOP])["cookies"]
    assert (cookie["name"], cookie["value"], cookie["httpOnly"]) == ("episode", "two", True)
