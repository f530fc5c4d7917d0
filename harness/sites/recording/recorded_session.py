"""The recorded browser: what a person does in it is handed on as acts, with pictures of the page."""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Callable, Collection, Mapping
from typing import Any

from harness.browser.browser import PageFailed
from harness.browser.channel import CommandFailed
from harness.browser.chord import Chord
from harness.browser.input_back_end import DevtoolsInput
from harness.browser.launch import BrowserSettings
from harness.browser.live_page import PageClosed
from harness.browser.recorded_browser import HeardInput, RecordedBrowser, TabHistory
from harness.browser.rewarding_page import RewardingPage
from harness.browser.seen_moments import SeenMoment
from harness.browser.site_tabs import TabRefused
from harness.browser.tab import Tab
from harness.browser.wire import BrowserGone
from harness.catalog.trace import ElementMark
from harness.episode.action_sets import actions_of
from harness.episode.site_actions import SiteActions
from harness.episode.trajectory import Trajectory
from harness.kit.text import shorten
from harness.run.plan import site_policy
from harness.run.site_control import COOKIE
from harness.sites.recording.draft import CannotDo
from harness.sites.recording.order import RecordingOrder
from harness.sites.recording.recorded_step import PersonAct
from harness.sites.recording.step_maker import way_of

_GOES_BY = (PageClosed, PageFailed, CommandFailed)
"""What a tab answers that is closed, or goes to another page, meanwhile."""


