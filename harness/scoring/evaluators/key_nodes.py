"""Key nodes: what every right way meets at some moment, sought in all that happened (docs/reference/key-nodes.md)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from math import fsum

from lxml import etree

from harness.catalog.site_facts import KeyNode, SiteFacts
from harness.kit.text import shorten
from harness.records.site_record import ActedElement, EvaluatedPart, Evaluation, Moment, SiteRecord
from harness.scoring.evaluators.addresses import as_it_is, decoded, host_of, part_of, reading_of, registrable_label
from harness.scoring.evaluators.page_tree import PageTree, UnreadableTree, WrongPath, is_same, tag_in_tree
from harness.scoring.evaluators.text_match import Judgement, Matcher, all_met, is_met

ReadDom = Callable[[str], str | None]
"""The text that a run directory has by its SHA-256; None if it has none."""
_TREES_KEPT = 8
_CHOSEN = ("input", "change")
_UNSEEN = "what happened was lost with the process that had seen it"


class _NotTold(Exception):
    """What was recorded does not tell whether a node is met; says why."""


@dataclass
class _Search:
    """What was found of a node so far: the best that was seen, the moment that met it, what could not be told."""

    node: KeyNode
    score: float = 0.0
    why: str = ""
    moment: int | None = None
    not_told: str = ""

    def look(self, place: int, moment: Moment, page_of: Callable[[str], PageTree], compare: Matcher) -> None:
        """Look at one more moment."""
        try:
            judgements = _judged(self.node, moment, page_of, compare)
        except _NotTold as error:
            self.not_told = str(error)
            return
        for judged in judgements:
            if judged.score is None:
                self.not_told = judged.why
                continue
            if judged.score > self.score or not self.why:
                self.score, self.why = judged.score, judged.why
            if is_met(judged.score) and self.moment is None:
                self.moment = place

    def part(self, moments: Sequence[Moment]) -> EvaluatedPart:
        """What is said of the node once all was looked at."""
        name = name_of(self.node)
        if self.moment is not None:
            step = moments[self.moment].step
            return EvaluatedPart(name=name, score=self.score, step=step, moment=self.moment, why=self.why)
        if self.not_told:
            return EvaluatedPart(name=name, score=None, why=self.not_told)
        return EvaluatedPart(name=name, score=self.score, why=self.why or "no such step was seen")


def key_nodes(record: SiteRecord, read_dom: ReadDom, compare: Matcher) -> Evaluation:
    """How many of the task's key nodes an episode met, and when.

    Each node is looked for at every moment of every tab; once met it stays met. A node by meaning has the best score
    that the judge gave to anything seen, and is met from ``MET`` on. A node that was not met, but may have been at a
    moment about which nobody can tell (no judge, no tree of the page, the moment was lost), has no score, and then the
    evaluation has none.

    Args:
        record: What was recorded.
        read_dom: Gives the pages' trees.
        compare: Compares texts.
    """
    nodes = record.task.evaluators.key_nodes
    parts = _parts(nodes, record.moments, _pages(read_dom), compare)
    if record.is_unseen:
        parts = tuple(part if is_met(part.score) else replace(part, score=None, why=_UNSEEN) for part in parts)
    scores = [part.score for part in parts]
    floor = _mean([part.score for part in _parts(nodes, _nothing_done(record.task), _pages(read_dom), compare)])
    met = sum(is_met(score) is True for score in scores)
    unknown = scores.count(None)
    why = f"{met} of {len(nodes)} key nodes met"
    if unknown:
        why += f", {unknown} not known"
    if record.moments_lost:
        why += f"; what came after the first {len(record.moments)} moments does not count"
    return Evaluation(
        evaluator="key_nodes", score=_mean(scores), success=all_met(scores), floor=floor, parts=parts, why=why
    )


def name_of(node: KeyNode) -> str:
    """A node in words."""
    target = node.target.replace("_", " ")
    if node.key:
        target += f", {node.key}"
    if node.path:
        target += f" of {shorten(node.path, 60)}"
    return node.note or f"{target}, {node.match}: {shorten(node.reference, 80)}"


def _parts(
    nodes: Sequence[KeyNode], moments: Sequence[Moment], page_of: Callable[[str], PageTree], compare: Matcher
) -> tuple[EvaluatedPart, ...]:
    searches = [_Search(node) for node in nodes]
    # Moment by moment, so that a page's tree is read once for all nodes.
    for place, moment in enumerate(moments):
        for search in searches:
            if search.moment is None:
                search.look(place, moment, page_of, compare)
    return tuple(search.part(moments) for search in searches)


def _judged(node: KeyNode, moment: Moment, page_of: Callable[[str], PageTree], compare: Matcher) -> list[Judgement]:
    if node.target == "element_path":
        is_hit = _is_acted_on(node.reference, node, moment, page_of)
        return [Judgement(1.0, f"acted on {shorten(node.reference, 80)!r}")] if is_hit else []
    if node.target == "url":
        return [] if moment.kind == "closed" else list(_judged_address(node, moment.url, compare))
    return [compare(node.match, text, node.reference) for text in _texts(node, moment, page_of)]


def _judged_address(node: KeyNode, url: str, compare: Matcher) -> Iterator[Judgement]:
    own = reading_of(node)
    # A judge is asked once; what meets a node as addresses are usually read meets it, however its own has to be read.
    for reading in [own] if node.match == "semantic" else dict.fromkeys((as_it_is, own)):
        part = part_of(url, node.key, node.match, reading)
        if part is not None:
            reference = node.reference if node.match == "semantic" else reading(decoded(node.reference))
            yield compare(node.match, part, reference)


def _texts(node: KeyNode, moment: Moment, page_of: Callable[[str], PageTree]) -> list[str]:
    """What an action on an element shows that a node's reference is compared with; none if it shows nothing of it."""
    element = moment.element
    if element is None or not _is_of_host(node, moment):
        return []
    if node.path and not _is_acted_on(node.path, node, moment, page_of):
        return []
    if element.value is None:
        return [element.text]
    return [element.value, *_shown_choice(element, moment, page_of)]


