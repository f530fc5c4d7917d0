"""Names of keys in all dialects, and the chords of the action library that they mean."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from harness.browser.chord import MODIFIERS, Chord

_PREFIXES = ("", "arrow", "arrow_", "arrow-", "kp_")
_ALIASES: Mapping[str, str] = {
    # What is held down. The key of a Mac or of Windows does here what Control does.
    **dict.fromkeys(("control", "ctrl", "control_l", "control_r", "ctrl_l", "ctrl_r"), "Control"),
    **dict.fromkeys(("ctrlleft", "ctrlright"), "Control"),
    **dict.fromkeys(("cmd", "command", "meta", "meta_l", "meta_r", "super", "super_l", "super_r"), "Control"),
    **dict.fromkeys(("win", "windows", "winleft", "winright", "controlormeta", "commandorcontrol"), "Control"),
    **dict.fromkeys(("alt", "alt_l", "alt_r", "altleft", "altright", "option", "opt"), "Alt"),
    **dict.fromkeys(("shift", "shift_l", "shift_r", "shiftleft", "shiftright"), "Shift"),
    # Keys with names.
    **dict.fromkeys(("enter", "return", "kp_enter", "numpadenter", "ret", "\n", "\r"), "Enter"),
    **dict.fromkeys(("tab", "\t"), "Tab"),
    **dict.fromkeys(("escape", "esc"), "Escape"),
    **dict.fromkeys(("space", "spacebar", " "), "Space"),
    **dict.fromkeys(("backspace", "back_space"), "Backspace"),
    **dict.fromkeys(("delete", "del"), "Delete"),
    **dict.fromkeys(("insert", "ins"), "Insert"),
    "home": "Home",
    "end": "End",
    **dict.fromkeys(("pageup", "page_up", "pgup", "prior"), "PageUp"),
    **dict.fromkeys(("pagedown", "page_down", "pgdn", "pgdown", "next"), "PageDown"),
    **{f"{prefix}{name.lower()}": f"Arrow{name}" for name in ("Left", "Right", "Up", "Down") for prefix in _PREFIXES},
    **{f"f{number}": f"F{number}" for number in range(1, 13)},
    # Characters by their X names.
    "comma": ",", "period": ".", "dot": ".", "minus": "-", "hyphen": "-", "plus": "+", "equal": "=", "equals": "=",
    "slash": "/", "backslash": "\\", "semicolon": ";", "colon": ":", "apostrophe": "'", "quote": "'", "grave": "`",
    "backtick": "`", "underscore": "_", "asterisk": "*", "at": "@", "numbersign": "#", "bracketleft": "[",
    "bracketright": "]", "parenleft": "(", "parenright": ")", "exclam": "!", "question": "?",
}  # fmt: skip
"""A name in lower case -> the key of ``harness.browser.chord``: X's, the DOM's, PyAutoGUI's and OpenAI's."""


class NoSuchKey(ValueError):
    """A name that is no key's, or keys that are no chord; the message says so to the model."""


def chord(names: Sequence[str], *, upper: bool = False) -> str:
    """Keys that go down together, as ``press`` takes them: never one after another.

    Args:
        names: The keys.
        upper: Whether the dialect writes letters in upper case without meaning Shift.

    Raises:
        NoSuchKey: one is not known, or two are no modifiers.
    """
    keys = [_key(name) for name in names]
    held = list(dict.fromkeys(key for key in keys if key in MODIFIERS))
    others = [key for key in keys if key not in MODIFIERS]
    if len(others) != 1:
        told = "+".join(names)
        raise NoSuchKey(f"{told!r}: a chord is one key, and before it what is held down of {', '.join(MODIFIERS)}")
    key = others[0]
    if len(key) == 1 and (upper or held) and "Shift" not in held:
        key = key.lower()
    text = "+".join((*held, key))
    try:
        Chord.parse(text)
    except ValueError as error:
        raise NoSuchKey(str(error)) from None
    return text


def parted(text: str) -> list[str]:
    """The names in a text such as ``ctrl+shift+t``, ``ctrl++`` or ``+``."""
    if text in ("", "+", " "):
        return [text] if text else []
    if text.endswith("++"):
        return [*parted(text[:-2]), "+"]
    return [part if part == " " else part.strip() for part in text.split("+")]


def held(names: Sequence[str]) -> str:
    """Modifiers as the actions of the mouse take them.

    Raises:
        NoSuchKey: one is not known, or is none.
    """
    keys = [_key(name) for name in names]
    if wrong := [name for name, key in zip(names, keys, strict=True) if key not in MODIFIERS]:
        raise NoSuchKey(f"{wrong[0]!r} cannot be held down with the mouse: only {', '.join(MODIFIERS)}")
    return "+".join(dict.fromkeys(keys))


def _key(name: str) -> str:
    if len(name) == 1 and name not in "\n\r\t ":
        return name
    known = _ALIASES.get(name.strip().lower() or name)
    if known is None:
        raise NoSuchKey(f"there is no key {name!r}")
    return known