class RecordedSession:
    """A browser that is recorded.

    Attributes:
        view: JPEG of what it shows.
        looks: How many views there were.
        notes: What could not be recorded, in sentences, each once.
    """

    def __init__(self, order: RecordingOrder, origin: str) -> None:
        """Start it.

        Args:
            order: What is recorded.
            origin: Of the server of bundled sites; of no use to others.

        Raises:
            harness.browser.launch.NoBrowser: none starts: there is none, no display for its window, or no sandbox.
        """
        self._browser = RecordedBrowser(browser_settings(order, origin, headless=not order.headed))
        self._input = DevtoolsInput(self._browser)
        self._order = order
        self._histories: dict[int, TabHistory] = {}
        self._pictures: dict[str, bytes] = {}
        self.view = b""
        self.looks = 0
        self.notes: dict[str, None] = {}

    def open(self, episode: str) -> None:
        """Begin with the first page, in a browser that nothing was ever in.

        Args:
            episode: By what a bundled site knows the episode; empty for other sites.

        Raises:
            PageFailed: it cannot be opened.
        """
        self._browser.clear()
        self._histories.clear()
        if episode:
            self._browser.set_cookie(self._order.origins[0], COOKIE, episode)
        self._browser.open(self._order.start)
        # Until its first frame is on the screen a page gets no presses: the browser drops them.
        self._browser.run("page.frame")
        self.forget()

    def forget(self) -> None:
        """Take what has happened so far for nothing that the person did."""
        self._browser.take_moments()
        self._browser.take_heard()
        self._remember_ways()
        self.look()

    def _remember_ways(self) -> None:
        """Take down where each tab was, so that it can be told later what a person asked of the browser."""
        for tab in self._browser.tabs:
            with contextlib.suppress(*_GOES_BY):
                self._histories[tab.number] = self._browser.history(tab)

    @property
    def is_there(self) -> bool:
        """Whether the browser runs, and has a tab that is open."""
        try:
            self._browser.root.call("Browser.getVersion")
        except BrowserGone:
            return False
        return bool(self._browser.tabs)

    @property
    def is_rewarding(self) -> bool:
        """Whether the page that is shown is one of a bundled site that gives rewards (MiniWoB++)."""
        tab = self._browser.tab
        return bool(self._order.setting.site and RewardingPage(tab.url).instruction(tab))

    @property
    def site(self) -> RecordedBrowser:
        """The browser itself."""
        return self._browser

    @property
    def input(self) -> DevtoolsInput:
        """Its mouse and keyboard."""
        return self._input

    def close(self) -> None:
        """End the browser."""
        self._browser.close()

    # ---- what the person does in its window ------------------------------------------------------------------------

    def listen(self) -> list[PersonAct]:
        """What has happened since the last time; waits until a page that something was done to is at rest.

        Raises:
            harness.browser.wire.BrowserGone: the browser was closed, or does not answer.
        """
        self._browser.catch_up()
        heard = self._browser.take_heard()
        moments = self._browser.take_moments()
        if not heard and not any(moment.kind != "acted" for moment in moments):
            return []
        picture = self._kept(self.view)
        with contextlib.suppress(*_GOES_BY):
            self._browser.settle()
        heard += self._browser.take_heard()
        moments += self._browser.take_moments()
        acts, before = self._acts(heard, moments, picture), self.view
        self.look()
        # A press beside everything that can be pressed is none, unless the page shows something else since.
        return [act for act in acts if not act.idle] if self.view == before else acts

    def _acts(self, heard: list[HeardInput], moments: list[SeenMoment], picture: str) -> list[PersonAct]:
        happened: list[HeardInput | SeenMoment] = [*heard, *(each for each in moments if each.kind != "acted")]
        touched: set[int] = set()
        acts: list[PersonAct] = []
        for each in sorted(happened, key=lambda one: one.at):
            if isinstance(each, HeardInput):
                touched.add(each.tab)
                acts += self._heard(each, picture)
            else:
                acts += self._seen(each, touched, picture)
        self._remember_ways()
        return acts

    def _heard(self, heard: HeardInput, picture: str) -> list[PersonAct]:
        told = heard.told
        mark = element_mark(told["mark"])
        if told["framed"] or not mark.css:
            where = "in a frame within the page" if told["framed"] else "to an element that nothing tells from others"
            self.notes[f"Something was done {where}; it is not recorded, since no replay can do it."] = None
            return []
        key = told["event"] == "key"
        return [
            PersonAct(
                kind=told["event"],
                tab=heard.tab,
                url=heard.url,
                element=mark,
                label=told["mark"]["label"],
                control=told["control"],
                value=told["key"] if key else told["value"],
                secret=bool(told["secret"]) and not key,
                idle=told["idle"],
                picture=picture,
            )
        ]

    def _seen(self, moment: SeenMoment, touched: set[int], picture: str) -> list[PersonAct]:
        """Of tabs: what the person asked of the browser, or what came of something that was done to a page."""
        tab = next((each for each in self._browser.tabs if each.number == moment.tab), None)
        by_page = bool(touched)
        if moment.kind == "opened":
            is_pages_own = by_page or bool(tab and tab.opener)
            return [PersonAct(kind="opened", tab=moment.tab, url=moment.url, by_page=is_pages_own, picture=picture)]
        if moment.kind == "closed":
            return [PersonAct(kind="closed", tab=moment.tab, url=moment.url, by_page=by_page, picture=picture)]
        way = "" if by_page or tab is None else self._way(tab)
        kind: Any = way or "moved"
        return [PersonAct(kind=kind, tab=moment.tab, url=moment.url, picture=picture)]

    def _way(self, tab: Tab) -> str:
        before = now = self._histories.get(tab.number, TabHistory())
        with contextlib.suppress(*_GOES_BY):
            now = self._histories[tab.number] = self._browser.history(tab)
        return way_of((before.place, before.entries), now.place, now.entries, now.way)

    # ---- what the person asks of it, where it is shown elsewhere ---------------------------------------------------

    def asked(self, kind: str, work: Callable[[], object], value: str = "") -> list[PersonAct]:
        """Do what the person asks of the browser itself; gives the acts that it comes to.

        Args:
            kind: ``goto``, ``go_back``, ``go_forward``, ``reload``, ``new_tab``, ``switch_tab`` or ``close_tab``.
            work: Does it.
            value: The address, or the number of the tab to be closed.

        Raises:
            CannotDo: it cannot be done.
        """
        picture = self._kept(self.view)
        try:
            work()
        except (PageFailed, TabRefused, CommandFailed) as error:
            raise CannotDo(shorten(str(error), 300)) from error
        finally:
            self.forget()
        now = self._browser.tab
        if kind == "new_tab":
            return [PersonAct(kind="opened", tab=now.number, url=now.url, picture=picture)]
        if kind == "close_tab":
            return [PersonAct(kind="closed", tab=int(value), picture=picture)]
        if kind == "switch_tab":
            return []  # what is done there says so
        act: Any = kind
        return [PersonAct(kind=act, tab=now.number, url=value or now.url, picture=picture)]

    def press(self, text: str) -> None:
        """Press a key by its name, alone or with others held down, or type one character.

        Raises:
            CannotDo: there is no such key.
        """
        try:
            chord = Chord.parse(text)
        except ValueError as error:
            if len(text) != 1:
                raise CannotDo(str(error)) from error
            self._input.type(text)
            return
        self._input.press(chord)

    def at(self, x: float, y: float) -> Mapping[str, Any] | None:
        """What is at a point: ``mark``, and the ``options`` of a closed drop-down list; None for nothing."""
        found: Mapping[str, Any] | None = self._browser.run("recorded.at", x, y)
        return found

    def hover(self, x: float, y: float) -> list[PersonAct]:
        """Point at what is there, as a step; gives the acts that it comes to."""
        found, picture = self.at(x, y), self._kept(self.view)
        self._input.hover(x, y)
        self._browser.settle()
        self.look()
        if not found or not found["mark"]["css"]:
            return []
        tab, mark = self._browser.tab, found["mark"]
        element, label = element_mark(mark), mark["label"]
        return [PersonAct(kind="hover", tab=tab.number, url=tab.url, element=element, label=label, picture=picture)]

    def choose(self, css: str, text: str) -> None:
        """Choose an option of a drop-down list, as the action ``select_option`` does.

        Raises:
            CannotDo: there is no such list, or option.
        """
        act = SiteActions(self._browser, self._input, Trajectory(), actions_of())
        act.observation.snapshot()
        number = self._browser.run("elements.found", css, 0)["number"]
        if not number:
            raise CannotDo("This list is not on the page any more")
        result = act.select_option(number, text)
        if not result.ok:
            raise CannotDo(result.message)

    # ---- pictures -------------------------------------------------------------------------------------------------

    def look(self) -> None:
        """Take a new view, if the page gives one."""
        try:
            view = self._browser.view()
        except _GOES_BY:
            return
        if view != self.view:
            self.view = view
            self.looks += 1

    def _kept(self, picture: bytes) -> str:
        if not picture:
            return ""
        name = hashlib.sha256(picture).hexdigest()
        self._pictures[name] = picture
        return name

    def keep(self, names: Collection[str]) -> None:
        """Keep the pictures of these names only."""
        self._pictures = {name: data for name, data in self._pictures.items() if name in names}

    def picture(self, name: str) -> bytes | None:
        """A picture by its name; None if there is none."""
        return self._pictures.get(name)


def browser_settings(order: RecordingOrder, origin: str, *, headless: bool = True) -> BrowserSettings:
    """How a browser is started for a recording, or for its replay."""
    return BrowserSettings(
        origin or order.origins[0],
        headless=headless,
        live=order.is_live,
        require_sandbox=order.require_sandbox,
        policy=site_policy(order.origins, origin, bundled=bool(order.setting.site)),
    )


def element_mark(told: Mapping[str, Any]) -> ElementMark:
    """The mark of an element, as ``recorded.js`` tells it."""
    return ElementMark(
        css=told["css"],
        xpath=told["xpath"],
        tag=told["tag"],
        text=told["text"],
        attributes=dict(told["attributes"]),
    )
