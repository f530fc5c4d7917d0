"""The action library: what every solver can do to a page (TurkingBench, Table 3).

The ``modify_*`` actions address a field by name and check afterwards that the page holds what was asked. The visual
actions address pixels of the screen. All input is trusted: it goes through the browser's input pipeline, so that
the page's own handlers run.
"""

from __future__ import annotations

import functools
import hashlib
import inspect
import time
from collections import Counter
from collections.abc import Callable
from typing import Any, Concatenate, ParamSpec

from harness.actions import picture, typing_plan
from harness.actions.call import ActionCall
from harness.actions.result import ActionResult, Step
from harness.actions.spec import action as marked
from harness.actions.spec import from_class
from harness.browser.browser import Browser
from harness.browser.display import Display
from harness.browser.input import ARROWS, CONTROL, ENTER, ESCAPE, Input
from harness.fields import Field, find_fields
from harness.labels import clean, match_option, ticked

P = ParamSpec("P")
PIECES_BEFORE, PIECES_AFTER = 15, 30
"""Pieces of the neighbourhood around the one that opens the field (TurkingBench, appendix C)."""
MAX_ARROWS = 400
LISTED_OPTIONS = 40

_ACTION_FOR = {
    "text": "modify_text",
    "textarea": "modify_text",
    "radio": "modify_radio",
    "checkbox": "modify_checkbox",
    "select": "modify_select",
    "range": "modify_range",
}


class LimitReached(Exception):
    """A limit of the episode is used up; what the page holds is scored. ``which`` is ``steps`` or ``time``."""

    def __init__(self, which: str) -> None:
        super().__init__(f"the episode's limit of {which} is reached")
        self.which = which


class Refused(Exception):
    """An action cannot be done; the message becomes its result."""


def action(
    method: Callable[Concatenate[Actions, P], ActionResult],
) -> Callable[Concatenate[Actions, P], ActionResult]:
    """Make a method an action: its refusals become results, and every call becomes a step of the trajectory."""
    signature = inspect.signature(method)

    @functools.wraps(method)
    def recorded(self: Actions, /, *args: P.args, **kwargs: P.kwargs) -> ActionResult:
        bound = signature.bind(self, *args, **kwargs)
        bound.apply_defaults()
        arguments = {name: value for name, value in bound.arguments.items() if name != "self"}
        return self._perform(ActionCall(method.__name__, arguments), lambda: method(self, *args, **kwargs))

    return marked(recorded)


