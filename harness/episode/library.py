"""The action library: what every solver can do to a page (TurkingBench, Table 3).

The ``modify_*`` actions address a field by name and check afterwards that the page holds what was asked. The visual
actions address pixels of the screen. All input is trusted: it goes through the browser's input pipeline, so that
the page's own handlers run.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from harness.actions.call import ActionCall
from harness.actions.result import ActionResult, ErrorCode
from harness.actions.signature import ActionSpec
from harness.actions.spec import from_class
from harness.browser.browser import Browser
from harness.browser.chord import Chord, ShortcutRefused
from harness.browser.form.fields import Field
from harness.browser.input_back_end import InputBackEnd
from harness.catalog.kinds import SETTERS
from harness.episode.observation import Observation, expect_number
from harness.episode.performing import action
from harness.episode.pointer_actions import POINTER_ACTIONS, PointerActions
from harness.episode.refusal import ActionRefused, expect, number
from harness.episode.trajectory import Trajectory
from harness.kit import picture
from harness.kit.text import counted
from harness.observe.relevant import neighbourhood

if TYPE_CHECKING:
    from harness.browser.webdriver.driver_connection import SolversDriver

SHOTS = ("viewport", "full", "element")
"""What ``capture_screen`` can show."""


class Actions(PointerActions):
    """The actions on one open page, and what they can be done to.

    Attributes:
        trajectory: What has been done so far, and what may still be done.
        submitted: Whether the solver itself has submitted the form; its episode is over.
        observation: What else can be seen of the page.
    """

    def __init__(self, browser: Browser, back_end: InputBackEnd, trajectory: Trajectory) -> None:
        """Act on the page that ``browser`` shows.

        Args:
            browser: With the page open.
            back_end: How what is done reaches the page.
            trajectory: Takes the steps, within its limits.
        """
        super().__init__(browser, back_end, trajectory)
        self.observation = Observation(browser, back_end, trajectory, self.scroll_to)
        self._driver: SolversDriver | None = None

    @property
    def specs(self) -> Mapping[str, ActionSpec]:
        """The actions that a solver is offered, by name."""
        return ACTIONS

    def call(self, call: ActionCall) -> ActionResult:
        """Perform a parsed action.

        Raises:
            LimitReached: a limit of the episode is used up.
        """
        result: ActionResult = getattr(self, call.name)(**call.args)
        return result

    @property
    def driver(self) -> SolversDriver:
        """Selenium's WebDriver of the page, with ``--input webdriver``; each of its commands is a step.

        Raises:
            harness.episode.solvers_driver.NoDriverHere: actions reach the page in another way.
        """
        # Imported here alone: a run over DevTools does without what Selenium brings along.
        from harness.episode.solvers_driver import solvers_driver  # noqa: PLC0415

        if self._driver is None:
            self._driver = solvers_driver(self, self._back_end.driven)
        return self._driver

    @property
    def has_given_driver(self) -> bool:
        """Whether the solver has asked for the driver, so that more was done than the actions' texts say."""
        return self._driver is not None

    def buttons(self) -> list[str]:
        """What can be pressed and does not submit, visible now, by its text; equal texts are numbered. A look."""
        return [name for name, _ in self._numbered_buttons()]

    def locate_button(self, name: str) -> tuple[float, float] | None:
        """Where to press a button of ``buttons``; None if it is gone or covered.

        A look, unless the button is out of sight: then the page is scrolled, which is an action.
        """
        numbers = [number for each, number in self._numbered_buttons() if each == name]
        if not numbers:
            return None
        place = self._browser.run("pressables.locate", numbers[0])
        if "error" in place:
            return None
        if place["dx"] or place["dy"]:
            self.scroll(place["dx"], place["dy"])
        return place["x"], place["y"]

    # ---- looking --------------------------------------------------------------------------------------------

    @action
    def get_html(self, name: str | None = None) -> ActionResult:
        """The page's HTML as it is now: all of it, or the part around one field.

        Args:
            name: The field around which to look; None for the whole page.

        Examples:
            >>> get_html()
            >>> get_html('summary')
        """
        if name is None:
            html = self._browser.run("page.html")
            return ActionResult(ok=True, message=counted(len(html), "character"), text=html)
        found = expect(name, self._browser.run("page.neighbourhood", name))
        html = neighbourhood(found["html"], found["piece"])
        return ActionResult(ok=True, message=f"{counted(len(html), 'character')} around {name!r}", text=html)

    @action
    def capture_screen(self, mode: str = "viewport", name: str | None = None) -> ActionResult:
        """A picture of the page.

        Args:
            mode: 'viewport' (what the screen shows), 'full' (the whole page) or 'element' (the screen with one field
                brought into view and a border drawn around it).
            name: The field, for 'element'.

        Examples:
            >>> capture_screen()
            >>> capture_screen('element', 'summary')
        """
        if mode == "viewport":
            image = self._back_end.capture()
        elif mode == "full":
            image = self._browser.picture(full_page=True)
        elif mode == "element":
            if name is None:
                raise ActionRefused(ErrorCode.WRONG_ARGUMENT, "mode 'element' needs the name of a field")
            place = self._editor.bring_into_view(name)
            self._browser.run("page.frame")
            image = picture.with_border(self._back_end.capture(), picture.box_of(place))
        else:
            raise ActionRefused(ErrorCode.WRONG_ARGUMENT, f"unknown mode {mode!r}: use 'viewport', 'full' or 'element'")
        width, height = picture.size(image)
        return ActionResult(ok=True, message=f"{width} x {height} pixels", image=image)

    # ---- the screen -----------------------------------------------------------------------------------------

    @action
    def click(self, x: float, y: float) -> ActionResult:
        """Press the left mouse button at a point of the screen.

        Args:
            x: Pixels from the left edge of a viewport picture.
            y: Pixels from its top edge.

        Examples:
            >>> click(640, 412)
        """
        x, y = number("x", x), number("y", y)
        self._inside(x, y)
        self._back_end.click(x, y)
        self.see()
        return _done(f"pressed at ({x:g}, {y:g})")

    @action
    def double_click(self, x: float, y: float) -> ActionResult:
        """Press the left mouse button twice at a point of the screen: selects a word, opens what opens so.

        Args:
            x: Pixels from the left edge of a viewport picture.
            y: Pixels from its top edge.

        Examples:
            >>> double_click(640, 412)
        """
        x, y = number("x", x), number("y", y)
        self._inside(x, y)
        self._back_end.double_click(x, y)
        self.see()
        return _done(f"pressed twice at ({x:g}, {y:g})")

    @action
    def drag(self, x1: float, y1: float, x2: float, y2: float) -> ActionResult:
        """Press the left mouse button at one point of the screen, move to another and let go there.

        It draws, selects text, moves sliders, and drags what can be dragged.

        Args:
            x1: Where to press: pixels from the left edge of a viewport picture.
            y1: Where to press: pixels from its top edge.
            x2: Where to let go: pixels from the left edge.
            y2: Where to let go: pixels from the top edge.

        Examples:
            >>> drag(120, 300, 480, 410)
        """
        start, end = (number("x1", x1), number("y1", y1)), (number("x2", x2), number("y2", y2))
        self._inside(*start)
        self._inside(*end)
        self._back_end.drag(*start, *end)
        self.see()
        return _done("dragged from ({:g}, {:g}) to ({:g}, {:g})".format(*start, *end))

    @action
    def hover(self, x: float, y: float) -> ActionResult:
        """Move the mouse to a point of the screen without pressing: menus and hints appear.

        Args:
            x: Pixels from the left edge of a viewport picture.
            y: Pixels from its top edge.

        Examples:
            >>> hover(640, 412)
        """
        x, y = number("x", x), number("y", y)
        self._inside(x, y)
        self._back_end.hover(x, y)
        self.see()
        return _done(f"the pointer is at ({x:g}, {y:g})")

    @action
    def press(self, key: str) -> ActionResult:
        """Press one key of the keyboard, alone or with others held down, for whatever has the focus.

        Args:
            key: A character, or Enter, Tab, Escape, Space, Backspace, Delete, Insert, Home, End, PageUp, PageDown,
                ArrowLeft, ArrowRight, ArrowUp, ArrowDown, F1 to F12; before it, joined by '+', what is held down:
                Control, Shift, Alt.

        Examples:
            >>> press('Enter')
            >>> press('Control+a')
            >>> press('ArrowDown')
        """
        try:
            chord = Chord.parse(str(key))
        except ValueError as error:
            raise ActionRefused(ErrorCode.NO_SUCH_KEY, str(error)) from None
        try:
            self._back_end.press(chord)
        except ShortcutRefused as error:
            raise ActionRefused(ErrorCode.BROWSER_SHORTCUT, str(error)) from None
        self.see()
        return _done(f"pressed {key}")

    @action
    def type(self, text: str) -> ActionResult:
        r"""Type on the keyboard, into whatever has the focus; '\n' is Enter, '\t' is Tab.

        Args:
            text: The characters to type.

        Examples:
            >>> type('hello')
        """
        self._back_end.type(str(text))
        self.see()
        return _done(f"typed {counted(len(str(text)), 'character')}")

    @action
    def scroll(self, dx: float = 0, dy: float = 0) -> ActionResult:
        """Turn the mouse wheel over the middle of the screen.

        Args:
            dx: Pixels to the right; negative is left.
            dy: Pixels down; negative is up.

        Examples:
            >>> scroll(0, 600)
        """
        width, height = self._back_end.size
        self._back_end.scroll(width / 2, height / 2, number("dx", dx), number("dy", dy))
        place = self._browser.run("page.frame")
        self.see()
        return _done(
            f"the page stands at ({place['x']:g}, {place['y']:g}) of ({place['right']:g}, {place['bottom']:g})"
        )

    @action
    def scroll_to(self, name: str) -> ActionResult:
        """Bring a field into the middle of the screen.

        Args:
            name: The field's name.

        Examples:
            >>> scroll_to('summary')
        """
        place = self._editor.bring_into_view(str(name))
        self._browser.run("page.frame")
        x, y, width, height = picture.box_of(place)
        return _done(f"{name!r} is at ({x:g}, {y:g}), {width:g} x {height:g} pixels")

    @action
    def maximize(self) -> ActionResult:
        """Make the window as large as it gets; the page area has one fixed size, which is reported.

        Examples:
            >>> maximize()
        """
        width, height = self._back_end.maximize()
        return _done(f"the page area is {width} x {height} pixels")

    @action
    def wait_till_loaded(self) -> ActionResult:
        """Wait until the page and what its scripts are building has come to rest.

        Examples:
            >>> wait_till_loaded()
        """
        self._browser.run("page.quiet")
        return _done("the page is loaded")

    @action
    def click_element(self, ref: int | str) -> ActionResult:
        """Press the left mouse button on what the last observation shows with a number.

        Args:
            ref: The number: the id in the page's text, or the number in the picture.

        Examples:
            >>> click_element(7)
        """
        number = expect_number(ref)
        self.observation.number_elements()
        aim = expect(f"[{number}]", self._browser.run("pressables.aim", number))
        self._back_end.click(aim["x"], aim["y"])
        self.see()
        return _done(f"pressed [{number}] {aim['what']}")

    # ---- inner workings -------------------------------------------------------------------------------------

    def _numbered_buttons(self) -> list[tuple[str, int]]:
        """The names of ``buttons``, with the numbers by which the page knows them."""
        seen: Counter[str] = Counter()
        named = []
        with self.trajectory.looking():
            for button in self._browser.run("pressables.buttons"):
                text = button["text"]
                seen[text] += 1
                named.append((f"{text} #{seen[text]}" if seen[text] > 1 else text, button["number"]))
        return named


def _done(message: str) -> ActionResult:
    return ActionResult(ok=True, message=message)


ACTIONS = {
    name: spec
    for name, spec in from_class(Actions, {"capture_screen": {"mode": SHOTS}}).items()
    if name not in POINTER_ACTIONS
}
"""Specifications of all actions, by name: for the parser, prompts, tool schemas and documentation."""


def fill(act: Actions, field: Field, values: Sequence[str]) -> ActionResult:
    """Make ``field`` hold ``values``.

    Args:
        act: The actions on its page.
        field: Any field but a hidden one, which no action can write.
        values: One value, or any number for checkboxes and multiple selects; none clears a text.

    Raises:
        ValueError: the field is hidden.
    """
    if field.kind not in SETTERS:
        raise ValueError(f"{field.name!r} is a hidden field")
    value = list(values) if field.kind == "checkbox" or field.multiple else next(iter(values), "")
    done: ActionResult = getattr(act, SETTERS[field.kind])(field.name, value)
    return done
