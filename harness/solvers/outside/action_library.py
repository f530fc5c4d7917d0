"""The actions of a run on whatever page a driver of one's own shows."""

from __future__ import annotations

import asyncio
import inspect
import json
import math
import sys
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Literal, cast, get_args

from harness.actions.call import ActionCall
from harness.actions.parser import parse
from harness.actions.result import ActionResult, ErrorCode
from harness.actions.spec import to_json_schema
from harness.browser.foreign.playwright_page import PlaywrightInput, PlaywrightPage
from harness.browser.foreign.session_channel import WaitedPage
from harness.episode.library import ACTIONS, Actions
from harness.episode.observation import Observation
from harness.episode.trajectory import Trajectory
from harness.kit.errors import UserError
from harness.kit.text import closest_name
from harness.models.thoughts import part
from harness.observe import ENCODINGS
from harness.observe.snapshot import Snapshot
from harness.records.config import Limits

if TYPE_CHECKING:
    from harness.browser.browser import Browser
    from harness.browser.foreign.driver_page import DriverPage
    from harness.browser.input_back_end import InputBackEnd

Screen = Literal["page", "desktop"]
"""Where what acts on a screen goes: into the page as its driver does it, or to the desktop's pointer and keyboard."""
_ASYNC_SECONDS = 60.0
"""For one command of an async page."""


class NoDriver(UserError):
    """What was handed in shows no page that actions can work on."""


class NeedsDevtools(UserError):
    """A look was asked for that WebDriver has no means for."""


class DriverObservation(Observation):
    """See ``Observation``. What takes presses only since the page listens there has no number: nobody tells of it."""

    def snapshot(self, encoding: str | None = None) -> Snapshot:
        """See ``Observation.snapshot``.

        Raises:
            NeedsDevtools: the encoding needs the accessibility tree.
        """
        if encoding is not None and ENCODINGS[encoding].needs_outline:
            raise NeedsDevtools(
                f"the encoding {encoding} needs DevTools: hand in a page of Playwright, or take another"
            )
        return super().snapshot(encoding)

    def _take(self) -> Snapshot:
        self._trajectory.leave_trace("looked")
        self._is_numbered = True
        return Snapshot.from_json(json.loads(self._browser.run("snapshot.take")))


class LiveTrajectory(Trajectory):
    """The steps of an ``ActionLibrary``: whoever uses it decides when it is enough."""

    def __init__(self) -> None:
        """Begin one."""
        super().__init__(Limits(max_steps=sys.maxsize, max_seconds=math.inf))

    def record(self, call: ActionCall, work: Callable[[], ActionResult]) -> ActionResult:
        """Do the work of an action, and add it to the steps; its picture is the caller's alone."""
        result = super().record(call, work)
        self.images.clear()
        return result


class ActionLibrary(Actions):
    """The action library on the page that a driver of one's own shows: any page of the web.

    Each action is a method that gives an ``ActionResult``, as in a run: ``ok``, ``message``, ``code``, ``text`` and
    ``image``. There are no limits, and submitting a form ends nothing: what comes after it is there to be worked on.
    ``trajectory.steps`` has what was done. The driver stays its owner's, who ends it.

    Over an async page of Playwright it is an ``AsyncActionLibrary``, whose actions are awaited.

    Args:
        driver: A WebDriver of Selenium 4 (Chrome, Edge, Firefox, remote), or a page of Playwright in a Chromium.
        screen: Where clicks and keys go: ``page``, or ``desktop``, which moves the pointer of the display that
            ``DISPLAY`` names (PyAutoGUI, the extra ``desktop``).

    Raises:
        NoDriver: it is neither, or a page of another browser than Chromium.
        harness.browser.desktop.xserver.NoDisplay: the desktop cannot be used.
    """

    def __new__(cls, driver: object, screen: Screen = "page") -> Any:
        """A library, or one that is awaited where the page is."""
        return AsyncActionLibrary(driver, screen) if _is_async(driver) else super().__new__(cls)

    def __init__(self, driver: object, screen: Screen = "page") -> None:
        if screen not in get_args(Screen):
            raise NoDriver(f"screen={screen!r} is none of {', '.join(get_args(Screen))}")
        page, back_end = _over_playwright(driver) if _is_playwright(driver) else _over_selenium(driver)
        if screen == "desktop":
            # Imported here alone, since it brings X along.
            from harness.browser.foreign.foreign_desktop import ForeignDesktop  # noqa: PLC0415

            back_end = ForeignDesktop(page)
        # What actions use of a browser the page has.
        browser = cast("Browser", page)
        super().__init__(browser, back_end, LiveTrajectory())
        if back_end.driven:
            self.observation = DriverObservation(browser, back_end, self.trajectory, self.scroll_to)

    def tools(self) -> list[dict[str, object]]:
        """The actions as tools for a model: ``name``, ``description`` and ``parameters``, a JSON Schema, of each.

        Providers wrap these three differently.
        """
        return [to_json_schema(spec) for spec in self.specs.values()]

    def do(self, text: str) -> list[ActionResult]:
        """Do the actions that a model's text calls, one after another; the text is parsed and never executed.

        Args:
            text: What the model wrote, such as ``modify_text('summary', 'A dog.')``; its thoughts are passed
                over.

        Returns:
            A result for each call, and for each piece that is none, with what is wrong with it; nothing where the text
            attempts no action.
        """
        read = parse(part(text).answer, self.specs)
        return [self.call(each) if isinstance(each, ActionCall) else _wrong(str(each)) for each in read]

    def use(self, name: str, arguments: Mapping[str, object] | str) -> ActionResult:
        """Do the action that a model's tool call names.

        Args:
            name: The tool's name.
            arguments: Its arguments by name, or the JSON text of these.
        """
        spec = self.specs.get(name)
        if spec is None:
            guess = closest_name(name, self.specs)
            return _wrong(f"there is no action {name!r}" + (f"; did you mean {guess!r}?" if guess else ""))
        try:
            given = json.loads(arguments) if isinstance(arguments, str) else arguments
            if not isinstance(given, Mapping):
                return _wrong(f"the arguments of {name} are no JSON object")
            return self.call(spec.bind((), given))
        except ValueError as error:
            return _wrong(f"{name}: {error}")


