"""Search results: is a page what somebody looked for? An ugly page with long instructions, as many real ones are."""

from __future__ import annotations

import random
from typing import Any

from tasks._generator.crowd import Crowd, Worker
from tasks._generator.made import Made

NAME = "Search results"
FREE = ("comment",)
OPEN = ("seconds",)

GRADES = ("Perfect", "Good", "Fair", "Bad")
FLAWS = ("old", "advert", "foreign", "broken")
# What is looked for; pages that are perfect, good, fair and bad for it.
_SEARCHES = (
    (
        "opening hours library Harrowfield",
        (
            "Harrowfield Library: opening hours",
            "Libraries of the county and when they open",
            "History of the library building",
            "Harrow & Field, garden tools",
        ),
    ),
    (
        "how to remove candle wax from cloth",
        (
            "Wax on cloth? Paper and a warm iron",
            "Stains of all kinds, from A to Z",
            "How candles are made",
            "Cloth bags in twelve colours",
        ),
    ),
    (
        "night ferry Weirbridge timetable",
        (
            "Weirbridge night ferry: timetable",
            "All ferries of the region",
            "A poem about the ferry",
            "Nightshirts on sale",
        ),
    ),
    (
        "bicycle repair near Vellin station",
        (
            "Repairs at the station: Vellin Wheels",
            "Bicycle shops in Vellin",
            "Trains from Vellin",
            "Repair of roofs and gutters",
        ),
    ),
    (
        "recipe plum cake without eggs",
        (
            "Plum cake that needs no eggs",
            "Ten cakes with plums",
            "Plums: when to pick them",
            "Egg cups for collectors",
        ),
    ),
)
_COMMENTS = (
    "“{page}” is {how} for “{query}”.",
    "For somebody who types “{query}”, “{page}” is {how}.",
    "I took “{page}” as {how}, looking for “{query}”.",
    "“{query}”: the page “{page}” is {how} there.",
    "Given “{query}” I find “{page}” {how}.",
    "“{page}” turned out {how}; the search was “{query}”.",
)
_HOW = {"Perfect": "just right", "Good": "quite useful", "Fair": "of some use", "Bad": "no use"}
_SNIPPETS = {
    "old": "Last changed eleven years ago.",
    "advert": "BUY NOW!!! Only today 70 % off, click here.",
    "foreign": "Seite nur auf Deutsch. Bitte beachten Sie unsere Hinweise.",
    "broken": "Error 404. The rest of this page could not be loaded.",
}


def instances(crowd: Crowd) -> list[Made]:
    """Make the instances: every search with a page of each grade, some of which have flaws."""
    return [_instance(crowd, query, pages[at], GRADES[at]) for query, pages in _SEARCHES for at in range(4)]


def _instance(crowd: Crowd, query: str, page: str, grade: str) -> Made:
    rng = crowd.rng
    flaws = [flaw for flaw in FLAWS if rng.random() < 0.25]
    adult = "no"

    def answers(worker: Worker) -> dict[str, str]:
        chosen = worker.choose_near(grade, GRADES, 0.35)
        reasons = [text.format(page=page, query=query, how=_HOW[chosen]) for text in _COMMENTS]
        return {
            "grade": chosen,
            **{
                f"flaw_{flaw}": "on" if (flaw in flaws) != worker.errs(0.2 if flaw in flaws else 0.06) else ""
                for flaw in FLAWS
            },
            "kind": worker.choose(_kind(page), KINDS, 0.25),
            "query_clear": worker.choose("yes", ("yes", "no"), 0.1),
            "for_children": worker.choose(adult, ("yes", "no"), 0.1),
            "comment": "" if worker.skips(0.4) else worker.say(reasons),
            "seconds": str(round(worker.rng.uniform(5, 40) * (0.5 + worker.care))),
        }

    inputs = {"query": query, "page_title": page, "snippet": _snippet(page, flaws, rng)}
    truth: dict[str, Any] = {"grade": grade, "kind": _kind(page), "query_clear": "yes", "for_children": adult}
    truth |= {f"flaw_{flaw}": "on" if flaw in flaws else "" for flaw in FLAWS}
    return crowd.made(inputs, answers, truth)


KINDS = ("information", "shop", "list", "other")


def _kind(page: str) -> str:
    words = page.casefold()
    if any(word in words for word in ("sale", "tools", "bags", "cups", "shops", "repair of", "wheels")):
        return "shop"
    if any(word in words for word in ("libraries", "all ferries", "ten cakes", "a to z")):
        return "list"
    return "other" if "poem" in words else "information"


def _snippet(page: str, flaws: list[str], rng: random.Random) -> str:
    parts = [f"{page}.", rng.choice(("Read on for more.", "Found by many readers.", "With map and telephone number."))]
    parts += [_SNIPPETS[flaw] for flaw in flaws]
    return " ".join(parts)
