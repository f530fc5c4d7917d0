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
        place: Which child of which child it is, counted among elements from the document's own: the way down from the
            root of the tree that ``Moment.dom`` names.
        tag: Its tag, in small letters.
        css: A CSS selector of it.
        text: What it says; shortened.
        value: What it held after the step; None for what holds nothing. Of a password its length in dots.
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
        kind: ``opened`` (a tab), ``moved`` (it shows another address, whoever had it go there), ``acted`` (trusted
            input reached an element), ``closed`` (a tab).
        step: The place in the episode's steps of the action during which it came; None for before the first, and where
            a program drove the browser itself.
        tab: From 0, in the order in which tabs were opened.
        url: The tab's address, then.
        event: Of ``acted``: the DOM event: ``click``, ``input``, ``change``, ``keydown``, ``submit``.
        element: Of ``acted``: what it reached.
        dom: SHA-256 by which the run directory's ``texts/`` has the tree of the page as the event came; empty if it
            was not kept. The tree is JSON: ``[tag, {attribute: value}, [child or text, ...]]``.
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
        url: The address of the page.
        text: SHA-256 by which the run directory's ``texts/`` has what was read, nothing where no such element is there;
            empty if it could not be read.
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
        url: The address of the one in front.
        read: What was read, place by place, each of the task's once.
    """

    url: str
    read: tuple[ReadPlace, ...] = ()


@dataclass(frozen=True, kw_only=True)
class EvaluatedPart:
    """One condition of an evaluator.

    Attributes:
        name: Which, in words.
        score: From 0 to 1; None if it could not be told.
        step: The step by which it was met first, as in ``Moment.step``; None if never, or before the first.
        moment: The place in ``SiteRecord.moments`` of what met it; None if none did.
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
        score: From 0 to 1; None if it could not be told.
        success: Whether all is as it should be; None if that could not be told.
        floor: What its score would be had nothing been done; None if not known.
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
        task: The task as its row filled it in: goal, start and evaluators with what they refer to, as labels are kept.
            The goal ends with what the page itself asks for, if it does.
        moments: What happened, in order.
        moments_lost: How many more came after ``MOST_MOMENTS``.
        is_unseen: Whether what happened after ``moments``, and what was answered, is not known, since it was lost with
            the process that had seen it.
        answer: What was answered with ``finish``; None if nothing was.
        state_before: What the bundled site told of itself when the episode began; None of other sites.
        state: The same in the end; None if it could not be asked.
        reward: What the page itself gave (MiniWoB++), from -1 to 1; None if it gave none.
        left: How its pages were left; None where the task has no checks, and where that was lost.
        refused: Addresses that pages were kept from, since they are none of the task's, and downloads.
        late: Addresses of documents that were not waited for to their end: no server had sent them, or what they embed,
            for 15 seconds.
        evaluations: What the evaluators say, the main one first.
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