class AsyncActionLibrary:
    """The action library on an async page of Playwright: the same methods, awaited, one at a time.

    A thread does the action, while the loop that the page belongs to goes on.

    Attributes:
        specs: The actions, by name.
    """

    def __init__(self, page: object, screen: Screen = "page") -> None:
        """Of a page; see ``ActionLibrary``."""
        self._page = page
        self._screen: Screen = screen
        self._library: ActionLibrary | None = None
        self._turn = asyncio.Lock()
        self.specs = ACTIONS

    def tools(self) -> list[dict[str, object]]:
        """See ``ActionLibrary.tools``."""
        return [to_json_schema(spec) for spec in self.specs.values()]

    def __getattr__(self, name: str) -> Callable[..., Any]:
        if name.startswith("_") or not callable(getattr(ActionLibrary, name, None)):
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

        async def awaited(*args: object, **kwargs: object) -> Any:
            loop = asyncio.get_running_loop()

            def finish(given: Any) -> Any:
                if not inspect.isawaitable(given):
                    return given
                return asyncio.run_coroutine_threadsafe(_await(given), loop).result(_ASYNC_SECONDS)

            def work() -> Any:
                if self._library is None:
                    self._library = ActionLibrary(WaitedPage(self._page, finish), self._screen)
                return getattr(self._library, name)(*args, **kwargs)

            async with self._turn:
                return await asyncio.to_thread(work)

        return awaited


async def _await(given: Any) -> Any:
    return await given


def _over_selenium(driver: Any) -> tuple[DriverPage, InputBackEnd]:
    if not (hasattr(driver, "execute_async_script") and hasattr(driver, "session_id")):
        kind = type(driver).__name__
        raise NoDriver(f"an ActionLibrary works with a WebDriver of Selenium or a page of Playwright, not with {kind}")
    # Imported here alone: over Playwright one does without what Selenium brings along.
    from harness.browser.foreign.driver_page import DriverPage, DriverPageInput  # noqa: PLC0415

    page = DriverPage(driver)
    return page, DriverPageInput(page)


def _over_playwright(driver: Any) -> tuple[PlaywrightPage, InputBackEnd]:
    waited = driver if isinstance(driver, WaitedPage) else WaitedPage(driver)
    browser = waited.page.context.browser
    name = browser.browser_type.name if browser else "chromium"
    if name != "chromium":
        raise NoDriver(f"an ActionLibrary over Playwright needs a page of Chromium, and this is one of {name}")
    page = PlaywrightPage(waited)
    return page, PlaywrightInput(page)


def _is_playwright(page: object) -> bool:
    return isinstance(page, WaitedPage) or (hasattr(page, "context") and hasattr(page, "evaluate"))


def _is_async(page: Any) -> bool:
    return not isinstance(page, WaitedPage) and _is_playwright(page) and inspect.iscoroutinefunction(page.evaluate)


def _wrong(message: str) -> ActionResult:
    return ActionResult(ok=False, message=message, code=ErrorCode.WRONG_ARGUMENT)
