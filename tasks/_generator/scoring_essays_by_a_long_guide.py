"""Scoring essays by a long guide: essays put together at five levels, so that the right scores are known.

A recipe says which parts of a question's texts make the essay, in which order, and how it is spelt. The
scores follow from the parts as the guide in the template describes them.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tasks._generator.crowd import Crowd, Worker
from tasks._generator.made import Close, Made, Truth
from tasks._generator.model import texts

NAME = "Scoring essays by a long guide"

LEVELS = ("1", "2", "3", "4", "5", "6")
TRAITS = ("claim", "evidence", "organisation", "language", "conventions")

# What writers who are not sure of the rules write instead.
MISSPELLINGS: dict[str, str | Callable[[re.Match[str]], str]] = {
    r"\bbecause\b": "becuase",
    r"\btheir\b": "there",
    r"\bthink\b": "thing",
    r"\bfriend": "freind",
    r"\bpeople\b": "poeple",
    r"\bdifferent\b": "diffrent",
    r"\bresponsible\b": "responsable",
    r"\blibrary\b": "libary",
    r"\bcommunity\b": "comunity",
    r"\bdoes not\b": "dont",
    r"\bI\b": "i",
    r"(?<=\. )[A-Z]": lambda found: found.group().lower(),
}


@dataclass(frozen=True)
class Recipe:
    """How an essay is made and what it is worth.

    Attributes:
        parts: which texts of the question, in order, paragraphs divided by ``/``; a figure after `full` or
            `bare` says which of the three reasons; `drift2` is a digression about something else entirely.
        scores: the right level of each trait.
        overall: the right overall score.
        misspelt: whether the writer makes mistakes all the way through.
        off_topic: whether the question could not be guessed from the essay.
    """

    parts: str
    scores: tuple[int, int, int, int, int]
    overall: int
    misspelt: bool = False
    off_topic: bool = False


RECIPES = (
    Recipe("sharp / full1 / full2 full3 / answer / rounded", (6, 6, 6, 5, 6), 92),
    Recipe("plain full3 / full1 bare2 / formula", (4, 5, 4, 4, 6), 71),
    Recipe("plain / bare1 bare2 bare3 / formula", (4, 3, 4, 3, 5), 52),
    Recipe("full2 vague bare1 plain bare3 answer", (3, 4, 2, 4, 3), 49, misspelt=True),
    Recipe("vague bare2 drift bare1", (2, 2, 2, 2, 3), 27, misspelt=True),
)
OFF_TOPIC = Recipe("drift / drift2", (1, 1, 2, 3, 5), 12, off_topic=True)


def instances(crowd: Crowd) -> list[Made]:
    """Make the instances: five essays a question, and for two questions a sixth that is about something else."""
    items = texts("scoring_essays")
    made = [(item, recipe) for recipe in RECIPES for item in items]
    made += [(item, OFF_TOPIC) for item in items[:2]]
    crowd.rng.shuffle(made)
    return [_instance(crowd, items, item, recipe) for item, recipe in made]


def _instance(crowd: Crowd, items: list[dict[str, Any]], item: dict[str, Any], recipe: Recipe) -> Made:
    other = items[(items.index(item) + 2) % len(items)]
    paragraphs = [
        " ".join(_part(item, other, name) for name in paragraph.split()) for paragraph in recipe.parts.split(" / ")
    ]
    essay = "".join(f"<p>{_misspelt(text) if recipe.misspelt else text}</p>" for text in paragraphs)
    truth: dict[str, Truth] = {trait: str(score) for trait, score in zip(TRAITS, recipe.scores, strict=True)}
    truth |= {"off_topic": "off topic" if recipe.off_topic else "", "overall": Close(recipe.overall, 18)}
    return crowd.made(
        {"question": item["question"], "essay": essay}, lambda worker: _scores(worker, recipe), truth, most=5
    )


def _scores(worker: Worker, recipe: Recipe) -> dict[str, str]:
    levels = [worker.choose_near(str(score), LEVELS, 0.45) for score in recipe.scores]
    # The score as a whole follows a worker's own levels.
    off = sum(map(int, levels)) - sum(recipe.scores)
    whole = min(100, max(0, recipe.overall + 3 * off))
    return dict(zip(TRAITS, levels, strict=True)) | {
        "off_topic": "off topic" if recipe.off_topic != worker.errs(0.2 if recipe.off_topic else 0.05) else "",
        "overall": str(worker.rate(whole, 0, 100, 45)),
    }


def _part(item: dict[str, Any], other: dict[str, Any], name: str) -> str:
    if name == "drift2":
        return str(other["drift"])
    if name[-1].isdigit():
        return str(item[name[:-1]][int(name[-1]) - 1])
    return str(item[name])


def _misspelt(text: str) -> str:
    for right, wrong in MISSPELLINGS.items():
        text = re.sub(right, wrong, text)
    return text
