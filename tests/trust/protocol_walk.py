"""A program that walks through DevTools' protocol: every method that the gate lets through, with every id it can get.

``python -m tests.trust.protocol_walk --minutes 60 --seed 1`` walks for an hour. Each round opens a page anew, speaks
over a connection to the page and one to the browser, and gives every method in random order what it may take: ids out
of all answers and events, of both connections, as they are and in other spellings; scripts that look for a way out. It
prints its seed, and what it has counted.

No message may name the harness's own world, no object may be of it, and nothing in it may be another than before.
"""

from __future__ import annotations

import argparse
import itertools
import json
import random
import secrets
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import Any

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from harness.browser.browser import Browser, PageFailed
from harness.browser.channel import CommandFailed, Params
from harness.browser.devtools import Devtools
from harness.browser.form.submission import NoForm, submit
from harness.browser.gate.policy import ALLOWED
from harness.browser.gate.session_scope import HANDLES, TABLE
from harness.browser.launch import BrowserSettings
from harness.browser.live_page import WORLD, PageLost
from harness.browser.site_browser import SiteBrowser
from harness.browser.site_devtools import way_in
from harness.browser.wire import BrowserGone
from tests.site import Site, whole_page
from tests.trust.walk_values import EXPRESSIONS, VALUES, WORDS
from tests.walks import walking

PAGE = """
<input name=a value=kept><select name=s><option>1<option>2</select><input type=file name=f>
<iframe name=inner srcdoc='<p onclick="0">inside<input name=b>'></iframe><div id=host></div>
<script>
  host.attachShadow({ mode: "open" }).innerHTML = "<button>shadow</button>";
  addEventListener("click", () => {}); document.forms[0]?.addEventListener("submit", () => {});
  window.worker = new Worker(URL.createObjectURL(new Blob(["self.x = 1; onmessage = (e) => postMessage(e.data)"])));
</script>"""
REALM = """function () {
    try { return this.constructor.constructor("return globalThis")()[%s] === 1; } catch { return false; }
}"""
"""Whether an object is of the world with the mark."""
LOOK = """(() => {
    const said = [];
    for (const [group, all] of Object.entries(harness)) {
        for (const [name, each] of Object.entries(all)) {
            if (typeof each === "function") said.push(group + "." + name + String(each));
        }
    }
    for (const each of [Object, Array, Function, FormData, HTMLFormElement, EventTarget, Promise, String]) {
        const own = Object.getOwnPropertyDescriptors(each.prototype);
        for (const key of Reflect.ownKeys(own)) {
            const { value, get } = own[key];
            said.push(String(key) + (typeof value === "function" ? String(value) : typeof value) + String(get));
        }
    }
    const names = Object.getOwnPropertyNames(globalThis).filter((name) => !/^(on.*|\\d+)$/.test(name));
    return JSON.stringify([said, names.sort()]);
})()"""
"""All that the harness's world is made of."""
HARMLESS = frozenset({"Emulation.setScriptExecutionDisabled", "Fetch.enable", "Page.startScreencast"})
"""Methods that are asked rarely: after them there is little to be found."""
OFTEN = {
    "DOMDebugger.getEventListeners": 15,
    "DOM.resolveNode": 6,
    "Runtime.callFunctionOn": 10,
    "Runtime.getProperties": 10,
}
"""How often methods are asked in a round that tell of objects; others twice."""
KINDS = {
    "objectId": "Runtime.RemoteObjectId",
    "nodeId": "DOM.NodeId",
    "backendNodeId": "DOM.BackendNodeId",
    "backendDOMNodeId": "DOM.BackendNodeId",
    "frameId": "Page.FrameId",
    "targetId": "Page.FrameId",
    "executionContextId": "Runtime.ExecutionContextId",
    "uniqueId": "unique",
    "stream": "IO.StreamHandle",
}
"""What ids name, by how messages call them."""
ANSWER_SECONDS = 3.0
_ALWAYS = ("expression", "functionDeclaration", "type", "x", "y", "name", "source", "selector")


class Broken(AssertionError):
    """The program got to the harness's world."""


