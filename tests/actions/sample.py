"""A class with the signatures of the action library, without a browser."""

from __future__ import annotations

from harness.actions.spec import action, from_class


class SampleActions:
    """Actions that do nothing."""

    @action
    def modify_text(self, name: str, value: str) -> None:
        """Types a text into a field.

        What the field holds is replaced.

        Args:
            name: The field's name.
            value: The text to type;
                may be empty.

        Returns:
            Whether the field now holds
            the text.

        Examples:
            >>> modify_text('q1', 'hello')
            >>> modify_text('q1', '')
        """

    @action
    def modify_checkbox(self, name: str, values: str | list[str] | bool) -> None:
        """Ticks boxes.

        Args:
            name: The boxes' name.
            values: The values to tick.

        Examples:
            >>> modify_checkbox('colours', ['red', 'blue'])
            >>> modify_checkbox('agree', True)
        """

    @action
    def modify_radio(self, name: str, value: str) -> None:
        """Chooses an option.

        Args:
            name: The buttons' name.
            value: The option's value.

        Examples:
            >>> modify_radio('q2', '-1')
        """

    @action
    def modify_range(self, name: str, value: float | str) -> None:
        """Moves a slider.

        Args:
            name: The slider's name.
            value: The number to move it to.

        Examples:
            >>> modify_range('score', 2.5)
        """

    @action
    def get_html(self, name: str | None = None) -> None:
        """Reads the page.

        Args:
            name: A field, for its neighbourhood only.

        Examples:
            >>> get_html()
            >>> get_html('q1')
        """

    @action
    def capture_screen(self, mode: str = "viewport", name: str | None = None) -> None:
        """Takes a screenshot.

        Args:
            mode: What to take.
            name: A field.

        Examples:
            >>> capture_screen('element', 'q1')
        """

    @action
    def click(self, x: float, y: float) -> None:
        """Clicks.

        Args:
            x: Pixels from the left.
            y: Pixels from the top.

        Examples:
            >>> click(10, 20.5)
        """

    @action
    def type(self, text: str) -> None:
        """Presses keys.

        Args:
            text: What to type.

        Examples:
            >>> type('hello')
        """

    @action
    def scroll(self, dx: float = 0, dy: float = 0) -> None:
        """Scrolls.

        Args:
            dx: Pixels to the right.
            dy: Pixels down.

        Examples:
            >>> scroll(dy=300)
        """

    @action
    def maximize(self) -> None:
        """Makes the window as large as it can be.

        Examples:
            >>> maximize()
        """

    def helper(self) -> None:
        """Is no action."""


SPECS = from_class(SampleActions)
