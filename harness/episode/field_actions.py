"""The actions that address a field by its name, and check afterwards that the page holds what was asked."""

from __future__ import annotations

from harness.actions.result import ActionResult
from harness.browser.browser import Browser
from harness.browser.form.fields import Field, find_fields
from harness.browser.input_back_end import InputBackEnd
from harness.catalog.labels import clean
from harness.episode.devtools_editor import DevtoolsEditor
from harness.episode.editing import Editor
from harness.episode.performing import Performer, action
from harness.episode.trajectory import Trajectory


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