@dataclass
class Counts:
    """What a walk has come to.

    Attributes:
        rounds: Pages that were opened.
        asked: Commands, by how they were answered: ``done``, ``failed`` (by the browser), ``refused`` (by the gate),
            ``silent``.
        objects: Objects that were looked at.
        done: Methods that were done at least once.
        lost: Rounds that ended since the page was gone, or kept busy, by how that was told.
    """

    rounds: int = 0
    asked: Counter[str] = field(default_factory=Counter)
    objects: int = 0
    done: set[str] = field(default_factory=set)
    lost: Counter[str] = field(default_factory=Counter)

    def __str__(self) -> str:
        asked = ", ".join(f"{times} {how}" for how, times in sorted(self.asked.items()))
        return (
            f"{self.rounds} rounds ({self.lost.total()} ended by their page), {self.asked.total()} commands ({asked}), "
            f"{len(self.done)} of {len(ALLOWED)} methods done, {self.objects} objects looked at"
        )


class Silent(Exception):
    """The page answers no more."""


class Talk:
    """A connection of the program."""

    def __init__(self, stack: ExitStack, address: str, own: Own, pool: Pool) -> None:
        self._socket = stack.enter_context(connect(address, max_size=None, proxy=None, close_timeout=0.2))
        self._numbers = itertools.count(1)
        self._own, self._pool = own, pool
        self.sessions = [""]

    def ask(self, method: str, params: Params, session: str = "") -> dict[str, Any]:
        """The whole answer to a command, after all that was told before it.

        Raises:
            Silent: there is none.
            Broken: the harness's world was named.
        """
        number = next(self._numbers)
        place = {"sessionId": session} if session else {}
        try:
            self._socket.send(json.dumps({"id": number, "method": method, "params": params, **place}))
            deadline = time.monotonic() + ANSWER_SECONDS
            while True:
                text = str(self._socket.recv(max(0.0, deadline - time.monotonic())))
                self._own.look_at(text, method)
                message: dict[str, Any] = json.loads(text)
                self._pool.take(self, message)
                if message.get("method") == "Target.attachedToTarget":
                    self.sessions.append(message["params"]["sessionId"])
                if message.get("id") == number:
                    return message
        except (OSError, EOFError, ConnectionClosed) as error:
            raise Silent(f"{method} is not answered") from error


class Own:
    """The harness's own worlds, as the harness knows them."""

    def __init__(self, browser: Browser) -> None:
        self.mark = f"mark{secrets.token_hex(8)}"
        self._script = f"globalThis[{json.dumps(self.mark)}] = 1;"
        self._unique: set[str] = set()
        self._browser = browser
        browser.stay(self._script)
        self._channel = browser.page.channel  # the page may be another's in the end: a program opens and closes tabs
        self._channel.on("Runtime.executionContextCreated", self._on_world)

    def _on_world(self, params: Params) -> None:
        if params["context"]["name"] == WORLD:
            self._unique.add(params["context"]["uniqueId"])

    def look_at(self, text: str, method: str) -> None:
        """See that a message names none of them.

        Raises:
            Broken: it does.
        """
        if WORLD in text and "is refused" not in text:
            raise Broken(f"{method}: the harness's world is named: {text[:500]}")
        # A tuple, since worlds are told of in another thread.
        if any(unique in text for unique in tuple(self._unique)):
            raise Broken(f"{method}: a context of the harness's is told: {text[:500]}")

    def all(self) -> Any:
        """All that the world of the page is made of, with the mark."""
        return self._browser.page.remote(LOOK)["value"], self._browser.page.remote(self.mark)["value"]

    def leave(self) -> None:
        """Mark no more."""
        self._browser.leave(self._script)
        self._channel.off("Runtime.executionContextCreated", self._on_world)


class Pool:
    """The ids that the program has seen, by the kind of thing that they name, and objects not looked at yet."""

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance
        self._ids: dict[str, list[Any]] = defaultdict(list)
        self.fresh: list[tuple[Talk, str, str]] = []

    def take(self, talk: Talk, message: Any) -> None:
        """Take in what a message holds that came over a connection, whatever it is called."""
        self._place = (talk, message.get("sessionId", ""))
        waiting = [("", message)]
        while waiting:
            key, value = waiting.pop()
            if isinstance(value, dict):
                waiting += value.items()
            elif isinstance(value, list):
                waiting += [(key.removesuffix("s"), each) for each in value[:200]]
            elif type(value) in (int, str) and value != "":
                self._keep(key, value)

    def _keep(self, key: str, value: Any) -> None:
        number_or_frame = "Runtime.ExecutionContextId" if type(value) is int else "Page.FrameId"
        kinds = {**KINDS, "id": number_or_frame}
        if kind := kinds.get(key) or (key if key.endswith(("Id", "identifier")) else ""):
            known = self._ids[kind]
            if len(known) < 400 and value not in known:
                known.append(value)
                if key == "objectId":
                    self.fresh.append((*self._place, value))

    def one(self, kind: str) -> Any:
        """An id: mostly of its kind and as it was told, else of another kind, or spelled otherwise."""
        throw = self._chance.random()
        known = self._ids.get(kind)
        if throw < 0.1 or not known:
            known = self._ids[self._chance.choice(sorted(self._ids))] if self._ids else [1]
        value = self._chance.choice(known[-40:] if throw < 0.6 else known)
        return self._misspelled(value) if throw > 0.85 else value

    def _misspelled(self, value: Any) -> Any:
        if type(value) is int:
            return self._chance.choice([value + 1, value - 1, -value, str(value), float(value), value + 2**32, [value]])
        parts = value.split(".")
        at = self._chance.randrange(len(parts))
        part = parts[at]
        near = str(int(part) + self._chance.choice((-1, 1))) if part.lstrip("-").isdecimal() else part + "0"
        parts[at] = self._chance.choice([f"+{part}", f" {part}", f"{part} ", f"0{part}", near, f"-{part}", "\t" + part])
        return ".".join(parts)


