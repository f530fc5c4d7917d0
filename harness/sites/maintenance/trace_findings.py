"""What two walks through a trace, or one and what was recorded, say has changed: pure functions of what was seen."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from urllib.parse import urlsplit, urlunsplit

from lxml import etree

from harness.catalog.site_facts import KeyNode, SiteFacts
from harness.catalog.trace import ElementMark, Trace
from harness.kit.files.codec import plain
from harness.kit.text import shorten
from harness.records.site_record import EvaluatedPart
from harness.scoring.evaluators.key_nodes import name_of
from harness.scoring.evaluators.page_tree import WrongPath, is_same
from harness.sites.maintenance.element_words import changes_of, is_elsewhere, xpath_of
from harness.sites.maintenance.likeness import is_certain, reasons
from harness.sites.maintenance.records import ChangeKind, FileEdit, Proposal, ReplayedTrace, TraceFinding, TraceState
from harness.sites.maintenance.selectors import selector_for
from harness.sites.maintenance.trace_walk import StepSight, WalkedTrace, address_of

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


@dataclass(frozen=True)
class ComparedTask:
    """What a walk is compared with.

    Attributes:
        name: Of the task.
        facts: What the task says, its variables and all.
        trace: Its trace, likewise.
        marks: By what the element of each step is known; None of a step without one.
        urls: Where each step was; empty where that is not known.
        before: A walk on the layout on which the trace was made; None if there is none.
        strict: Whether the site holds the data that the marks were made of.
    """

    name: str
    facts: SiteFacts
    trace: Trace
    marks: tuple[ElementMark | None, ...]
    urls: tuple[str, ...]
    before: WalkedTrace | None = None
    strict: bool = False


def findings_of(task: ComparedTask, walked: WalkedTrace) -> tuple[TraceFinding, ...]:
    """Everything that is not as it was recorded, step by step, then node by node.

    Args:
        task: What was recorded.
        walked: The walk on the site of today.
    """
    found: list[TraceFinding] = []
    addresses: set[tuple[str, str]] = set()
    for number, sight in enumerate(walked.sights):
        new = address_of(sight.url)
        if (moved := _readdressed(task, number, sight)) and new not in addresses:
            addresses.add(new)
            found.append(moved)
        if of_element := _of_step(task, number, sight):
            found.append(of_element)
    found += node_findings(task.facts, task.trace, walked, task.before)
    found += state_findings(walked)
    return tuple(replace(each, id=_id(task.name, each)) for each in found)


def replayed(task: ComparedTask, walked: WalkedTrace, base: ReplayedTrace) -> ReplayedTrace:
    """What became of a replay.

    Args:
        task: What was recorded.
        walked: The walk on the site of today.
        base: Which task, instance and setting it was.
    """
    if walked.why:
        return replace(base, state="failed", why=walked.why)
    findings = findings_of(task, walked)
    state: TraceState = "broken" if any(each.breaks for each in findings) else "changed" if findings else "holds"
    states = [sight.state for sight in walked.sights]
    nodes = walked.evaluations.get("key_nodes")
    parts = nodes.parts if nodes else ()
    return replace(
        base,
        state=state,
        steps=len(states),
        guessed=states.count("guessed"),
        skipped=states.count("gone") + states.count("refused"),
        nodes=len(parts),
        nodes_met=sum(part.score == 1 for part in parts),
        findings=findings,
    )


def _readdressed(task: ComparedTask, number: int, sight: StepSight) -> TraceFinding | None:
    """That a page has another address; None while the walk is on another way for what was left out before."""
    was = task.urls[number]
    if not was or sight.lost or not task.strict or address_of(was) == address_of(sight.url):
        return None
    if sight.url == "about:blank" or any(address_of(sight.url) == address_of(url) for url in task.urls):
        return None  # it is another page of the trace, and not this one under another name
    words = f"the page that was at {shorten(_path(was), 80)} is at {shorten(_path(sight.url), 80)}"
    edits = tuple(
        FileEdit(file="trace.json", at=("steps", place, "url"), value=_at(step.url, sight.url))
        for place, step in enumerate(task.trace.steps)
        if "${" not in step.url and address_of(step.url) == address_of(was)
    )
    return TraceFinding(
        id="",
        kinds=("readdressed",),
        breaks=False,
        words=words,
        url=sight.url,
        step=number + 1,
        value_before=was,
        value_after=sight.url,
        proposal=Proposal(edits=edits) if edits else None,
    )


def _of_step(task: ComparedTask, number: int, sight: StepSight) -> TraceFinding | None:
    """That the element of a step has changed, or that the step cannot be done."""
    mark = task.marks[number]
    if sight.lost and sight.state != "done":
        return None  # the page is another one: nothing is known of this step
    if sight.state == "gone" and mark is not None:
        return TraceFinding(
            id="",
            kinds=("gone",),
            breaks=True,
            words=f"{_named(mark)} is not there, and nothing is like it" + (sight.message and f": {sight.message}"),
            url=sight.url,
            step=number + 1,
            before=mark,
        )
    after = sight.mark
    if sight.state == "refused":
        return TraceFinding(
            id="",
            kinds=("refused",),
            breaks=True,
            words=f"the step cannot be done: {sight.message}",
            url=sight.url,
            step=number + 1,
            before=mark,
            after=after,
            value_before=sight.step.value,
        )
    if mark is None or after is None:
        return None
    kinds = tuple(_kinds(task, number, sight, mark))
    if not kinds:
        return None
    return TraceFinding(
        id="",
        kinds=kinds,
        breaks=sight.state == "guessed",
        words=_said(kinds, mark, after, sight),
        url=sight.found_on or sight.url,
        step=number + 1,
        before=mark,
        after=after,
        proposal=_proposal(task, number, sight, after),
    )


def _kinds(task: ComparedTask, number: int, sight: StepSight, mark: ElementMark) -> Iterator[ChangeKind]:
    if sight.element is None or (not task.strict and sight.state == "done"):
        return
    told = changes_of(mark, sight.element)
    before = task.before.sights[number] if task.before else None
    if sight.found_on:
        told.append("moved")
    elif before and before.element is not None and sight.page is not None:
        # Two trees tell more of places than two marks.
        place = is_elsewhere(before.element, sight.page, sight.element)
        if "moved" in told:
            told.remove("moved")
        if place:
            told.append(place)
    if sight.state == "guessed" and not {"renamed", "moved", "reordered", "readdressed"} & set(told):
        # The selector names something that marks do not hold, such as a class.
        told.insert(0, "renamed")
    yield from dict.fromkeys(told)


def _proposal(task: ComparedTask, number: int, sight: StepSight, after: ElementMark) -> Proposal:
    raw = task.trace.steps[number].element
    edits: list[FileEdit] = []
    if raw is not None and "${" not in str(plain(raw)):
        at = ("steps", number)
        if sight.found_on:
            way = {"do": "goto", "value": sight.found_on, "url": sight.url}
            edits.append(FileEdit(file="trace.json", at=at, value=way, insert=True))
            edits.append(FileEdit(file="trace.json", at=(*at, "url"), value=sight.found_on))
        if sight.opened_by:
            press = {"do": "click", "element": without_empty(sight.opened_by), "url": sight.url}
            edits.append(FileEdit(file="trace.json", at=at, value=press, insert=True))
        edits.append(FileEdit(file="trace.json", at=(*at, "element"), value=without_empty(after)))
    near = sight.near
    return Proposal(
        likeness=round(near[0].likeness, 3) if near else None,
        next_likeness=round(near[1].likeness, 3) if len(near) > 1 else None,
        certain=is_certain(list(near)) if near else True,
        reasons=tuple(reasons(near[0])) if near else ("the recorded selector still finds it",),
        edits=tuple(edits),
    )


def without_empty(mark: ElementMark) -> dict[str, object]:
    """A mark as a trace holds it: keys without a value are left out."""
    return {name: value for name, value in plain(mark).items() if value}


def _said(kinds: tuple[ChangeKind, ...], mark: ElementMark, after: ElementMark, sight: StepSight) -> str:
    words = f"{_named(mark)} {_WORDS[kinds[0]]}" + "".join(f" and {_WORDS[kind]}" for kind in kinds[1:])
    if "relabelled" in kinds:
        words += f": {shorten(after.text or after.tag, 60)!r}"
    if sight.found_on:
        words += f", to {_path(sight.found_on)}"
    if sight.opened_by:
        words += f"; it is folded away, and {_named(sight.opened_by)} unfolds it"
    if sight.state == "guessed":
        words += f"; the recorded selector {shorten(mark.css, 80)} does not find it"
    return words


_WORDS: dict[ChangeKind, str] = {
    "renamed": "or its container has another name",
    "relabelled": "says something else",
    "moved": "is in another container",
    "reordered": "or its container changed places",
    "readdressed": "leads to another address",
}


def _named(mark: ElementMark) -> str:
    said = mark.text or mark.attributes.get("aria-label") or mark.attributes.get("name") or mark.css
    return f"<{mark.tag or 'element'}> {shorten(said, 60)!r}"


def _path(url: str) -> str:
    parts = urlsplit(url)
    return urlunsplit(("", "", parts.path, parts.query, parts.fragment)) or url


def _at(old: str, new: str) -> str:
    """An address with the host and path of another one."""
    was, now = urlsplit(old), urlsplit(new)
    return urlunsplit((now.scheme, now.netloc, now.path, was.query, was.fragment))


def _id(task: str, finding: TraceFinding) -> str:
    after = finding.after.css if finding.after else ""
    said = [task, finding.step, finding.node, *finding.kinds, after, finding.value_after, finding.words]
    return hashlib.sha256("\0".join(map(str, said)).encode("utf-8", "replace")).hexdigest()[:8]
