"""What one page leaves in the browser is gone when the next one's first script runs: a hostile page a mechanism."""

from __future__ import annotations

import pytest

from harness.browser.browser import Browser, PageFailed
from harness.browser.input_back_end import DevtoolsInput
from tests.site import Site, in_page, whole_page
from tests.trust.mechanisms import MECHANISMS, Mechanism, run

NOT_THERE = ["SharedWorker", "StorageBucketManager", "sharedStorage", "openDatabase", "applicationCache"]
"""Storage that browsers once had, or keep for advertisers: this one has it no more."""


@pytest.mark.claim("page-clean-start")
@pytest.mark.parametrize("mechanism", MECHANISMS.values(), ids=MECHANISMS)
def test_what_a_page_leaves_is_gone_for_the_next(
    browser: Browser, pages: tuple[str, str], mechanism: Mechanism
) -> None:
    leaving, looking = pages
    for address in (looking, leaving):  # what the page's own address could find, too
        browser.open(leaving)
        run(browser, mechanism.leave)
        browser.open(address)
        assert run(browser, mechanism.look) == mechanism.clean


@pytest.mark.claim("page-before-scripts")
def test_a_first_script_finds_the_browser_empty_and_keeps_what_it_writes(browser: Browser, site: Site) -> None:
    first = "<script>window.found = caches.keys(); window.made = caches.open('own');</script>"
    for _ in range(2):
        browser.open(site.put(whole_page("<input name=a>", head=first)))
        assert run(browser, "return [await found, (await made, await caches.keys())]") == [[], ["own"]]


@pytest.mark.claim("page-clean-start")
@pytest.mark.parametrize("name", NOT_THERE)
def test_storage_of_the_past_is_not_there(browser: Browser, pages: tuple[str, str], name: str) -> None:
    browser.open(pages[0])
    assert in_page(browser, f"'{name}' in window") is False


@pytest.mark.claim("page-clean-start")
def test_no_live_worker_is_left(browser: Browser, pages: tuple[str, str]) -> None:
    leaving, looking = pages
    browser.open(leaving)
    run(browser, MECHANISMS["a service worker"].leave)
    browser.open(looking)
    targets = browser.channel.call("Target.getTargets", filter=[{}])["targetInfos"]
    assert [target["url"] for target in targets if "worker" in target["type"]] == []


def test_a_page_that_is_refused_does_not_hold_up_the_next(browser: Browser, site: Site, pages: tuple[str, str]) -> None:
    nothing = site.put("", status=204)
    for address in (f"{site.origin}/task/labels/", f"{site.origin}/page/none/0/", nothing):
        with pytest.raises(PageFailed):
            browser.open(address)
    browser.open(pages[1])
    assert in_page(browser, "document.forms.length") == 1


def test_a_page_that_is_loaded_again_is_not_held(browser: Browser, pages: tuple[str, str]) -> None:
    browser.open(pages[0])
    loaded = []
    browser.channel.on("Page.loadEventFired", loaded.append)
    browser.channel.call("Page.reload")
    browser.channel.wait_until(lambda: bool(loaded))
    assert in_page(browser, "document.forms.length") == 1


@pytest.mark.claim("page-mouse")
def test_a_page_does_not_find_the_pointer_where_the_one_before_had_it(browser: Browser, site: Site) -> None:
    told = "<script>window.told = []; addEventListener('mouseover', (e) => told.push(e.clientX), true);</script>"
    page = site.put(whole_page("<input name=a>", head=told))
    # Chromium tells a page of a pointer that does not move, too, once it was drawn.
    drawn = "for (let n = 0; n < 10; n++) await new Promise(requestAnimationFrame);"
    for x in (20, 60):
        browser.open(page)
        assert run(browser, f"{drawn} return [told, document.querySelectorAll(':hover').length]") == [[], 0]
        DevtoolsInput(browser).hover(x, 20)
        assert run(browser, f"{drawn} return told") == [x]


@pytest.mark.claim("page-loaded-before")
def test_a_file_that_one_task_had_loaded_is_no_sign_to_another(browser: Browser, pages: tuple[str, str]) -> None:
    browser.open(pages[0])
    run(browser, "await (await fetch('/asset/stored.txt?left')).text()")
    browser.open(pages[1])
    options = "{ cache: 'only-if-cached', mode: 'same-origin' }"
    ask = f"fetch('/asset/stored.txt?left', {options}).then(() => true, () => false)"
    assert in_page(browser, ask) is False


def test_what_a_task_has_loaded_serves_its_later_pages(browser: Browser, site: Site, pages: tuple[str, str]) -> None:
    del pages
    html = whole_page("<script src='/asset/stored.txt?kept'></script>")
    for number in range(3):
        before = len(site.requests)
        browser.open(site.put(html, f"/page/one/{number}/"))
    assert [path for _, path in site.since(before)] == ["/page/one/2/"]