class Round:
    """One page, and what is asked of it."""

    def __init__(self, chance: random.Random, counts: Counts, own: Own, stack: ExitStack, devtools: Devtools) -> None:
        self._chance, self._counts, self._own = chance, counts, own
        self._table = json.loads(TABLE.read_text())
        self._pool = Pool(chance)
        self._talks = [Talk(stack, address, own, self._pool) for address in (devtools.page, devtools.browser)]
        self._url = ""

    def go(self, url: str) -> None:
        """Ask for everything once, in an order of its own.

        Raises:
            Silent: the page answers no more.
            Broken: the harness's world was reached.
        """
        self._url = url
        at_page, at_browser = self._talks
        attach = {"autoAttach": True, "waitForDebuggerOnStart": False, "flatten": True}
        at_browser.ask("Target.setAutoAttach", {**attach, "filter": [{"type": "page"}]})
        for talk, session in ((at_page, ""), (at_browser, at_browser.sessions[-1])):
            for method in ("Runtime.enable", "DOM.enable", "Page.enable", "Page.getFrameTree"):
                talk.ask(method, {}, session)
            talk.ask("Target.setAutoAttach", attach, session)
            talk.ask("DOM.getDocument", {"depth": -1, "pierce": True}, session)
        for root in ("document", "window", "navigation"):
            seen = at_page.ask("Runtime.evaluate", {"expression": root, "objectGroup": "g"})["result"]["result"]
            asked = {"objectId": seen.get("objectId"), "pierce": True, "depth": -1, "objectGroup": "g"}
            at_page.ask("DOMDebugger.getEventListeners", asked)
        self._look()
        for expression in self._chance.sample(EXPRESSIONS, 25):
            self._ask(
                at_page,
                "Runtime.evaluate",
                {"expression": expression, "objectGroup": "g", "includeCommandLineAPI": True},
            )
        methods = sorted(ALLOWED - (HARMLESS if self._chance.random() < 0.7 else frozenset()))
        self._chance.shuffle(methods)
        for method in methods:
            talk = self._chance.choice(self._talks)
            for _ in range(OFTEN.get(method, 2)):
                self._ask(talk, method, self._params(self._fields(method)))
            self._look()

    def _fields(self, method: str) -> Mapping[str, str]:
        fields: dict[str, str] = dict(self._table["methods"][method][0])
        if method == "DOMDebugger.getEventListeners":
            fields |= {"pierce": "boolean", "objectGroup": "string"}
        return fields

    def _params(self, fields: Mapping[str, str], depth: int = 0) -> Params:
        """Some of what a method takes: mostly one name of a thing, as most methods take no more."""
        asked = {}
        kinds = [name for name, kind in fields.items() if kind in HANDLES or name == "uniqueContextId"]
        named = {self._chance.choice(kinds)} if kinds and self._chance.random() < 0.9 else set(kinds)
        for name, kind in fields.items():
            if depth < 3 and (name in named or name in _ALWAYS or (name not in kinds and self._chance.random() < 0.7)):
                asked[name] = self._value(name, kind, depth)
        return asked

    def _value(self, name: str, kind: str, depth: int) -> Any:
        chance = self._chance
        if kind.startswith("["):
            return (
                WORDS[name][0]
                if name in WORDS
                else [self._value("", kind[1:-1], depth) for _ in range(chance.randrange(3))]
            )
        if name == "url":
            return self._url
        if name == "uniqueContextId":
            return self._pool.one("unique")
        if kind == "string" and name.endswith(("Id", "identifier")):
            return self._pool.one(name)
        if kind in HANDLES:
            return self._pool.one(kind)
        if kind in self._table["types"]:
            return self._params(self._table["types"][kind], depth + 1)
        return chance.choice(WORDS.get(name) or VALUES[kind])

    def _ask(self, talk: Talk, method: str, params: Params) -> None:
        pages = [each for each in talk.sessions if each or talk is self._talks[0]]
        session = pages[0] if self._chance.random() < 0.7 else self._chance.choice(talk.sessions[-6:])
        try:
            answer = talk.ask(method, params, session)
        except Silent:
            self._counts.asked["silent"] += 1
            raise
        failure = answer.get("error", {}).get("message", "")
        self._counts.asked["done" if not failure else "refused" if " is refused: " in failure else "failed"] += 1
        if not failure:
            self._counts.done.add(method)

    def _look(self) -> None:
        """See of which world the objects are that were told since the last look."""
        declaration = REALM % json.dumps(self._own.mark)
        fresh, self._pool.fresh = self._pool.fresh[-40:], []
        for talk, session, number in fresh:
            asked = {"objectId": number, "functionDeclaration": declaration, "returnByValue": True}
            answer = talk.ask("Runtime.callFunctionOn", asked, session)
            if answer.get("result", {}).get("result", {}).get("value") is True:
                raise Broken(f"{number} is an object of the harness's world")
            self._counts.objects += "result" in answer


