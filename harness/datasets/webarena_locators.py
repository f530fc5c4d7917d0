"""WebArena's locators, which are JavaScript, read as places on a page: nothing of them is ever run.

Of the language that they are written in a few shapes are understood: one element found by a selector, an id or a class
and a property of it, one of several, or all of several joined. Whatever is written otherwise has no place.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from harness.catalog.site_facts import Look, ReadAs

_READS: Mapping[str, ReadAs] = {
    "outerText": "text",
    "innerText": "text",
    "textContent": "text",
    "value": "value",
    "outerHTML": "markup",
    "selectedIndex": "selected",
}
_TEXT = r"""(?P<text>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\$]|\\.)*`)"""
_NAME = r"""(?:"(?P<attribute>[\w-]+)"|'(?P<attribute_>[\w-]+)')"""
_PROPERTY = rf"\??\.\s*(?:(?P<property>{'|'.join(_READS)})|getAttribute\(\s*{_NAME}\s*\))"
# Steps from the element that was found: its first or last child, or the first that a further selector finds in it.
_STEP = re.compile(rf"\??\.\s*(?:(?P<child>first|last)ElementChild|querySelector\(\s*{_TEXT}\s*\))")
_STEPS = r"(?P<steps>(?:\??\.\s*(?:(?:first|last)ElementChild|querySelector\([^()\n]*\)))*)"
_ONE = re.compile(rf"document\.(?P<by>querySelector|getElementById)\(\s*{_TEXT}\s*\)\s*{_STEPS}{_PROPERTY}\s*;?")
_NTH = re.compile(
    rf"document\.(?P<by>querySelectorAll|getElementsByClassName)\(\s*{_TEXT}\s*\)\s*"
    rf"\[\s*(?P<number>[0-9]{{1,6}})\s*\]\s*{_PROPERTY}\s*;?"
)
_ALL = re.compile(
    rf"\[\s*\.\.\.\s*document\.(?P<by>querySelectorAll|getElementsByClassName)\(\s*{_TEXT}\s*\)\s*\]\s*"
    rf"\.map\(\s*\(?\s*(?P<each>[A-Za-z_]\w*)\s*\)?\s*=>\s*(?P=each)\s*{_PROPERTY}\s*\)\s*"
    r"\.join\(\s*(?P<glue>'[^'\\]*'|\"[^\"\\]*\"|'\\n'|\"\\n\")\s*\)\s*;?"
)
_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|.)")
_CONTROL = {"n": "\n", "t": "\t", "r": "\r"}


def look_of(locator: str, url: str) -> Look | None:
    """Where a locator looks; None if that is not understood.

    Args:
        locator: As it is written; nothing for the source of the whole page.
        url: The address of the page; empty for the one that was left.
    """
    locator = locator.strip()
    if not locator:
        return Look(url=url, reads="markup")
    found = _ONE.fullmatch(locator) or _NTH.fullmatch(locator) or _ALL.fullmatch(locator)
    if found is None:
        return None
    said = found.groupdict()
    css = _selector(said["by"], _unquoted(said["text"]))
    if not css:
        return None
    css = _stepped(css, said.get("steps") or "")
    if not css:
        return None
    number = None if "glue" in said else int(said.get("number") or 0)
    if said["property"] is None:
        attribute = said["attribute"] or said["attribute_"]
        return Look(url=url, css=css, number=number, reads="attribute", attribute=attribute)
    return Look(url=url, css=css, number=number, reads=_READS[said["property"]])


def _stepped(css: str, steps: str) -> str:
    """The selector of what is reached from the element of another; empty if that cannot be said by one."""
    while steps:
        step = _STEP.match(steps)
        if step is None or css.count("[") != css.count("]"):  # a selector that only its own end closes
            return ""
        if step["child"]:
            css = f":is({css}) > :{step['child']}-child"
        else:
            inner = _unquoted(step["text"]).strip()
            if not inner:
                return ""
            css = f":is({css}) :is({inner})" if inner.count("[") == inner.count("]") else f":is({css}) {inner}"
        steps = steps[step.end() :]
    return css


def _selector(by: str, text: str) -> str:
    if by == "getElementById":
        return f'[id="{_quoted(text)}"]'
    if by == "getElementsByClassName":
        return "".join(f'[class~="{_quoted(name)}"]' for name in text.split())
    return text.strip()


def _quoted(text: str) -> str:
    """A text as it stands between quotes in a selector."""
    return re.sub(r'["\\\n\r\f\0]', lambda found: f"\\{ord(found[0]):x} ", text)


def _unquoted(literal: str) -> str:
    def meant(found: re.Match[str]) -> str:
        sign = found[1]
        return chr(int(sign[1:], 16)) if len(sign) > 1 else _CONTROL.get(sign, sign)

    return _ESCAPE.sub(meant, literal[1:-1])