class Actions:
    """The actions on one open page.

    Attributes:
        steps: The trajectory so far.
        images: PNG by SHA-256, as named by the steps.
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
            max_seconds: Time from now before ``LimitReached``.
        """
        self.steps: list[Step] = []
        self.images: dict[str, bytes] = {}
        self.submitted = False
        self._browser = browser
        self._display = display
        self._input = Input(browser.channel)
        self._max_steps = max_steps
        self._deadline = time.monotonic() + max_seconds

    def call(self, call: ActionCall) -> ActionResult:
        """Perform a parsed action.

        Raises:
            LimitReached: the episode's steps or time are used up.
        """
        result: ActionResult = getattr(self, call.name)(**call.args)
        return result

    def fields(self) -> list[Field]:
        """The form's fields as they are now, in page order. A look, not an action: nothing is recorded."""
        return find_fields(self._browser)

    def buttons(self) -> list[str]:
        """What can be pressed and does not submit, visible now, by its text; equal texts are numbered. A look."""
        seen: Counter[str] = Counter()
        names = []
        for text in self._browser.run("listPressables"):
            seen[text] += 1
            names.append(f"{text} #{seen[text]}" if seen[text] > 1 else text)
        return names

    def locate_button(self, name: str) -> tuple[float, float] | None:
        """Where to press a button of ``buttons``, brought into view; None if it is gone or covered. A look."""
        names = self.buttons()
        if name not in names:
            return None
        place = self._browser.run("aimPressable", names.index(name))
        return None if "error" in place else (place["x"], place["y"])

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
        aim = self._aim("aim", name, ["text", "textarea"])
        if clean(aim["value"]) == clean(value):
            return _done(f"{name!r} already holds {_short(value)}")
        if aim["type"] == "color":
            self._browser.run("setColour", name, value)
        elif keys := typing_plan.keys_for(aim["type"], value):
            self._input.click(aim["x"], aim["y"])
            self._input.press(keys)
        else:
            self._input.replace_text(aim["x"], aim["y"], clean(value))
        return self._check(name, [clean(value)])

    @action
    def modify_radio(self, name: str, value: str) -> ActionResult:
        """Choose one option of a radio group.

        Args:
            name: The group's name.
            value: The option's value, or the text beside it.

        Examples:
            >>> modify_radio('sentiment', 'positive')
        """
        aim = self._browser.run("aimRadio", name, value)
        if "options" in aim:
            value = self._option(name, value, aim["options"])
            aim = self._browser.run("aimRadio", name, value)
        self._expect(name, aim)
        if aim.get("done"):
            return _done(f"{name!r} already holds {_short(value)}")
        self._input.click(aim["x"], aim["y"])
        return self._check(name, [value])

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
        asked = [str(value)] if not isinstance(value, list) else [str(each) for each in value]
        if value in ("", False):
            asked = []
        aim = self._browser.run("aimBox", name, asked)
        if "options" in aim:
            asked = self._boxes(name, asked, aim["options"])
            aim = self._browser.run("aimBox", name, asked)
        pressed: set[str] = set()
        while not aim.get("done"):
            self._expect(name, aim)
            if aim["value"] in pressed:
                raise Refused(f"the page does not keep the box {aim['value']!r} of {name!r} as asked")
            pressed.add(aim["value"])
            self._input.click(aim["x"], aim["y"])
            aim = self._browser.run("aimBox", name, asked)
        held = f"{name!r} holds {', '.join(map(_short, aim['values'])) or 'no tick'}"
        return _done(held if pressed else held.replace("holds", "already holds", 1))

    @action
    def modify_select(self, name: str, value: str | list[str]) -> ActionResult:
        """Choose an option of a drop-down list, or several of a list that allows it.

        Args:
            name: The list's name.
            value: The option's value, or the text that it shows; several values as a list.

        Examples:
            >>> modify_select('country', 'NL')
        """
        values = [str(each) for each in value] if isinstance(value, list) else [str(value)]
        first = values[0] if values else ""
        aim = self._browser.run("aimSelect", name, first)
        if "options" in aim:
            values = [self._option(name, each, aim["options"]) for each in values]
            aim = self._browser.run("aimSelect", name, values[0])
        self._expect(name, aim)
        if aim["chosen"] == values:
            return _done(f"{name!r} already holds {', '.join(map(_short, values))}")
        if aim["multiple"]:
            return self._choose_several(name, values)
        if len(values) != 1:
            raise Refused(f"{name!r} takes one option")
        if aim["size"] > 1:
            self._input.click(aim["x"], aim["y"])
            self._arrow_to(aim["index"], self._browser.run("aimSelect", name, values[0])["current"])
        else:
            # In the open list, arrow keys move without choosing: the page sees one change, as from a person.
            self._open_list_to(aim)
            if self._browser.run("read", name)["values"] != values:
                again = self._browser.run("aimSelect", name, values[0])
                self._expect(name, again)
                self._input.press([ESCAPE])
                self._arrow_to(again["index"], again["current"])
        return self._check(name, values)

    @action
    def modify_range(self, name: str, value: float | str) -> ActionResult:
        """Move a slider.

        Args:
            name: The slider's name.
            value: A number between its ends, on one of its steps.

        Examples:
            >>> modify_range('similarity', 70)
        """
        aim = self._aim("aim", name, ["range"])
        try:
            plan = typing_plan.Slider.of(aim, float(value))
        except ValueError as error:
            raise Refused(f"{name!r}: {error}") from error
        if float(aim["value"]) == plan.value:
            return _done(f"{name!r} already holds {aim['value']}")
        self._input.click(*plan.point())
        held = float(self._browser.run("read", name)["values"][0])
        if presses := plan.presses(held):
            if len(presses) > MAX_ARROWS:
                raise Refused(f"{name!r} does not follow the pointer: it holds {held:g}, not {plan.value:g}")
            self._input.press(presses)
        self._browser.run("leave")
        state = self._browser.run("read", name)
        self.submitted = state["posted"]
        if float(state["values"][0]) != plan.value:
            raise Refused(f"{name!r} holds {state['values'][0]}, not {plan.value:g}")
        return _done(f"{name!r} holds {state['values'][0]}")

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
            html = self._browser.run("fullHtml")
            return ActionResult(ok=True, message=f"{len(html)} characters", text=html)
        found = self._expect(name, self._browser.run("neighbourhood", name))
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
                raise Refused("mode 'element' needs the name of a field")
            place = self._expect(name, self._browser.run("scrollTo", name))
            self._browser.run("frame")
            image = picture.with_border(self._display.capture(), place["box"])
        else:
            raise Refused(f"unknown mode {mode!r}: use 'viewport', 'full' or 'element'")
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
        self._inside(x, y)
        self._display.click(x, y)
        self._see()
        return _done(f"pressed at ({x:g}, {y:g})")

    @action
    def type(self, text: str) -> ActionResult:
        r"""Type on the keyboard, into whatever has the focus; '\n' is Enter, '\t' is Tab.

        Args:
            text: The characters to type.

        Examples:
            >>> type('hello')
        """
        self._display.type(text)
        self._see()
        return _done(f"typed {len(text)} characters")

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
        self._display.scroll(width / 2, height / 2, dx, dy)
        place = self._browser.run("frame")
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
        place = self._expect(name, self._browser.run("scrollTo", name))
        self._browser.run("frame")
        x, y, width, height = place["box"]
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
        self._browser.run("quiet")
        return _done("the page is loaded")

    # ---- inner workings -------------------------------------------------------------------------------------

    def _perform(self, call: ActionCall, work: Callable[[], ActionResult]) -> ActionResult:
        if len(self.steps) >= self._max_steps:
            raise LimitReached("steps")
        if time.monotonic() > self._deadline:
            raise LimitReached("time")
        start = time.perf_counter()
        if not self.steps:
            # Until its first frame is on the screen a page gets no presses: the browser drops them.
            self._browser.run("frame")
        try:
            if self.submitted:
                raise Refused("the form was submitted; the episode is over")
            result = work()
        except Refused as refusal:
            result = ActionResult(ok=False, message=str(refusal))
        ms = (time.perf_counter() - start) * 1000
        result = ActionResult(result.ok, result.message, result.text, result.image, ms)
        name = ""
        if result.image:
            name = hashlib.sha256(result.image).hexdigest()
            self.images[name] = result.image
        self.steps.append(Step.of(call, result, name))
        return result

    def _aim(self, function: str, name: str, kinds: list[str]) -> dict[str, Any]:
        return self._expect(name, self._browser.run(function, name, kinds))

    def _expect(self, name: str, answer: dict[str, Any]) -> dict[str, Any]:
        """The page's answer, unless it is an error."""
        error = answer.get("error")
        if not error:
            return answer
        message = f"{name!r}: {error}"
        if kind := answer.get("kind"):
            message += f"; use {_ACTION_FOR[kind]}"
        if "options" in answer:
            message += f"; its options are {_listing(answer['options'])}"
        if "names" in answer:
            message += f"; the fields are {', '.join(map(repr, answer['names'])) or 'none'}"
        raise Refused(message)

    def _option(self, name: str, asked: str, options: list[dict[str, Any]]) -> str:
        """The value of the option that is meant: by value as labels are matched, else by the text that is shown."""
        value = match_option(asked, [option["value"] for option in options])
        if value is not None:
            return value
        ordered = sorted(options, key=lambda option: not option["visible"])
        text = match_option(asked, [option["text"] for option in ordered])
        if text is not None and asked.strip():
            return str(next(option["value"] for option in ordered if option["text"] == text))
        raise Refused(f"{name!r} has no option {asked!r}; its options are {_listing(options)}")

    def _boxes(self, name: str, asked: list[str], options: list[dict[str, Any]]) -> list[str]:
        values = [option["value"] for option in options]
        wanted = {value for each in asked for value in ticked(each, values)}
        return [self._option(name, each, options) for each in sorted(wanted)]

    def _check(self, name: str, wanted: list[str]) -> ActionResult:
        """Leave the field, read it back and compare."""
        numbers = [self._browser.send_run("leave"), self._browser.send_run("read", name)]
        state = self._browser.values(numbers)[1]
        self.submitted = state["posted"]
        held = state["values"]
        if held is None:
            raise Refused(f"the page removed {name!r} when it was changed")
        if [clean(each) for each in held] != wanted:
            shown = ", ".join(map(_short, held)) or "nothing"
            raise Refused(
                f"{name!r} holds {shown}, not {', '.join(map(_short, wanted))}: the page does not take it"
            )
        return _done(f"{name!r} holds {', '.join(map(_short, wanted))}")

    def _see(self) -> None:
        self.submitted = self._browser.run("posted")

    def _inside(self, x: float, y: float) -> None:
        width, height = self._display.size
        if not (0 <= x < width and 0 <= y < height):
            raise Refused(
                f"({x:g}, {y:g}) is off the screen, which is {width} x {height} pixels; scroll first"
            )

    def _open_list_to(self, aim: dict[str, Any]) -> None:
        distance = aim["index"] - aim["current"]
        self._input.click(aim["x"], aim["y"])
        self._input.press([*[ARROWS["down" if distance > 0 else "up"]] * abs(distance), ENTER])

    def _arrow_to(self, index: int, current: int) -> None:
        self._input.press([ARROWS["down" if index > current else "up"]] * abs(index - current))

    def _choose_several(self, name: str, values: list[str]) -> ActionResult:
        for _ in range(LISTED_OPTIONS):
            aim = self._browser.run("aimListOption", name, values)
            if aim.get("done"):
                return self._check(name, aim["values"])
            self._expect(name, aim)
            self._input.click(aim["x"], aim["y"], modifiers=CONTROL)
        raise Refused(f"{name!r} does not keep the options {values} chosen")


def _done(message: str) -> ActionResult:
    return ActionResult(ok=True, message=message)


def _short(text: str) -> str:
    return repr(text if len(text) <= 80 else text[:77] + "...")


def _listing(options: list[dict[str, Any]]) -> str:
    shown = []
    for option in options[:LISTED_OPTIONS]:
        text = option["text"][:40]
        shown.append(repr(option["value"]) + (f" ({text})" if text and text != option["value"] else ""))
    more = len(options) - LISTED_OPTIONS
    return ", ".join(shown) + (f" and {more} more" if more > 0 else "")


ACTIONS = from_class(Actions)
"""Specifications of all actions, by name: for the parser, prompts, tool schemas and documentation."""
