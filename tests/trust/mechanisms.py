"""The ways in which a page could leave something in the browser."""

from __future__ import annotations

from dataclasses import dataclass

from harness.browser.browser import Browser
from tests.site import in_page

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


def run(browser: Browser, body: str) -> object:
    """What an async function gives in the page's own world."""
    return in_page(browser, f"(async () => {{ {body} }})()")