@contextmanager
def _pages(kind: str) -> Iterator[tuple[Browser, str]]:
    """A browser, and a page to open in it: a form, or a page of a site."""
    if kind == "site":
        with walking(timeout=10.0) as walk:
            yield walk.browser, walk.put(PAGE, "/")
        return
    site = Site()
    try:
        with Browser(BrowserSettings(site.origin, timeout=10.0)) as browser:
            yield browser, site.put(whole_page(PAGE))
    finally:
        site.close()


def walk(kind: str, seed: int, counts: Counts, until: float, rounds: int = 1_000_000) -> None:
    """Go through the protocol again and again.

    Args:
        kind: ``form`` or ``site``.
        seed: Of what is drawn.
        counts: Is added to.
        until: When to begin no further round, by ``time.monotonic``.
        rounds: How many to make at most.

    Raises:
        Broken: the harness's world was reached.
    """
    chance = random.Random(f"{kind} {seed}")  # noqa: S311 - it draws commands, not keys
    made = 0
    while made < rounds and time.monotonic() < until:
        # A browser lives through some rounds, unless a program has done away with its page.
        with _pages(kind) as (browser, url):
            for _ in range(10):
                made += 1
                if not _round(browser, url, chance, counts) or made >= rounds or time.monotonic() > until:
                    break


def _round(browser: Browser, url: str, chance: random.Random, counts: Counts) -> bool:
    """One round; whether the browser can be used for another."""
    counts.rounds += 1
    if isinstance(browser, SiteBrowser):
        browser.clear()
    browser.open(url)
    own = Own(browser)
    browser.run("page.settled") if not isinstance(browser, SiteBrowser) else browser.settle()
    before = own.all()
    try:
        with ExitStack() as stack:
            devtools = stack.enter_context(way_in(browser))
            try:
                Round(chance, counts, own, stack, devtools).go(url)
            except Silent as error:
                counts.lost[str(error)] += 1
            devtools.take_back()
        after = own.all()
        if changed := _changed(before, after):
            raise Broken(f"the harness's world is not as it was: {changed}")
        if not isinstance(browser, SiteBrowser):
            submit(browser)
    except (PageLost, PageFailed, NoForm, BrowserGone, CommandFailed) as error:  # its own page is a program's own loss
        counts.lost[f"{type(error).__name__}: {error}"] += 1
        return False
    own.leave()
    return True


def _changed(before: Any, after: Any) -> str:
    """What is other in the harness's world; that a document lacks some globals is no change, but a setting's doing."""
    if before[1] != after[1]:
        return "it has no mark"
    (was, names), (now, names_now) = json.loads(before[0]), json.loads(after[0])
    new = sorted({*now} - {*was}) + sorted({*names_now} - {*names})
    gone = sorted({*was} - {*now})
    return f"gone: {gone[:5]}, new: {new[:5]}" if gone or new else ""


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--seed", type=int, default=secrets.randbelow(10**6))
    wanted = parser.parse_args()
    for place in ("form", "site"):
        found = Counts()
        print(f"{place}: seed {wanted.seed}", flush=True)
        walk(place, wanted.seed, found, time.monotonic() + wanted.minutes * 30)
        print(f"{place}: {found}", flush=True)
