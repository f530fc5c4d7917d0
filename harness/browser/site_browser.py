"""A browser that walks through a site: several tabs, which go where the task may go and nowhere else."""

from __future__ import annotations

import secrets
import socket
from collections.abc import Mapping, Sequence

from harness.browser.browser import Browser, page_commands, scoped
from harness.browser.channel import CommandFailed, Params
from harness.browser.flags import is_blocked
from harness.browser.gate.gate import Gate
from harness.browser.launch import in_page_script
from harness.browser.live_page import WORLD, PageClosed, PageFailed
from harness.browser.network_log import NetworkLog
from harness.browser.seen_moments import SeenMoment, SeenMoments
from harness.browser.site_tabs import MOST_TABS, GatedTabs, OpenTabs, SiteWindow, TabRefused
from harness.browser.tab import PATIENCE, Tab

_LIBRARY = ("base", "rest", "fields", "pressables", "aim", "html", "wheel")
_OF_SITES = ("elements", "marks", "site", "moments", "left", "tools")
MOST_NOTES = 100
_SILENCE = "its server does not answer"


class SiteBrowser(Browser):
    """A browser of which one tab is the current one: what ``Browser`` does with its page, it does with that.

    A tab that a page opens becomes the current one, as in any browser. When it is closed, its opener does.

    Attributes:
        dialogs: What pages said or asked in dialogs (``confirm:sure?``), which were answered with yes; since ``clear``.
        refused: Addresses that pages were kept from, and downloads; since ``clear``.
        late: Addresses of what was not waited for to its end, see ``settle``; since ``clear``.
    """

    page: Tab

    def _begin(self, first: str) -> None:
        self._first = first
        self.dialogs: list[str] = []
        self.refused: list[str] = []
        self.late: list[str] = []
        self._tabs = OpenTabs()
        self._moments = SeenMoments()
        self._window = SiteWindow(self.root, self.settings)
        self._staying: list[str] = []
        self._gate: Gate | None = None
        self._binding = f"harness{secrets.token_hex(8)}"
        self._commands = self._preparation()
        on = self.root.on
        on("Target.attachedToTarget", self._on_attached)
        on("Target.targetDestroyed", self._on_closed)
        on("Browser.downloadWillBegin", lambda params: self._note(self.refused, f"download:{params['url']}"))
        attach = {"autoAttach": True, "waitForDebuggerOnStart": True, "flatten": True, "filter": [{"type": "page"}]}
        self.root.call("Target.setAutoAttach", **attach)
        self.clear()

    def _preparation(self) -> list[tuple[str, Params]]:
        constants = {
            "CHANNEL": f"harness-{secrets.token_hex(8)}",
            "CLOCK": False,
            "BINDING": self._binding,
            "ORIGINS": list(self.settings.policy.origins),
            "PATIENCE": 1000 * self.settings.timeout * PATIENCE,
        }
        # Keeps account of timers, and leaves them and the clock as they are.
        pages_own = scoped(constants, [in_page_script("clock")])
        of_sites = (in_page_script(name, "site_scripts") for name in _OF_SITES)
        library = scoped(constants, [*map(in_page_script, _LIBRARY), *of_sites])
        script = "Page.addScriptToEvaluateOnNewDocument"
        return [
            *page_commands(self.settings),
            ("Network.enable", {}),
            ("Runtime.addBinding", {"name": self._binding, "executionContextName": WORLD}),
            (script, {"source": pages_own, "runImmediately": True}),
            (script, {"source": library, "worldName": WORLD, "runImmediately": True}),
        ]

    # ---- tabs -----------------------------------------------------------------------------------------------------

    @property
    def tab(self) -> Tab:
        """The current tab."""
        return self.page

    @property
    def tabs(self) -> tuple[Tab, ...]:
        """Those that are open, in the order in which they were opened."""
        return tuple(self._tabs)

    def _on_attached(self, params: Params) -> None:
        """A page has begun, and waits until it is set up."""
        info = params["targetInfo"]
        is_known = self._tabs.of(info["targetId"]) is not None
        if info["type"] != "page" or info.get("browserContextId") != self.context or is_known:
            return
        channel = (self.page.channel if self._tabs else self.root).beside(params["sessionId"])
        if len(self._tabs) >= MOST_TABS:
            self._note(self.refused, f"more than {MOST_TABS} tabs")
            channel.post("Runtime.runIfWaitingForDebugger")
            channel.end(PageClosed("there were too many tabs"))
            self.root.post("Target.closeTarget", targetId=info["targetId"])
            return
        tab = Tab(channel, info, self._tabs.count, self._binding)
        tab.on_moment = self._moments.add
        tab.on_refused = lambda url: self._on_refused(tab, url)
        tab.on_dialog = lambda words: self._note(self.dialogs, words)
        tab.on_late = lambda url: self._note(self.late, url)
        self._tabs.add(tab)
        self.page = tab
        self._moments.add(SeenMoment("opened", tab.number, tab.url))
        for method, values in self._commands:
            tab.channel.post(method, **values)
        for script in self._staying:
            tab.stay(script)
        tab.begin()
        if self._gate:
            self._gate.show(info)

    def _on_closed(self, params: Params) -> None:
        if (closed := self._tabs.of(params["targetId"])) is None:
            return
        self._tabs.remove(closed, PageClosed("the tab was closed"))
        self._moments.add(SeenMoment("closed", closed.number, closed.url))
        if self._gate:
            self._gate.hide(closed.target)
        if closed is self.page and self._tabs:
            self.page = self._tabs.of(closed.opener) or self.tabs[-1]
            self.page.channel.post("Page.bringToFront")

    def _on_refused(self, tab: Tab, url: str) -> None:
        self._note(self.refused, url)
        if tab.opener and tab.moves == 1 and len(self._tabs) > 1:
            # It was opened for that address, and shows nothing but an error.
            tab.is_closing = True
            self.root.post("Target.closeTarget", targetId=tab.target)

    @staticmethod
    def _note(notes: list[str], words: str) -> None:
        if len(notes) < MOST_NOTES:
            notes.append(words)

    def use(self, target: str) -> None:
        """Take the tab of a page for the current one: a program works in it."""
        self.page = self._tabs.of(target) or self.page

    @property
    def context(self) -> str:
        """The browser context that its tabs are in."""
        return self._context.name

    def switch(self, number: int) -> None:
        """Make a tab the current one, and wait until it has settled.

        Raises:
            TabRefused: there is none of that number.
        """
        self.page = self._tabs.numbered(number)
        self.channel.call("Page.bringToFront")
        self.settle()

    def new_tab(self, url: str = "about:blank") -> Tab:
        """Open a tab, which becomes the current one.

        Raises:
            TabRefused: there are too many.
            PageFailed: the address is none of the task's, or cannot be opened.
        """
        self._check(url)
        if len(self._tabs) >= MOST_TABS:
            raise TabRefused(f"there are {MOST_TABS} tabs already: close one before")
        tab = self._create("about:blank")
        self.settle()  # asked for another document while its first, empty one is on its way, it hangs or crashes
        if url != "about:blank":
            try:
                self._go(url)
            except PageFailed:
                self.close_tab(tab.number)
                raise
        return tab

    def _create(self, url: str) -> Tab:
        target = str(self.root.call("Target.createTarget", url=url, browserContextId=self.context)["targetId"])
        self.root.wait_until(lambda: self._tabs.of(target) is not None)
        return next(tab for tab in self._tabs if tab.target == target)

    def close_tab(self, number: int | None = None) -> None:
        """Close a tab, by default the current one; its opener becomes the current one, else the last.

        Raises:
            TabRefused: there is none of that number, or no other.
        """
        tab = self.page if number is None else self._tabs.numbered(number)
        if len(self._tabs) == 1:
            raise TabRefused("it is the only tab, which stays open")
        self.root.call("Target.closeTarget", targetId=tab.target)
        self.root.wait_until(lambda: not tab.is_open)
        self.settle()

    def stay(self, script: str) -> None:
        """Run a script in the harness's own world of all tabs from now on, those to come as well."""
        self._staying.append(script)
        for tab in self._tabs:
            tab.stay(script)

    def leave(self, script: str) -> None:
        """End what ``stay`` has begun."""
        self._staying.remove(script)
        for tab in self._tabs:
            tab.leave(script)

    # ---- ways -----------------------------------------------------------------------------------------------------

    def _check(self, url: str) -> None:
        if not self.settings.policy.allows(url):
            allowed = ", ".join(self.settings.policy.origins)
            raise PageFailed(f"{url} cannot be opened: the task may visit {allowed} only")

    def open(self, url: str) -> None:
        """Show a page in the current tab and wait until it has settled; an error page of the server is one.

        Raises:
            PageFailed: the address is none of the task's, leads to no page, or nobody answers there.
            BrowserGone: the page does not load within the time-out, or the browser died.
        """
        self._check(url)
        for leave in self.on_leaving:
            leave()
        self._go(url)

    def _go(self, url: str) -> None:
        tab = self.page
        is_first = tab.url == "about:blank"
        number = tab.channel.send("Page.navigate", url=url)
        comes = tab.comes(lambda: tab.channel.are_answered([number]))
        try:
            [answer] = tab.channel.results([number])
        except CommandFailed as error:
            raise PageFailed(f"{url} cannot be opened: {error}") from error
        loader, refusal = str(answer.get("loaderId", "")), answer.get("errorText")
        if refusal and refusal != "net::ERR_ABORTED":
            tab.wait_until_shown(loader, ready=False)
        if refusal:
            raise PageFailed(f"{url} cannot be opened: {refusal if comes else _SILENCE}")
        if loader:
            tab.channel.wait_until(lambda: tab._shown == loader)
        self.settle()
        if is_first:
            # The empty page must not be one step back; nothing is forgotten while a document is on its way.
            tab.channel.post("Page.resetNavigationHistory")

    def back(self) -> None:
        """Go one page back.

        Raises:
            PageFailed: there is none.
        """
        self._step(-1, "back")

    def forward(self) -> None:
        """Go one page forward.

        Raises:
            PageFailed: there is none.
        """
        self._step(1, "forward")

    def _step(self, by: int, where: str) -> None:
        tab = self.page
        history = tab.channel.call("Page.getNavigationHistory")
        place = history["currentIndex"] + by
        if not 0 <= place < len(history["entries"]):
            raise PageFailed(f"there is no page to go {where} to")
        self._moving(tab, "Page.navigateToHistoryEntry", entryId=history["entries"][place]["id"])

    def reload(self) -> None:
        """Load the page of the current tab again."""
        self._moving(self.page, "Page.reload")

    def _moving(self, tab: Tab, method: str, **params: object) -> None:
        moves = tab.moves
        tab.channel.call(method, **params)
        if not tab.comes(lambda: tab.moves > moves):
            raise PageFailed(f"the page cannot be shown: {_SILENCE}")
        self.settle()

    def settle(self) -> None:
        """Wait until what an action has set off has happened, in whichever tab is the current one then.

        A document that is on its way has loaded, what scripts have asked for was answered, and the page is at rest.
        What elements hold that input has reached is read, too. It costs one round trip where no document was left.

        A server that does not answer keeps nobody for ever: a document that has not come within a tab's patience is
        given up, and one that has not loaded at that age is gone on with as far as it has come. Both are in ``late``.

        Raises:
            BrowserGone: the document does not answer within the time-out, or the browser died.
        """
        for _ in range(MOST_TABS):
            tab = self.page
            try:
                tab.settle()
                if self._window.shows(tab) and tab is self.page:
                    return
            except PageClosed:
                if tab is self.page:
                    raise

    # ---- the episode ----------------------------------------------------------------------------------------------

    def take_moments(self) -> list[SeenMoment]:
        """What has happened since this was last called, in order; ``settle`` before reads what elements hold."""
        return self._moments.take()

    @property
    def counts(self) -> Mapping[str, int]:
        """How many messages were awaited, and how often it was stood still for them: of all tabs since ``clear``."""
        return self._tabs.counts

    @property
    def moments_lost(self) -> int:
        """How many moments came that there was no room for; since ``clear``."""
        return self._moments.lost

    def log_network(self) -> NetworkLog:
        """Take down what all tabs ask of servers, from now on until ``clear``."""
        return self._tabs.log_network()

    def set_cookie(self, url: str, name: str, value: str) -> None:
        """Give the browser a cookie of a host, which pages' scripts do not see.

        Args:
            url: The host's origin.
            name: Of the cookie.
            value: Its value.
        """
        self.set_cookies([{"name": name, "value": value, "url": url, "httpOnly": True, "sameSite": "Lax"}])

    def set_cookies(self, cookies: Sequence[Params]) -> None:
        """Give the browser cookies, each as ``Network.CookieParam``."""
        self.root.call("Storage.setCookies", cookies=[*cookies], browserContextId=self.context)

    def catch_up(self) -> None:
        """Read what the browser has told meanwhile; it goes on while nobody listens.

        Raises:
            BrowserGone: it was closed, the process of the current tab crashed, or no answer.
        """
        self.root.call("Browser.getVersion")
        if self.page.channel.failure:
            raise self.page.channel.failure

    def gate(self, listener: socket.socket | None = None) -> Gate:
        """A way for programs to the tabs; a context. One after another.

        Args:
            listener: Where they come in; None for a free port of this machine.
        """
        self._gate = Gate(
            self._started.wire,
            self.root,
            [tab.target for tab in self._tabs],
            is_blocked=self._blocks,
            taken=self.run("page.globals"),
            tabs=GatedTabs(self),
            listener=listener,
        )
        return self._gate

    def take_over(self) -> None:
        """As of ``Browser``, in all tabs."""
        for tab in self._tabs:
            tab.channel.take()

    def _blocks(self, url: str) -> bool:
        """Whether a program is kept from an address, which is noted."""
        if not is_blocked(url, self.settings.origin, self.settings.policy):
            return False
        self._note(self.refused, url)
        return True

    def clear(self) -> None:
        """Begin anew with one empty tab, in a browser context that nothing was ever in; all before it is thrown away.

        Without a window the browser might end: people see another before its first is closed; unseen, that one stays.
        """
        before, tabs, self._gate = self._context.begin(), self._tabs, None
        self._tabs = OpenTabs()
        for tab in tabs:
            tab.mute()
        downloads = {"behavior": "deny", "eventsEnabled": True}
        self.root.call("Browser.setDownloadBehavior", browserContextId=self.context, **downloads)
        self._create("about:blank")
        if not self.settings.headless:
            self._window.fit(self.page)
            if not before:
                self.root.post("Target.closeTarget", targetId=self._first)
        self._context.throw_away(before)
        for tab in tabs:
            tab.channel.end(PageClosed("the episode is over"))
        self.dialogs.clear()
        self.refused.clear()
        self.late.clear()
        self._moments.clear()
        self.settle()
