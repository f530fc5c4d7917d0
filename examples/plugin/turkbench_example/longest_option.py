"""A solver that believes that the longest answer is the right one."""

from __future__ import annotations

from turkbench import Actions, Page


class LongestOption:
    """Chooses the longest option of everything that has options."""

    def solve(self, page: Page, act: Actions) -> None:
        """Work on the page that is open.

        Args:
            page: What is known of it.
            act: The actions on it.
        """
        for field in page.fields:
            longest = max((option.value for option in field.options), key=len, default=None)
            if longest is None or not field.visible:
                continue
            match field.kind:
                case "radio":
                    act.modify_radio(field.name, longest)
                case "select":
                    act.modify_select(field.name, longest)
                case "checkbox":
                    act.modify_checkbox(field.name, [longest])
