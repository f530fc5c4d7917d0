"""What cleaning leaves of demonstrations: of the elements of pages, and of those that were acted on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any

from lxml import etree

from harness.kit.text import aligned, percent
from harness.papers.mind2web.demonstrations.asking import ID_ATTRIBUTE
from harness.papers.mind2web.demonstrations.cleaning import kept_elements
from harness.papers.mind2web.demonstrations.demonstration import DemonstratedStep, Demonstration
from harness.papers.mind2web.demonstrations.page_tree import UnreadablePage, page_tree, seen_elements

ALL = "all"


@dataclass
class CleaningRecall:
    """Counts over steps, whose ``raw_html`` is cleaned as ``cleaned`` does.

    Attributes:
        steps: Steps.
        unreadable: Those whose page holds no element; they are in none of the other counts.
        targets: Those that say which element was acted on.
        targets_left: Those of them in which cleaning leaves it.
        acceptable: Those that have an acceptable element.
        acceptable_left: Those of them in which cleaning leaves one.
        elements: Elements of the pages.
        elements_left: Elements that cleaning leaves of them.
    """

    steps: int = 0
    unreadable: int = 0
    targets: int = 0
    targets_left: int = 0
    acceptable: int = 0
    acceptable_left: int = 0
    elements: int = 0
    elements_left: int = 0

    def add(self, step: DemonstratedStep) -> None:
        """Count a step."""
        self.steps += 1
        try:
            root = page_tree(step.raw_html)
        except UnreadablePage:
            self.unreadable += 1
            return
        kept = kept_elements(root, seen_elements(root))
        left = {each.get(ID_ATTRIBUTE) for each in kept}
        acceptable = {each.backend_node_id for each in step.positives}
        targets = {each.backend_node_id for each in step.positives if each.is_original_target}
        self.targets += bool(targets)
        self.targets_left += bool(targets & left)
        self.acceptable += bool(acceptable)
        self.acceptable_left += bool(acceptable & left)
        self.elements += sum(1 for _ in root.iter(etree.Element))
        self.elements_left += len(kept)

    @property
    def recall(self) -> float | None:
        """The share of known targets that are left; None if none is known."""
        return self.targets_left / self.targets if self.targets else None

    @property
    def acceptable_recall(self) -> float | None:
        """The share of steps with acceptable elements in which one is left; None without such steps."""
        return self.acceptable_left / self.acceptable if self.acceptable else None


def recall_by_website(demonstrations: Iterable[Demonstration]) -> dict[str, CleaningRecall]:
    """Count demonstrations one by one.

    Returns:
        Website -> counts, by name; in the end ``all`` of them.
    """
    by_website: dict[str, CleaningRecall] = {}
    for demonstration in demonstrations:
        of_site = by_website.setdefault(demonstration.website, CleaningRecall())
        for step in demonstration.steps:
            of_site.add(step)
    names = [each.name for each in fields(CleaningRecall)]
    overall = {name: sum(getattr(each, name) for each in by_website.values()) for name in names}
    return {**dict(sorted(by_website.items())), ALL: CleaningRecall(**overall)}


def recall_table(recalls: Mapping[str, CleaningRecall]) -> str:
    """The counts as a table, a line a website."""
    rows = [["website", "steps", "target known", "left", "acceptable left", "elements a page", "left"]]
    for website, each in recalls.items():
        pages = each.steps - each.unreadable
        rows.append(
            [
                website,
                str(each.steps),
                str(each.targets),
                percent(each.recall),
                percent(each.acceptable_recall),
                f"{each.elements / pages:.0f}" if pages else "-",
                f"{each.elements_left / pages:.0f}" if pages else "-",
            ]
        )
    unreadable = recalls[ALL].unreadable
    return aligned(rows) + (f"\nPages that hold no element: {unreadable}; they are not counted" if unreadable else "")


def recall_json(recalls: Mapping[str, CleaningRecall]) -> dict[str, Any]:
    """The counts and shares as JSON."""
    return {
        website: {**asdict(each), "recall": each.recall, "acceptable_recall": each.acceptable_recall}
        for website, each in recalls.items()
    }
