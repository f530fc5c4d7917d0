"""What an episode on a website leaves behind: what happened on its pages, and what evaluators say of that."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from harness.catalog.site_facts import EvaluatorName, Look, SiteFacts
from harness.kit.files.codec import Count

MOST_MOMENTS = 2_000
"""Moments that are kept of an episode; what came after them is counted."""


@dataclass(frozen=True, kw_only=True)
class ActedElement:
    """An element that an event reached.

    Attributes:
        place: The way to it in the tree ``dom``: which child of which child.
        tag: Its tag.
        css: A CSS selector of it.
        text: What it says, shortened.
        value: What it held after the step; None if it holds nothing; of a password dots.
    """

    place: tuple[int, ...]
    tag: str
    css: str
    text: str = ""
    value: str | None = None


@dataclass(frozen=True, kw_only=True)
class Moment:
    """Something that happened in a tab.

    Attributes:
        kind: ``opened`` (a tab), ``moved`` (it shows another address), ``acted`` (input reached an element),
            ``closed``.
        step: Place in ``steps`` of the action that it came with; None before the first, and for programs that drive the
            browser.
        tab: From 0, in the order of opening.
        url: The tab's address then.
        event: Of ``acted``: ``click``, ``input``, ``change``, ``keydown`` or ``submit``.
        element: Of ``acted``: what it reached.
        dom: Name in ``texts/`` of the page's tree at that event: ``[tag, {attribute: value}, [child or text, ...]]``;
            empty if not kept.
        ms: Milliseconds since the episode began.
    """

    kind: Literal["opened", "moved", "acted", "closed"]
    step: int | None = None
    tab: Count = 0
    url: str = ""
    event: str = ""
    element: ActedElement | None = None
    dom: str = ""
    ms: float = 0.0


@dataclass(frozen=True, kw_only=True)
class ReadPlace:
    """What was read on a page when the episode was over.

    Attributes:
        look: Where.
        url: Address of the page.
        text: Name in ``texts/`` of what was read; empty if it could not be read.
        why: Why not.
    """

    look: Look
    url: str = ""
    text: str = ""
    why: str = ""


@dataclass(frozen=True, kw_only=True)
class LeftPages:
    """How an episode left its pages.

    Attributes:
        url: Address of the page in front.
        read: What was read, place by place.
    """

    url: str
    read: tuple[ReadPlace, ...] = ()


@dataclass(frozen=True, kw_only=True)
class EvaluatedPart:
    """One condition of an evaluator.

    Attributes:
        name: Which condition, in words.
        score: From 0 to 1; None if unknown.
        step: The step that met it first; None if none did.
        moment: Place in ``moments`` of what met it; None if none did.
        why: What was compared with what.
    """

    name: str
    score: float | None
    step: int | None = None
    moment: int | None = None
    why: str = ""


@dataclass(frozen=True, kw_only=True)
class Evaluation:
    """What one evaluator says of an episode.

    Attributes:
        evaluator: Which.
        score: From 0 to 1; None if unknown.
        success: Whether all is met; None if unknown.
        floor: Score of doing nothing; None if unknown.
        parts: Condition by condition.
        why: In a sentence.
    """

    evaluator: EvaluatorName
    score: float | None
    success: bool | None
    floor: float | None = None
    parts: tuple[EvaluatedPart, ...] = ()
    why: str = ""


@dataclass(frozen=True, kw_only=True)
class SiteRecord:
    """An episode on a website.

    Attributes:
        task: The task as its row filled it in.
        moments: What happened, in order; at most 2,000.
        moments_lost: Number of further moments.
        is_unseen: Whether later moments and the answer were lost with a process that died.
        answer: What ``finish`` gave; None if nothing.
        state_before: The bundled site's state at the beginning; None of other sites.
        state: The same in the end; None if it could not be asked.
        reward: What the page gave (MiniWoB++), -1 to 1; None if nothing.
        left: How pages were left; None without checks, or if lost.
        refused: Addresses that pages were kept from, and downloads.
        late: Addresses of documents that were incomplete after 15 seconds.
        evaluations: What evaluators say, the main one first.
    """

    task: SiteFacts
    moments: tuple[Moment, ...] = ()
    moments_lost: Count = 0
    is_unseen: bool = False
    answer: str | None = None
    state_before: Any = None
    state: Any = None
    reward: float | None = None
    left: LeftPages | None = None
    refused: tuple[str, ...] = ()
    late: tuple[str, ...] = ()
    evaluations: tuple[Evaluation, ...] = ()

    @property
    def awaits_judge(self) -> bool:
        """Whether something is not known that is compared by meaning."""
        asked = self.task.evaluators
        by_meaning = {
            "key_nodes": any(node.match == "semantic" for node in asked.key_nodes),
            "answer": asked.answer is not None and asked.answer.match == "semantic",
            "checks": any(wanted.match == "semantic" for check in asked.checks for wanted in check.any_of),
        }
        return any(each.score is None and by_meaning.get(each.evaluator) for each in self.evaluations)

    @property
    def main(self) -> Evaluation | None:
        """The evaluation whose score is the instance's; None before it was evaluated."""
        return self.evaluations[0] if self.evaluations else None
