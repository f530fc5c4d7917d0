"""Which keys are the page's own, where a real keyboard is pressed: all others are the browser's or the desktop's.

Keys that come over DevTools never reach the browser around the page. Those of an X display do: they open dialogs that
write files, and close the page. The list says what is let through, since nobody knows all shortcuts of all desktops.
"""

from __future__ import annotations

import re

from harness.browser.chord import Chord

_CHARACTER = r"[^+]|\+|Space"
_WRITING = "Enter|Tab|Backspace|Delete|Insert"
_MOVING = "Home|End|PageUp|PageDown|Arrow(Left|Right|Up|Down)"
_PAGE_KEYS = re.compile(
    "|".join(
        (
            rf"(Shift\+)?({_CHARACTER}|{_WRITING}|{_MOVING})",
            "Escape",
            # Chosen, copied, cut, pasted, undone, done again; bold and italic, in a text that can be.
            r"Control\+([acvxzybi]|Enter|Backspace|Delete|Insert|Home|End|Arrow(Left|Right|Up|Down))",
            r"Control\+Shift\+([zvZV]|Home|End|Arrow(Left|Right|Up|Down))",
            # A list of options, opened and closed.
            r"Alt\+Arrow(Up|Down)",
        )
    )
)


class ShortcutRefused(ValueError):
    """A key that is not the page's; the message says which are."""


def check_page_key(chord: Chord) -> None:
    """See that a key is the page's own.

    Raises:
        ShortcutRefused: the browser or the desktop would take it.
    """
    held = sorted(set(chord.modifiers), key=("Control", "Alt", "Shift").index)
    text = "+".join((*held, chord.name))
    if not _PAGE_KEYS.fullmatch(text):
        raise ShortcutRefused(
            f"{text} is a shortcut of the browser or the desktop, not of the page: pages get characters, Enter, Tab, "
            "Escape, and keys that write, move or edit, such as Control+a, Control+c, Control+v and Shift+ArrowLeft"
        )
