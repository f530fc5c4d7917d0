"""Sentences from word lists: what members say is made of ``words/*.toml`` by a seeded choice."""

from __future__ import annotations

import random
import re
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

_FOLDER = Path(__file__).parent / "words"
_SLOT = re.compile(r"\{(\w+)\}")
_ARTICLE = re.compile(r"\b([Aa]) (?=[aeiouAEIOU])")
_SENTENCE = re.compile(r"([.!?] )([a-z])")

TALK = "talk"
"""The words that belong to no forum."""
FORUM_SLUGS = (
    "bicycles",
    "woodwork",
    "repairs",
    "vegetables",
    "houseplants",
    "compost",
    "bread",
    "preserves",
    "drinks",
    "walking",
    "stargazing",
    "board-help",
)
"""In the order in which forums are shown."""


@cache
def words(name: str) -> Mapping[str, Any]:
    """Return the word lists of a forum, by its slug, or of ``TALK``."""
    return tomllib.loads((_FOLDER / f"{name}.toml").read_text(encoding="utf-8"))


@cache
def _with_talk(forum: str) -> Mapping[str, Sequence[str]]:
    return {**words(TALK), **words(forum)}


def dice(*what: object) -> random.Random:
    """Return a source of chance that is the same whenever it is made of the same."""
    return random.Random("/".join(map(str, what)))  # noqa: S311 - a constructed world, not a secret


class Phrases:
    """Fills the slots of sentences about one subject.

    Args:
        chance: Whence choices come.
        forum: The forum whose words are used.
        fixed: Slots that always hold the same, as the thing that a thread is about.
    """

    def __init__(self, chance: random.Random, forum: str, /, **fixed: str) -> None:
        self._chance = chance
        self._lists = _with_talk(forum)
        self._fixed = fixed

    def pick(self, slot: str) -> str:
        """Return something for a slot."""
        return self._fixed.get(slot) or self._chance.choice(self._lists[slot])

    def say(self, of: str) -> str:
        """Return a sentence of a list, e.g. ``advice``, with its slots filled: a capital where the slot has one."""
        return self.fill(self._chance.choice(self._lists[of]))

    def fill(self, sentence: str) -> str:
        """Fill the slots of a sentence."""

        def filled(match: re.Match[str]) -> str:
            slot = match[1]
            text = self.pick(slot.lower())
            return text[0].upper() + text[1:] if slot[0].isupper() else text

        text = _ARTICLE.sub(r"\1n ", _SLOT.sub(filled, sentence))
        return _SENTENCE.sub(lambda match: match[1] + match[2].upper(), text)
