"""What the learned ranker weighs: numbers about how an element stands to the task, to what was done, and on its page.

No feature is a word, so that what is learned on some sites can hold on others.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from harness.papers.mind2web.mindact.page_element import PageElement, StepQuery
from harness.papers.mind2web.mindact.ranker import bm25, tokens

Kind = str
"""What can be done with an element: one of ``KINDS``."""
KINDS = ("typed", "chosen", "ticked", "pressed", "link", "option", "heading", "holder", "other")
LAST = ("none", "CLICK", "TYPE", "SELECT")
"""The operation before; none at the first step."""
REGIONS = ("form", "nav", "header", "footer", "main", "aside", "table", "dialog", "li", "fieldset")
_TYPED = frozenset({"text", "search", "email", "tel", "url", "password", "number", "date", "time", "month", "week", ""})
_ROLES: Mapping[str, Kind] = {
    "button": "pressed",
    "tab": "pressed",
    "menuitem": "pressed",
    "link": "link",
    "option": "option",
    "checkbox": "ticked",
    "radio": "ticked",
    "switch": "ticked",
    "combobox": "chosen",
    "listbox": "chosen",
    "textbox": "typed",
    "searchbox": "typed",
}
_TAGS: Mapping[str, Kind] = {
    "a": "link",
    "button": "pressed",
    "summary": "pressed",
    "textarea": "typed",
    "select": "chosen",
    "option": "option",
    "label": "ticked",
    **dict.fromkeys(("h1", "h2", "h3", "h4", "h5", "h6"), "heading"),
    **dict.fromkeys(
        ("body", "main", "form", "nav", "header", "footer", "section", "article", "aside", "table", "ul", "ol", "div"),
        "holder",
    ),
}
_REPR = re.compile(r"\[([\w-]{1,40})\]\s{0,8}(.{0,400}?)\s{0,8}-> (CLICK|TYPE|SELECT|HOVER|ENTER)", re.DOTALL)
"""``[button]  Search -> CLICK``, ``[combobox]  From -> TYPE: Boston``."""
_WORDS = (
    "task fits",
    "task fits with its neighbours",
    "what is left of the task fits",
    "share of its words in the task",
    "share of its words in what was done",
    "its text stands in the task",
    "was done already",
    "was done last",
    "has words",
    "length of its words",
    "others with the same words",
)
_PLACES = ("place", "depth", "children", "after the last", "just after the last", "away from the last")
NAMES: tuple[str, ...] = (
    *_WORDS,
    *_PLACES,
    *(f"is {kind}" for kind in KINDS),
    *(f"in {region}" for region in REGIONS),
    *(f"{kind} after {last}" for kind in KINDS for last in LAST),
    *(f"{kind} whose words fit" for kind in KINDS),
)
"""The features, in the order of the columns."""


@dataclass(frozen=True)
class _Done:
    """A step that was done, as its words tell."""

    text: str
    op: str


def kind_of(element: PageElement) -> Kind:
    """What can be done with an element, as its role, its tag and its type tell."""
    given = dict(element.attributes)
    if element.tag == "input":
        kind = given.get("type", "").lower()
        return "typed" if kind in _TYPED else "ticked" if kind in ("checkbox", "radio") else "pressed"
    return _ROLES.get(given.get("role", "").lower()) or _TAGS.get(element.tag, "other")


def features_of(query: StepQuery, elements: Sequence[PageElement]) -> NDArray[np.float64]:
    """The numbers of all candidates of one page.

    Args:
        query: What is to be done, and what was done.
        elements: The candidates.

    Returns:
        A row for each, with the columns of ``NAMES``.
    """
    done = [_done(each) for each in query.previous]
    last = done[-1].op if done else "none"
    kinds = [kind_of(element) for element in elements]
    words = _word_features(query, elements, done)
    rows = [
        [
            *said,
            *placed,
            *(float(kind == each) for each in KINDS),
            *(float(each in element.ancestors) for each in REGIONS),
            *(float(kind == each and last == before) for each in KINDS for before in LAST),
            *(said[2] * (kind == each) for each in KINDS),
        ]
        for element, kind, said, placed in zip(elements, kinds, words, _place_features(elements, done), strict=True)
    ]
    return np.array(rows, dtype=np.float64).reshape(len(elements), len(NAMES))


def _done(words: str) -> _Done:
    found = _REPR.search(words)
    if not found:
        return _Done("", "CLICK")
    op = {"HOVER": "CLICK", "ENTER": "CLICK"}.get(found[3], found[3])
    return _Done(_plain(found[2]), op)


def _plain(text: str) -> str:
    return " ".join(text.lower().split())


def _word_features(query: StepQuery, elements: Sequence[PageElement], done: Sequence[_Done]) -> list[list[float]]:
    task, past = tokens(query.task), set(tokens(" ".join(query.previous)))
    own = [tokens(element.own_words) for element in elements]
    around = [
        [*words, *tokens(" ".join([element.parent, *element.children]))]
        for words, element in zip(own, elements, strict=True)
    ]
    fits = _of_most(bm25(task, own))
    fits_around = _of_most(bm25(task, around))
    fits_left = _of_most(bm25([word for word in task if word not in past], own))
    texts = [_plain(element.text or element.own_words) for element in elements]
    same = Counter(texts)
    told, wanted = _plain(query.task), set(task)
    rows = []
    for place, (text, words) in enumerate(zip(texts, own, strict=True)):
        size = len(words) or 1
        rows.append(
            [
                fits[place],
                fits_around[place],
                fits_left[place],
                sum(word in wanted for word in words) / size,
                sum(word in past for word in words) / size,
                float(len(text) > 2 and text in told),
                float(bool(text) and any(text == each.text for each in done)),
                float(bool(text) and bool(done) and text == done[-1].text),
                float(bool(text)),
                math.log1p(len(words)),
                math.log(same[text]),
            ]
        )
    return rows


def _place_features(elements: Sequence[PageElement], done: Sequence[_Done]) -> list[list[float]]:
    before = _place_of_last(elements, done)
    rows = []
    for element in elements:
        away = 0 if before is None else element.place - before
        rows.append(
            [
                element.place / max(1, len(elements) - 1),
                len(element.ancestors) / 10,
                math.log1p(len(element.children)),
                float(away > 0),
                float(0 < away <= 5),
                math.log1p(abs(away)),
            ]
        )
    return rows


def _place_of_last(elements: Sequence[PageElement], done: Sequence[_Done]) -> int | None:
    """Where the element stands that was used last; None if the page has none with its words."""
    text = done[-1].text if done else ""
    if not text:
        return None
    found = [each.place for each in elements if text == _plain(each.text) or text == _plain(each.own_words)]
    return found[-1] if found else None


def _of_most(scores: Sequence[float]) -> list[float]:
    """Scores as shares of the best on the page."""
    most = max(scores, default=0.0)
    return [score / most if most else 0.0 for score in scores]
