"""The actions of a run on whatever page a driver of one's own shows."""

from __future__ import annotations

import asyncio
import inspect
import json
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Literal, get_args

from harness.action_library.live_trajectory import LiveTrajectory
from harness.actions.call import ActionCall
from harness.actions.error_code import ErrorCode
from harness.actions.parser import parse
from harness.actions.result import ActionResult
from harness.actions.spec import to_json_schema
from harness.browser.foreign.playwright_page import PlaywrightInput, PlaywrightPage
from harness.browser.foreign.session_channel import Finish
from harness.episode.library import ACTIONS, Actions
from harness.episode.observation import Observation
from harness.kit.errors.user import UserError
from harness.kit.text.closest import closest_name
from harness.observe.snapshot import Snapshot

if TYPE_CHECKING:
    from harness.browser.foreign.driver_page import DriverPage

Screen = Literal["page", "desktop"]
"""Where what acts on a screen goes: into the page as its driver does it, or to the desktop's pointer and keyboard."""
_ASYNC_SECONDS = 60.0
"""For one command of an async page."""


class NoDriver(UserError):
    """What was handed in shows no page that actions can work on."""


class ActionLibrary(Actions):
    """The action library on the page that a driver of one's own shows: any page of the web.

    Each action is a method that gives an ``ActionResult``, as in a run: ``ok``, ``message``, ``code``, ``text`` and
    ``image``. There are no limits, and submitting a form ends nothing: what comes after it is there to be worked on.
    ``trajectory.steps`` has what was done. The driver stays its owner's, who ends it.

    Over an async page of Playwright it is an ``AsyncActionLibrary``, whose actions are awaited.

    Args:
        driver: A WebDriver of Selenium 4 (Chrome, Edge, Firefox, remote), or a page of Playwright in a Chromium.
        screen: Where clicks, keys and the wheel of the actions on a screen go: ``page``, or ``desktop``, which moves the
            pointer of the display that ``DISPLAY`` names (PyAutoGUI, the extra ``desktop``).

    Raises:
        NoDriver: it is neither, or a page of another browser than Chromium.
        harness.browser.desktop.xserver.NoDisplay: the desktop cannot be used.
    """

    def __new__(cls, driver: object, screen: Screen = "page") -> Any:
        """A library, or one that is awaited where the page is."""
        if _is_async(driver):
            return AsyncActionLibrary(driver, screen)
        return super().__new__(cls)

    def __init__(self, driver: object, screen: Screen = "page", *, finish: Finish = lambda given: given) -> None:
        if screen not in get_args(Screen):
            raise NoDriver(f"screen={screen!r} is none of {', '.join(get_args(Screen))}")
        page: Any
        back_end: Any
        if _is_selenium(driver):
            # Imported here alone: over Playwright one does without what Selenium brings along.
            from harness.browser.foreign.driver_page import DriverPage, DriverPageInput  # noqa: PLC0415

            page = DriverPage(driver)
            back_end = DriverPageInput(page) if screen == "page" else None
        elif _is_playwright(driver):
            page = _playwright_page(driver, finish)
            back_end = PlaywrightInput(page) if screen == "page" else None
        else:
            raise NoDriver(
                f"an ActionLibrary works with a WebDriver of Selenium or a page of Playwright, not {type(driver).__name__}"
            )
        if back_end is None:
            from harness.browser.foreign.foreign_desktop import ForeignDesktop  # noqa: PLC0415 - it brings X along

            back_end = ForeignDesktop(page)
        super().__init__(page, back_end, LiveTrajectory())
        if _is_selenium(driver):
            self.observation = _DriverObservation(page, back_end, self.trajectory, self.scroll_to)

    def tools(self) -> list[dict[str, object]]:
        """The actions as tools for a model: ``name``, ``description`` and ``parameters``, a JSON Schema, of each.

        Providers wrap these three differently.
        """
        return [to_json_schema(spec) for spec in self.specs.values()]

    def do(self, text: str) -> list[ActionResult]:
        """Do the actions that a model's text calls, one after another; the text is parsed and never executed.

        Args:
            text: What the model wrote, such as ``modify_text('summary', 'A dog.')``.

        Returns:
            A result for each call, and for each piece that is none, with what is wrong with it; nothing where the text
            attempts no action.
        """
        return [
            self.call(each) if isinstance(each, ActionCall) else _wrong(str(each)) for each in parse(text, self.specs)
        ]

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
    """The action library on an async page of Playwright: the same methods, awaited.

    ``tools()`` and ``specs`` are there at once. One action is done at a time.
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
                    self._library = _over_async(self._page, self._screen, finish)
                return getattr(self._library, name)(*args, **kwargs)

            async with self._turn:
                return await asyncio.to_thread(work)

        return awaited


async def _await(given: Any) -> Any:
    return await given


def _over_async(page: object, screen: Screen, finish: Finish) -> ActionLibrary:
    """A library whose thread is not that of the page's loop."""
    library = object.__new__(ActionLibrary)
    library.__init__(page, screen, finish=finish)  # type: ignore[misc] - its __new__ would give the awaited one
    return library


class _DriverObservation(Observation):
    """Looks over WebDriver: nobody tells there on what the page listens, nor its accessibility tree."""

    def _take(self) -> Snapshot:
        self._trajectory.leave_trace("looked")
        self._is_numbered = True
        return Snapshot.from_json(json.loads(self._browser.run("snapshot.take")))

    def snapshot(self, encoding: str | None = None) -> Snapshot:
        """See ``Observation.snapshot``.

        Raises:
            NoDriver: the encoding needs the accessibility tree.
        """
        if encoding == "axtree":
            raise NoDriver("the encoding axtree needs DevTools, which Playwright's pages have and WebDriver has not")
        return super().snapshot(encoding)


def _playwright_page(page: Any, finish: Finish) -> PlaywrightPage:
    browser = page.context.browser
    name = browser.browser_type.name if browser else "chromium"
    if name != "chromium":
        raise NoDriver(f"an ActionLibrary over Playwright needs a page of Chromium, and this is one of {name}")
    return PlaywrightPage(page, finish)


def _is_selenium(driver: object) -> bool:
    return hasattr(driver, "execute_async_script") and hasattr(driver, "session_id")


def _is_playwright(page: object) -> bool:
    return hasattr(page, "context") and hasattr(page, "evaluate")


def _is_async(page: object) -> bool:
    return _is_playwright(page) and inspect.iscoroutinefunction(page.evaluate)  # type: ignore[attr-defined]


def _wrong(message: str) -> ActionResult:
    return ActionResult(ok=False, message=message, code=ErrorCode.WRONG_ARGUMENT)
