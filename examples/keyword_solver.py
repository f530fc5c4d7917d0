"""A small solver to start from: it chooses the options that share most words with the page.

Run it from the folder of the project:

    python -m harness.evaluate --solver examples.keyword_solver:KeywordSolver --split test --max-instances 5

It understands nothing, but it shows what a solver does: look at the page, act on each field by its kind, read what
came of it, and look again for fields that an answer has brought out.
"""

from __future__ import annotations

import re
from collections import Counter

from bs4 import BeautifulSoup

from turkbench import ActionResult, Actions, Field, Option, Page

ROUNDS = 3
"""How often it looks at the fields."""

_WORD = re.compile(r"\w+")


class KeywordSolver:
    """Answers with words of the page. One object works on one page after another, so it keeps nothing of a page."""

    def solve(self, page: Page, act: Actions) -> None:
        """Fill in the visible answer fields.

        Args:
            page: The page's address, the names of its answer fields, and the fields themselves as they were at load.
            act: The actions on it; ``LimitReached`` is let pass.
        """
        words = words_of(act.get_html().text)
        done: set[str] = set()
        for _ in range(ROUNDS):
            # The page as it is now: an answer may have brought out further fields.
            fresh = [f for f in act.fields() if f.name in page.names and f.visible and f.name not in done]
            if not fresh:
                return
            for field in fresh:
                result = answer(field, words, act)
                # What was refused is tried again after the other fields: an answer may have made it possible.
                if result is None or result.ok:
                    done.add(field.name)


def answer(field: Field, words: Counter[str], act: Actions) -> ActionResult | None:
    """Act on one field; None if this solver has no answer to it."""
    match field.kind:
        case "radio":
            return act.modify_radio(field.name, best_option(field, words))
        case "select":
            return act.modify_select(field.name, best_option(field, words))
        case "checkbox":
            boxes = [option for option in field.options if option.visible]
            average = sum(overlap(box, words) for box in boxes) / len(boxes) if boxes else 0.0
            return act.modify_checkbox(field.name, [box.value for box in boxes if overlap(box, words) > average])
        case "range" if field.scale:
            low, high, step = field.scale
            middle = low + round((high - low) / 2 / step) * step if step else (low + high) / 2
            return act.modify_range(field.name, middle)
        case "text" | "textarea" if field.type in ("text", "textarea"):
            return act.modify_text(field.name, " ".join(word for word, _ in words.most_common(5)))
        case _:  # numbers, dates and the like; hidden fields, which only the page's script can write
            return None


def best_option(field: Field, words: Counter[str]) -> str:
    """The value of the visible option that shares most with the page; of equals the first."""
    visible = [option for option in field.options if option.visible and option.value] or list(field.options)
    return max(visible, key=lambda option: overlap(option, words)).value


def words_of(html: str) -> Counter[str]:
    """How often each word of four letters or more stands in what a reader of the page sees."""
    soup = BeautifulSoup(html, "html.parser")
    for unseen in soup(["script", "style", "head"]):
        unseen.decompose()
    return Counter(word for word in _WORD.findall(soup.get_text(" ").lower()) if len(word) >= 4)


def overlap(option: Option, words: Counter[str]) -> float:
    """How often the words of an option stand in the page, on average."""
    own = _WORD.findall(f"{option.value} {option.text}".lower())
    return sum(words[word] for word in own) / len(own) if own else 0.0
