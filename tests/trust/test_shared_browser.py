"""``--pages-per-browser``: pages that are open in one browser at the same time find nothing of each other."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from harness.browser.browser import Browser, PageFailed
from harness.browser.form.submission import submit
from harness.browser.input_back_end import SessionMaker, devtools_session
from harness.browser.launch import BrowserSettings, NoBrowser
from harness.browser.left_page import LeftPage
from harness.browser.wire import BrowserGone
from harness.run.shared_browsers import shared_browsers
from tests.run.processes import until
from tests.site import Site, in_page, whole_page
from tests.trust.mechanisms import MECHANISMS, Mechanism, run


@pytest.fixture(scope="module")
def make() -> Iterator[SessionMaker]:
    """What gives a place in a browser in which there are three."""
    with shared_browsers(devtools_session, 3) as made:
        yield made


def join(make: SessionMaker, site: Site) -> Browser:
    return make(BrowserSettings(site.origin)).browser


@pytest.fixture(scope="module")
def two(make: SessionMaker, site: Site) -> Iterator[tuple[Browser, Browser]]:
    """What two workers have of the same browser."""
    with join(make, site) as first, join(make, site) as second:
        assert first.process_group == second.process_group
        yield first, second


# In a context that was made Chromium has not answered yet what it has in the one that it begins with.
UNASKED = {"a permission": [False, "default"]}


@pytest.mark.slow
@pytest.mark.claim("shared-apart")
@pytest.mark.parametrize(("name", "mechanism"), MECHANISMS.items(), ids=MECHANISMS)
def test_what_an_open_page_has_stored_is_not_there_for_another_workers_page(
    two: tuple[Browser, Browser], pages: tuple[str, str], name: str, mechanism: Mechanism
) -> None:
    one, other = two
    leaving, looking = pages
    one.open(leaving)
    run(one, mechanism.leave)
    for address in (leaving, looking):
        other.open(address)
        assert run(other, mechanism.look) == UNASKED.get(name, mechanism.clean)


@pytest.mark.claim("shared-opening")
def test_a_page_keeps_what_it_has_stored_when_another_worker_opens_one(
    two: tuple[Browser, Browser], pages: tuple[str, str]
) -> None:
    one, other = two
    one.open(pages[0])
    run(one, "localStorage.mine = 1; document.cookie = 'mine=1'; await caches.open('mine')")
    other.open(pages[1])
    assert run(one, "return [localStorage.mine, document.cookie, await caches.keys()]") == ["1", "mine=1", ["mine"]]


def test_a_page_is_seen_and_worked_as_any_other_whichever_was_opened_last(
    two: tuple[Browser, Browser], site: Site
) -> None:
    sizes, values = [], []
    for browser in two:
        browser.open(site.put(whole_page("<input name=a autofocus>")))
    for browser in two:
        sizes.append(in_page(browser, "[innerWidth, innerHeight, document.hasFocus(), document.visibilityState]"))
        browser.channel.call("Input.insertText", text=f"text {len(sizes)}")
        assert in_page(browser, "new Promise((ok) => requestAnimationFrame(() => ok('drawn')))") == "drawn"
    for browser in two:
        assert browser.picture()
        values.append(submit(browser).values)
    assert sizes == [[1280, 800, True, "visible"]] * 2
    assert values == [{"a": ("text 1",)}, {"a": ("text 2",)}]


@pytest.mark.claim("shared-addresses")
@pytest.mark.parametrize("address", ["file:///etc/passwd", "http://example.org/", "chrome://version/", "{}/other/"])
def test_the_list_of_addresses_holds(two: tuple[Browser, Browser], site: Site, address: str) -> None:
    one, _ = two
    with pytest.raises(PageFailed, match="BLOCKED_BY_ADMINISTRATOR"):
        one.open(address.format(site.origin))
    one.open(site.put(whole_page("<input name=a>")))
    asked = "fetch('http://127.0.0.1:9/', {mode: 'no-cors'}).then(() => 'reached', () => 'refused')"
    assert in_page(one, asked) == "refused"


@pytest.mark.slow
@pytest.mark.claim("shared-end")
def test_who_leaves_takes_its_page_along_and_no_other(site: Site) -> None:
    with shared_browsers(devtools_session, 2) as make, join(make, site) as stays:
        stays.open(site.put(whole_page("<input name=a value=stays>")))
        before = contexts(stays)
        leaves = join(make, site)
        leaves.open(site.put(whole_page("<input name=a>")))
        assert len(contexts(stays)) == len(before) + 1
        leaves.close()
        until(lambda: contexts(stays) == before)
        assert submit(stays).values == {"a": ("stays",)}


def contexts(browser: Browser) -> set[str]:
    return set(browser.root.call("Target.getBrowserContexts")["browserContextIds"])


@pytest.mark.slow
@pytest.mark.claim("shared-end")
def test_the_page_of_a_worker_that_was_killed_is_read_over_its_connection_and_then_goes(site: Site) -> None:
    with shared_browsers(devtools_session, 2) as make, join(make, site) as watches:
        watches.open(site.put(whole_page("<input name=a>")))
        before = contexts(watches)
        hung = join(make, site)
        hung.open(site.put(whole_page("<input name=a value=was-here>")))
        target, kept = hung.target, hung.ends.copy()
        hung._started._connection.close()  # as its process ends: without a word
        hung.ends.close()
        with LeftPage(kept, target, 30.0) as left:
            assert left.run("page.settled") in (0, 200)
            assert len(contexts(watches)) == len(before) + 1
        until(lambda: contexts(watches) == before)


@pytest.mark.slow
def test_a_browser_that_dies_takes_all_its_pages_and_another_takes_its_place(site: Site) -> None:
    with shared_browsers(devtools_session, 2) as make:
        one, other = join(make, site), join(make, site)
        os.killpg(one.process_group, signal.SIGKILL)
        for browser in (one, other):
            with pytest.raises(BrowserGone):
                browser.open(site.put(whole_page("<input name=a>")))
            browser.close()
        with join(make, site) as next_one:
            assert next_one.process_group != one.process_group
            next_one.open(site.put(whole_page("<input name=a>")))


@pytest.mark.slow
def test_no_more_share_a_browser_than_may_and_a_worn_one_ends_with_its_last_user(site: Site) -> None:
    with shared_browsers(devtools_session, 1) as make:
        first = join(make, site)
        with join(make, site) as beside:
            assert beside.process_group != first.process_group
        first.close()
        with join(make, site) as second:  # the second life of one of them, which is its last
            group = second.process_group
        until(lambda: not Path(f"/proc/{group}").exists())


@pytest.mark.slow
def test_when_all_is_over_no_browser_and_no_file_of_it_is_left(site: Site) -> None:
    with shared_browsers(devtools_session, 2) as make:
        browser = join(make, site)
        group = browser.process_group
        assert browser.root.call("Target.getBrowserContexts")
    until(lambda: not Path(f"/proc/{group}").exists())
    browser.close()


def test_a_browser_that_does_not_start_is_told_to_who_wants_it(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TURKBENCH_CHROMIUM", "/bin/false")
    with shared_browsers(devtools_session, 2) as make, pytest.raises(NoBrowser, match="/bin/false does not start"):
        join(make, site)
