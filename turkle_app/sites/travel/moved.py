"""The variant ``moved``: the portal after a redesign. Its changes are data, and made to pages that are ready."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from lxml import html
from lxml.cssselect import CSSSelector

from turkle_app.sites.pages import state_of
from turkle_app.sites.site import PlantedChange
from turkle_app.sites.travel.travel_state import TravelState

MOVED = "moved"
READDRESSED = {"saved/": "watchlist/", "account/notifications/": "account/letters/"}
"""Address of a page in the usual layout -> in this one, both without the slash in front."""
_POINTING = ("for", "aria-labelledby", "aria-describedby", "aria-controls")
"""Attributes that name an element by its id."""


@dataclass(frozen=True)
class Edit:
    """A change, and how it is made to a page that has the element.

    Attributes:
        change: What it is, for who looks for it.
        attribute: Of ``renamed``: which is renamed, ``id`` or ``class``.
        value: Of ``renamed``: the attribute, or the class in place of the one that ``change.before`` ends with.
        anchor: Of ``moved`` and ``reordered``: a selector of the element that it is put beside.
        where: ``after`` that, or in it as its ``first`` or ``last``.
    """

    change: PlantedChange
    attribute: str = ""
    value: str = ""
    anchor: str = ""
    where: str = ""


def _renamed(page: str, before: str, after: str) -> Edit:
    attribute = "id" if after.startswith("#") else "class"
    return Edit(PlantedChange(kind="renamed", page=page, before=before, after=after), attribute, after[1:])


def _relabelled(page: str, selector: str, text: str) -> Edit:
    return Edit(PlantedChange(kind="relabelled", page=page, before=selector, after=selector, text=text))


_FOUND = "/flights/?from=LIS&to=OSL&depart=2031-05-14&adults=1&cabin=economy"
_LIKED = "/account/preferences/"
_EDITS = (
    _relabelled("/", "#nav-trips", "Bookings"),
    _relabelled("/", "#only-necessary", "Reject optional cookies"),
    _renamed("/", "#search-button", "#find-trips"),
    _renamed("/", "#depart", "#outbound-day"),
    Edit(
        PlantedChange(kind="moved", page="/", before=".top #nav-help", after=".foot #nav-help"),
        anchor=".foot-links",
        where="last",
    ),
    _renamed(_FOUND, ".choose", ".take"),
    _renamed(_FOUND, "#max-price", "#price-up-to"),
    _relabelled(_FOUND, "#apply-filters", "Narrow down"),
    Edit(
        PlantedChange(kind="moved", page=_FOUND, before=".sidebar #save-search", after=".found #save-search"),
        anchor=".found-head",
        where="after",
    ),
    Edit(
        PlantedChange(
            kind="reordered", page=_FOUND, before="#orders li:nth-child(2) a", after="#orders li:last-child a"
        ),
        anchor="#orders",
        where="last",
    ),
    _renamed("/book/1/passengers/", "#continue", "#next-step"),
    _relabelled("/book/1/payment/", "#pay", "Confirm and pay"),
    Edit(
        PlantedChange(
            kind="reordered",
            page="/book/1/payment/",
            before="#payment-fields > :nth-child(1) #card-number",
            after="#payment-fields > :nth-child(2) #card-number",
        ),
        anchor="#payment-fields > :nth-child(2)",
        where="after",
    ),
    _relabelled("/trips/DW2077/", "#cancel-trip", "Give this trip back"),
    _renamed("/trips/DW2077/", "#change-trip", "#other-date"),
    _renamed(_LIKED, "#save-preferences", "#keep-preferences"),
    Edit(
        PlantedChange(
            kind="moved", page="/account/preferences/", before=".tastes #seat", after=".first > :first-child #seat"
        ),
        anchor=".first",
        where="first",
    ),
    *(
        Edit(
            PlantedChange(
                kind="readdressed",
                page=page,
                before=f"a[href='/{before}']",
                after=f"a[href='/{after}']",
            )
        )
        for page, (before, after) in zip(("/", "/account/"), READDRESSED.items(), strict=True)
    ),
)
PLANTED: tuple[PlantedChange, ...] = tuple(edit.change for edit in _EDITS)
"""What is different, for who looks for it."""


@cache
def _selector(css: str) -> CSSSelector:
    return CSSSelector(css)


def as_moved(page: bytes) -> bytes:
    """Return a page as the variant shows it.

    Args:
        page: As the usual layout has it.
    """
    tree = html.document_fromstring(page.decode())
    for edit in _EDITS:
        for element in _selector(edit.change.before)(tree):
            _MAKE[edit.change.kind](edit, element, tree)
    for form in tree.iter("form"):
        form.set("action", address_in(MOVED, form.get("action", "")))
    return html.tostring(tree, encoding="utf-8", doctype="<!doctype html>")


def _rename(edit: Edit, element: Any, tree: Any) -> None:
    old = edit.change.before[1:]
    if edit.attribute == "class":
        element.set("class", " ".join(edit.value if name == old else name for name in element.get("class").split()))
        return
    element.set("id", edit.value)
    for attribute in _POINTING:
        for other in tree.xpath(f"//*[@{attribute}='{old}']"):
            other.set(attribute, edit.value)


def _relabel(edit: Edit, element: Any, _: Any) -> None:
    element.text = edit.change.text


def _move(edit: Edit, element: Any, tree: Any) -> None:
    part = _part_of(element)
    anchor = next(iter(_selector(edit.anchor)(tree)), None)
    if anchor is None:
        return
    part.getparent().remove(part)
    if edit.where == "after":
        anchor.addnext(part)
    else:
        anchor.insert(0 if edit.where == "first" else len(anchor), part)


def _part_of(element: Any) -> Any:
    """Return what is moved with an element: the field with its label, the entry of a list, or itself."""
    for around in element.iterancestors():
        if around.tag == "li" or "field" in around.get("class", "").split():
            return around
        if around.tag in {"form", "ul", "ol", "nav", "aside"}:
            break
    return element


def _readdress(edit: Edit, element: Any, _: Any) -> None:
    element.set("href", edit.change.after.split("'")[1])


_MAKE: dict[str, Callable[[Edit, Any, Any], None]] = {
    "renamed": _rename,
    "relabelled": _relabel,
    "moved": _move,
    "reordered": _move,
    "readdressed": _readdress,
}


def address_in(variant: str, address: str) -> str:
    """Return an address of the usual layout as a variant has it.

    Args:
        variant: Empty for the usual one.
        address: It begins with a slash.
    """
    path, mark, query = address.partition("?")
    if variant == MOVED and path[1:] in READDRESSED:
        path = f"/{READDRESSED[path[1:]]}"
    return path + mark + query


_View = Callable[..., HttpResponse]


def by_variant(route: str, view: _View) -> list[tuple[str, _View]]:
    """Return the addresses that a page has, each with a view that knows it in its own layout only."""
    if route not in READDRESSED:
        return [(route, view)]
    return [(route, _only(view, moved=False)), (READDRESSED[route], _only(view, moved=True))]


def _only(view: _View, *, moved: bool) -> _View:
    def in_its_layout(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if (state_of(request, TravelState).variant == MOVED) is not moved:
            raise Http404
        return view(request, *args, **kwargs)

    in_its_layout.csrf_exempt = True  # type: ignore[attr-defined]
    return in_its_layout
