"""The actions on what a page shows beside its fields: words that are marked, clips that are played, and waiting."""

from __future__ import annotations

from typing import Any

from harness.actions.result import ActionResult, ErrorCode
from harness.browser.browser import Browser
from harness.browser.chord import Chord
from harness.browser.form.fields import Field, find_fields
from harness.browser.input_back_end import InputBackEnd
from harness.browser.launch import in_page_script
from harness.browser.page_inspection import load
from harness.catalog.labels import clean
from harness.episode.devtools_editor import DevtoolsEditor
from harness.episode.editing import Editor
from harness.episode.performing import Performer, action
from harness.episode.refusal import ActionRefused, expect, number, short
from harness.episode.trajectory import Trajectory
from harness.kit.text import counted


def _editor_of(browser: Browser, back_end: InputBackEnd) -> Editor:
    """What changes fields with this back end."""
    if back_end.driven is None:
        return DevtoolsEditor(browser)
    # Imported here alone: a run over DevTools does without what Selenium brings along.
    from harness.episode.webdriver_editor import WebdriverEditor  # noqa: PLC0415

    return WebdriverEditor(browser, back_end.driven)


class FieldActions(Performer):
    """The actions on the fields of one open page."""

    def __init__(self, browser: Browser, back_end: InputBackEnd, trajectory: Trajectory) -> None:
        super().__init__(browser, trajectory)
        self._editor = _editor_of(browser, back_end)

    def fields(self) -> list[Field]:
        """The form's fields as they are now, in page order. A look: it is free and not recorded."""
        with self.trajectory.looking():
            return find_fields(self._browser)

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
        return self._edited(self._editor.write(str(name), clean(str(value))))

    @action
    def modify_radio(self, name: str, value: str) -> ActionResult:
        """Choose one option of a radio group.

        Args:
            name: The group's name.
            value: The option's value, or the text beside it.

        Examples:
            >>> modify_radio('sentiment', 'positive')
        """
        return self._edited(self._editor.choose_radio(str(name), str(value)))

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
        return self._edited(self._editor.tick(str(name), [str(each) for each in values]))

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
        return self._edited(self._editor.choose_in_list(str(name), [str(each) for each in values]))

    @action
    def modify_range(self, name: str, value: float | str) -> ActionResult:
        """Move a slider.

        Args:
            name: The slider's name.
            value: A number between its ends, on one of its steps.

        Examples:
            >>> modify_range('similarity', 70)
        """
        return self._edited(self._editor.slide(str(name), str(value)))

    def _edited(self, message: str) -> ActionResult:
        self.submitted = self.submitted or self._editor.submitted
        return ActionResult(ok=True, message=message)


LONGEST_WAIT_SECONDS = 600.0
"""What one action waits at most."""
_LOOK_MS = 500
"""How long the page itself waits before it is asked again."""
_PLAYS_WITHIN_LOOKS = 6
"""Looks in which a clip has to begin after its key was pressed."""
_STANDS_STILL_LOOKS = 20
"""Looks without any progress after which a clip does not go on."""
PLAY_KEYS = ("Space", "Enter")
"""What starts a clip with controls that has the focus, one after the other."""


