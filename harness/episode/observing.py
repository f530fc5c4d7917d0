"""Observing: snapshots and pictures of the open page for a model, and the action on what they number."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable

from harness.actions.call import ActionCall
from harness.actions.error_code import ErrorCode
from harness.actions.result import ActionResult
from harness.browser.display import Display
from harness.browser.looking import find_listeners
from harness.episode.looks import Looks, timed
from harness.episode.trajectory import action
from harness.episode.wording import Refused, expect
from harness.observe import ENCODINGS, picture
from harness.observe.outline import with_outline
from harness.observe.screenshots import MODES, Picture, with_marks
from harness.observe.snapshot import Snapshot, take

PRESSES = frozenset({"click", "mousedown", "pointerdown"})
"""Events for which a page listens on what can be pressed."""
LONGEST_NUMBER = 9
"""Digits."""


class Observing(Looks, ABC):
    """What a solver sees of a page that it cannot read by itself, beside the other looks.

    Attributes:
        submitted: Whether the solver itself has submitted the form.
    """

    submitted: bool
    _display: Display
    _is_numbered = False

    @abstractmethod
    def perform(self, call: ActionCall, work: Callable[[], ActionResult]) -> ActionResult:
        """Do the work of an action, and take it down as ``call``."""

    @abstractmethod
    def scroll_to(self, name: str) -> ActionResult:
        """Bring a field into the middle of the screen."""

    @timed
    def snapshot(self, encoding: str | None = None) -> Snapshot:
        """The page as it is now, to be written down with ``harness.observe.encode``. A look.

        Args:
            encoding: The encoding that it is taken for. The accessibility tree takes more calls to the browser, and is
                got for ``axtree`` only.
        """
        taken = self._take()
        if encoding is not None and ENCODINGS[encoding].needs_outline:
            return with_outline(self._browser, taken)
        return taken

    @timed
    def page_digest(self) -> str:
        """A hash of what the page is and holds now. A look."""
        return take(self._browser).digest()

    def picture(self, mode: str, field: str | None = None) -> Picture | None:
        """A picture of the page in one of ``harness.observe.screenshots.MODES``; None for ``none``.

        A look, unless it is a picture of the screen for a ``field`` that is out of sight: then the page is scrolled,
        which is an action, and stays so, since the picture's pixels are the points to click.

        Args:
            mode: What it shows.
            field: The field that is to be in view; needed for ``element``.

        Raises:
            ValueError: unknown mode, or ``element`` without a field.
            harness.episode.trajectory.LimitReached: no step is left for scrolling.
        """
        if mode not in MODES:
            raise ValueError(f"unknown picture mode {mode!r}; there are {', '.join(MODES)}")
        if mode == "none":
            return None
        if mode == "element" and field is None:
            raise ValueError("picture mode 'element' needs the name of a field")
        whole = mode in ("full", "marks-full")
        if field is not None and not whole:
            self._bring_into_view(field)
        return self._photograph(mode, field, whole=whole)

    @timed
    def _photograph(self, mode: str, field: str | None, *, whole: bool) -> Picture:
        png = self._browser.picture(full_page=True) if whole else self._display.capture()
        if mode.startswith("marks"):
            return with_marks(png, self._take(), whole=whole)
        if mode == "element":
            place = self._browser.run("aim.fieldBox", field)
            return Picture(picture.with_border(png, picture.box_of(place)) if place else png)
        return Picture(png)

    def _take(self) -> Snapshot:
        """The page, with everything numbered that it listens on for presses, which the debugger alone can tell."""
        self._is_numbered = True
        find_listeners(self._browser, PRESSES)
        return take(self._browser)

    def _bring_into_view(self, field: str) -> None:
        if not self._browser.run("aim.isInView", field):
            self.scroll_to(field)

    @action
    def click_element(self, ref: int | str) -> ActionResult:
        """Press the left mouse button on what the last observation shows with a number.

        Args:
            ref: The number: the id in the page's text, or the number in the picture.

        Examples:
            >>> click_element(7)
        """
        number = str(ref).strip().strip("[]#")
        if not number.isdecimal() or len(number) > LONGEST_NUMBER:
            raise Refused(ErrorCode.NO_SUCH_ELEMENT, f"{ref!r} is no number of an element")
        if not self._is_numbered:
            self._take()
        aim = expect(f"[{number}]", self._browser.run("pressables.aim", int(number)))
        self._display.click(aim["x"], aim["y"])
        self.submitted = bool(self._browser.run("form.posted"))
        return ActionResult(ok=True, message=f"pressed [{number}] {aim['what']}")
