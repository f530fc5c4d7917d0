"""A floor for websites: one query to the site's own search, one press on a result, and what stands there read.

Xue et al. 2025 (section 2) show by such an agent, over a search engine, which tasks are too easy.
"""

from __future__ import annotations

from collections.abc import Sequence

from harness.episode.assignment import Page
from harness.episode.site_actions import SiteActions
from harness.observe.snapshot import Node, Snapshot
from harness.scoring.judges.rule_judge import names_and_numbers

_SEARCHES = ("search", "q", "query")
_WRITTEN = ("input", "textarea")


class SearchOnly:
    """Asks the website's search for the names in the goal, opens a result, and answers with its heading.

    It does nothing else: what it solves needs no more than that. The result is the first link of the page's main part
    that holds one of the names; a site without a search is left as it is.
    """

    kinds = ("site",)

    def solve(self, page: Page, act: SiteActions) -> None:
        """Query and read."""
        shown = act.observation.snapshot()
        field = next((node.ref for node in shown.nodes if node.ref and _is_search(node)), None)
        words = names_and_numbers(page.goal)
        if field is None:
            act.finish()
            return
        act.fill_search(field, " ".join(words) or page.goal)
        shown = act.observation.snapshot()
        if result := _result(shown, words):
            act.click_element(result)
            shown = act.observation.snapshot()
        act.finish(_heading(shown) or None)


def _is_search(node: Node) -> bool:
    told = (node.get("type"), node.get("role"), node.get("name"))
    return node.text in _WRITTEN and any((each or "").lower() in ("searchbox", *_SEARCHES) for each in told)


def _result(shown: Snapshot, words: Sequence[str]) -> int:
    """The number of the first link of the page's main part that holds one of the words; 0 if none does."""
    for place, node in enumerate(shown.nodes):
        if node.ref and node.text == "a" and _in_main(shown, place):
            said = shown.text_of(place).casefold()
            if any(word.casefold() in said for word in words):
                return node.ref
    return 0


def _in_main(shown: Snapshot, place: int) -> bool:
    while place >= 0:
        node = shown.nodes[place]
        if node.text == "main" or node.get("role") == "main":
            return True
        place = node.parent
    return False


def _heading(shown: Snapshot) -> str:
    place = next((place for place, node in enumerate(shown.nodes) if node.text == "h1" and node.shown), None)
    return "" if place is None else shown.text_of(place)
