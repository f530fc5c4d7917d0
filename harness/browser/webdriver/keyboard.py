"""Keys of the harness as WebDriver names them, and texts as sequences of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from selenium.webdriver.common.keys import Keys

from harness.browser.chord import MODIFIERS
from harness.browser.input import Key, key_for

VALUES: Mapping[str, str] = {
    "Enter": Keys.RETURN,  # that of the letters; the other one is the number pad's
    "Tab": Keys.TAB,
    "Escape": Keys.ESCAPE,
    "Backspace": Keys.BACKSPACE,
    "Delete": Keys.DELETE,
    "Insert": Keys.INSERT,
    "Home": Keys.HOME,
    "End": Keys.END,
    "PageUp": Keys.PAGE_UP,
    "PageDown": Keys.PAGE_DOWN,
    "ArrowLeft": Keys.ARROW_LEFT,
    "ArrowRight": Keys.ARROW_RIGHT,
    "ArrowUp": Keys.ARROW_UP,
    "ArrowDown": Keys.ARROW_DOWN,
    **{f"F{number}": getattr(Keys, f"F{number}") for number in range(1, 13)},
}
"""DOM key names -> key values of WebDriver; a key that types a character has that character for its value."""
HELD: Mapping[str, str] = {"Alt": Keys.ALT, "Control": Keys.CONTROL, "Shift": Keys.SHIFT}
KeyEvent = tuple[bool, str]
"""Whether a key goes down, and its value."""


def events_of(keys: Iterable[Key]) -> list[KeyEvent]:
    """What is sent to press and release keys one after another, each with what is held down for it."""
    events: list[KeyEvent] = []
    held: tuple[str, ...] = ()
    for key in keys:
        wanted = tuple(HELD[name] for name, bit in MODIFIERS.items() if key.modifiers & bit)
        if wanted != held:
            events += [(False, each) for each in held]
            events += [(True, each) for each in wanted]
            held = wanted
        value = VALUES.get(key.key, key.key)
        events += [(True, value), (False, value)]
    return [*events, *((False, each) for each in held)]


def pieces(text: str, *, pressed: str) -> Iterator[list[Key] | str]:
    """Cut a text into runs of keys and runs of characters that are inserted.

    Args:
        text: What is to be entered.
        pressed: Of line ends and tabs those that are pressed as keys; the others are inserted.

    Yields:
        The keys of a run, or its characters.
    """
    run: list[Key] = []
    strange = ""
    for character in text:
        key = None if character in "\r\n\t" and character not in pressed else key_for(character)
        if key and strange:
            yield strange
            strange = ""
        elif not key and run:
            yield run
            run = []
        if key:
            run.append(key)
        else:
            strange += character
    if run or strange:
        yield run or strange
