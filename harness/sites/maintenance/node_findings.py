"""Key nodes and final states that a replay does not reach any more, and what the nodes may refer to now."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import urlsplit

from lxml import etree

from harness.catalog.site_facts import KeyNode, SiteFacts
from harness.catalog.trace import Trace
from harness.kit.text import shorten
from harness.records.site_record import EvaluatedPart
from harness.scoring.evaluators.key_nodes import name_of
from harness.scoring.evaluators.page_tree import WrongPath, is_same
from harness.sites.maintenance.element_words import xpath_of
from harness.sites.maintenance.records import FileEdit, Proposal, TraceFinding
from harness.sites.maintenance.selectors import selector_for
from harness.sites.maintenance.trace_walk import StepSight, WalkedTrace

_EVALUATORS = ("evaluators", "key_nodes")


def node_findings(
    facts: SiteFacts, trace: Trace, walked: WalkedTrace, before: WalkedTrace | None
) -> Iterator[TraceFinding]:
    """The key nodes that were not met, with what they may refer to now.

    Args:
        facts: The task, its variables and all.
        trace: Its trace, likewise.
        walked: The walk on the site of today.
        before: One on the layout on which the trace was made; None if there is none.
    """
    evaluation = walked.evaluations.get("key_nodes")
    for number, part in enumerate(evaluation.parts if evaluation else ()):
        if part.score is None or part.score >= 1:
            continue
        node = facts.evaluators.key_nodes[number]
        place = next((place for place, step in enumerate(trace.steps) if number in step.nodes), None)
        sight = None if place is None else walked.sights[place]
        was = None if place is None or before is None else before.sights[place]
        proposed = (
            "" if sight is None else _of_url(node, sight, was) if node.target == "url" else _of_element(node, sight)
        )
        yield _finding(number, node, part, proposed, sight)


def state_findings(walked: WalkedTrace) -> Iterator[TraceFinding]:
    """That the site does not stand as it has to, that the answer is another one, or the page gives less than it can."""
    for name in ("final_state", "answer", "page_reward", "checks"):
        evaluation = walked.evaluations.get(name)
        if evaluation is None or evaluation.success is not False:
            continue
        why = "; ".join(part.why for part in evaluation.parts if part.score != 1) or evaluation.why
        words = f"{name.replace('_', ' ')}: {shorten(why, 300)}"
        yield TraceFinding(id="", kinds=("state_missed",), breaks=True, words=words)


def _finding(number: int, node: KeyNode, part: EvaluatedPart, proposed: str, sight: StepSight | None) -> TraceFinding:
    reference = node.path if node.target == "element_value" else node.reference
    if proposed == reference or "${" in reference:
        proposed = ""
    key = "path" if node.target == "element_value" else "reference"
    at = (*_EVALUATORS, number)
    edits = [FileEdit(file="task.json", at=(*at, key), value=proposed)]
    if sight is not None and node.url:
        edits.append(
            FileEdit(file="task.json", at=(*at, "url"), value=sight.url_after if node.target == "url" else sight.url)
        )
    return TraceFinding(
        id="",
        kinds=("node_missed",),
        breaks=True,
        words=f"key node {number + 1} ({name_of(node)}) is not met: {part.why}",
        url=sight.url if sight else "",
        step=None if sight is None else sight.number,
        node=number + 1,
        value_before=reference,
        value_after=proposed,
        proposal=Proposal(edits=tuple(edits), reasons=("where the step came to",)) if proposed else None,
    )


def _of_url(node: KeyNode, sight: StepSight, was: StepSight | None) -> str:
    """A reference with what has become another part of the address; empty if that is not clear."""
    if node.key or node.match == "semantic":
        return ""
    old, new = urlsplit((was.url_after if was else "") or node.url), urlsplit(sight.url_after)
    if not old.path or (old.netloc, old.path) == (new.netloc, new.path):
        return ""
    if node.match == "exact":
        return sight.url_after
    changed = [(old.netloc + old.path, new.netloc + new.path), (old.path, new.path), _changed_part(old.path, new.path)]
    for before, after in changed:
        for end in ("", "/"):
            if (part := before.removesuffix(end)) and part in node.reference:
                return node.reference.replace(part, after.removesuffix(end))
    return ""


def _changed_part(old: str, new: str) -> tuple[str, str]:
    """What of a path has become what of another: without the folders that both begin and end with."""
    before, after = old.split("/"), new.split("/")
    while before and after and before[-1] == after[-1]:
        before, after = before[:-1], after[:-1]
    same = next((n for n, pair in enumerate(zip(before, after, strict=False)) if pair[0] != pair[1]), 0)
    return "/" + "/".join(before[same:]) + "/", "/" + "/".join(after[same:]) + "/"


def _of_element(node: KeyNode, sight: StepSight) -> str:
    """The path of the element that the step was done to; empty if there is none."""
    page, element = sight.page, sight.element
    if page is None or element is None or sight.state != "guessed":
        return ""
    path = node.path if node.target == "element_value" else node.reference
    try:
        meant = page.find(path, node.method) if path else element
    except WrongPath:
        meant = None
    if meant is not None and is_same(meant, element):
        return ""  # the path is right, and what it lacks is something else
    return _path_of(node, sight, element)


def _path_of(node: KeyNode, sight: StepSight, element: etree._Element) -> str:
    assert sight.page is not None  # noqa: S101 - asked before
    if node.method == "xpath":
        return xpath_of(element)
    was = node.path if node.target == "element_value" else node.reference
    return selector_for(sight.page, element, was)
