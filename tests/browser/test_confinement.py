"""What a page cannot do: reach out, leave, open windows, hold up the run, pass something on to the next page."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

import pytest

from harness.browser.browser import Browser
from harness.browser.flags import is_blocked
from harness.browser.input_back_end import DevtoolsInput
from harness.episode.library import Actions
from harness.episode.trajectory import Trajectory
from tests.conftest import Show
from tests.site import Site, done, in_page, whole_page

FRAMES = 100
"""In how many frames a window that got past the guard has to be gone: it is closed when the harness hears of it."""


@pytest.fixture
def outside() -> Iterator[Site]:
    """Another server on this machine."""
    server = Site()
    server.put(
        "window.reached = true; 'outside'", "/x", headers={"Access-Control-Allow-Origin": "*"}, kind="text/javascript"
    )
    yield server
    server.close()


@pytest.mark.slow
@pytest.mark.claim("network-off")
def test_nothing_of_the_page_reaches_another_port_or_host(show: Show, outside: Site) -> None:
    port = outside.origin.rpartition(":")[2]
    addresses = [
        f"http://127.0.0.1:{port}/x",
        f"http://localhost:{port}/x",
        f"http://[::1]:{port}/x",
        "http://example.org/x",
    ]
    tags = "".join(
        f"<img src='{url}'><script src='{url}'></script><link rel=stylesheet href='{url}'><iframe src='{url}'></iframe>"
        for url in addresses
    )
    shown = show(tags)
    for url in addresses:
        assert shown.page(f"fetch('{url}', {{mode: 'no-cors'}}).then(() => 'reached', () => 'refused')") == "refused"
        assert shown.page(f"navigator.sendBeacon('{url}')") in (True, False)
        socket = url.replace("http", "ws", 1)
        assert (
            shown.page(
                f"new Promise((tell) => {{ const s = new WebSocket('{socket}');"
                " s.onopen = () => tell('reached'); s.onerror = () => tell('refused'); })"
            )
            == "refused"
        )
    assert shown.page("window.reached") is None
    assert outside.requests == []


@pytest.mark.slow
@pytest.mark.claim("dialogs")
@pytest.mark.parametrize(
    "leave",
    [
        "location.href = '{url}'",
        "location.assign('{url}')",
        "location.replace('{url}')",
        "location.reload()",
        "location.pathname = '/page/other/'",
        "document.getElementById('link').click()",
        "document.getElementById('same').click()",
        "navigation.navigate('{url}')",
        "location.href = '{origin}/task/secret/'",
        "location.href = 'file:///etc/passwd'",
        "location.href = 'data:text/html,x'",
        "location.href = URL.createObjectURL(new Blob(['x'], {{type: 'text/html'}}))",
    ],
)
def test_a_page_that_wants_to_leave_stays_and_what_it_wanted_is_recorded(
    show: Show, site: Site, outside: Site, leave: str
) -> None:
    shown = show(f"<input name=a><a id=link href='{outside.origin}/x'>away</a><a id=same href='/page/other/'>other</a>")
    shown.page("window.mark = 1")
    before = len(site.requests)
    with contextlib.suppress(AssertionError):  # some of these calls throw in the page, too
        shown.page(f"void ({leave.format(url=outside.origin + '/x', origin=site.origin)})")
    done(shown.actions.modify_text("a", "still here"))
    assert shown.page("window.mark") == 1
    assert outside.requests == []
    assert len(site.requests) == before
    submission = shown.submit()
    assert submission.values["a"] == ("still here",)
    # Addresses of files and data are refused by the browser before the page is asked.
    assert submission.refused or "file:" in leave or "data:" in leave


@pytest.mark.parametrize("name", ["meta", "load"])
def test_a_page_that_leaves_by_itself_while_it_loads_stays(show: Show, outside: Site, name: str) -> None:
    head = {
        "meta": f'<meta http-equiv="refresh" content="0; url={outside.origin}/x">',
        "load": f"<script>location.href = '{outside.origin}/x'</script>",
    }[name]
    shown = show("<input name=a>", head=head)
    done(shown.actions.modify_text("a", "here"))
    assert shown.sent() == {"a": ("here",)}
    assert outside.requests == []


@pytest.mark.claim("dialogs")
@pytest.mark.parametrize(
    "body",
    [
        "<button type=button id=press onclick=\"window.open('/page/other/')\">open</button>",
        "<a id=press href='/page/other/' target=_blank>open</a>",
        "<a id=press href='/page/other/' download>download</a>",
        "<button id=press formtarget=_blank formaction='/page/other/'>send</button>",
        "<button type=button id=press onclick='print()'>print</button>",
        "<button type=button id=press onclick='window.close()'>close</button>",
        "<input type=file id=press>",
        "<a id=press href='/page/other/' target=_blank onclick='event.stopPropagation()'>open</a>",
        "<button type=button id=press onclick=\"this.form.target = '_blank'; this.form.submit()\">send</button>",
        "<button type=button id=press onclick=\"const a = document.createElement('a'); a.target = '_blank';"
        " a.href = '/held/other'; a.click()\">open</button>",
    ],
)
def test_no_window_file_chooser_or_print_dialog_opens(show: Show, site: Site, body: str) -> None:
    shown = show(f'<div style="position: fixed; left: 0; top: 0; font-size: 40px">{body}</div><input name=a>')
    before = len(site.requests)
    box = shown.page("(({left, top}) => [left, top])(document.getElementById('press').getBoundingClientRect())")
    done(shown.actions.click(box[0] + 5, box[1] + 5))
    for _ in range(FRAMES):
        shown.browser.run("page.frame")
        targets = shown.browser.channel.call("Target.getTargets")["targetInfos"]
        if not (windows := [target["url"] for target in targets if "openerId" in target]):
            break
    assert windows == []
    assert [request for request in site.since(before) if "/held/" not in request[1]] == []
    assert "a" in shown.sent()


@pytest.mark.parametrize(
    "spelling",
    [
        "{origin}{path}?more#there",
        "HTTP://{host}{path}",
        "  {origin}{path}",
        "http:{host}{path}",
        "about:blank",
        "about:version",
    ],
)
def test_no_address_that_the_browser_opens_is_taken_for_a_blocked_one(
    site: Site, browser: Browser, spelling: str
) -> None:
    path = site.put(whole_page("<input name=a>")).removeprefix(site.origin)
    url = spelling.format(origin=site.origin, host=site.origin.partition("//")[2], path=path)
    assert not is_blocked(url, site.origin)
    assert "errorText" not in browser.channel.call("Page.navigate", url=url)
    browser.catch_up()
    browser.wait_until_loaded()


@pytest.mark.claim("dialogs")
def test_dialogs_do_not_block_and_are_recorded(show: Show) -> None:
    shown = show("<input name=a>")
    answers = shown.page("[alert('hello'), confirm('sure?'), prompt('name?', 'Ada'), prompt('again?')]")
    assert answers == [None, True, "Ada", ""]
    shown.page("print(), window.open('/x')")
    assert shown.submit().dialogs == (
        "alert:hello",
        "confirm:sure?",
        "prompt:name?",
        "prompt:again?",
        "print:",
        "open:/x",
    )


def test_a_dialog_of_a_frame_does_not_block(show: Show) -> None:
    shown = show("<input name=a><iframe srcdoc='<script>alert(1)</script>'></iframe><iframe></iframe>")
    shown.page("document.querySelectorAll('iframe')[1].contentWindow.alert(2)")
    done(shown.actions.modify_text("a", "x"))


def test_a_page_that_asks_before_it_is_left_does_not_hold_up_the_next(show: Show, site: Site) -> None:
    shown = show(
        "<input name=a><script>window.onbeforeunload = () => 'stay!';"
        "window.addEventListener('beforeunload', (event) => {"
        "  event.preventDefault(); event.returnValue = 'stay'; });</script>"
    )
    done(shown.actions.modify_text("a", "x"))
    shown.browser.open(site.put(whole_page("<input name=b>")))
    assert [field.name for field in Actions(shown.browser, DevtoolsInput(shown.browser), Trajectory()).fields()] == [
        "b"
    ]


@pytest.mark.claim("dialogs")
@pytest.mark.parametrize("go", ["history.back()", "history.go(-1)", "navigation.back().finished.catch(() => {})"])
@pytest.mark.parametrize("when", ["while it loads", "later"])
def test_the_page_before_cannot_be_reached(site: Site, browser: Browser, go: str, when: str) -> None:
    browser.open(site.put(whole_page("<input name=before>")))
    script = f"<script>try {{ {go} }} catch {{}}</script>" if when == "while it loads" else ""
    url = site.put(whole_page(f"<input name=now>{script}"))
    browser.open(url)
    if when == "later":
        in_page(browser, f"void {go}")
    in_page(browser, "new Promise((resume) => setTimeout(resume, 20))")
    assert in_page(browser, "[location.href, document.forms[0].elements[0].name]") == [url, "now"]


def test_steps_within_a_page_go_back_and_forth(show: Show) -> None:
    shown = show("<input name=a>")
    shown.page("history.pushState({}, '', '#one'), history.pushState({}, '', '#two')")
    moved = (
        "new Promise((tell) => {"
        " addEventListener('popstate', () => tell(location.hash), { once: true }); history.%s; })"
    )
    assert shown.page(moved % "back()") == "#one"
    assert shown.page(moved % "forward()") == "#two"
    assert shown.page(moved % "go(-2)") == ""


def test_nothing_that_a_page_stores_is_seen_by_the_next(site: Site, browser: Browser) -> None:
    path = "/page/store/1/"
    url = site.put(whole_page("<input name=a>"), path)
    other = site.put(whole_page("<input name=a>"), "/page/store/2/")
    look = (
        "(async () => [localStorage.length, sessionStorage.length, document.cookie, window.name,"
        " (await indexedDB.databases()).length, (await caches.keys()).length, history.length])()"
    )
    store = (
        "(async () => { localStorage.a = sessionStorage.a = window.name = 'kept'; history.pushState({}, '', '#x');"
        "document.cookie = 'a=1'; document.cookie = 'b=2; path=/page'; document.cookie = 'c=3; path=/; max-age=1000';"
        "await caches.open('c'); addEventListener('pagehide', () => { localStorage.late = 1; });"
        "await new Promise((resume) => { const r = indexedDB.open('d');"
        " r.onupgradeneeded = () => r.result.createObjectStore('s'); r.onsuccess = resume; });"
        "return document.cookie; })()"
    )
    for address in (url, other, url):
        browser.open(address)
        assert in_page(browser, look) == [0, 0, "", "", 0, 0, 1]
        assert "c=3" in in_page(browser, store)