class ContentActions(FieldActions):
    """What a person does on a page before the fields can be answered: reads and marks, listens, waits."""

    def __init__(self, browser: Browser, back_end: InputBackEnd, trajectory: Trajectory) -> None:
        super().__init__(browser, back_end, trajectory)
        self._back_end = back_end

    @action
    def select_text(self, text: str, occurrence: int = 1) -> ActionResult:
        """Select words that the page shows with the mouse, from their first to their last character.

        Args:
            text: The words, exactly as they are shown; they may go over several lines or elements.
            occurrence: Which of several places with these words, counted from 1.

        Examples:
            >>> select_text('the bread was stale')
            >>> select_text('bank', 2)
        """
        place = expect(short(str(text)), self._look("words", str(text), _place("occurrence", occurrence)))
        start, end = place["from"], place["to"]
        self._back_end.drag(start["x"], start["y"], end["x"], end["y"])
        self.see()
        selected = "" if self.submitted else " ".join(str(self._look("selected")).split())
        if selected and selected != " ".join(str(text).split()):
            return ActionResult(ok=True, message=f"dragged over {short(str(text))}; selected is {short(selected)}")
        return ActionResult(ok=True, message=f"selected {short(str(text))}")

    @action
    def play_clip(self, clip: int = 1) -> ActionResult:
        """Play a sound or film of the page and wait until it has ended; one that is playing is only waited for.

        Args:
            clip: Which of the page's sounds and films, counted from 1.

        Examples:
            >>> play_clip()
            >>> play_clip(2)
        """
        place = _place("clip", clip)
        told = expect(f"clip {place}", self._look("hold", place))
        if told["hasEnded"]:
            return ActionResult(ok=True, message=f"clip {place} has been played to its end already")
        if not told["isPlaying"]:
            told = self._start(place, told)
        told = self._wait_for_end(place, told)
        self.see()
        heard = f"{told['at']:.1f} of {told['seconds']:.1f} seconds" if told["seconds"] else f"{told['at']:.1f} seconds"
        if told["hasEnded"] or told["repeats"]:
            return ActionResult(ok=True, message=f"clip {place} has been played: {heard}")
        raise ActionRefused(ErrorCode.NOT_TAKEN, f"clip {place} has not been played to its end: {heard}")

    @action
    def wait_until_enabled(self, name: str, seconds: float = 60) -> ActionResult:
        """Wait until a field can be answered: until the page shows it, and it is not disabled.

        Args:
            name: The field's name.
            seconds: How long to wait at most.

        Examples:
            >>> wait_until_enabled('heard')
            >>> wait_until_enabled('verdict', 20)
        """
        most = min(number("seconds", seconds), LONGEST_WAIT_SECONDS)
        waited = 0.0
        while not self._look("opened", str(name), min(_LOOK_MS, max(0.0, most - waited) * 1000)):
            waited += _LOOK_MS / 1000
            self.see()
            if waited >= most or self.submitted or not self.trajectory.seconds_left():
                self._refuse_closed(str(name), waited)
        return ActionResult(ok=True, message=f"{str(name)!r} can be answered")

    # ---- inner workings -------------------------------------------------------------------------------------

    def _look(self, function: str, *arguments: object) -> Any:
        load(self._browser, in_page_script("content"))
        return self._browser.run(f"content.{function}", *arguments)

    def _start(self, clip: int, told: dict[str, Any]) -> dict[str, Any]:
        """Start a clip by its own controls, with the keyboard."""
        if told["failed"]:
            raise ActionRefused(ErrorCode.NOT_TAKEN, f"clip {clip} cannot be loaded or played")
        if not told["hasControls"]:
            message = f"clip {clip} has no controls of its own; press what the page offers to play it"
            raise ActionRefused(ErrorCode.NOT_VISIBLE, message)
        for key in PLAY_KEYS:
            self._look("hold", clip)
            self._back_end.press(Chord.parse(key))
            for _ in range(_PLAYS_WITHIN_LOOKS):
                told = self._heard(clip)
                if told["isPlaying"] or told["hasEnded"] or told["failed"]:
                    return told
        raise ActionRefused(ErrorCode.NOT_TAKEN, f"clip {clip} does not play when it is started")

    def _wait_for_end(self, clip: int, told: dict[str, Any]) -> dict[str, Any]:
        """What is told of a clip when it plays no longer, or nothing is to be expected of waiting longer."""
        still = 0
        waited = 0.0
        while told["isPlaying"] and still < _STANDS_STILL_LOOKS and waited < LONGEST_WAIT_SECONDS:
            if not self.trajectory.seconds_left():
                break
            before = told["at"]
            told = self._heard(clip)
            waited += _LOOK_MS / 1000
            if told["repeats"] and told["at"] < before:
                break
            still = still + 1 if told["at"] == before else 0
        return told

    def _heard(self, clip: int) -> dict[str, Any]:
        return expect(f"clip {clip}", self._look("heard", clip, _LOOK_MS))

    def _refuse_closed(self, name: str, waited: float) -> None:
        """Say what keeps a field from being answered.

        Raises:
            ActionRefused: always.
        """
        field = next((each for each in self.fields() if each.name == name), None)
        code = ErrorCode.NO_SUCH_FIELD
        why = "the page has no such field"
        if field is not None:
            code = ErrorCode.DISABLED if field.visible else ErrorCode.NOT_VISIBLE
            why = "it is still disabled" if field.visible else "it is still not visible"
        raise ActionRefused(code, f"{name!r}: after {counted(round(waited), 'second')} {why}")


def _place(what: str, value: object) -> int:
    """The place that an argument means, counted from 1.

    Raises:
        ActionRefused: it means none.
    """
    place = number(what, value)
    if place != int(place) or place < 1:
        raise ActionRefused(ErrorCode.OUT_OF_RANGE, f"{what} must be 1, 2, 3 ..., not {value!r}")
    return int(place)
