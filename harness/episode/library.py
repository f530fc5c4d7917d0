"""The action library: what every solver can do to a page (TurkingBench, Table 3).

The ``modify_*`` actions address a field by name and check afterwards that the page holds what was asked. The visual
actions address pixels of the screen. All input is trusted: it goes through the browser's input pipeline, so that
the page's own handlers run.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable
from dataclasses import replace

from harness.actions.call import ActionCall
from harness.actions.error_code import ErrorCode
from harness.actions.result import ActionResult, Step
from harness.actions.spec import from_class
from harness.browser.browser import Browser
from harness.browser.chord import Chord
from harness.browser.display import Display
from harness.episode.editor import FieldEditor
from harness.episode.observing import Observing
from harness.episode.trajectory import LimitReached, Trajectory, action
from harness.episode.wording import Refused, expect, number
from harness.metrics.labels import clean
from harness.observe import picture
from harness.observe.snapshot import Snapshot

__all__ = ["ACTIONS", "Actions", "LimitReached"]

PIECES_BEFORE, PIECES_AFTER = 15, 30
"""Pieces of the neighbourhood around the one that opens the field (TurkingBench, appendix C)."""


class Actions(Trajectory, Observing):
    """The actions on one open page, beside the looks at it.

    Attributes:
        submitted: Whether the solver itself has submitted the form; its episode is over.
    """

    def __init__(
        self,
        browser: Browser,
        display: Display,
        *,
        max_steps: int = 1000,
        max_seconds: float = 300.0,
    ) -> None:
        """Act on the page that ``browser`` shows.

        Args:
            browser: With the page open.
            display: Where the visual actions see and press.
            max_steps: Actions before ``LimitReached``.
            max_seconds: Time from now before ``LimitReached``, waiting for a model's provider not counted.
        """
        Trajectory.__init__(self, max_steps=max_steps, max_seconds=max_seconds)
        Observing.__init__(self, browser)
        self.submitted = False
        self._looked = False
        self._rehearsed = False
        self._display = display
        self._editor = FieldEditor(browser)

    def call(self, call: ActionCall) -> ActionResult:
        """Perform a parsed action.

        Raises:
            LimitReached: a limit of the episode is used up.
        """
        result: ActionResult = getattr(self, call.name)(**call.args)
        return result

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

    # ---- fields ---------------------------------------------------------------------------------------------

    @action
    def modify_text(self, name: str, value: str) -> ActionResult:
        """Write a text into a one-line or multi-line text field, in place of what it holds.

        Dates are written YYYY-MM-DD, times HH:MM, months YYYY-MM, weeks YYYY-Www, colours #rrggbb.

        Args:
            name: The field's name.
            value: The text; the empty text clears the field.

        Examples:
            >>> modify_text('summary', 'A dog waits for its owner.')
            >>> modify_text('year', '1984')
        """
        return _done(self._editor.write(str(name), clean(str(value))))

    @action
    def modify_radio(self, name: str, value: str) -> ActionResult:
        """Choose one option of a radio group.

        Args:
            name: The group's name.
            value: The option's value, or the text beside it.

        Examples:
            >>> modify_radio('sentiment', 'positive')
        """
        return _done(self._editor.choose_radio(str(name), str(value)))

    @action
    def modify_checkbox(self, name: str, value: str | list[str] | bool) -> ActionResult:
        """Tick exactly the given boxes of a name, and no other box of that name.

        Args:
            name: The boxes' name.
            value: The values (or texts) of the boxes to tick: a list, or one string in which '|' parts them. True ticks
                a lone box; False, the empty string and the empty list untick all.

        Examples:
            >>> modify_checkbox('topics', 'sports|weather')
            >>> modify_checkbox('topics', ['sports', 'weather'])
            >>> modify_checkbox('consent', True)
        """
        if value == "" or value is False:
            value = []
        values = value if isinstance(value, list) else [value]
        return _done(self._editor.tick(str(name), [str(each) for each in values]))

    @action
    def modify_select(self, name: str, value: str | list[str]) -> ActionResult:
        """Choose an option of a drop-down list, or several of a list that allows it.

        Args:
            name: The list's name.
            value: The option's value, or the text that it shows; several values as a list.

        Examples:
            >>> modify_select('country', 'NL')
        """
        values = value if isinstance(value, list) else [value]
        return _done(self._editor.choose_in_list(str(name), [str(each) for each in values]))

    @action
    def modify_range(self, name: str, value: float | str) -> ActionResult:
        """Move a slider.

        Args:
            name: The slider's name.
            value: A number between its ends, on one of its steps.

        Examples:
            >>> modify_range('similarity', 70)
        """
        return _done(self._editor.slide(str(name), str(value)))

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
            return ActionResult(ok=True, message=f"{len(html)} characters", text=html)
        found = expect(name, self._browser.run("page.neighbourhood", name))
        pieces = found["html"].split(">")
        here = found["piece"]
        part = pieces[max(here - PIECES_BEFORE, 0) : here + PIECES_AFTER + 1]
        html = ">".join(part) + (">" if here + PIECES_AFTER + 1 < len(pieces) else "")
        return ActionResult(ok=True, message=f"{len(html)} characters around {name!r}", text=html)

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
            image = self._display.capture()
        elif mode == "full":
            image = self._browser.picture(full_page=True)
        elif mode == "element":
            if name is None:
                raise Refused(ErrorCode.WRONG_ARGUMENT, "mode 'element' needs the name of a field")
            place = expect(name, self._browser.run("aim.scrollTo", name))
            self._browser.run("page.frame")
            image = picture.with_border(self._display.capture(), picture.box_of(place))
        else:
            raise Refused(ErrorCode.WRONG_ARGUMENT, f"unknown mode {mode!r}: use 'viewport', 'full' or 'element'")
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
        self._display.click(x, y)
        self._see()
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
        self._display.double_click(x, y)
        self._see()
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
        self._display.drag(*start, *end)
        self._see()
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
        self._display.hover(x, y)
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
            raise Refused(ErrorCode.NO_SUCH_KEY, str(error)) from None
        self._display.press(chord)
        self._see()
        return _done(f"pressed {key}")

    @action
    def type(self, text: str) -> ActionResult:
        r"""Type on the keyboard, into whatever has the focus; '\n' is Enter, '\t' is Tab.

        Args:
            text: The characters to type.

        Examples:
            >>> type('hello')
        """
        self._display.type(str(text))
        self._see()
        return _done(f"typed {len(str(text))} characters")

    @action
    def scroll(self, dx: float = 0, dy: float = 0) -> ActionResult:
        """Turn the mouse wheel over the middle of the screen.

        Args:
            dx: Pixels to the right; negative is left.
            dy: Pixels down; negative is up.

        Examples:
            >>> scroll(0, 600)
        """
        width, height = self._display.size
        self._display.scroll(width / 2, height / 2, number("dx", dx), number("dy", dy))
        place = self._browser.run("page.frame")
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
        place = expect(name, self._browser.run("aim.scrollTo", name))
        self._browser.run("page.frame")
        x, y, width, height = picture.box_of(place)
        return _done(f"{name!r} is at ({x:g}, {y:g}), {width:g} x {height:g} pixels")

    @action
    def maximize(self) -> ActionResult:
        """Make the window as large as it gets; the page area has one fixed size, which is reported.

        Examples:
            >>> maximize()
        """
        width, height = self._display.maximize()
        return _done(f"the page area is {width} x {height} pixels")

    @action
    def wait_till_loaded(self) -> ActionResult:
        """Wait until the page and what its scripts are building has come to rest.

        Examples:
            >>> wait_till_loaded()
        """
        self._browser.run("page.quiet")
        return _done("the page is loaded")

    # ---- inner workings -------------------------------------------------------------------------------------

    def perform(self, call: ActionCall, work: Callable[[], ActionResult]) -> ActionResult:
        """Do the work of an action, and add it to the trajectory as ``call``.

        Raises:
            LimitReached: a limit of the episode is used up.
        """
        self.check_limits()
        looked, rehearsed = self._looked, self._rehearsed
        start = time.perf_counter()
        if not self.steps:
            # Until its first frame is on the screen a page gets no presses: the browser drops them.
            self._browser.run("page.frame")
        if self.submitted:
            message = "the form was submitted; the episode is over"
            result = ActionResult(ok=False, message=message, code=ErrorCode.ALREADY_SUBMITTED)
        else:
            try:
                result = work()
            except Refused as refusal:
                result = ActionResult(ok=False, message=str(refusal), code=refusal.code)
                self._see()  # the page may have submitted itself since the last action
            self.submitted = self.submitted or self._editor.submitted
        result = replace(result, ms=(time.perf_counter() - start) * 1000)
        name = ""
        if result.image:
            name = hashlib.sha256(result.image).hexdigest()
            self.images[name] = result.image
        self.steps.append(Step.of(call, result, name, looked=looked, rehearsed=rehearsed))
        self._looked = self._rehearsed = False
        return result

    def rehearse(self) -> list[tuple[str, str]]:
        """As in ``Looks``; the next step says that it was done."""
        self._rehearsed = True
        return super().rehearse()

    def _take(self) -> Snapshot:
        self._looked = True
        return super()._take()

    def _see(self) -> None:
        self.submitted = self._browser.run("form.posted")

    def _inside(self, x: float, y: float) -> None:
        width, height = self._display.size
        if not (0 <= x < width and 0 <= y < height):
            message = f"({x:g}, {y:g}) is off the screen, which is {width} x {height} pixels; scroll first"
            raise Refused(ErrorCode.OFF_SCREEN, message)


def _done(message: str) -> ActionResult:
    return ActionResult(ok=True, message=message)


# The actions of this class before that of the base class: what most pages need comes first.
ACTIONS = dict(sorted(from_class(Actions).items(), key=lambda each: each[0] in from_class(Observing)))
"""Specifications of all actions, by name: for the parser, prompts, tool schemas and documentation."""
