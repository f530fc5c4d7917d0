"""The actions on a website: what ``Actions`` can do, and tabs, addresses, and elements by their numbers (WebCanvas).

An element is known by the number that the last observation of the shown page gave it. Each action ends when what it set
off has happened: where it led to another page, that page has loaded.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from harness.actions.call import ActionCall
from harness.actions.result import ActionResult, ErrorCode
from harness.actions.signature import ActionSpec
from harness.actions.spec import from_class
from harness.browser.browser import PageFailed
from harness.browser.channel import CommandFailed
from harness.browser.input_back_end import InputBackEnd
from harness.browser.rewarding_page import Rewarding
from harness.browser.site_browser import SiteBrowser
from harness.browser.site_tabs import TabRefused
from harness.catalog.template.wrapping import listed
from harness.episode.element_editor import ElementEditor
from harness.episode.library import SHOTS, Actions
from harness.episode.moment_log import KeepMoments, MomentLog, keep_nothing
from harness.episode.observation import expect_number
from harness.episode.performing import action
from harness.episode.pointer_actions import POINTER_ACTIONS
from harness.episode.refusal import ActionRefused, expect, short
from harness.episode.site_assignment import User
from harness.episode.site_observation import OpenTab, PageTool, SiteObservation
from harness.episode.trajectory import Trajectory

_OVER = "the work was finished; the episode is over"
_ENDED_BY_PAGE = "the page has ended its episode; nothing more can be done"


class SiteActions(Actions):
    """The actions on the tabs of a website's episode.

    Attributes:
        answer: What was answered with ``finish``; None if nothing was.
        moments: What happened in the tabs so far.
        reward: What the page itself gave; None if it gave none so far.
    """

    _browser: SiteBrowser

    def __init__(
        self,
        browser: SiteBrowser,
        back_end: InputBackEnd,
        trajectory: Trajectory,
        specs: Mapping[str, ActionSpec],
        *,
        keep: KeepMoments = keep_nothing,
        rewarding: Rewarding | None = None,
        user: User | None = None,
    ) -> None:
        """Act on the tabs of ``browser``.

        Args:
            browser: With the task's first page open.
            back_end: How what is done reaches the tab that is shown.
            trajectory: Takes the steps, within its limits.
            specs: The actions that the solver is to be offered.
            keep: As of ``MomentLog``.
            rewarding: Whose word ends the episode, which is the page's own if anybody's; None if nobody's does.
            user: Whom ``ask_user`` asks; None for one who never answers.
        """
        super().__init__(browser, back_end, trajectory)
        self.answer: str | None = None
        self.observation = SiteObservation(browser, back_end, trajectory, self.scroll_to)
        self.moments = MomentLog(browser, trajectory, keep)
        self.reward: float | None = None
        self._rewarding = rewarding
        self._user = user or User()
        self._specs = specs
        self._elements = ElementEditor(browser, self._settle)
        self._document = (browser.tab.number, browser.tab.document)

    @property
    def specs(self) -> Mapping[str, ActionSpec]:
        """The actions of the task's set, by name."""
        return self._specs

    def spoken(self, call: ActionCall) -> ActionCall:
        """A call of the library in the words of the action set, as ``call`` takes it."""
        return call

    @property
    def finished(self) -> bool:
        """Whether ``finish`` was called, or the page has ended its episode: nothing more is done."""
        return self.submitted

    def tabs(self) -> tuple[OpenTab, ...]:
        """The open tabs. A look: it is free and not recorded."""
        shown = self._browser.tab
        with self.trajectory.looking():
            return tuple(OpenTab(tab.number, tab.url, tab.title, tab is shown) for tab in self._browser.tabs)

    def see(self) -> None:
        """Wait until what was set off has happened."""
        self._settle()

    def _settle(self) -> bool:
        """Wait until what was set off has happened; whether another document is shown since."""
        self._browser.settle()
        return self._has_moved()

    def _has_moved(self) -> bool:
        """Whether another document is shown than when this was asked last."""
        tab = self._browser.tab
        before, self._document = self._document, (tab.number, tab.document)
        return before != self._document

    def _attempt(self, work: Callable[[], ActionResult]) -> ActionResult:
        if self.submitted:
            message = _OVER if self.reward is None else _ENDED_BY_PAGE
            return ActionResult(ok=False, message=message, code=ErrorCode.ALREADY_SUBMITTED)
        step = len(self.trajectory.steps)
        try:
            return self._told_if_over(super()._attempt(work))
        except (PageFailed, CommandFailed):
            # Another document has come while this one was asked.
            self._settle()
            message = "the page went on to another while this was done; look again"
            return ActionResult(ok=False, message=message, code=ErrorCode.ELEMENT_GONE)
        finally:
            self.moments.take(step)

    def _told_if_over(self, result: ActionResult) -> ActionResult:
        """A result, which says so if the page has ended the episode."""
        self.see_reward()
        if self.reward is None:
            return result
        return replace(result, message=f"{result.message}; {_ENDED_BY_PAGE}")

    def see_reward(self) -> None:
        """See whether the page has ended the episode: nothing is done any more then, and its first word counts."""
        if self._rewarding and self.reward is None:
            self.reward = self._rewarding.reward(self._browser.tabs)
            self.submitted = self.submitted or self.reward is not None

    # ---- elements ---------------------------------------------------------------------------------------------

    @action
    def click_element(self, ref: int | str) -> ActionResult:
        """Press the left mouse button on what the last observation shows with a number.

        Args:
            ref: The number: the id in the page's text, or the number in the picture.

        Examples:
            >>> click_element(7)
        """
        number = expect_number(ref)

        def press() -> str:
            aim = expect(f"[{number}]", self._browser.run("elements.aim", number, "press"))
            self._back_end.click(aim["x"], aim["y"])
            self._settle()
            return f"pressed [{number}] {aim['what']}"

        return self._led(press)

    @action
    def hover_element(self, ref: int | str) -> ActionResult:
        """Move the mouse over what the last observation shows with a number, without pressing: menus and hints appear.

        Args:
            ref: The number: the id in the page's text, or the number in the picture.

        Examples:
            >>> hover_element(7)
        """
        number = expect_number(ref)

        def hover() -> str:
            aim = expect(f"[{number}]", self._browser.run("elements.aim", number, "hover"))
            self._back_end.hover(aim["x"], aim["y"])
            self._settle()
            return f"the pointer is over [{number}] {aim['what']}"

        return self._led(hover)

    @action
    def fill(self, ref: int | str, text: str) -> ActionResult:
        """Write a text into a text field, in place of what it holds, and stay in it; or move a slider to a number.

        Dates are written YYYY-MM-DD, times HH:MM, months YYYY-MM, weeks YYYY-Www, colours #rrggbb.

        Args:
            ref: The number of the field in the last observation.
            text: The text; the empty text clears the field.

        Examples:
            >>> fill(4, 'Lisbon')
        """
        number = expect_number(ref)
        return self._led(lambda: self._elements.write(number, str(text)))

    @action
    def fill_search(self, ref: int | str, text: str) -> ActionResult:
        """Write a text into a text field, in place of what it holds, and press Enter.

        Args:
            ref: The number of the field in the last observation.
            text: What to search for.

        Examples:
            >>> fill_search(4, 'wool socks')
        """
        number = expect_number(ref)

        def search() -> str:
            written_in = self._browser.tab, self._browser.tab.document
            message = self._elements.write(number, str(text))
            if (self._browser.tab, self._browser.tab.document) != written_in:
                return message  # Enter would be for another page
            self._elements.press_enter()
            return f"{message}; pressed Enter"

        return self._led(search)

    @action
    def select_option(self, ref: int | str, text: str) -> ActionResult:
        """Choose the option of a drop-down list whose text is most like the given one.

        Args:
            ref: The number of the list in the last observation.
            text: The option's text.

        Examples:
            >>> select_option(9, 'Price: low to high')
        """
        number = expect_number(ref)
        return self._led(lambda: self._elements.choose(number, str(text)))

    # ---- addresses --------------------------------------------------------------------------------------------

    @action
    def goto(self, url: str) -> ActionResult:
        """Show another address in this tab.

        Args:
            url: The address, as a whole or from the one that is shown now, such as '/cart'.

        Examples:
            >>> goto('http://shop.test/cart')
        """
        address = self._allowed(str(url))
        return self._navigated(lambda: self._browser.open(address))

    @action
    def go_back(self) -> ActionResult:
        """Show the page that this tab showed before.

        Examples:
            >>> go_back()
        """
        return self._navigated(self._browser.back, ErrorCode.NO_HISTORY)

    @action
    def go_forward(self) -> ActionResult:
        """Show the page again from which this tab went back.

        Examples:
            >>> go_forward()
        """
        return self._navigated(self._browser.forward, ErrorCode.NO_HISTORY)

    @action
    def reload(self) -> ActionResult:
        """Load the page of this tab again.

        Examples:
            >>> reload()
        """
        return self._navigated(self._browser.reload)

    # ---- tabs -------------------------------------------------------------------------------------------------

    @action
    def new_tab(self, url: str | None = None) -> ActionResult:
        """Open another tab, which is shown from then on.

        Args:
            url: What it shows; None for an empty page.

        Examples:
            >>> new_tab()
            >>> new_tab('http://shop.test/')
        """
        address = "about:blank" if url is None else self._allowed(str(url))
        return self._navigated(lambda: self._browser.new_tab(address))

    @action
    def switch_tab(self, number: int) -> ActionResult:
        """Show another of the open tabs.

        Args:
            number: The tab's number.

        Examples:
            >>> switch_tab(0)
        """
        return self._navigated(lambda: self._browser.switch(number))

    @action
    def close_tab(self, number: int | None = None) -> ActionResult:
        """Close a tab; the last one cannot be closed.

        Args:
            number: The tab's number; None for the one that is shown.

        Examples:
            >>> close_tab()
            >>> close_tab(1)
        """
        return self._navigated(lambda: self._browser.close_tab(number))

    # ---- the user ---------------------------------------------------------------------------------------------

    @action
    def ask_user(self, message: str) -> ActionResult:
        """Ask the user for what only the user knows, and get the answer.

        Args:
            message: The question.

        Examples:
            >>> ask_user('What is the code that was sent to you?')
        """
        answer = self._user.answer(str(message), self.trajectory)
        if answer is None:
            return ActionResult(ok=True, message="the user gives no answer: go on without")
        return ActionResult(ok=True, message=f"the user answers: {answer}")

    # ---- tools of the page ------------------------------------------------------------------------------------

    def page_tools(self) -> Sequence[PageTool]:
        """The tools that the shown page itself offers (WebMCP), with the action set ``page-tools``; this is no step."""
        if not self._browser.settings.page_tools:
            return ()
        return [PageTool(**each) for each in self._browser.run("tools.offered")]

    @action
    def call_tool(self, name: str, arguments: str = "{}") -> ActionResult:
        """Call a tool that the shown page itself offers.

        Args:
            name: The tool's name, as the page gives it.
            arguments: Its arguments, a JSON object.

        Examples:
            >>> call_tool('follow_link', '{"text": "Cart"}')
        """
        try:
            given = json.loads(arguments)
        except ValueError:
            given = None
        if not isinstance(given, dict):
            raise ActionRefused(ErrorCode.WRONG_ARGUMENT, f"arguments is {short(arguments)}: no JSON object")

        def call() -> str:
            answer = expect(name, self._browser.run("tools.call", name, given))["answer"]
            self._settle()
            return f"{name} answers: {short(answer)}"

        return self._led(call)

    # ---- the end ----------------------------------------------------------------------------------------------

    @action
    def finish(self, answer: str | None = None) -> ActionResult:
        """End the work: the goal is reached, or cannot be.

        Args:
            answer: The answer, where the goal asks for one.

        Examples:
            >>> finish()
            >>> finish('17.50')
        """
        self.answer = None if answer is None else str(answer)
        self.submitted = True
        return ActionResult(ok=True, message="the work is finished")

    # ---- inner workings ---------------------------------------------------------------------------------------

    def _allowed(self, url: str) -> str:
        """An address as a whole, that the task may visit.

        Raises:
            ActionRefused: it may not.
        """
        policy = self._browser.settings.policy
        whole = policy.address(url, self._browser.tab.url)
        if whole is None:
            message = f"{url!r} is not on a site of this task, which are {listed(policy.origins)}"
            raise ActionRefused(ErrorCode.NOT_ALLOWED, message)
        return whole

    def _navigated(self, go: Callable[[], object], code: ErrorCode = ErrorCode.NOT_OPENED) -> ActionResult:
        """The result of what shows another page; ``code`` tells why it would not."""
        try:
            go()
        except TabRefused as refusal:
            raise ActionRefused(ErrorCode.NO_SUCH_TAB, str(refusal)) from None
        except PageFailed as failure:
            raise ActionRefused(code, str(failure)) from None
        self._has_moved()
        tab = self._browser.tab
        return ActionResult(ok=True, message=f"tab {tab.number} shows {tab.url}")

    def _led(self, work: Callable[[], str]) -> ActionResult:
        """The result of an input, in the words that ``work`` gives and with where it has led to."""
        tab, url, document = self._browser.tab, self._browser.tab.url, self._browser.tab.document
        message, now = work(), self._browser.tab
        if now is not tab:
            message += f"; tab {now.number} is shown now: {now.url}"
        elif now.url != url:
            message += f"; the page is {now.url} now"
        elif now.document != document:
            message += "; the page was loaded anew"
        return ActionResult(ok=True, message=message)


SITE_ACTIONS = {
    name: spec
    for name, spec in from_class(SiteActions, {"capture_screen": {"mode": SHOTS}}).items()
    if name not in POINTER_ACTIONS
}
"""Specifications of all actions on websites, by name."""
