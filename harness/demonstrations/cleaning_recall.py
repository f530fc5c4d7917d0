"""What cleaning keeps: of the elements of pages, and of those that were acted on."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from lxml import etree

from harness.demonstrations.demonstration import Demonstration
from harness.demonstrations.page_html import UnreadablePage, parsed
from harness.text.numbers import counted


@dataclass
class CleaningRecall:
    """Counts over the steps of demonstrations, added up one by one.

    Attributes:
        steps: Steps.
        targets: Those whose element, the one that was acted on, is among the candidates still.
        acceptable: Those that have an acceptable element still.
        before: Elements of pages before cleaning.
        after: Elements of the same pages after it.
        twice: Steps in which two candidates have one id.
        unreadable: Steps whose pages are not counted, as they hold no element.
    """

    steps: int = 0
    targets: int = 0
    acceptable: int = 0
    before: int = 0
    after: int = 0
    twice: int = 0
    unreadable: int = 0

    def add(self, demonstration: Demonstration) -> None:
        """Count a demonstration's steps."""
        for step in demonstration.steps:
            self.steps += 1
            self.targets += any(each.is_original_target for each in step.positives)
            self.acceptable += bool(step.positives)
            names = [each.backend_node_id for each in (*step.positives, *step.negatives)]
            self.twice += len(set(names)) < len(names)
            try:
                before, after = _elements(step.raw_html), _elements(step.cleaned_html)
            except UnreadablePage:
                self.unreadable += 1
            else:
                self.before += before
                self.after += after

    def __str__(self) -> str:
        if not self.steps:
            return "no step"
        read = self.steps - self.unreadable
        lines = [
            f"{counted(self.steps, 'step')}: after cleaning {self.targets} ({self.targets / self.steps:.1%}) have the "
            f"element that was acted on, {self.acceptable} ({self.acceptable / self.steps:.1%}) an acceptable one"
        ]
        if read:
            lines.append(
                f"elements of a page: {self.before / read:,.0f} before cleaning, {self.after / read:,.0f} after"
            )
        if self.twice:
            lines.append(f"two candidates with one id: in {counted(self.twice, 'step')}")
        if self.unreadable:
            lines.append(f"pages without an element: of {counted(self.unreadable, 'step')}, not counted")
        return "\n".join(lines)


def recall_of(demonstrations: Iterable[Demonstration]) -> CleaningRecall:
    """Count demonstrations, one by one."""
    recall = CleaningRecall()
    for each in demonstrations:
        recall.add(each)
    return recall


def _elements(html: str) -> int:
    return sum(1 for _ in parsed(html).iter(etree.Element))
