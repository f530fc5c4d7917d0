"""A step of a demonstration, made of the page before it and of what was done there."""

from __future__ import annotations

from dataclasses import dataclass

from lxml import etree

from harness.papers.mind2web.demonstrations.asking import ID_ATTRIBUTE
from harness.papers.mind2web.demonstrations.candidates import candidates_of
from harness.papers.mind2web.demonstrations.cleaning import cleaned
from harness.papers.mind2web.demonstrations.demonstration import DemonstratedStep, DoneOperation
from harness.papers.mind2web.demonstrations.element_words import step_words
from harness.papers.mind2web.demonstrations.page_html import serialised


@dataclass(frozen=True)
class MadeStep:
    """What was made.

    Attributes:
        step: The step.
        words: The same in words.
    """

    step: DemonstratedStep
    words: str


class TargetGone(ValueError):
    """The page has no such element."""


def made_step(page: etree._Element, target: str, done: DoneOperation, uid: str) -> MadeStep:
    """A step.

    Args:
        page: The page before it, as ``SnapshotTree`` makes it.
        target: By what it names the element that was acted on.
        done: What was done.
        uid: The step's id.

    Raises:
        TargetGone: there is no such element.
    """
    element = next((each for each in page.iter(etree.Element) if each.get(ID_ATTRIBUTE) == target), None)
    if element is None:
        raise TargetGone("the element that was acted on is not in the snapshot of the page")
    raw_html = serialised(page)
    positives, negatives = candidates_of(raw_html, target)
    step = DemonstratedStep(
        action_uid=uid,
        raw_html=raw_html,
        cleaned_html=cleaned(raw_html),
        operation=done,
        positives=positives,
        negatives=negatives,
    )
    return MadeStep(step, step_words(element, done))
