"""Walks through the bundled sites: episodes in which something was done on every page, and a page of every kind."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping
from urllib.parse import urlsplit

import lxml.html
from django.urls import Resolver404, resolve

from tests.sites.visits import Visit
from turkle_app.sites.registry import find_site

PERSON = {
    "first_name_1": "Kim",
    "last_name_1": "Ekberg",
    "birth_date_1": "1991-02-17",
    "email": "k@x.test",
    "phone": "5550142",
}
CARD = {
    "card_number": "4111 1111 1111 1111",
    "card_name": "Robin Ekberg",
    "expiry": "09/34",
    "cvc": "123",
    "terms": "on",
}
FLIGHTS = "/flights/?from=LIS&to=OSL&depart=2031-05-14&adults=1&cabin=economy"
FORMS = {
    "event": (
        {"title": "A bread day", "forum": "bread", "text": "We bake, we wait, we eat, all day long."},
        {"day": "2031-08-02", "starts": "09:00", "ends": "11:00", "town": "Oxwick", "place": "Mill"},
    ),
    "moderator": ({"forum": "bread", "hours": "3", "times": ["evening"]},),
}
"""The board's forms, and what their first pages are filled in with."""


def do_something(visited: Visit, name: str) -> None:
    """Do on a site what its later pages need, so that none of them leads back."""
    _DEEDS[name](visited)


def _shop(visited: Visit) -> None:
    for product in ("farm-animals-24-pieces", "halden-clip-lamp"):
        visited.client.post(f"/product/{product}/", {"quantity": "1", "do": "add"})
    visited.client.post("/checkout/address/", {"address": "2"})
    visited.client.post("/checkout/delivery/", {"delivery": "express", "gift": "yes", "gift_note": "For you"})


def _travel(visited: Visit) -> None:
    visited.client.post("/consent/", {"cookies": "necessary", "next": "/"})
    visited.client.post("/newsletter/", {"answer": "no", "next": "/"})
    for pays in (False, True):
        page = lxml.html.document_fromstring(visited.client.get(FLIGHTS, follow=True).content)
        offer = page.cssselect("[data-offer]")[0].get("data-offer")
        begun = visited.client.post("/book/flight/", {"offer": offer, "adults": "1", "cabin": "economy"})
        book = begun.headers["Location"].removesuffix("passengers/")
        visited.client.post(f"{book}passengers/", PERSON)
        visited.client.post(f"{book}extras/", {"go": "on"})
        if pays:
            visited.client.post(f"{book}payment/", CARD)


def _board(visited: Visit) -> None:
    for form, pages in FORMS.items():
        for page, answers in enumerate(pages, start=1):
            visited.client.post(f"/apply/{form}/{page}/", {**answers, "go": "next"})


_DEEDS: Mapping[str, Callable[[Visit], None]] = {"shop": _shop, "travel": _travel, "board": _board}
WALKS_BEGIN: Mapping[str, tuple[str, ...]] = {
    "shop": ("/", "/search/?q=kettle", "/checkout/address/", "/checkout/delivery/", "/checkout/payment/"),
    "travel": (
        *("/", "/?search=hotels", FLIGHTS, "/flights/?from=LIS&to=san+jose&depart=soon", "/book/2/done/"),
        *(f"/book/1/{step}/" for step in ("passengers", "extras", "payment")),
        "/hotels/?place=VIE&checkin=2031-05-09&checkout=2031-05-12&guests=2",
    ),
    "board": (
        *("/", "/forum/bread/new/", "/thread/1003/?quote=100302", "/search/?q=blight", "/messages/new/?to=oak_gall"),
        *("/apply/event/3/", "/post/100902/edit/"),
        *(f"/apply/{form}/{page}/" for form in ("event", "moderator") for page in (1, 2)),
        *(f"/settings/?tab={tab}" for tab in ("profile", "privacy", "appearance", "notifications")),
    ),
}
"""Where walks begin: what no link leads to beside the front page."""


def kinds_of_pages(visited: Visit, name: str, most: int = 400) -> dict[str, str]:
    """A page of every kind that links lead to, and the one that is not there.

    Args:
        visited: An episode on the site, in which something was done.
        name: Of the site.
        most: Pages that are opened.

    Returns:
        Kind -> address. Pages are of one kind if one pattern of addresses leads to them, with one first name in the
        query.
    """
    seen: set[str] = set()
    found: dict[str, str] = {}
    waiting = deque([*WALKS_BEGIN[name], "/nowhere/"])
    while waiting and len(seen) < most:
        address = waiting.popleft()
        kind = address if address in WALKS_BEGIN[name] else _kind(address, name)
        if address in seen or kind in found:
            continue
        seen.add(address)
        answer = visited.client.get(address)
        if answer.status_code in {301, 302}:
            waiting.appendleft(answer.headers["Location"])
        elif answer.content and answer.headers["Content-Type"].startswith("text/html"):
            found[kind] = address
            waiting.extend(_links(answer.content))
    return found


def _links(content: bytes) -> Iterator[str]:
    for link in lxml.html.document_fromstring(content).cssselect("a[href]"):
        href = link.get("href").split("#")[0]
        if href.startswith("/"):
            yield href


def _kind(address: str, name: str) -> str:
    site = find_site(name)
    assert site is not None
    parts = urlsplit(address)
    keys = sorted(pair.partition("=")[0] for pair in parts.query.split("&") if pair)
    try:
        route = resolve(parts.path, site.urlconf).route
    except Resolver404:
        route = "nothing"
    return f"{route}?{'&'.join(keys[:1])}"
