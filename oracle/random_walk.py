"""A floor for websites: whatever can be pressed, written into or chosen from, drawn by a seed."""

from __future__ import annotations

import random

from harness.episode.assignment import Page
from harness.episode.site_actions import SiteActions
from harness.observe.snapshot import Node, Snapshot

MOST_STEPS = 30
"""What is done at most, however many steps the episode may have."""
WORDS = ("a", "1", "2", "10", "red", "blue", "new", "best", "Anna", "Lisbon", "shoes", "hello", "2024-06-15")
"""What is written."""
_TEXT = frozenset({"text", "textarea"})
_BUTTONS = frozenset({"button", "submit", "reset", "image"})


def walk(page: Page, act: SiteActions, most: int = MOST_STEPS) -> None:
    """Do something to an element that the page shows, again and again, until the steps are used up.

    Args:
        page: Its seed decides everything.
        act: The actions.
        most: How often at most.
    """
    chance = random.Random(page.seed)  # noqa: S311 - a baseline, not a secret
    for _ in range(min(most, act.trajectory.steps_left())):
        if act.finished:
            return
        shown = act.observation.snapshot()
        numbered = [place for place, node in enumerate(shown.nodes) if node.ref]
        if not numbered:
            act.go_back()
            continue
        _do_something(shown, chance.choice(numbered), act, chance)


def _do_something(shown: Snapshot, place: int, act: SiteActions, chance: random.Random) -> None:
    node = shown.nodes[place]
    kind = node.control.kind if node.control else ""
    if node.text == "select":
        options = [_text_of(shown, child) for child in _options(shown, place)]
        act.select_option(node.ref, chance.choice(options or [""]))
    elif kind in _TEXT and not _is_button(node):
        write = act.fill_search if chance.random() < 0.5 else act.fill
        write(node.ref, chance.choice(WORDS))
    else:
        act.click_element(node.ref)


def _is_button(node: Node) -> bool:
    return (node.get("type") or "").lower() in _BUTTONS


def _options(shown: Snapshot, place: int) -> list[int]:
    found, waiting = [], list(shown.children[place])
    while waiting:
        child = waiting.pop(0)
        if shown.nodes[child].text == "option":
            found.append(child)
        waiting += shown.children[child]
    return found


def _text_of(shown: Snapshot, place: int) -> str:
    return " ".join(shown.nodes[child].text.strip() for child in shown.children[place])
