"""A page starts clean: what the pages before it have left in the browser is gone before its first script runs."""

from __future__ import annotations

import json
import secrets
import time

from harness.browser.channel import Channel, Params
from harness.browser.flags import proxying
from harness.browser.launch import BrowserSettings
from harness.browser.wire import BrowserGone


class OwnContext:
    """A browser context, or the browser's own as long as none was made.

    In a browser that others use, too, it ends with our connection to that browser, however that ends. Where the flags
    of that browser are its owner's, it has the network of ours alone.

    Attributes:
        name: By which DevTools knows it; empty for the browser's own.
    """

    def __init__(self, root: Channel, settings: BrowserSettings) -> None:
        """Of the browser at the other end of ``root``."""
        self._root = root
        self._is_shared = settings.is_shared
        self._asked: Params = {"disposeOnDetach": True} if settings.is_shared else {}
        if settings.is_attached:
            server, exceptions = proxying(settings.origin, settings.policy, live=settings.live)
            self._asked |= {"proxyServer": server, "proxyBypassList": exceptions}
        self.name = ""

    def begin(self) -> str:
        """Make a context that nothing was ever in; gives the name of the one before, which is to be thrown away."""
        before, self.name = self.name, self._root.call("Target.createBrowserContext", **self._asked)["browserContextId"]
        if self._is_shared:
            self._root.call("Browser.setDownloadBehavior", behavior="deny", browserContextId=self.name)
        return before

    def renew(self) -> tuple[str, str]:
        """Make a context that nothing was ever in.

        Returns:
            The id of an empty page in it, and the name of the context before, which is to be thrown away.
        """
        before = self.begin()
        created = self._root.call("Target.createTarget", url="about:blank", browserContextId=self.name)
        return created["targetId"], before

    def throw_away(self, name: str) -> None:
        """End a context with its pages; nothing for the browser's own."""
        if name:
            self._root.call("Target.disposeBrowserContext", browserContextId=name)

    def holds(self, target: Params) -> bool:
        """Whether a target (``Target.TargetInfo``) is one of ours: in a browser of our own all are."""
        return not self._is_shared or target.get("browserContextId") == self.name

    @property
    def place(self) -> Params:
        """What names it in commands that are for one context."""
        return {"browserContextId": self.name} if self._is_shared else {}


_STORAGE = "file_systems,indexeddb,service_workers,cache_storage"
"""Of ``Storage.StorageType``; cookies go for all origins, and ``localStorage`` by the script hooks.js. ``all`` takes
ten times as long, for what this browser keeps no more."""
_WORKERS = [{"type": "shared_worker"}, {"type": "service_worker"}]
"""Scripts that can outlive the page which started them."""


class CleanStart:
    """Holds a page at its first moment, when the page before it is gone, and empties the browser.

    Emptied any earlier, the page before could still write; any later, this one's scripts would lose what they wrote.
    So a script in the harness's own world asks the browser for an address that no server sees, and the page's process
    stands still until the answer is given here. The browser is emptied from the moment that it tells of the new
    document, while that one's process is still at its beginnings.
    """

    def __init__(self, root: Channel, channel: Channel, context: OwnContext, origin: str, world: str) -> None:
        """Of the page at the other end of ``channel``.

        Args:
            root: The DevTools session with the browser.
            channel: The one with the page.
            context: What the page is in.
            origin: The one from which pages and their frames come.
            world: Name of the harness's own world.
        """
        self._root = root
        self._channel = channel
        self._context = context
        self._origin = origin
        self._world = world
        self._gate = f"{origin}/asset/{secrets.token_hex(16)}"
        self._waiting: list[str] = []
        self._shown = ""
        self._task = ""
        self._script = -1
        channel.on("Fetch.requestPaused", self._on_request)
        channel.on("Page.frameNavigated", self._on_navigated)

    def _on_request(self, params: Params) -> None:
        self._waiting.append(params["requestId"])

    def _on_navigated(self, params: Params) -> None:
        if "parentId" not in params["frame"]:
            self._shown = params["frame"]["loaderId"]

    def expect(self) -> None:
        """Say that the next document in the window is to be held; to be called before it is asked for."""
        self._waiting.clear()
        ask = f"const r = new XMLHttpRequest(); r.open('GET', {json.dumps(self._gate)}, false); r.send();"
        self._script = self._channel.send(
            "Page.addScriptToEvaluateOnNewDocument",
            source=f"if (window === window.top) try {{ {ask} }} catch {{ /* an error page may not ask */ }}",
            worldName=self._world,
        )
        self._channel.post("Fetch.enable", patterns=[{"urlPattern": self._gate}])

    def give_up(self) -> None:
        """Hold no document after all: none came."""
        self._channel.post("Fetch.disable")
        script = self._channel.results([self._script])[0]["identifier"]
        self._channel.post("Page.removeScriptToEvaluateOnNewDocument", identifier=script)

    def clear(self, url: str, loader: str) -> None:
        """Empty the browser while the new document waits, and let it go on.

        Files that the pages of one task load stay in the browser's cache until a page of another task comes: emptied
        for each page, all would be loaded anew.

        Args:
            url: The new document's address; but for its last part, the instance, it is its task's.
            loader: What loads it.

        Raises:
            BrowserGone: the document does not come, or a worker of the page before does not end.
        """
        self._channel.wait_until(lambda: self._shown == loader)
        task = url.rstrip("/").rpartition("/")[0]
        if task != self._task:
            self._channel.call("Network.clearBrowserCache")
            self._task = task
        deadline = time.monotonic() + self._channel.timeout
        # A worker that still runs could write behind the back of what clears.
        while workers := self._empty():
            if time.monotonic() > deadline:
                raise BrowserGone("a worker that the page before has started does not end")
            for worker in workers:
                self._root.post("Target.closeTarget", targetId=worker)
        for request in self._waiting:
            self._channel.post("Fetch.fulfillRequest", requestId=request, responseCode=204)
        self.give_up()

    def _empty(self) -> list[str]:
        """Clear what is kept, and wait for the new document; gives the targets of workers that ran meanwhile."""
        workers = self._root.send("Target.getTargets", filter=_WORKERS)
        # A program from outside may have granted some.
        self._root.post("Browser.resetPermissions", **self._context.place)
        send = self._channel.send
        numbers = [
            send("Storage.clearDataForOrigin", origin=self._origin, storageTypes=_STORAGE),
            send("Network.clearBrowserCookies"),
        ]
        # Together, so that the count of stand-stills is no matter of what came first.
        self._channel.wait_until(lambda: bool(self._waiting) and self._channel.are_answered(numbers))
        self._channel.results(numbers)
        found = self._root.results([workers])[0]["targetInfos"]
        return [target["targetId"] for target in found if self._context.holds(target)]
