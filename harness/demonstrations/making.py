"""A step of a demonstration, made of the page before it and of what was done there."""

from __future__ import annotations

from dataclasses import dataclass

from lxml import etree

from harness.demonstrations.acceptable import acceptable_elements
from harness.demonstrations.cleaning import cleaned
from harness.demonstrations.demonstration import Candidate, DemonstratedStep, DoneOperation
from harness.demonstrations.element_words import step_words
from harness.demonstrations.page_html import ID, serialised

_NO_CANDIDATES = frozenset({"html", "head", "body"})


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

    Candidates are the elements that cleaning keeps, as Mind2Web has them: an acceptable element that is lost in it is
    no positive, and a step may come to have none.

    Args:
        page: The page before it, as ``SnapshotTree`` makes it.
        target: By what it names the element that was acted on.
        done: What was done.
        uid: The step's id.

    Raises:
        TargetGone: there is no such element.
    """
    element = next((each for each in page.iter(etree.Element) if each.get(ID) == target), None)
    if element is None:
        raise TargetGone("the element that was acted on is not in the snapshot of the page")
    clean = cleaned(page)
    kept = {each.get(ID, ""): each for each in clean.iter(etree.Element) if each.tag not in _NO_CANDIDATES}
    acceptable = acceptable_elements(element)
    names = {each.get(ID, ""): each for each in acceptable}
    positives = tuple(
        _candidate(each, original=each is element, top=each is acceptable[0])
        for name, each in names.items()
        if name in kept
    )
    raw = {each.get(ID, ""): each for each in page.iter(etree.Element)}
    negatives = tuple(_candidate(raw[name]) for name in kept if name not in names)
    step = DemonstratedStep(
        action_uid=uid,
        raw_html=serialised(page),
        cleaned_html=serialised(clean),
        operation=done,
        positives=positives,
        negatives=negatives,
    )
    return MadeStep(step, step_words(element, done))


def _candidate(element: etree._Element, *, original: bool | None = None, top: bool | None = None) -> Candidate:
    return Candidate(
        backend_node_id=element.get(ID, ""),
        tag=str(element.tag),
        attributes={str(name): str(value) for name, value in element.attrib.items()},
        is_original_target=original,
        is_top_level_target=top,
    )
