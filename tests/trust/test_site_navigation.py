"""The browser of a site goes where its task may go and nowhere else, whoever asks, and its pages reach nothing else."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

import pytest

from harness.browser.channel import CommandFailed
from tests.site import Site
from tests.walks import SHOP, Walk

ASKED = "fetch('{url}', {{mode: 'no-cors'}}).then(() => 'reached', () => 'refused')"
SOCKET = (
    "new Promise((tell) => {{ const socket = new WebSocket('{url}'.replace('http', 'ws'));"
    " socket.onopen = () => tell('reached'); socket.onerror = () => tell('refused'); }})"
)
WORKER = (
    "new Promise((tell) => {{ const worker = new Worker(URL.createObjectURL(new Blob([`"
    "fetch('{url}', {{mode: 'no-cors'}}).then(() => postMessage('reached'), () => postMessage('refused'))`])));"
    " worker.onmessage = (event) => tell(event.data); }})"
)


@pytest.fixture
def walk(walk_of_all: Walk) -> Walk:
    """The one browser of this file, emptied, with a page open."""
    walk_of_all.browser.clear()
    walk_of_all.open("<h1>Here</h1><a id=link>away</a>")
    return walk_of_all


@pytest.fixture
def outside() -> Iterator[Site]:
    """Another server on this machine."""
    server = Site()
    server.put("outside", "/x", headers={"Access-Control-Allow-Origin": "*"})
    yield server
    server.close()


def elsewhere(walk: Walk, outside: Site) -> list[str]:
    """Addresses that are none of the task's, the task server's own among them."""
    port = outside.origin.rpartition(":")[2]
    return [
        f"{outside.origin}/x",
        f"{SHOP}:{port}/x",
        f"http://localhost:{port}/x",
        f"http://[::1]:{port}/x",
        f"http://sub.shop.test:{port}/x",
        "http://example.org/x",
        f"{walk.server.origin}/control/one/",
    ]


@pytest.mark.claim("site-origins")
@pytest.mark.parametrize("way", [ASKED, SOCKET, WORKER], ids=["fetch", "WebSocket", "worker"])
def test_nothing_of_a_site_s_page_reaches_another_origin(walk: Walk, outside: Site, way: str) -> None:
    asked = len(walk.server.requests)
    for url in elsewhere(walk, outside):
        assert (url, walk.page(way.format(url=url))) == (url, "refused")
    assert outside.requests == []
    assert walk.server.since(asked) == []
    assert walk.page(ASKED.format(url="/")) == "reached"


@pytest.mark.claim("site-addresses")
@pytest.mark.parametrize(
    "url",
    [
        "http://evil.test/",
        f"{SHOP}:81/",
        "http://sub.shop.test/",
        "https://shop.test/",
        "ftp://shop.test/",
        "file:///etc/passwd",
        f"view-source:{SHOP}/",
        "chrome://version/",
        "chrome-untrusted://print/",
        "devtools://devtools/bundled/inspector.html",
        "data:text/html,x",
        f"filesystem:{SHOP}/temporary/x",
        "mailto:a@shop.test",
    ],
)
def test_the_browser_itself_goes_nowhere_else_whoever_asks(walk: Walk, url: str) -> None:
    answer = walk.browser.channel.call("Page.navigate", url=url)
    assert answer["errorText"] == "net::ERR_BLOCKED_BY_ADMINISTRATOR"
    walk.browser.settle()
    assert walk.browser.blocked
    target = walk.browser.root.call("Target.createTarget", url=url, browserContextId=walk.browser.context)["targetId"]
    with contextlib.suppress(CommandFailed):  # it has gone by itself
        info = walk.browser.root.call("Target.getTargetInfo", targetId=target)["targetInfo"]
        assert info["url"] in ("", url, "chrome-error://chromewebdata/")
    assert all(tab.url in ("about:blank", f"{SHOP}/", url) for tab in walk.browser.tabs)
    assert [moment.url for moment in walk.browser.take_moments() if moment.kind == "moved"] == []


@pytest.mark.claim("site-origins")
def test_the_task_server_s_own_address_is_none_of_the_site_s(walk: Walk) -> None:
    asked = len(walk.server.requests)
    answer = walk.browser.channel.call("Page.navigate", url=f"{walk.server.origin}/control/one/")
    assert answer["errorText"] == "net::ERR_BLOCKED_BY_ADMINISTRATOR"
    assert walk.server.since(asked) == []


@pytest.mark.claim("site-leaving")
@pytest.mark.parametrize(
    "leave",
    [
        "location.href = '{url}'",
        "location.replace('{url}')",
        "link.href = '{url}', link.click()",
        "navigation.navigate('{url}').finished.catch(() => {{}})",
        "document.body.insertAdjacentHTML('beforeend', '<form action={url}><input name=a></form>'),"
        " document.forms[0].submit()",
        "document.head.insertAdjacentHTML('beforeend', '<meta http-equiv=refresh content=\"0; url={url}\">')",
    ],
)
def test_a_page_that_wants_to_leave_for_elsewhere_stays_as_it_is(walk: Walk, outside: Site, leave: str) -> None:
    walk.page("window.mark = 1")
    url = f"{outside.origin}/x"
    walk.page(f"void ({leave.format(url=url)})")
    walk.browser.root.wait_until(lambda: bool(walk.browser.refused))
    walk.browser.settle()
    assert [refused.partition("?")[0] for refused in walk.browser.refused] == [url]
    assert (walk.page("window.mark"), walk.browser.tab.url) == (1, f"{SHOP}/")
    assert outside.requests == []


@pytest.mark.claim("site-addresses")
def test_a_redirect_leads_nowhere_else(walk: Walk, outside: Site) -> None:
    walk.put("", "/away", status=302, headers={"Location": f"{outside.origin}/x"})
    walk.open("<a id=away href=/away>away</a>")
    walk.press("#away")
    assert walk.browser.blocked == f"{outside.origin}/x"
    assert walk.browser.refused == [f"{outside.origin}/x"]
    assert outside.requests == []
    walk.browser.back()
    assert (walk.browser.blocked, walk.browser.tab.url) == ("", f"{SHOP}/")


@pytest.mark.claim("site-addresses")
@pytest.mark.parametrize(
    "opener",
    [
        "<button id=open onclick=\"window.open('{url}')\">open</button>",
        "<a id=open href='{url}' target=_blank>open</a>",
        "<form action='{url}' target=_blank><button id=open>open</button></form>",
    ],
)
def test_a_tab_for_elsewhere_is_closed_again(walk: Walk, outside: Site, opener: str) -> None:
    url = f"{outside.origin}/x"
    walk.open(opener.format(url=url))
    walk.press("#open")
    # On a busy machine the tab is told of after the page that opened it has settled.
    walk.browser.root.wait_until(lambda: bool(walk.browser.refused) and len(walk.browser.tabs) == 1)
    assert [tab.number for tab in walk.browser.tabs] == [0]
    assert [refused.partition("?")[0] for refused in walk.browser.refused] == [url]
    assert outside.requests == []
    assert walk.page("document.querySelector('#open') !== null")


@pytest.mark.slow
@pytest.mark.claim("site-leaving")
def test_nothing_is_downloaded_and_no_file_is_chosen(walk: Walk) -> None:
    walk.put("text", "/file", headers={"Content-Disposition": "attachment; filename=a.txt"})
    walk.open("<a id=file href=/file>file</a><a id=other href=/x download>file</a><input type=file>")
    for css in ("#file", "#other", "input"):
        walk.press(css)
    walk.browser.root.wait_until(lambda: len(walk.browser.refused) == 2)
    assert walk.browser.refused == [f"download:{SHOP}/file", f"download:{SHOP}/x"]
    assert walk.browser.tab.url == f"{SHOP}/"
    assert walk.page("document.querySelector('input').files.length") == 0
