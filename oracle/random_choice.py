"""A floor for choices: any of a field's own options."""

from __future__ import annotations

import random

from harness.browser.form.fields import Field
from harness.catalog.kinds import VOTES
from harness.episode.assignment import Page
from harness.episode.library import Actions, fill
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


class RandomChoice:
    """A seeded choice among each field's own options; texts are left as they are.

    A slider gets any of its steps, a lone box is ticked or not, and of several boxes each is ticked or not. On a
    website it does something to any element that the page shows, again and again.
    """

    def solve(self, page: Page, act: Actions) -> None:
        """Fill every choice and slider of the page, or walk through the website."""
        if isinstance(act, SiteActions):
            walk(page, act)
            return
        chance = random.Random(page.seed)  # noqa: S311 - a baseline, not a secret
        for field in page.fields:
            values = self._choose(field, chance)
            if values is not None and field.visible:
                fill(act, field, values)

    def _choose(self, field: Field, chance: random.Random) -> tuple[str, ...] | None:
        options = [option.value for option in field.options if option.visible]
        if field.kind == "checkbox":
            return tuple(value for value in options if chance.random() < 0.5)
        if field.kind in VOTES:
            return (chance.choice(options),) if options else None
        if field.kind == "range" and field.scale:
            low, high, step = field.scale
            if not step:
                return (f"{chance.uniform(low, high):.3g}",)
            return (f"{low + step * chance.randint(0, int((high - low) / step + 1e-9)):g}",)
        return None
