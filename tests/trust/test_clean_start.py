"""What one page leaves in the browser is gone when the next one's first script runs: a hostile page a mechanism."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from harness.browser.browser import Browser, PageFailed
from harness.browser.devtools_input import DevtoolsInput
from tests.site import Site, in_page, whole_page

WORKER_THAT_WRITES = "setInterval(() => caches.open('late'), 1);"
"""For as long as it lives."""


@dataclass(frozen=True)
class Mechanism:
    """A way to leave something, and to look for it.

    Attributes:
        leave: The body of an async function that leaves a trace.
        look: That of one that gives what it finds.
        clean: What it finds where nothing was left.
    """

    leave: str
    look: str
    clean: object


DATABASE = (
    "const db = await new Promise((ok) => { const r = indexedDB.open('left');"
    " r.onupgradeneeded = () => r.result.createObjectStore('s'); r.onsuccess = () => ok(r.result); });"
)
TRANSACTION = "await new Promise((ok) => { const t = db.transaction('s', 'readwrite'); %s; t.oncomplete = ok; })"
NAMES = "const names = []; for await (const name of (await navigator.storage.getDirectory()).keys()) names.push(name);"
ON_LEAVING = "addEventListener('pagehide', () => { %s });"

MECHANISMS = {
    "localStorage": Mechanism("localStorage.left = 1", "return localStorage.length", 0),
    "sessionStorage": Mechanism("sessionStorage.left = 1", "return sessionStorage.length", 0),
    "localStorage, on leaving": Mechanism(ON_LEAVING % "localStorage.left = 1", "return localStorage.length", 0),
    "window.name": Mechanism("window.name = 'left'", "return window.name", ""),
    "history.state": Mechanism(
        "history.pushState('left', '', '#left')", "return [history.state, history.length, location.hash]", [None, 1, ""]
    ),
    "navigation entries": Mechanism(
        "navigation.updateCurrentEntry({ state: 'left' })",
        "return [navigation.entries().length, navigation.currentEntry.getState() ?? null]",
        [1, None],
    ),
    "a cookie": Mechanism("document.cookie = 'left=1'", "return document.cookie", ""),
    "a cookie with a path": Mechanism("document.cookie = 'left=1; path=/page/'", "return document.cookie", ""),
    "a cookie that lasts": Mechanism("document.cookie = 'left=1; max-age=9999; path=/'", "return document.cookie", ""),
    "a partitioned cookie": Mechanism(
        "await cookieStore.set({ name: 'left', value: '1', path: '/', partitioned: true })",
        "return (await cookieStore.getAll()).length",
        0,
    ),
    "a cookie, on leaving": Mechanism(
        ON_LEAVING % "document.cookie = 'left=1; path=/page/'", "return document.cookie", ""
    ),
    "IndexedDB": Mechanism(
        DATABASE + TRANSACTION % "t.objectStore('s').put(1, 'left')", "return (await indexedDB.databases()).length", 0
    ),
    "a file handle in IndexedDB": Mechanism(
        "const file = await (await navigator.storage.getDirectory()).getFileHandle('left', { create: true });"
        + DATABASE
        + TRANSACTION % "t.objectStore('s').put(file, 'left')",
        NAMES + "return [names.length, (await indexedDB.databases()).length]",
        [0, 0],
    ),
    "Cache API": Mechanism(
        "await (await caches.open('left')).put('/page/left', new Response('left'))",
        "return (await caches.keys()).length",
        0,
    ),
    "Cache API, on leaving": Mechanism(ON_LEAVING % "caches.open('left')", "return (await caches.keys()).length", 0),
    "origin private files": Mechanism(
        "const file = await (await navigator.storage.getDirectory()).getFileHandle('left', { create: true });"
        "const out = await file.createWritable(); await out.write('left'); await out.close()",
        NAMES + "return names.length",
        0,
    ),
    "files of the old kind": Mechanism(
        "await new Promise((ok, no) => webkitRequestFileSystem(0, 1000,"
        " (all) => all.root.getFile('left', { create: true }, ok, no), no))",
        "return new Promise((ok) => webkitRequestFileSystem(0, 1000,"
        " (all) => all.root.getFile('left', {}, () => ok('there'), () => ok('none')), () => ok('refused')))",
        "none",
    ),
    "a storage bucket": Mechanism(
        "await (await navigator.storageBuckets?.open('left'))?.caches.open('left')",
        "return (await navigator.storageBuckets?.keys()) ?? []",
        [],
    ),
    "a worker that writes": Mechanism(
        f"const text = new Blob([\"{WORKER_THAT_WRITES}\"], {{ type: 'text/javascript' }});"
        "new Worker(URL.createObjectURL(text));"
        "while (!(await caches.has('late'))) await new Promise(requestAnimationFrame)",
        "await new Promise((ok) => setTimeout(ok, 50)); return caches.has('late')",
        False,
    ),
    "a service worker": Mechanism(
        "await navigator.serviceWorker.register('/page/service.js'); await navigator.serviceWorker.ready",
        "await new Promise((ok) => setTimeout(ok, 50)); const all = await navigator.serviceWorker.getRegistrations();"
        "return [all.length, navigator.serviceWorker.controller, await caches.has('late')]",
        [0, None, False],
    ),
    "a broadcast channel": Mechanism(
        "const c = new BroadcastChannel('left'); c.onmessage = () => c.postMessage('left')",
        "const c = new BroadcastChannel('left'); return new Promise((ok) => {"
        " c.onmessage = ({ data }) => ok(data); c.postMessage('who?'); setTimeout(() => ok(null), 50); })",
        None,
    ),
    "a web lock": Mechanism(
        "await new Promise((ok) => navigator.locks.request('left', () => { ok(); return new Promise(() => {}); }))",
        "const { held, pending } = await navigator.locks.query(); return held.length + pending.length",
        0,
    ),
    "a URL of a blob": Mechanism(
        "document.cookie = 'left=' + URL.createObjectURL(new Blob(['left'])) + '; path=/'", "return document.cookie", ""
    ),
    "a password": Mechanism(
        "await navigator.credentials.store(new PasswordCredential({ id: 'left', password: 'left' }))",
        "return (await navigator.credentials.get({ password: true, mediation: 'silent' })) ?? null",
        None,
    ),
    "a permission": Mechanism(
        "await navigator.storage.persist(); await Notification.requestPermission()",
        "return [await navigator.storage.persisted(), Notification.permission]",
        [False, "denied"],
    ),
}

NOT_THERE = ["SharedWorker", "StorageBucketManager", "sharedStorage", "openDatabase", "applicationCache"]
"""Storage that browsers once had, or keep for advertisers: this one has it no more."""


@pytest.fixture(scope="module")
def pages(site: Site) -> tuple[str, str]:
    """The addresses of the page that leaves something, and of the one that looks; scripts for both."""
    script = {"kind": "text/javascript", "headers": {"Service-Worker-Allowed": "/"}}
    site.put("onfetch = () => {};" + WORKER_THAT_WRITES, "/page/service.js", **script)
    site.put("stored", "/asset/stored.txt", kind="text/plain", headers={"Cache-Control": "max-age=3600"})
    return site.put(whole_page("<input name=a>")), site.put(whole_page("<input name=a>"))


def run(browser: Browser, body: str) -> object:
    """What an async function gives in the page's own world."""
    return in_page(browser, f"(async () => {{ {body} }})()")


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
