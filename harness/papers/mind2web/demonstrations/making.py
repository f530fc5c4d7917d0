"""A step of a demonstration, made of the page before it and of what was done there."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from lxml import etree

from harness.papers.mind2web.demonstrations.asking import ID_ATTRIBUTE
from harness.papers.mind2web.demonstrations.cleaning import cleaned, is_meaningful, kept_elements
from harness.papers.mind2web.demonstrations.demonstration import Candidate, DemonstratedStep, DoneOperation
from harness.papers.mind2web.demonstrations.element_words import step_words
from harness.papers.mind2web.demonstrations.page_tree import (
    BOX_ATTRIBUTE,
    CLICKABLE_ATTRIBUTE,
    TEXT_TAG,
    WHOLE_PAGE,
    Box,
    box_of,
    is_clickable,
    page_tree,
    seen_elements,
    serialised,
    tag_of,
)

_TOLD = frozenset({ID_ATTRIBUTE, BOX_ATTRIBUTE, CLICKABLE_ATTRIBUTE, "id", "class", "href"})
"""The attributes of a candidate beside those that mean something."""
_SLACK = 1.0
"""CSS pixels by which an element may stick out of a box: boxes are fractions, and rounded."""
_NO_CHOICE = WHOLE_PAGE | {TEXT_TAG}


def candidates_of(raw_html: str, target: str) -> tuple[tuple[Candidate, ...], tuple[Candidate, ...]]:
    """The candidates of a step: elements that cleaning leaves, without the page as a whole and bare texts.

    Args:
        raw_html: The page before the step, with ids and boxes (``page_tree``).
        target: The id of the element that was acted on.

    Returns:
        The acceptable ones, among them the target itself even if cleaning loses it (``cleaning_recall`` counts
        these), and the others; each in the order of the document.

    Raises:
        harness.papers.mind2web.demonstrations.page_tree.UnreadablePage: the page holds no element.
        LookupError: it has none of this id.
    """
    root = page_tree(raw_html)
    acted_on = next((each for each in root.iter(etree.Element) if each.get(ID_ATTRIBUTE) == target), None)
    if acted_on is None:
        raise LookupError(f"the page has no element with the {ID_ATTRIBUTE} {target!r}")
    seen = seen_elements(root)
    acceptable = acceptable_elements(acted_on, seen)
    left = set(kept_elements(root, seen))
    positives = [each for each in acceptable if each is acted_on or (each in left and _is_choice(each))]
    wrong = left.difference(acceptable)
    negatives = [each for each in root.iter(etree.Element) if each in wrong and _is_choice(each)]
    return (
        tuple(_candidate(each, original=each is acted_on, top=each is acceptable[0]) for each in positives),
        tuple(_candidate(each) for each in negatives),
    )


def acceptable_elements(target: etree._Element, seen: Collection[etree._Element]) -> tuple[etree._Element, ...]:
    """The elements that have the effect of the one that was acted on.

    Args:
        target: That one, in its page.
        seen: The elements of the page that are seen.

    Returns:
        The nearest clickable element from the target on upwards, or the target if there is none; then what is seen of
        that one's descendants and lies in its box, in the order of the document. The target is always among them.

    Source: Deng et al. 2023, appendix C.1.
    """
    top = next((each for each in (target, *target.iterancestors(etree.Element)) if is_clickable(each)), target)
    box = box_of(top)
    inside = [
        each
        for each in top.iterdescendants(etree.Element)
        if each is target or (each in seen and _is_within(box_of(each), box))
    ]
    return (top, *inside)


def _is_within(inner: Box | None, outer: Box | None) -> bool:
    if inner is None or outer is None:
        return False
    return (
        inner[0] >= outer[0] - _SLACK
        and inner[1] >= outer[1] - _SLACK
        and inner[0] + inner[2] <= outer[0] + outer[2] + _SLACK
        and inner[1] + inner[3] <= outer[1] + outer[3] + _SLACK
    )


def _is_choice(element: etree._Element) -> bool:
    return tag_of(element) not in _NO_CHOICE and element.get(ID_ATTRIBUTE) is not None


def _candidate(element: etree._Element, *, original: bool | None = None, top: bool | None = None) -> Candidate:
    return Candidate(
        backend_node_id=element.get(ID_ATTRIBUTE, ""),
        tag=tag_of(element),
        attributes={
            str(name): str(value) for name, value in element.attrib.items() if name in _TOLD or is_meaningful(str(name))
        },
        is_original_target=original,
        is_top_level_target=top,
    )


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