def _is_acted_on(path: str, node: KeyNode, moment: Moment, page_of: Callable[[str], PageTree]) -> bool:
    """Whether a moment is an action on what a path finds in the page as it was then."""
    element = moment.element
    if element is None or not _is_of_host(node, moment):
        return False
    page = page_of(moment.dom)
    try:
        meant = page.find(path, node.method)
    except WrongPath as error:
        raise _NotTold(str(error)) from error
    acted = _acted(page, element)
    if meant is None:
        return False
    if meant.tag == "option" and acted.tag == "select":
        return moment.event in _CHOSEN and meant in acted.iter("option") and _value(meant) == element.value
    return is_same(meant, acted)


def _shown_choice(element: ActedElement, moment: Moment, page_of: Callable[[str], PageTree]) -> Iterator[str]:
    """The text of the option that a list shows: it holds that as much as the option's value."""
    if element.tag == "select" and moment.dom:
        for option in _acted(page_of(moment.dom), element).iter("option"):
            if _value(option) == element.value:
                yield _text(option)
                return


def _acted(page: PageTree, element: ActedElement) -> etree._Element:
    acted = page.at(element.place)
    if acted is None or acted.tag != tag_in_tree(element.tag):
        raise _NotTold(f"the tree of the page has no {element.tag} where {element.css!r} was acted on")
    return acted


def _value(option: etree._Element) -> str:
    value = option.get("value")
    return _text(option) if value is None else value


def _text(element: etree._Element) -> str:
    return " ".join("".join(str(text) for text in element.itertext()).split())


def _is_of_host(node: KeyNode, moment: Moment) -> bool:
    return not node.host or registrable_label(host_of(moment.url)) == node.host.strip().lower()


def _pages(read_dom: ReadDom) -> Callable[[str], PageTree]:
    @lru_cache(maxsize=_TREES_KEPT)
    def page(name: str) -> PageTree:
        text = read_dom(name) if name else None
        if text is None:
            raise _NotTold("the tree of the page was not kept")
        try:
            return PageTree.read(text)
        except UnreadableTree as error:
            raise _NotTold(f"the tree of the page cannot be read: {error}") from error

    return page


def _nothing_done(task: SiteFacts) -> tuple[Moment, ...]:
    """What happens to whoever does nothing: a tab shows the address at which the task begins."""
    return (Moment(kind="opened", url=task.start),)


def _mean(scores: Sequence[float | None]) -> float | None:
    known = [score for score in scores if score is not None]
    return fsum(known) / len(known) if known and len(known) == len(scores) else None
