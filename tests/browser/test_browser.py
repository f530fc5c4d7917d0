"""A live page: opening, errors, the seeded clock, the death of a browser."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from typing import Any

import pytest

from harness.browser.browser import Browser, PageFailed
from harness.browser.launch import BrowserSettings
from harness.browser.wire import BrowserGone
from tests.conftest import Show
from tests.site import Site, done, in_page, whole_page

# ---- opening ----------------------------------------------------------------------------------------------------


def test_a_page_is_open_when_all_that_it_loads_is_there(site: Site, browser: Browser) -> None:
    site.put("window.late = 1;", "/page/late.js", kind="text/javascript")
    browser.open(site.put(whole_page("<script src='/page/late.js' defer></script>")))
    assert in_page(browser, "[window.late, document.readyState]") == [1, "complete"]


def test_a_window_that_nobody_sees_is_the_page_alone(site: Site, browser: Browser) -> None:
    browser.open(site.put(whole_page("<input name=a>")))
    assert in_page(browser, "[matchMedia('(display-mode: standalone)').matches, innerHeight, outerHeight]") == [
        True,
        800,
        800,
    ]


@pytest.mark.parametrize("status", [404, 500, 403])
def test_an_answer_with_an_error_status_is_a_failed_page(site: Site, browser: Browser, status: int) -> None:
    url = site.put("<p>no</p>", status=status)
    with pytest.raises(PageFailed, match=f"status {status}"):
        browser.open(url)


@pytest.mark.parametrize(
    "answer", [{"status": 204}, {"headers": {"Content-Disposition": "attachment"}}], ids=["no content", "download"]
)
def test_an_answer_that_is_no_page_is_a_failed_page(site: Site, browser: Browser, answer: dict[str, Any]) -> None:
    with pytest.raises(PageFailed, match="cannot be opened"):
        browser.open(site.put("", **answer))
    browser.open(site.put(whole_page("fine again")))


@pytest.mark.parametrize(
    "url",
    [
        "file:///etc/passwd",
        "chrome://version",
        "view-source:{origin}/page/1/0/",
        "data:text/html,hello",
        "https://example.org/",
        "http://localhost:{port}/page/1/0/",
        "http://127.0.0.1:1/page/1/0/",
        "{origin}/",
        "{origin}/task/x/",
        "about:version",
        "javascript:1",
        "no address",
    ],
)
def test_every_other_address_is_refused(site: Site, browser: Browser, url: str) -> None:
    with pytest.raises(PageFailed):
        browser.open(url.format(origin=site.origin, port=site.origin.rpartition(":")[2]))
    browser.open(site.put(whole_page("fine again")))


@pytest.mark.slow
def test_a_load_event_of_the_page_before_is_not_taken_for_the_next_pages(site: Site, browser: Browser) -> None:
    first = site.put(
        whole_page(
            "<script>setTimeout(() => { document.open(); document.write('<p>new'); document.close(); });</script>"
        )
    )
    held = "<img src='/held/picture'><script>setTimeout(() => fetch('/release/picture'), 40)</script>"
    for number in range(3):
        browser.open(first)
        in_page(browser, "new Promise((resume) => setTimeout(resume, 30))")
        browser.open(site.put(whole_page(held.replace("picture", f"picture-{number}"))))
        assert in_page(browser, "document.readyState") == "complete"


def test_the_same_address_is_a_new_page_each_time(site: Site, browser: Browser) -> None:
    url = site.put(whole_page("<input name=a>"))
    for _ in range(3):
        browser.open(url)
        assert in_page(browser, "window.mark") is None
        in_page(browser, "location.hash = 'part', window.mark = 1")


def test_script_errors_of_the_page_are_taken_down_and_forgotten_with_it(show: Show, site: Site) -> None:
    shown = show(
        "<script>undefinedFunction()</script><script>throw 'a text'</script><script>throw new Error('')</script>"
        "<script>Promise.reject(new TypeError('late\\nsecond line'))</script>"
    )
    errors = shown.browser.script_errors
    assert any("undefinedFunction is not defined" in error for error in errors)
    assert any("a text" in error for error in errors)
    assert any("late" in error for error in errors)
    assert not any("\n" in error for error in errors)
    shown.browser.open(site.put(whole_page("fine")))
    assert shown.browser.script_errors == []


@pytest.mark.parametrize(
    "name", ["fields", "fields.list(); document.title = 1; page.frame", "fields['list']", "", "a..b"]
)
def test_only_a_name_of_the_library_becomes_a_call(show: Show, name: str) -> None:
    with pytest.raises(ValueError, match="names no function"):
        show().browser.run(name)


def test_a_page_full_of_errors_keeps_the_first_twenty(show: Show) -> None:
    shown = show("<script>for (let i = 0; i < 50; i++) setTimeout(() => { throw i; });</script>")
    shown.page("new Promise((resume) => setTimeout(resume))")
    shown.browser.run("form.posted")
    assert len(shown.browser.script_errors) == 20


def test_a_page_that_replaces_its_own_tools_does_not_reach_the_harness(show: Show) -> None:
    shown = show(
        "<input name=a><label><input type=radio name=r value=1> One</label><script>"
        "Array.prototype.map = Array.from = JSON.stringify = Map.prototype.get = null;"
        "Array.prototype.filter = Object.fromEntries = Promise.prototype.then = null;"
        "window.FormData = window.CustomEvent = window.requestAnimationFrame = window.setTimeout = null;"
        "EventTarget.prototype.addEventListener = EventTarget.prototype.dispatchEvent = () => { throw 1; };"
        "for (const name of ['getBoundingClientRect', 'checkVisibility', 'scrollIntoView'])"
        "  Element.prototype[name] = null;"
        "HTMLFormElement.prototype.requestSubmit = HTMLElement.prototype.click = null;"
        "for (const name of ['value', 'checked', 'type', 'form'])"
        "  Object.defineProperty(HTMLInputElement.prototype, name, { get() { return 'lies'; }, set() {} });"
        "Object.defineProperty(HTMLFormElement.prototype, 'elements', { get() { return []; } });"
        "alert('still told');</script>"
    )
    done(shown.actions.modify_text("a", "x"))
    done(shown.actions.modify_radio("r", "1"))
    done(shown.actions.get_html("a"))
    submission = shown.submit()
    assert dict(submission.values) == {"a": ("x",), "r": ("1",)}
    assert submission.dialogs == ("alert:still told",)


@pytest.mark.parametrize(
    "name", ["forms", "body", "activeElement", "getElementById", "documentElement", "elementFromPoint"]
)
def test_a_form_named_like_a_part_of_the_document_does_no_harm(show: Show, name: str) -> None:
    shown = show("<input name=a>", form=f'name="{name}" method="post"')
    done(shown.actions.modify_text("a", "x"))
    done(shown.actions.get_html())
    done(shown.actions.scroll(0, 10))
    assert shown.sent() == {"a": ("x",)}


# ---- chance and time --------------------------------------------------------------------------------------------

CHANCE = "<script>window.first = [Math.random(), Math.random(), new Date().toISOString().slice(0, 10)];</script>"


def test_chance_and_date_are_the_same_whenever_an_instance_is_opened(site: Site, browser: Browser) -> None:
    one, two = site.put(whole_page(CHANCE), "/page/seed/1/"), site.put(whole_page(CHANCE), "/page/seed/2/")
    found = []
    for url in (one, two, one):
        browser.open(url)
        found.append(in_page(browser, "first"))
    assert found[0] == found[2]
    assert found[0][0] != found[1][0]
    assert 0 <= found[0][0] < 1
    assert found[0][0] != found[0][1]


def test_chance_covers_its_range(show: Show) -> None:
    numbers = show().page("Array.from({length: 2000}, Math.random)")
    assert len(set(numbers)) > 1990
    assert 0.45 < sum(numbers) / len(numbers) < 0.55


@pytest.mark.parametrize(
    "expression",
    [
        "typeof Date() === 'string' && Math.abs(new Date(Date()) - Date.now()) < 5000",
        "new Date() instanceof Date && new Date().constructor === Date && Date.prototype.constructor === Date",
        "Math.abs(new Date().getTime() - Date.now()) < 5000",
        "new Date(2020, 1).getFullYear() === 2020 && new Date(2020, 1).getMonth() === 1",
        "new Date(0).getTime() === 0 && new Date('2001-02-03').toISOString() === '2001-02-03T00:00:00.000Z'",
        "Date.UTC(1970, 0) === 0 && Date.parse('1970-01-01') === 0 && Date.length === 7 && Date.name === 'Date'",
        "new (class Day extends Date { twice() { return 2; } })().twice() === 2",
        "Object.prototype.toString.call(new Date()) === '[object Date]' && new Date(undefined).getTime() !== 0",
        "Date.now() >= Date.UTC(2024, 0) && Date.now() < Date.UTC(2026, 0)",
        "new Promise((tell) => { const t = Date.now(); setTimeout(() => tell(Date.now() - t >= 15), 20); })",
        "new Date().getTimezoneOffset() === 0",
    ],
)
def test_the_seeded_date_works_like_the_real_one(show: Show, expression: str) -> None:
    assert show().page(expression) is True


# ---- a browser of one's own -------------------------------------------------------------------------------------


@pytest.fixture
def own(site: Site) -> Iterator[Browser]:
    """A browser that the test may ruin."""
    with Browser(BrowserSettings(site.origin, live_clock=True)) as live:
        yield live


def test_a_live_clock_is_left_alone_and_a_killed_browser_is_gone(site: Site, own: Browser) -> None:
    own.open(site.put(whole_page(CHANCE)))
    assert in_page(own, "Math.abs(Date.now() - (performance.timeOrigin + performance.now())) < 1000")
    assert in_page(own, "Math.random.toString().includes('native code')")
    os.killpg(own.process_group, signal.SIGKILL)
    with pytest.raises(BrowserGone):
        own.open(site.put(whole_page("<input name=a>")))
    with pytest.raises(BrowserGone):
        own.run("fields.list")
    own.close()
    own.close()


@pytest.mark.slow
def test_a_page_whose_process_crashes_is_a_browser_that_is_gone(site: Site, own: Browser) -> None:
    own.open(site.put(whole_page("<input name=a>")))
    own.channel.post("Page.crash")
    with pytest.raises(BrowserGone, match="crashed"):
        own.run("fields.list")


@pytest.mark.slow
def test_a_page_that_never_answers_is_a_browser_that_is_gone(site: Site) -> None:
    with Browser(BrowserSettings(site.origin, timeout=3.0)) as own:
        own.open(site.put(whole_page("<input name=a>")))
        own.channel.post("Runtime.evaluate", expression="for (;;) ;")
        with pytest.raises(BrowserGone, match="did not answer within"):
            own.run("fields.list")
