"""The answer form as a WebDriver client finds it, and what it does to the controls."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

from selenium.common.exceptions import (
    ElementClickInterceptedException,
    ElementNotInteractableException,
    MoveTargetOutOfBoundsException,
)
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webdriver import WebDriver
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.select import Select

from harness.actions.result import ErrorCode
from harness.browser.input import ARROWS, ENTER, ESCAPE, Key
from harness.browser.webdriver.gestures import Gestures
from harness.catalog.kinds import TYPED

_READ = (files(__package__) / "controls.js").read_text(encoding="utf-8")
_SCROLL = 'arguments[0].scrollIntoView({ block: arguments[1], inline: "nearest", behavior: "instant" });'
_NEXT_FRAME = """
const frame = new Promise((resume) => requestAnimationFrame(() => requestAnimationFrame(resume)));
return Promise.race([frame, new Promise((resume) => setTimeout(resume, 200))]).then(() => null);
"""
"""A window that nobody sees has no frames."""
_SHOW = """
const [target, place] = arguments;
if (place) target.scrollIntoView({ block: place, inline: "nearest", behavior: "instant" });
const [box] = target.getClientRects();
if (!box || (!place && (box.top < 0 || box.bottom > innerHeight))) return false;
const middle = (start, end, size) => (Math.max(start, 0) + Math.min(end, size)) / 2;
const x = middle(box.left, box.right, innerWidth);
return target.contains(document.elementFromPoint(x, middle(box.top, box.bottom, innerHeight)));
"""
"""Whether an element at a place gets a click on its middle; one that is in view stays, since pixels are the points of
presses."""
_LEAVE = """
const active = document.activeElement;
if (active instanceof HTMLElement && active !== document.body) HTMLElement.prototype.blur.call(active);
"""
_SET = """
const [control, value] = arguments;
control.value = value;
for (const type of ["input", "change"]) control.dispatchEvent(new Event(type, { bubbles: true }));
"""
_NEAREST = """
const copy = arguments[0].cloneNode();
copy.value = arguments[1];
return Number(copy.value);
"""
_BOX = "const { left, top, width, height } = arguments[0].getBoundingClientRect(); return { left, top, width, height };"
_VIEW = "return [innerWidth, innerHeight];"
_PLACES = ("", "center", "start", "end")
"""Where on the screen a control is tried: where it is, then elsewhere, since headers and footers stay over a page."""
_COVER = re.compile(r"(?:would receive the click:|because another element) <([\w-]+)((?:[^>\"]|\"[^\"]*\")*)>")
"""Words of chromedriver and of geckodriver."""
_ATTRIBUTE = re.compile(r'([\w-]+)="([^"]*)"')


class Unpressable(Exception):
    """A control cannot be pressed.

    Attributes:
        code: Why not.
    """

    def __init__(self, code: ErrorCode, words: str) -> None:
        super().__init__(words)
        self.code = code


@dataclass(frozen=True)
class DrivenControl:
    """One control, as it was when it was found.

    Attributes:
        element: The control.
        told: What ``controls.js`` tells of it.
    """

    element: WebElement
    told: dict[str, Any]

    @property
    def value(self) -> str:
        """What it holds, or the value of its option."""
        return str(self.told["value"])

    @property
    def checked(self) -> bool:
        """Whether it is chosen or ticked."""
        return bool(self.told["checked"])

    @property
    def options(self) -> list[dict[str, Any]]:
        """Of a list: ``value``, ``text``, ``selected`` and ``visible`` (whether it can be chosen) of each option."""
        return list(self.told["options"])

    @property
    def labels(self) -> list[WebElement]:
        """Its labels."""
        return list(self.told["labels"])

    def objection(self) -> tuple[ErrorCode, str] | None:
        """Why nobody can enter anything here; None if somebody can."""
        if self.told["disabled"]:
            return ErrorCode.DISABLED, "it is disabled"
        if self.told["type"] == "file":
            return ErrorCode.TAKES_FILE, "it takes a file, which no action gives it"
        if self.told["readOnly"] and self.told["kind"] in TYPED:
            return ErrorCode.READ_ONLY, "it is read-only"
        if not self.told["visible"]:
            why = "it is not visible now (something else may have to be answered or pressed first)"
            return ErrorCode.NOT_VISIBLE, why
        return None


@dataclass(frozen=True)
class DrivenField:
    """The controls of one name in the answer form.

    Attributes:
        kind: Of the field; empty if there is none.
        controls: Those that are of this kind, in page order.
        names: Of all fields.
        texts: Text boxes beside boxes or radio buttons of the same name.
        other: The value of the option that goes with what is written there; empty without such a text box.
    """

    kind: str
    controls: tuple[DrivenControl, ...]
    names: tuple[str, ...]
    texts: tuple[DrivenControl, ...]
    other: str

    @property
    def usable(self) -> DrivenControl:
        """The first control that takes input; the first of all if none does."""
        return next((each for each in self.controls if not each.objection()), self.controls[0])

    @property
    def is_of_buttons(self) -> bool:
        """Whether the answer is which button is pressed."""
        return any(each.told["type"] == "submit" for each in self.controls)

    def options(self) -> list[dict[str, Any]]:
        """What can be chosen: value, text, and whether it is visible."""
        if self.kind == "select":
            return self.controls[0].options
        return [each.told for each in self.controls]


class DrivenForm:
    """Finds controls and works them with WebDriver's own means.

    Attributes:
        ours: Whether a browser of ours shows the page, and as a task.
    """

    def __init__(self, driver: WebDriver, *, ours: bool = True) -> None:
        """Of the page of ``driver``'s session.

        Args:
            driver: Of the session.
            ours: False for a page of somebody else's: its fields may be outside the answer form, and its browser
                orders the parts of dates and times by its user's language.
        """
        self.ours = ours
        self._driver = driver
        self.gestures = Gestures(driver)

    def find(self, name: str) -> DrivenField:
        """The field of a name, as it is now."""
        elements = self._driver.find_elements(By.CSS_SELECTOR, f'[name="{_escaped(name)}"]')
        found = self._driver.execute_script(_READ, elements, name, not self.ours)
        controls, texts = (
            tuple(DrivenControl(each["element"], each) for each in found[key]) for key in ("controls", "texts")
        )
        return DrivenField(found["kind"], controls, tuple(found["names"]), texts, found["other"])

    def press(self, control: DrivenControl, *, beside: bool = False) -> None:
        """Click a control, or a label of it where that is what can be pressed.

        Args:
            control: The control.
            beside: Click its labels only: pages undo presses of the one and take the other.

        Raises:
            Unpressable: none of them can be clicked.
        """
        targets = control.labels if beside else [control.element, *control.labels]
        covered = ""
        for target in self._shown(targets):
            try:
                target.click()
            except ElementClickInterceptedException as error:
                covered = covered or _cover(error.msg)
            except (ElementNotInteractableException, MoveTargetOutOfBoundsException):
                pass
            else:
                return
        if covered:
            raise Unpressable(ErrorCode.COVERED, f"it is covered by {covered}")
        raise Unpressable(ErrorCode.OUT_OF_VIEW, "no part of it can be brought into view")

    def _shown(self, targets: Sequence[WebElement]) -> Iterator[WebElement]:
        """Each target wherever it can get a click; then all, as a driver waits for a second until one is uncovered."""
        for target in targets:
            for place in _PLACES:
                if self._driver.execute_script(_SHOW, target, place):
                    yield target
        for target in targets:
            self._driver.execute_script(_SCROLL, target, "center")
            yield target

    def press_at(self, control: DrivenControl, share: float) -> None:
        """Click a slider at a share of its track, from its lowest value.

        Raises:
            Unpressable: it cannot be clicked.
        """
        self._driver.execute_script(_SCROLL, control.element, "nearest")
        box = self._driver.execute_script(_BOX, control.element)
        upright, mirrored = control.told["upright"], control.told["mirrored"]
        along = 1 - share if mirrored else share
        x, y = (0.5, along) if upright else (along, 0.5)
        thumb = min(16, box["width"], box["height"])
        left, top = (0.0, thumb / 2) if upright else (thumb / 2, 0.0)
        place = (
            box["left"] + left + x * (box["width"] - 2 * left),
            box["top"] + top + y * (box["height"] - 2 * top),
        )
        width, height = self._driver.execute_script(_VIEW)
        hit = "return document.elementFromPoint(arguments[0], arguments[1]) === arguments[2];"
        is_there = 0 <= place[0] < width and 0 <= place[1] < height
        if is_there and self._driver.execute_script(hit, *place, control.element):
            self.gestures.click(*place)
        else:
            self.press(control)

    def choose(self, control: DrivenControl, places: Iterable[int]) -> None:
        """Choose exactly the options at these places in a list; those that are chosen already are left.

        Where the list shows its options they are clicked. Else it is opened, and keys go to the option; one that does
        not open is set with ``Select``, whose choice is the driver's own script's: the page hears of it by ``change``
        alone.

        Raises:
            Unpressable: the list cannot be clicked.
        """
        wanted = set(places)
        if control.told["listed"]:
            self._click_options(control, wanted)
            return
        (place,) = wanted
        self.press(control)
        self.gestures.press([*_way_to(control.options, place), ENTER])
        select = Select(control.element)
        if not select.options[place].is_selected():
            self.gestures.press([ESCAPE])
            select.select_by_index(place)

    def _click_options(self, control: DrivenControl, wanted: Collection[int]) -> None:
        elements = Select(control.element).options
        is_multiple = control.told["multiple"]
        for place, option in enumerate(control.options):
            is_right = option["selected"] == (place in wanted)
            # In a list that takes one the choice of another ends that of this one.
            if is_right or not option["visible"] or not (is_multiple or place in wanted):
                continue
            # With the next frame a list shows the option that was clicked before, and is scrolled away from this one.
            self._driver.execute_script(_NEXT_FRAME)
            self._driver.execute_script(_SCROLL, elements[place], "nearest")
            chain = ActionChains(self._driver, duration=0)
            if is_multiple:
                chain.key_down(Keys.CONTROL)
            chain.move_to_element(elements[place]).click()
            if is_multiple:
                chain.key_up(Keys.CONTROL)
            chain.perform()

    def select_text(self, control: DrivenControl) -> None:
        """Select all of a text, so that what comes next takes its place."""
        self._driver.execute_script("arguments[0].select();", control.element)

    def set(self, control: DrivenControl, value: str) -> None:
        """Give a control a value that no pointer and no key can give it, as a script of the page would."""
        self._driver.execute_script(_SET, control.element, value)

    def nearest(self, control: DrivenControl, value: float) -> float:
        """The value that a slider can have and that is nearest to ``value``."""
        return float(self._driver.execute_script(_NEAREST, control.element, f"{value!r}"))

    def leave(self) -> None:
        """Take the focus from what has it, as somebody does who goes on."""
        self._driver.execute_script(_LEAVE)

    def bring_into_view(self, control: DrivenControl) -> dict[str, float] | None:
        """Scroll a control, or what is shown of it, to the middle of the screen; gives its box, None if out of view."""
        width, height = self._driver.execute_script(_VIEW)
        for target in (control.element, *control.labels):
            self._driver.execute_script(_SCROLL, target, "center")
            box: dict[str, float] = self._driver.execute_script(_BOX, target)
            if box["width"] <= 0:
                continue
            right, bottom = min(box["left"] + box["width"], width), min(box["top"] + box["height"], height)
            return box if right - max(box["left"], 0) >= 1 and bottom - max(box["top"], 0) >= 1 else None
        return None


def _way_to(options: Sequence[Mapping[str, Any]], place: int) -> list[Key]:
    """The arrow keys from the chosen option of a list to another; they skip what cannot be chosen."""
    reachable = [number for number, option in enumerate(options) if option["visible"]]
    chosen = next((number for number, option in enumerate(options) if option["selected"]), -1)
    target = reachable.index(place)
    start = sum(number < chosen for number in reachable)
    steps = target - start + (1 if chosen not in reachable and target >= start else 0)
    return [ARROWS["down" if steps > 0 else "up"]] * abs(steps)


def values_of(kind: str, controls: Sequence[DrivenControl]) -> list[str]:
    """What controls of one kind would send."""
    if kind in ("radio", "checkbox"):
        return [each.value for each in controls if each.checked]
    if kind == "select":
        return [option["value"] for each in controls for option in each.options if option["selected"]]
    return [each.value for each in controls]


def _escaped(name: str) -> str:
    """A name as it stands between the quotes of a CSS selector."""
    return "".join(f"\\{ord(each):x} " if each in '"\\' or not each.isprintable() else each for each in name)


def _cover(message: str | None) -> str:
    """What would get a click, as a driver tells it: its tag, id and first class; empty where there is nothing."""
    found = _COVER.search(message or "")
    if not found:
        return ""
    attributes = dict(_ATTRIBUTE.findall(found[2]))
    ident, classes = attributes.get("id", ""), attributes.get("class", "").split()
    return f"<{found[1]}{'#' + ident if ident else ''}{'.' + classes[0] if classes else ''}>"
