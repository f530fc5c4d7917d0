"""Which elements of a page may be acted on in place of the one that was: Mind2Web's notion of acceptable elements."""

from __future__ import annotations

from lxml import etree

from harness.demonstrations.page_html import box_of, is_shown

_CLICKABLE_TAGS = frozenset({"button", "input", "select", "textarea", "option", "label", "summary", "area"})
# fmt: off
_CLICKABLE_ROLES = frozenset({
    "button", "checkbox", "combobox", "gridcell", "link", "listbox", "menuitem", "menuitemcheckbox", "menuitemradio",
    "option", "radio", "searchbox", "slider", "spinbutton", "switch", "tab", "textbox", "treeitem",
})
# fmt: on
_WHOLE_PAGE = frozenset({"html", "body"})
_SLACK = 1.0
"""Pixels by which an element may stick out of another's box: boxes are fractions."""


def is_clickable(element: etree._Element) -> bool:
    """Whether something happens when an element is pressed, as far as a page tells.

    That is a control, a link, a role that says so, or what the snapshot has marked with ``is_clickable``: it listens
    for presses, or the mouse becomes a hand over it. The page as a whole is not, though many listen on it.
    """
    if element.tag in _WHOLE_PAGE:
        return False
    return (
        element.tag in _CLICKABLE_TAGS
        or (element.tag == "a" and element.get("href") is not None)
        or element.get("role", "").strip().lower() in _CLICKABLE_ROLES
        or element.get("is_clickable") == "true"
        or element.get("contenteditable", "false").lower() not in {"false", "inherit"}
    )


def acceptable_elements(target: etree._Element) -> tuple[etree._Element, ...]:
    """The elements that count as the one that was acted on.

    Args:
        target: What was acted on, in a page with boxes.

    Returns:
        The outermost first: the nearest clickable element from the target on upwards, or the target itself if there is
        none; then those of its descendants that are shown within its box, in the order of the page; the target is
        among them in any case.

    Source: Deng et al. 2023, appendix C.1.
    """
    top = target
    for each in (target, *target.iterancestors()):
        if is_clickable(each):
            top = each
            break
    within = [each for each in top.iterdescendants(etree.Element) if each is target or _is_within(each, top)]
    return (top, *within)


def _is_within(element: etree._Element, top: etree._Element) -> bool:
    inner, outer = box_of(element), box_of(top)
    if inner is None or outer is None or not is_shown(element):
        return False
    return (
        inner[0] >= outer[0] - _SLACK
        and inner[1] >= outer[1] - _SLACK
        and inner[0] + inner[2] <= outer[0] + outer[2] + _SLACK
        and inner[1] + inner[3] <= outer[1] + outer[3] + _SLACK
    )
