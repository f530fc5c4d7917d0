"""Search results: what a search finds, rated one by one. An ugly page with long instructions, as many real ones are."""

from __future__ import annotations

import random
from dataclasses import dataclass

from tasks._generator.crowd import Crowd, Worker
from tasks._generator.made import Made, Truth
from tasks._generator.model import texts

NAME = "Search results"
FREE = ("comment",)
OPEN = ("seconds",)

RESULTS = 6
GRADES = ("Perfect", "Good", "Fair", "Bad")
FLAWS = ("old", "advert", "foreign", "broken")
KINDS = ("information", "shop", "list", "other")
_COMMENTS = (
    "For “{query}” the page “{page}” is the one.",
    "“{page}” is what somebody wants who types “{query}”.",
    "I would click on “{page}” when looking for “{query}”.",
    "“{query}”: take “{page}”, the others are second.",
    "Given “{query}” I find “{page}” most useful.",
    "Best of them is “{page}”; the search was “{query}”.",
)
_SNIPPETS = {
    "old": "Last changed eleven years ago.",
    "advert": "BUY NOW!!! Only today 70 % off, click here.",
    "foreign": "Seite nur auf Deutsch. Bitte beachten Sie unsere Hinweise.",
    "broken": "Error 404. The rest of this page could not be loaded.",
}
_SEARCHES = texts("search_results")


@dataclass(frozen=True)
class Result:
    """A page that the search found, and all that is to be said about it."""

    title: str
    kind: str
    grade: str
    flaws: frozenset[str]

    def snippet(self, rng: random.Random) -> str:
        """Return what stands below the title."""
        parts = [rng.choice(("Read on for more.", "Found by many readers.", "With map and telephone number."))]
        return " ".join(parts + [_SNIPPETS[flaw] for flaw in FLAWS if flaw in self.flaws])


def instances(crowd: Crowd) -> list[Made]:
    """Make the instances: to every search a page of each grade and strays of other searches, some with flaws."""
    return [_instance(crowd, at) for at in range(len(_SEARCHES))]


def _results(at: int, rng: random.Random) -> list[Result]:
    found = [(*page, grade) for page, grade in zip(_SEARCHES[at]["pages"], GRADES, strict=True)]
    strays = [search for other, search in enumerate(_SEARCHES) if other != at]
    found += [(*rng.choice(search["pages"]), "Bad") for search in rng.sample(strays, RESULTS - len(found))]
    return [
        Result(title, kind, grade, frozenset(flaw for flaw in FLAWS if rng.random() < 0.25))
        for title, kind, grade in rng.sample(found, RESULTS)
    ]


def _instance(crowd: Crowd, at: int) -> Made:
    query, results = _SEARCHES[at]["query"], _results(at, crowd.rng)
    truth: dict[str, Truth] = {"query_clear": "yes"}
    inputs = {"query": query}
    for place, result in enumerate(results, 1):
        inputs |= {f"title_{place}": result.title, f"snippet_{place}": result.snippet(crowd.rng)}
        truth |= {f"grade_{place}": result.grade, f"kind_{place}": result.kind}
        truth |= {f"{flaw}_{place}": "on" if flaw in result.flaws else "" for flaw in FLAWS}

    def answers(worker: Worker) -> dict[str, str]:
        given = {}
        for place, result in enumerate(results, 1):
            given[f"grade_{place}"] = worker.choose_near(result.grade, GRADES, 0.34)
            for flaw in FLAWS:
                wrong = worker.errs(0.16 if flaw in result.flaws else 0.04)
                given[f"{flaw}_{place}"] = "on" if (flaw in result.flaws) != wrong else ""
            # A page that wants to sell looks like a shop.
            lures = ["shop"] if "advert" in result.flaws else ["information", "list"]
            given[f"kind_{place}"] = worker.choose(result.kind, KINDS, 0.12, lures)
        # Who praises a page praises the one that this worker has graded best.
        best = min(range(RESULTS), key=lambda place: GRADES.index(given[f"grade_{place + 1}"]))
        said = [text.format(page=results[best].title, query=query) for text in _COMMENTS]
        return given | {
            "query_clear": worker.choose("yes", ("yes", "no"), 0.1),
            "comment": "" if worker.skips(0.4) else worker.say(said),
            "seconds": str(round(worker.rng.uniform(30, 160) * (0.5 + worker.care))),
        }

    return crowd.made(inputs, answers, truth)
