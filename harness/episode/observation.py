"""Observation: what can be shown of a page to a model, as a snapshot or a picture."""

from __future__ import annotations

from collections.abc import Callable

from harness.actions.result import ErrorCode
from harness.browser.browser import Browser
from harness.browser.input_back_end import InputBackEnd
from harness.browser.page_inspection import find_listeners
from harness.episode.refusal import ActionRefused
from harness.episode.trajectory import Trajectory
from harness.kit import picture
from harness.observe import ENCODINGS
from harness.observe.encoding import number_of
from harness.observe.screenshots import MODES, Picture, with_marks
from harness.observe.snapshot import Snapshot, take

_LONGEST = 9
"""Digits of a number."""


def element_number(ref: object) -> int | None:
    """The number that is meant by ``7``, ``'7'``, ``'[7]'``, ``'#7'``, or letters as in ``'G'``; None if it is none."""
    digits = str(ref).strip().strip("[]#")
    return int(digits) if digits.isdecimal() and len(digits) <= _LONGEST else number_of(digits)


def expect_number(ref: object) -> int:
    """As ``element_number``.

    Raises:
        ActionRefused: it is none.
    """
    number = element_number(ref)
    if number is None:
        raise ActionRefused(ErrorCode.NO_SUCH_ELEMENT, f"{ref!r} is no number of an element")
    return number


PRESSES = frozenset({"click", "mousedown", "pointerdown"})
"""Events for which a page listens on what can be pressed."""


class Observation:
    """Looks at the page that a browser shows. They are free and not recorded."""

    def __init__(
        self, browser: Browser, back_end: InputBackEnd, trajectory: Trajectory, scroll_to: Callable[[str], object]
    ) -> None:
        """Observe the page that ``browser`` shows.

        Args:
            browser: With the page open.
            back_end: With its screen.
            trajectory: Of the episode; it counts the time.
            scroll_to: The action that brings a field into the middle of the screen.
        """
        self._browser = browser
        self._back_end = back_end
        self._trajectory = trajectory
        self._scroll_to = scroll_to
        self._is_numbered = False

    def snapshot(self, encoding: str | None = None) -> Snapshot:
        """The page as it is now, to be written down with ``harness.observe.encode``.

        Args:
            encoding: The encoding that it is taken for. The accessibility tree takes more calls to the browser, and is
                got for ``axtree`` only.
        """
        with self._trajectory.looking():
            taken = self._take()
            if encoding is not None and ENCODINGS[encoding].needs_outline:
                from harness.observe.outline import with_outline  # noqa: PLC0415 - other encodings do without

                return with_outline(self._browser, taken)
            return taken

    def read_pictures(self, snapshot: Snapshot) -> Snapshot:
        """The same snapshot with what is written in the pictures that it shows.

        Args:
            snapshot: Of the page as it is now.

        Raises:
            ModuleNotFoundError: The extra ``ocr`` is not installed.
        """
        from harness.observe.picture_texts import with_picture_texts  # noqa: PLC0415 - who reads no pictures does without

        with self._trajectory.looking():
            return with_picture_texts(snapshot, self._browser.picture(full_page=True))

    def digest(self) -> str:
        """A hash of what the page is and holds now."""
        with self._trajectory.looking():
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
        with self._trajectory.looking():
            return self._photograph(mode, field, whole=whole)

    def screen(self) -> bytes:
        """What the screen shows once the page has come to rest, as PNG."""
        with self._trajectory.looking():
            self._browser.run("page.quiet")
            return self._back_end.capture()

    def number_elements(self) -> None:
        """Give what can be operated the numbers that a snapshot shows, unless it has them already."""
        if not self._is_numbered:
            self._take()

    def _photograph(self, mode: str, field: str | None, *, whole: bool) -> Picture:
        png = self._browser.picture(full_page=True) if whole else self._back_end.capture()
        if mode.startswith("marks"):
            return with_marks(png, self._take(), whole=whole)
        if mode == "element":
            place = self._browser.run("aim.fieldBox", field)
            return Picture(picture.with_border(png, picture.box_of(place)) if place else png)
        return Picture(png)

    def _take(self) -> Snapshot:
        """The page, with everything numbered that it listens on for presses, which the debugger alone can tell."""
        self._trajectory.leave_trace("looked")
        self._is_numbered = True
        find_listeners(self._browser, PRESSES)
        return take(self._browser)

    def _bring_into_view(self, field: str) -> None:
        if not self._browser.run("aim.isInView", field):
            self._scroll_to(field)
