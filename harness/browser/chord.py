"""A key pressed by name, alone or with others held down: ``Enter``, ``ArrowDown``, ``Control+a``, ``Shift+Tab``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from harness.browser.input import (
    ALT,
    ARROWS,
    BACKSPACE,
    CONTROL,
    DELETE,
    END,
    ENTER,
    ESCAPE,
    HOME,
    SHIFT,
    TAB,
    Key,
    MouseButton,
    key_for,
    shifted,
)

MODIFIERS: Mapping[str, int] = {"Alt": ALT, "Control": CONTROL, "Shift": SHIFT}
NAMED: Mapping[str, Key] = {
    key.key: key
    for key in (
        ENTER,
        TAB,
        ESCAPE,
        BACKSPACE,
        DELETE,
        Key("Insert", "Insert", 45),
        HOME,
        END,
        Key("PageUp", "PageUp", 33),
        Key("PageDown", "PageDown", 34),
        *ARROWS.values(),
        *(Key(f"F{number}", f"F{number}", 111 + number) for number in range(1, 13)),
    )
} | {"Space": Key(" ", "Space", 32, " ")}
"""DOM key names -> key; what a character types is pressed by that character."""
_EDITING = {"a": "selectAll", "c": "copy", "v": "paste", "x": "cut", "z": "undo", "y": "redo"}
"""Key pressed with Control -> the editing command that a browser on a desktop runs for it."""


@dataclass(frozen=True)
class Chord:
    """One key and what is held down with it.

    Attributes:
        modifiers: Of ``MODIFIERS``, in the order in which they go down.
        name: The key: a name of ``NAMED``, or the character that it types.
        base: The key itself, with what its character alone needs held down.
    """

    modifiers: tuple[str, ...]
    name: str
    base: Key

    @classmethod
    def parse(cls, text: str) -> Chord:
        """Read ``Enter``, ``a``, ``Control+a`` or ``Control+Shift+ArrowLeft``; case counts for characters only.

        Raises:
            ValueError: it names no key; the message says which there are.
        """
        *held, name = (
            [*text[:-2].split("+"), "+"] if text.endswith("++") else [text] if text == "+" else text.split("+")
        )
        modifiers = tuple(_known(each, MODIFIERS, "modifier") for each in held)
        if len(name) == 1:
            character = shifted(name) if "Shift" in modifiers else name
            key = key_for(character)
            if key is None:
                raise ValueError(f"no key types {name!r}; type('{name}') enters it")
            return cls(modifiers, "Space" if character == " " else character, key)
        name = _known(name, NAMED, "key")
        return cls(modifiers, name, NAMED[name])

    @property
    def key(self) -> Key:
        """The key as DevTools presses it, with the modifiers that are held and those that its character needs."""
        held = self.base.modifiers
        for modifier in self.modifiers:
            held |= MODIFIERS[modifier]
        text = "" if held & (CONTROL | ALT) else self.base.text
        return replace(self.base, text=text, modifiers=held)

    @property
    def commands(self) -> tuple[str, ...]:
        """The editing commands of the key, for a browser that no window system gives them to."""
        if self.modifiers != ("Control",):
            return ()
        command = _EDITING.get(self.name)
        return (command,) if command else ()


def held_down(names: Iterable[str]) -> int:
    """The bits by which DevTools knows modifiers that are held down, names of ``MODIFIERS``."""
    return sum(MODIFIERS[name] for name in dict.fromkeys(names))


def modifiers_of(text: str) -> tuple[str, ...]:
    """Modifiers that are joined by '+', such as ``Control+Shift``; none of an empty text.

    Raises:
        ValueError: there is no such modifier; the message says which there are.
    """
    return tuple(dict.fromkeys(_known(each, MODIFIERS, "modifier") for each in text.split("+") if text))


def _known(name: str, table: Mapping[str, object], what: str) -> str:
    for known in table:
        if known.lower() == name.strip().lower():
            return known
    raise ValueError(f"there is no {what} {name!r}; {what}s are {', '.join(table)}, or one character")


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
    """A key or a button that is not the page's; the message says which are."""


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


def check_left_alone(button: MouseButton, held: Sequence[str]) -> None:
    """See that a press of the mouse is the left button's, with no key held down.

    Raises:
        ShortcutRefused: the browser would open its own menu, or a tab or a window.
    """
    if button != "left" or held:
        text = "+".join((*held, f"the {button} button"))
        raise ShortcutRefused(f"{text} is taken by the browser here: press the left button alone")
