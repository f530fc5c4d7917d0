"""A step in words, as Mind2Web's ``action_reprs`` have it: ``[button]  Search -> CLICK``."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from lxml import etree

from harness.kit.text import shorten
from harness.papers.mind2web.demonstrations.demonstration import DoneOperation
from harness.papers.mind2web.demonstrations.page_tree import seen_elements

LONGEST = 100
"""Characters of an element's text."""
_ROLES = {"button": "button", "select": "combobox", "textarea": "textbox", "option": "option"}
_ROLES_OF_INPUTS = {
    "button": "button", "submit": "button", "reset": "button", "image": "button", "checkbox": "checkbox",
    "radio": "radio", "range": "slider", "number": "spinbutton", "search": "searchbox",
}  # fmt: skip
_TEXTS: Any = etree.XPath(
    ".//text()[not(ancestor::select or ancestor::textarea or ancestor::script or ancestor::style)]"
)
_NAMING = ("aria-label", "placeholder", "title", "alt", "name")


def step_words(element: etree._Element, done: DoneOperation) -> str:
    """What was done to an element, in words.

    Args:
        element: In its page.
        done: What was done.
    """
    what = done.op if done.op == "CLICK" else f"{done.op}: {' '.join(done.value.split())}"
    return f"[{role_of(element)}]  {name_of(element)} -> {what}"


def role_of(element: etree._Element) -> str:
    """What kind of element it is: its role, be it said or that of its tag; else its tag."""
    if role := element.get("role", "").strip().lower():
        return role
    if element.tag == "input":
        return _ROLES_OF_INPUTS.get(element.get("type", "text").lower(), "textbox")
    if element.tag == "a" and element.get("href") is not None:
        return "link"
    return _ROLES.get(str(element.tag), str(element.tag))


def name_of(element: etree._Element) -> str:
    """What a person calls an element: its text, its label, or what its attributes say; empty if nothing does."""
    seen = seen_elements(element.getroottree().getroot())
    if element.tag in {"input", "select", "textarea"}:
        is_button = role_of(element) == "button"
        said = element.get("value", "") if is_button else " ".join(_text(each, seen) for each in _labels(element))
    else:
        said = _text(element, seen)
    said = said or next((element.get(name, "") for name in _NAMING if element.get(name, "").strip()), "")
    return shorten(" ".join(said.split()), LONGEST)


def _labels(control: etree._Element) -> list[etree._Element]:
    """The labels of a control: around it, or that name it by its id."""
    around = list(control.iterancestors("label"))[:1]
    name = control.get("id")
    root = control.getroottree().getroot()
    return around or [label for label in root.iter("label") if name and label.get("for") == name]


def _text(element: etree._Element, seen: Collection[etree._Element]) -> str:
    """What is seen of an element's text, but for the texts of controls in it."""
    words = []
    for text in _TEXTS(element):
        holder = text.getparent()
        if (holder.getparent() if text.is_tail else holder) in seen:
            words.append(str(text))
    return " ".join(" ".join(words).split())
